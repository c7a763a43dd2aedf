internal import FieldCore
public import FieldFoundation

/// Some walks, the newest first, and where to go on.
public struct WalkPage: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The walks.
  public var walks: [Walk]
  /// What to ask for the next page with; nil when there are no more.
  public var next: Cursor?

  /// Makes a page.
  public init(walks: [Walk], next: Cursor? = nil) {
    self.walks = walks
    self.next = next
  }

  /// A place between two walks.
  ///
  /// It is made of the walk before it and not of a count, so that walks which are saved or removed
  /// meanwhile neither repeat a walk nor leave one out. It can be kept as text.
  public struct Cursor: RawRepresentable, Hashable, Sendable, Codable {
    /// The text of the cursor; what is in it is no promise.
    public var rawValue: String

    /// Makes a cursor from its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The place after a walk.
    public init(after walk: Walk) {
      // The bits of the number, so that no digit is lost.
      let bits = walk.start.timeIntervalSinceReferenceDate.bitPattern
      rawValue = "\(String(bits, radix: 16))/\(walk.id.rawValue)"
    }

    /// The start and the id of the walk before this place.
    ///
    /// - Throws: `FieldError` with the code `invalidInput` when the text is no cursor.
    public var position: (start: Date, id: Walk.ID) {
      get throws {
        guard let slash = rawValue.firstIndex(of: "/"),
          let bits = UInt64(rawValue[..<slash], radix: 16),
          Double(bitPattern: bits).isFinite
        else {
          throw FieldError(
            .invalidInput, "\"\(rawValue.prefix(80))\" is no place in a history of walks")
        }
        return (
          Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)),
          Walk.ID(rawValue: String(rawValue[rawValue.index(after: slash)...]))
        )
      }
    }
  }

  /// The number of walks.
  public var description: String { "\(walks.count) walks" }
}

extension Walk {
  /// Whether the left walk comes before the right one in a history: the newest is first, and of those
  /// that began at one moment the one whose id comes first.
  public static func isNewer(_ left: Walk, _ right: Walk) -> Bool {
    left.start == right.start ? left.id.rawValue < right.id.rawValue : left.start > right.start
  }
}

extension WalkPage: RandomAccessCollection {
  /// The place of the first walk.
  public var startIndex: Int { walks.startIndex }

  /// The place behind the last walk.
  public var endIndex: Int { walks.endIndex }

  /// The walk at a place.
  public subscript(position: Int) -> Walk { walks[position] }
}
