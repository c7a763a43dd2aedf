/// The protection of files while an Apple device is locked.
///
/// ```swift
/// let storage = Storage.application("park", protection: .completeUnlessOpen)
/// ```
///
/// Other platforms don't have it, so it has no effect there. A call that needs a file that the
/// device protects at that moment throws ``FieldError/Code/locked`` and changes nothing.
public struct FileProtection: Sendable, Hashable {
  /// The classes that Apple platforms have.
  package enum Level: Sendable { case off, untilFirstUserAuthentication, unlessOpen, complete }

  package let level: Level

  /// The files are always accessible.
  public static let unprotected = FileProtection(level: .off)

  /// The files are accessible after the user has unlocked the device once since it started.
  ///
  /// It suits apps that refresh or record in the background, and is the platform's default.
  public static let completeUntilFirstUserAuthentication = FileProtection(
    level: .untilFirstUserAuthentication)

  /// While the device is locked, files can be created, and those that are open stay accessible.
  ///
  /// A walk that is being recorded continues, but no store can be opened.
  public static let completeUnlessOpen = FileProtection(level: .unlessOpen)

  /// The files are accessible only while the device is unlocked.
  ///
  /// Nothing can be refreshed or recorded while it is locked.
  public static let complete = FileProtection(level: .complete)
}
