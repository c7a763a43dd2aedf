/// The frames of a store file as a digest, so that what was computed from the store is found to belong to its content.
///
/// A revision alone isn't enough: after an older copy of the file was put in its place, another history may reach the
/// same one.
package struct FrameChain: Sendable, Equatable {
  /// The content after a frame.
  package struct Link: Sendable, Equatable {
    package var revision: Revision
    /// The digest of all frames up to this one.
    package var digest: UInt64
    /// One more than the largest slot.
    package var slotLimit: Int
    /// The number of records.
    package var count: Int
  }

  /// The last frames, oldest first, after which no slot was renumbered. None if opening the file would number slots
  /// in another way than this process does.
  package private(set) var links: [Link] = []
  /// The link whose content, with the same slots, is that of the only frame since a compaction.
  package private(set) var compacted: Link?
  private var digest: UInt64 = 0
  private var hasKnownSlots = true

  package init() {}

  /// Adds a frame.
  ///
  /// - Parameters:
  ///   - content: The content after it.
  ///   - isRenumbered: Whether the frame has renumbered the slots.
  package mutating func add<Record: StoredRecord>(
    _ frame: Frame, _ content: StoreContent<Record>, isRenumbered: Bool
  ) {
    for part in [
      UInt64(frame.start), UInt64(frame.payload.count), frame.revision.number,
      UInt64(frame.checksum) | UInt64(frame.recordVersion) << 32,
      UInt64(frame.kind.rawValue) | UInt64(frame.flags.rawValue) << 8,
    ] {
      digest = StableHash.folded(digest &+ 0x9E37_79B9_7F4A_7C15) ^ StableHash.folded(~part)
    }
    if isRenumbered { links.removeAll() }
    guard hasKnownSlots else { return }
    if links.count >= 2 * Self.linkLimit { links.removeFirst(links.count - Self.linkLimit) }
    links.append(
      Link(
        revision: frame.revision, digest: digest, slotLimit: content.records.count,
        count: content.count))
  }

  /// Returns the chain of a file that contains nothing but a base.
  package func replaced<Record: StoredRecord>(
    by base: Frame, _ content: StoreContent<Record>
  ) -> FrameChain {
    var new = FrameChain()
    // Opening numbers the slots of a base without the holes that this process has.
    new.hasKnownSlots = content.records.count == content.count
    new.add(base, content, isRenumbered: false)
    if new.hasKnownSlots, let last = links.last, last.revision == base.revision {
      new.compacted = last
    }
    return new
  }

  /// Returns the link of a content under which it is found now, or `nil` if there is none.
  package func current(_ link: Link) -> Link? {
    if links.contains(link) { return link }
    return link == compacted ? links.first { $0.revision == link.revision } : nil
  }

  /// The number of links, about that of the commits that a ``ChangeLog`` knows.
  private static var linkLimit: Int { 128 }
}
