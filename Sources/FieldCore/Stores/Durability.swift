/// When a commit counts as done.
public struct Durability: Sendable, Hashable {
  private enum Level: Sendable { case full, deferred }

  private let level: Level

  /// When it is on the device: `fdatasync` on Linux, `F_FULLFSYNC` on Apple platforms.
  public static let full = Durability(level: .full)

  /// When the operating system has it, which writes it to the device when it likes.
  ///
  /// A crash of the process loses nothing; a loss of power can lose the last commits, and then opening
  /// finds a whole file of fewer commits. It is for what is fetched anew all the time.
  public static let deferred = Durability(level: .deferred)
}
