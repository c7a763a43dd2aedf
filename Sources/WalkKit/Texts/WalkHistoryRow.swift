public import FieldCore

/// A walk as a line of a history: its text, its first photo, and how many more there are.
public struct WalkHistoryRow: Identifiable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The walk.
  public var walk: Walk

  /// Makes the row of a walk.
  public init(_ walk: Walk) { self.walk = walk }

  /// The id of the walk.
  public var id: Walk.ID { walk.id }

  /// The text, such as `2020-01-29 20:04:23 의 산책 기록`.
  public var title: FieldText { WalkTexts.title(of: walk) }

  /// The first photo; nil when there is none. Its bytes are `WalkDiary.photo(_:)`'s.
  public var photo: WalkPhoto? { walk.photos.first }

  /// `+1` for two photos and so on; nil for one or none.
  public var badge: String? { walk.photos.count > 1 ? "+\(walk.photos.count - 1)" : nil }

  /// The walk.
  public var description: String { walk.description }
}

extension WalkPage {
  /// The page as lines of a history.
  public var rows: [WalkHistoryRow] { walks.map(WalkHistoryRow.init) }
}
