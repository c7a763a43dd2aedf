/// The point at which a commit is complete.
public struct Durability: Sendable, Hashable {
  private enum Level: Sendable { case full, deferred }

  private let level: Level

  /// The commit is on the device: `fdatasync` on Linux, `F_FULLFSYNC` on Apple platforms.
  public static let full = Durability(level: .full)

  /// The operating system has the commit, and writes it to the device later.
  ///
  /// A crash of the process loses nothing. A power failure may lose the last commits; the file is
  /// then complete up to an earlier commit. Use it for data that is fetched again anyway.
  public static let deferred = Durability(level: .deferred)
}
