/// The file next to a store file that contains what its owners have computed from the store and can compute again.
///
/// An owner is a type in a build of a program. The file consists of named sections, each of which belongs to an owner.
/// It is written without a sync, and nothing depends on it: what isn't intact isn't there. For the layout, see
/// `Docs/store-format.md`.
package struct DerivedFile: Sendable, Equatable {
  package struct Section: Sendable, Equatable {
    package var owner: [UInt8]
    /// Up to eight ASCII letters.
    package var name: String
    package var bytes: [UInt8]
  }

  /// The creation ID of the store.
  package let creationID: [UInt8]
  /// The sections, those of the last writer first.
  package private(set) var sections: [Section] = []

  package init(creationID: [UInt8]) { self.creationID = creationID }

  /// Replaces the section of an owner with a name, and drops those of the owners that haven't written for the longest
  /// time if there are too many.
  package mutating func put(_ section: Section) {
    sections.removeAll { $0.owner == section.owner && $0.name == section.name }
    sections.insert(section, at: 0)
    var owners: [[UInt8]] = []
    sections.removeAll { section in
      if !owners.contains(section.owner) { owners.append(section.owner) }
      let rank = owners.firstIndex(of: section.owner) ?? 0
      return rank >= (section.bytes.count < Self.largeSize ? Self.ownerLimit : Self.largeOwnerLimit)
    }
    sections = Array(sections.prefix(Self.sectionLimit))
  }

  /// Removes sections that are no longer of use.
  package mutating func removeSections(where isUseless: (Section) -> Bool) {
    sections.removeAll(where: isUseless)
  }

  private static let magic: [UInt8] = Array("FKDV\r\n".utf8) + [0x1A, 0x0A]
  private static var version: UInt16 { 1 }
  private static var headSize: Int { 32 }
  private static var entrySize: Int { 64 }
  private static var nameSize: Int { 8 }
  package static var ownerSize: Int { 32 }
  private static var sectionLimit: Int { 64 }
  /// The number of owners.
  private static var ownerLimit: Int { 12 }
  /// The size from which sections are large, and the number of owners of such.
  private static var largeSize: Int { 1 << 16 }
  private static var largeOwnerLimit: Int { 3 }
  /// The size of the largest directory.
  package static var directorySize: Int { headSize + sectionLimit * entrySize + 4 }

  /// The content of the file: the directory, and then the sections.
  package var bytes: [UInt8] {
    var bytes = Self.magic
    bytes.append(fixed: Self.version)
    bytes.append(fixed: UInt16(sections.count))
    bytes.append(fixed: 0 as UInt32)
    bytes += creationID
    var place = Self.headSize + sections.count * Self.entrySize + 4
    for section in sections {
      bytes += section.owner
      let name = section.name.utf8.prefix(Self.nameSize)
      bytes += name
      bytes += [UInt8](repeating: 0, count: Self.nameSize - name.count)
      bytes.append(fixed: UInt64(place))
      bytes.append(fixed: UInt64(section.bytes.count))
      bytes.append(fixed: CRC32C.checksum(section.bytes, section.bytes.indices))
      bytes.append(fixed: 0 as UInt32)
      place += section.bytes.count
    }
    bytes.append(fixed: CRC32C.checksum(bytes, bytes.indices))
    return sections.reduce(into: bytes) { $0 += $1.bytes }
  }

  /// Reads the sections that `isWanted` accepts, as far as they are intact.
  ///
  /// - Parameter read: Returns up to a number of bytes of the file from a position on.
  package init?<Failure>(
    creationID: [UInt8], where isWanted: (_ owner: [UInt8], _ name: String) -> Bool,
    _ read: (_ place: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) {
    let start = try read(0, Self.directorySize)
    guard start.count >= Self.headSize + 4, start.starts(with: Self.magic),
      start.fixed(at: 8) == Self.version, Array(start[16..<32]) == creationID
    else { return nil }
    let count = Int(start.fixed(at: 10) as UInt16)
    let end = Self.headSize + count * Self.entrySize
    guard count <= Self.sectionLimit, start.count >= end + 4,
      start.fixed(at: end) == CRC32C.checksum(start, 0..<end)
    else { return nil }
    self.creationID = creationID
    for place in stride(from: Self.headSize, to: end, by: Self.entrySize) {
      let owner = Array(start[place..<place + Self.ownerSize])
      let nameStart = place + Self.ownerSize
      let name = String(
        decoding: start[nameStart..<nameStart + Self.nameSize].prefix { $0 != 0 }, as: UTF8.self)
      guard isWanted(owner, name), let offset = Int(exactly: start.fixed(at: place + 40) as UInt64),
        let size = Int(exactly: start.fixed(at: place + 48) as UInt64), size <= Self.largestSection
      else { continue }
      let bytes = try read(offset, size)
      guard bytes.count == size,
        start.fixed(at: place + 56) == CRC32C.checksum(bytes, bytes.indices)
      else { continue }
      sections.append(Section(owner: owner, name: name, bytes: bytes))
    }
  }

  private static var largestSection: Int { 1 << 28 }
}
