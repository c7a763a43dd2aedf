internal import FieldCore

extension MemoryFileSystem {
  /// The file system after a call that changed something.
  package struct Moment: Sendable {
    /// How many calls were made until then.
    package let callCount: Int
    /// The last call, for messages.
    package let lastCall: String
    private let state: State

    init(_ state: State) {
      callCount = state.callCount
      lastCall = state.log.last ?? ""
      self.state = state
    }

    /// All that decides what is found after an end: equal ones have the same states.
    package var facts: Facts { Facts(state) }

    /// The file system after the end of all processes: all that was written is there, synced or not.
    package var afterDeath: MemoryFileSystem { MemoryFileSystem(restarted: state) }

    /// All that may be on the device if the power fails.
    ///
    /// - Parameters:
    ///   - sectorSize: How many bytes reach the device together or not at all.
    ///   - limit: How many states to compute at the most.
    package func powerCuts(sectorSize: Int, limit: Int) -> PowerCuts {
      PowerCuts(state, sectorSize: sectorSize, limit: limit)
    }
  }

  /// A file system without what no later process notices: the numbers and times of the files, and what
  /// was set aside.
  package struct Facts: Sendable, Hashable {
    private let names: [Names]
    private let pendingNames: [Naming]
    private let files: [Inode]

    init(_ state: State) {
      // Files are numbered as they are met.
      var numbers: [UInt64: UInt64] = [:]
      var files: [Inode] = []
      func number(_ inode: UInt64, _ path: String) -> UInt64 {
        if let known = numbers[inode] { return known }
        var file = isSetAside(path) ? Inode() : state.inodes[inode] ?? Inode()
        file.modified = 0
        files.append(file)
        numbers[inode] = UInt64(files.count)
        return UInt64(files.count)
      }
      names = [state.present, state.durable].map { names in
        var names = names
        for (path, inode) in names.files.sorted(by: { $0.key < $1.key }) {
          names.files[path] = number(inode, path)
        }
        return names
      }
      pendingNames = state.pendingNames.map { naming in
        switch naming {
        case .name(let path, let inode): .name(path, number(inode, path))
        case .rename(let old, let new, let inode): .rename(old, new, number(inode, new))
        case .remove, .makeDirectory: naming
        }
      }
      self.files = files
    }
  }

  /// Returns whether a file was set aside: such files are only listed, so their bytes don't matter.
  package static func isSetAside(_ path: String) -> Bool { path.contains(".damaged-") }

  /// The files on a device with their contents, and its directories.
  package struct Device: Sendable, Hashable {
    package var files: [String: [UInt8]] = [:]
    package var directories: Set<String> = []
  }

  /// Makes a file system of what is on a device.
  package convenience init(_ device: Device) {
    self.init()
    state.withLock { state in
      for path in device.files.keys.sorted() {
        let content = device.files[path] ?? []
        let inode = Self.newInode(&state)
        state.inodes[inode] = Inode(content: content, durable: content, modified: Int64(inode))
        state.present.files[path] = inode
      }
      state.present.directories = device.directories
      state.durable = state.present
    }
  }

  /// Keeps a moment after each call that changes something, from now on.
  package func keepMoments() { moments.withLock { $0 = [] } }

  /// The moments that were kept, in order.
  package var keptMoments: [Moment] { moments.withLock { $0 ?? [] } }

  func note(_ state: State) { moments.withLock { $0?.append(Moment(state)) } }
}

/// The states of a device that a power failure may leave at a moment, computed one at a time.
///
/// - Any subset of the unsynced changes of names, in the order in which they were made.
/// - For each file, any of the sizes since its last sync, or a size between at the border of a sector.
/// - In each sector of a file, what any write since the last sync has made of it, independently of the
///   other sectors. What a failed sync has given up may be there as well.
package struct PowerCuts: Sequence, Sendable {
  /// Whether all states are in the sequence.
  package private(set) var isComplete = true

  private var layouts: [(names: MemoryFileSystem.Names, count: Int)] = []
  private var contents: [UInt64: [[UInt8]]] = [:]

  init(_ state: MemoryFileSystem.State, sectorSize: Int, limit: Int) {
    var found: Set<MemoryFileSystem.Names> = [state.durable]
    for naming in state.pendingNames {
      guard found.count <= limit else {
        isComplete = false
        break
      }
      found.formUnion(
        found.map { names in
          var names = names
          names.apply(naming)
          return names
        })
    }
    let reachable = Set(
      found.map { names in
        var names = names
        names.removeUnreachable()
        return names
      })
    var left = limit
    for names in reachable {
      var count = 1
      for number in names.files.values {
        count = Swift.min(count * choices(of: number, state, sectorSize, limit), limit + 1)
      }
      if count > left { isComplete = false }
      layouts.append((names, Swift.min(count, left)))
      left -= Swift.min(count, left)
    }
  }

  /// Computes the contents that a file may have, and returns how many there are.
  private mutating func choices(
    of number: UInt64, _ state: MemoryFileSystem.State, _ sectorSize: Int, _ limit: Int
  ) -> Int {
    if let known = contents[number] { return known.count }
    let inode = state.inodes[number] ?? MemoryFileSystem.Inode()
    var all = inode.contents(sectorSize: sectorSize, limit: limit)
    if all.isEmpty {
      isComplete = false
      all = [inode.durable, inode.content]
    }
    contents[number] = all
    return all.count
  }

  /// How many states there are.
  package var count: Int { layouts.reduce(0) { $0 + $1.count } }

  package func makeIterator() -> AnyIterator<MemoryFileSystem.Device> {
    var place = 0
    var number = 0
    return AnyIterator {
      while place < layouts.count {
        if number < layouts[place].count {
          defer { number += 1 }
          return device(layouts[place].names, number)
        }
        place += 1
        number = 0
      }
      return nil
    }
  }

  private func device(
    _ names: MemoryFileSystem.Names, _ number: Int
  ) -> MemoryFileSystem.Device {
    var device = MemoryFileSystem.Device(directories: names.directories)
    var number = number
    for (path, inode) in names.files.sorted(by: { $0.key < $1.key }) {
      guard let all = contents[inode] else { continue }
      device.files[path] = all[number % all.count]
      number /= all.count
    }
    return device
  }
}

extension MemoryFileSystem.Naming {
  /// The directory that has the name.
  var directory: String {
    switch self {
    case .name(let path, _), .remove(let path), .rename(_, let path, _), .makeDirectory(let path):
      MemoryFileSystem.parent(of: path)
    }
  }
}

extension MemoryFileSystem.Names {
  mutating func apply(_ naming: MemoryFileSystem.Naming) {
    switch naming {
    case .name(let path, let inode): files[path] = inode
    case .remove(let path): files[path] = nil
    case .rename(let old, let new, let inode):
      files[old] = nil
      files[new] = inode
    case .makeDirectory(let path): directories.insert(path)
    }
  }

  /// Removes what is in directories whose own names are missing.
  mutating func removeUnreachable() {
    let all = directories
    directories = all.filter { path in
      var path = path
      while path != "/" {
        guard all.contains(path) else { return false }
        path = MemoryFileSystem.parent(of: path)
      }
      return true
    }
    files = files.filter { directories.contains(MemoryFileSystem.parent(of: $0.key)) }
  }
}

extension MemoryFileSystem.Inode {
  /// Does what a sync does. What an earlier one has given up may still be on the device or not.
  mutating func sync() {
    var undecided: [MemoryFileSystem.Write] = []
    for write in pending {
      if write.isGivenUp {
        undecided.append(write)
        continue
      }
      MemoryFileSystem.apply(write.change, to: &durable)
      undecided = undecided.flatMap { $0.outside(write.range) }
    }
    // The size is right in any case, with zeros where nothing was written.
    durable += [UInt8](repeating: 0, count: max(content.count - durable.count, 0))
    pending = undecided
  }

  /// Does what a sync does that fails.
  mutating func giveUpWrites() {
    for place in pending.indices {
      if case .bytes = pending[place].change { pending[place].isGivenUp = true }
    }
  }

  /// All that may be on the device after a power failure; empty if that is more than the limit.
  func contents(sectorSize: Int, limit: Int) -> [[UInt8]] {
    var images = [durable]
    for write in pending {
      var next = images[images.count - 1]
      MemoryFileSystem.apply(write.change, to: &next)
      images.append(next)
    }
    var sizes = Set(images.map(\.count))
    let (least, most) = (sizes.min() ?? 0, sizes.max() ?? 0)
    sizes.formUnion(
      stride(from: (least / sectorSize + 1) * sectorSize, to: most, by: sectorSize))
    let sectors: [Set<[UInt8]>] = stride(from: 0, to: most, by: sectorSize).map { start in
      Set(
        images.map { image -> [UInt8] in
          let sector = Array(image.dropFirst(start).prefix(sectorSize))
          return sector + [UInt8](repeating: 0, count: sectorSize - sector.count)
        })
    }
    var found: Set<[UInt8]> = []
    for size in sizes {
      var contents: [[UInt8]] = [[]]
      for sector in sectors.prefix((size + sectorSize - 1) / sectorSize) {
        guard contents.count * sector.count <= limit else { return [] }
        contents = contents.flatMap { start in sector.map { start + $0 } }
      }
      for content in contents { found.insert(Array(content.prefix(size))) }
    }
    return Array(found)
  }
}

extension MemoryFileSystem.Write {
  /// The bytes that the write decides.
  var range: Range<Int> {
    switch change {
    case .bytes(let bytes, let offset): offset..<(offset + bytes.count)
    case .cut(let size): size..<Int.max
    }
  }

  /// What is left of a write where another one hasn't replaced it.
  func outside(_ range: Range<Int>) -> [Self] {
    guard case .bytes(let bytes, let offset) = change else { return [] }
    let end = offset + bytes.count
    var parts: [Self] = []
    if offset < range.lowerBound {
      let first = Array(bytes.prefix(range.lowerBound - offset))
      parts.append(Self(change: .bytes(first, at: offset), isGivenUp: isGivenUp))
    }
    if end > range.upperBound {
      let start = max(offset, range.upperBound)
      let last = Array(bytes.suffix(end - start))
      parts.append(Self(change: .bytes(last, at: start), isGivenUp: isGivenUp))
    }
    return parts
  }
}

extension MemoryFileSystem {
  static func apply(_ change: Write.Change, to content: inout [UInt8]) {
    switch change {
    case .bytes(let bytes, let offset): put(bytes, at: offset, in: &content)
    case .cut(let size): content.removeLast(max(content.count - size, 0))
    }
  }
}
