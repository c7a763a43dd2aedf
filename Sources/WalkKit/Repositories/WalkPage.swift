internal import FieldCore
package import FieldFoundation

/// A page of walks, newest first, with a cursor for the next page.
public struct WalkPage: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The walks.
  public var walks: [Walk]
  /// The cursor for the next page; `nil` if there are no more walks.
  public var next: Cursor?

  /// Creates a page.
  public init(walks: [Walk], next: Cursor? = nil) {
    self.walks = walks
    self.next = next
  }

  /// A position between two walks in a history.
  ///
  /// A cursor refers to the walk before it instead of a count, so walks that are saved or removed
  /// in the meantime don't cause duplicates or omissions. You can store it as text.
  public struct Cursor: RawRepresentable, Hashable, Sendable, Codable {
    /// The text of the cursor, whose format may change.
    public var rawValue: String

    /// Creates a cursor from its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates the position after a walk.
    public init(after walk: Walk) {
      // Use the bits of the number so that no digits are lost.
      let bits = walk.start.timeIntervalSinceReferenceDate.bitPattern
      rawValue = "\(String(bits, radix: 16))/\(walk.id.rawValue)"
    }

    /// The start and the ID of the walk before this position.
    ///
    /// - Throws: `FieldError` with the code `input.invalid` if the text isn't a cursor.
    package var position: (start: Date, id: Walk.ID) {
      get throws {
        let parts = rawValue.parts(at: "/", maxSplits: 1)
        guard parts.count == 2, let bits = UInt64(parts[0], radix: 16),
          Double(bitPattern: bits).isFinite
        else {
          throw FieldError(
            .invalidInput, "\"\(rawValue.prefix(80))\" isn't a position in a history of walks.")
        }
        return (
          Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)),
          Walk.ID(rawValue: String(parts[1]))
        )
      }
    }
  }

  /// The number of walks.
  public var description: String { "\(walks.count) walks" }
}

extension Walk {
  /// Returns whether the left walk precedes the right one in a history.
  ///
  /// Newer walks come first. Walks that began at the same time are ordered by ID.
  public static func isNewer(_ left: Walk, _ right: Walk) -> Bool {
    left.start == right.start ? left.id.rawValue < right.id.rawValue : left.start > right.start
  }
}

extension WalkPage: RandomAccessCollection {
  /// The position of the first walk.
  public var startIndex: Int { walks.startIndex }

  /// The position after the last walk.
  public var endIndex: Int { walks.endIndex }

  /// The walk at a position.
  public subscript(position: Int) -> Walk { walks[position] }
}

/// A query for a page of the walks of a pet in a period.
package struct WalkQuery: Hashable, Sendable, Codable {
  /// The pet on the walks; `nil` for all walks.
  package var pet: Pet.ID?
  /// The range of the walks' starts; `nil` for any time.
  package var period: Range<Date>?
  /// The maximum number of walks on a page, which is at least 1.
  package var limit: Int
  /// The cursor at the end of the previous page; `nil` for the first page.
  package var after: WalkPage.Cursor?

  /// Creates a query, which by default returns the newest walks.
  package init(
    pet: Pet.ID? = nil, period: Range<Date>? = nil, limit: Int = 50,
    after: WalkPage.Cursor? = nil
  ) {
    self.pet = pet
    self.period = period
    self.limit = limit
    self.after = after
  }
}
