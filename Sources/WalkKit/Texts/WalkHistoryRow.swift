public import FieldCore

/// A walk as a row of a history, with its title, its first photo, and the number of other photos.
public struct WalkHistoryRow: Identifiable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The walk.
  public var walk: Walk

  /// Creates the row of a walk.
  public init(_ walk: Walk) { self.walk = walk }

  /// The ID of the walk.
  public var id: Walk.ID { walk.id }

  /// The title, such as `2020-01-29 20:04:23 의 산책 기록`.
  public var title: FieldText { WalkTexts.title(of: walk) }

  /// The first photo, or `nil` if there is none; use `WalkDiary.photo(_:)` to load its bytes.
  public var photo: WalkPhoto? { walk.photos.first }

  /// A badge with the number of other photos, such as `+1` for two photos; `nil` for fewer than
  /// two.
  public var badge: String? { walk.photos.count > 1 ? "+\(walk.photos.count - 1)" : nil }

  /// The description of the walk.
  public var description: String { walk.description }
}

extension WalkPage {
  /// The walks of the page as rows of a history.
  public var rows: [WalkHistoryRow] { walks.map(WalkHistoryRow.init) }
}
