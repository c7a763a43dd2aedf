/// The place in a store file whose content a snapshot shows, and the indexes beside the file.
package struct StoreMark<Record: StoredRecord>: Sendable {
  /// The frames up to the one of the snapshot.
  package let chain: FrameChain
  /// The IDs that the last frames before the opening changed.
  let opening: ChangeLog<Record.ID>
  let shelf: IndexShelf

  /// Returns a mark of the last content of a chain, or `nil` if nothing can be stored beside it.
  init?(_ chain: FrameChain, opening: ChangeLog<Record.ID>, shelf: IndexShelf) {
    guard !chain.links.isEmpty else { return nil }
    (self.chain, self.opening, self.shelf) = (chain, opening, shelf)
  }

  /// The content of the snapshot.
  var link: FrameChain.Link? { chain.links.last }

  /// Returns the IDs that were changed after an earlier content, or `nil` if they are unknown.
  func changedIDs(since link: FrameChain.Link, in snapshot: Snapshot<Record>) -> Set<Record.ID>? {
    guard chain.links.contains(link) else { return nil }
    if let ids = snapshot.changedIDs(since: link.revision) { return ids }
    // The snapshot knows what has changed since the opening.
    guard let before = opening.ids(since: link.revision),
      let after = snapshot.changedIDs(since: opening.end)
    else { return nil }
    return before.union(after)
  }
}

/// A store that reads and writes the indexes beside its file.
protocol IndexSource: AnyObject, Sendable {
  /// Returns the stored index with a name.
  func storedIndex(named name: String) -> [UInt8]?

  /// Called when an index begins to wait for being written.
  func writeIndexesLater()
}

/// The indexes beside a store file: those that can be read, and those that wait to be written.
package final class IndexShelf: Sendable {
  /// An index that waits to be written.
  struct Waiting: Sendable {
    var link: FrameChain.Link
    /// Returns the section, or `nil` if the index has no stored form.
    var section: @Sendable () -> [UInt8]?
  }

  private struct State: Sendable {
    var waiting: [String: Waiting] = [:]
    /// The content of each index that is being made to be written.
    var making: [String: FrameChain.Link] = [:]
    /// The content of each index that was last read or written.
    var stored: [String: FrameChain.Link] = [:]
    weak var source: (any IndexSource)?
  }

  private let state = Lock(State())

  /// Sets the store, which isn't retained: the snapshots of a closed one have no stored indexes.
  func attach(_ source: some IndexSource) { state.withLock { $0.source = source } }

  /// The number of records from which reading an index is faster than building it.
  static var smallestCount: Int { 256 }

  /// Returns the section with a name if it is an index of a known content.
  func section(
    named name: String, of kind: UInt64, in chain: FrameChain
  ) -> (section: SectionReader, link: FrameChain.Link)? {
    let source = state.withLock { $0.source }
    guard var reader = source?.storedIndex(named: name).map(SectionReader.init),
      let stamp = IndexStamp(from: &reader),
      stamp.kind == kind, chain.links.contains(stamp.link)
    else { return nil }
    state.withLock { $0.stored[name] = stamp.link }
    return (reader, stamp.link)
  }

  /// Writes an index some time later, unless the stored one is nearly as good.
  ///
  /// - Parameter isChanged: Whether a large part of the index has changed.
  func keep(
    _ name: String, of kind: UInt64, at link: FrameChain.Link, in chain: FrameChain,
    isChanged: Bool, _ body: @escaping @Sendable (inout [UInt8]) -> Bool
  ) {
    let source = state.withLock { state -> (any IndexSource)? in
      if state.making[name] == link { return nil }
      if !isChanged, state.waiting[name] == nil, let stored = state.stored[name],
        chain.current(stored) != nil,
        link.revision.number &- stored.revision.number < Self.mostCommits
      {
        return nil
      }
      let isFirst = state.waiting.isEmpty
      state.waiting[name] = Waiting(link: link) {
        var bytes = IndexStamp(link: link, kind: kind).bytes
        return body(&bytes) ? bytes : nil
      }
      return isFirst ? state.source : nil
    }
    source?.writeIndexesLater()
  }

  /// The number of commits after which an index is written again.
  private static var mostCommits: UInt64 { 32 }

  var isWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

  /// Returns the sections of the indexes that wait to be written, which then no longer wait.
  func takeSections() -> [(name: String, link: FrameChain.Link, bytes: [UInt8])] {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      state.making = state.waiting.mapValues { $0.link }
      return state.waiting
    }
    defer { state.withLock { $0.making = [:] } }
    return waiting.compactMap { name, index in
      index.section().map { (name: name, link: index.link, bytes: $0) }
    }
  }

  func noteWritten(_ indexes: [(name: String, link: FrameChain.Link)]) {
    state.withLock { state in
      for index in indexes { state.stored[index.name] = index.link }
    }
  }
}

/// The beginning of a stored index.
struct IndexStamp: Equatable {
  /// The content that it describes.
  var link: FrameChain.Link
  /// A digest of the declaration of the index.
  var kind: UInt64

  private static var version: UInt32 { 1 }
  private static var size: Int { 48 }

  init(link: FrameChain.Link, kind: UInt64) { (self.link, self.kind) = (link, kind) }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(fixed: Self.version)
    bytes.append(fixed: 0 as UInt32)
    bytes.append(fixed: kind)
    bytes.append(fixed: link.revision.number)
    bytes.append(fixed: link.digest)
    bytes.append(fixed: UInt64(link.slotLimit))
    bytes.append(fixed: UInt64(link.count))
    return bytes
  }

  /// Replaces the content that a stored index describes.
  static func put(_ link: FrameChain.Link, into bytes: inout [UInt8]) {
    bytes.put(fixed: link.revision.number, at: 16)
    bytes.put(fixed: link.digest, at: 24)
    bytes.put(fixed: UInt64(link.slotLimit), at: 32)
    bytes.put(fixed: UInt64(link.count), at: 40)
  }

  init?(from reader: inout SectionReader) {
    guard reader.remainingCount >= Self.size,
      reader.bytes.fixed(at: reader.position) == Self.version,
      let limit = Int(exactly: reader.bytes.fixed(at: reader.position + 32) as UInt64),
      let count = Int(exactly: reader.bytes.fixed(at: reader.position + 40) as UInt64)
    else { return nil }
    let place = reader.position
    kind = reader.bytes.fixed(at: place + 8)
    link = FrameChain.Link(
      revision: Revision(number: reader.bytes.fixed(at: place + 16)),
      digest: reader.bytes.fixed(at: place + 24), slotLimit: limit, count: count)
    reader.position += Self.size
  }
}
