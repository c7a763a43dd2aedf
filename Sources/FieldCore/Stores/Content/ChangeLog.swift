/// Which ids the last commits touched, as far as memory allows.
package struct ChangeLog<ID: Hashable & Sendable>: Sendable {
  private struct Entry: Sendable {
    var revision: Revision
    var ids: [ID]
  }

  /// How many commits are remembered.
  private static var entryLimit: Int { 128 }
  /// How many ids are remembered, over all commits.
  package static var idLimit: Int { 8192 }

  private var entries: [Entry] = []
  private var idCount = 0
  private var first: Revision
  private var last: Revision

  /// Makes a log that knows nothing of what led to `revision`.
  package init(from revision: Revision) {
    first = revision
    last = revision
  }

  /// Notes a commit; nil when its ids are too many or not known.
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

  /// The ids that were touched after `revision`, or nil when that is not known.
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
