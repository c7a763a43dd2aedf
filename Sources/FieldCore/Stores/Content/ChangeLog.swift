/// The IDs that the last commits changed, within a limit of memory.
package struct ChangeLog<ID: Hashable & Sendable>: Sendable {
  private struct Entry: Sendable {
    var revision: Revision
    var ids: [ID]
  }

  /// The maximum number of commits.
  private static var entryLimit: Int { 128 }
  /// The maximum number of IDs in all commits.
  package static var idLimit: Int { 8192 }

  private var entries: [Entry] = []
  private var idCount = 0
  private var first: Revision
  private var last: Revision

  /// Creates a log that doesn't know what led to `revision`.
  package init(from revision: Revision) {
    first = revision
    last = revision
  }

  /// The revision after the last commit.
  package var end: Revision { last }

  /// Adds a commit; `ids` is `nil` if there are too many or they are unknown.
  package mutating func append(_ ids: [ID]?, revision: Revision) {
    last = revision
    guard let ids, ids.count <= Self.idLimit else {
      entries = []
      idCount = 0
      first = revision
      return
    }
    entries.append(Entry(revision: revision, ids: ids))
    idCount += ids.count
    var dropped = 0
    while idCount > Self.idLimit || entries.count - dropped > Self.entryLimit {
      idCount -= entries[dropped].ids.count
      first = entries[dropped].revision
      dropped += 1
    }
    entries.removeFirst(dropped)
  }

  /// Returns the IDs that were changed after `revision`, or `nil` if they are unknown.
  package func ids(since revision: Revision) -> Set<ID>? {
    guard revision >= first, revision <= last else { return nil }
    var ids: Set<ID> = []
    for entry in entries.reversed() {
      guard entry.revision > revision else { break }
      ids.formUnion(entry.ids)
    }
    return ids
  }
}
