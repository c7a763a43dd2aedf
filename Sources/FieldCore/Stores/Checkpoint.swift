public import FieldFoundation

/// A store's position in its source, committed together with the records that it describes.
///
/// A checkpoint and its records are always consistent: the file contains a validator if and only if
/// it contains the records that the validator describes.
public struct Checkpoint: Sendable, Hashable, Codable {
  /// The time at which the source last confirmed the store's content, with new rows or with "not
  /// modified".
  public var lastSuccess: Date?
  /// A value that identifies how the checkpoint was made.
  ///
  /// If it differs, the checkpoint isn't used.
  public var fingerprint: String?
  /// The validators of each exact URL.
  public var validators: [String: HTTPValidators]
  /// The cursor of each table, in the source's own format.
  public var cursors: [String: String]

  /// Creates a checkpoint.
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

  /// Returns a checkpoint that contains only the mark of the last erasure.
  package func reset() -> Checkpoint {
    Checkpoint(cursors: cursors.filter { $0.key == Self.erasureCursor })
  }

  /// Returns what remains of a checkpoint if rows that it describes may be lost.
  package func afterLoss() -> Checkpoint {
    Checkpoint(cursors: cursors.filter { Self.localCursors.contains($0.key) })
  }

  /// The cursors that describe no rows of a source: the kits' counters and one-time imports.
  private static var localCursors: Set<String> {
    [erasureCursor, "sightings.next", "sightings.oldApp", "talula.updateTimestamp"]
  }
}

/// The validators of an HTTP response, with which a later request checks whether its body is
/// current.
///
/// Validators are sent back unchanged, and only to the exact URL that returned them (RFC 9110,
/// section 8.8). They are part of the ``Checkpoint``, so they are committed together with the rows
/// that they describe.
public struct HTTPValidators: Sendable, Hashable, Codable {
  /// The value of `ETag`, including quotes and `W/`.
  public var entityTag: String?
  /// The value of `Last-Modified`.
  public var lastModified: String?

  /// Creates validators.
  public init(entityTag: String? = nil, lastModified: String? = nil) {
    self.entityTag = entityTag
    self.lastModified = lastModified
  }
}
