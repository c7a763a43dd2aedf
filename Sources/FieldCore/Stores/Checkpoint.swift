public import FieldFoundation

/// How far a store has come with its source: committed in one batch with the rows that it describes.
///
/// A checkpoint and its rows can never part: a validator that says "you have the newest" is in the
/// file exactly when those rows are.
public struct Checkpoint: Sendable, Hashable, Codable {
  /// When the source last confirmed the store's content, by new rows or by "not modified".
  public var lastSuccess: Date?
  /// What the rows were read from and how; a checkpoint of another fingerprint is not used.
  public var fingerprint: String?
  /// The validators of each exact address.
  public var validators: [String: HTTPValidators]
  /// The cursor of each table, in the source's own words.
  public var cursors: [String: String]

  /// Makes a checkpoint.
  public init(
    lastSuccess: Date? = nil,
    fingerprint: String? = nil,
    validators: [String: HTTPValidators] = [:],
    cursors: [String: String] = [:]
  ) {
    self.lastSuccess = lastSuccess
    self.fingerprint = fingerprint
    self.validators = validators
    self.cursors = cursors
  }
}

extension Checkpoint {
  /// A mark that changes each time the store is erased; `nil` if it never was.
  ///
  /// A refresh stores nothing if the mark has changed since the refresh began.
  public var erasure: String? { cursors[Self.erasureCursor] }

  private static var erasureCursor: String { "erasure" }

  /// Returns the checkpoint of a store that was erased at a revision.
  package static func erased(at revision: Revision) -> Checkpoint {
    Checkpoint(cursors: [erasureCursor: String(revision.number)])
  }

  /// Returns a checkpoint without anything but the mark of the last erasure.
  package func reset() -> Checkpoint {
    Checkpoint(cursors: cursors.filter { $0.key == Self.erasureCursor })
  }
}
