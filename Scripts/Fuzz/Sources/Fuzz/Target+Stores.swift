@testable internal import FieldCore
internal import Foundation
@testable internal import WalkKit

extension Target {
  static let stores: [Target] = [storeFile, frames, journalFile, entries]

  // MARK: Stores

  private static let path = "/f/stones.store"

  /// The bytes of a store file, unchanged: mostly its header, because mutation breaks checksums.
  private static let storeFile = Target("store", seeds: storeFiles) { bytes in
    try checkStore(bytes, of: Stone.self)
    try checkStore(bytes, of: Note.self)
  }

  /// The payloads of frames, which the harness wraps in valid frames of a valid file.
  private static let frames = Target("frames", seeds: payloads) { bytes in
    guard let flags = bytes.first else { return }
    if flags & 1 == 0 {
      try checkStore(file(of: Stone.storedName, bytes), of: Stone.self)
    } else {
      try checkStore(file(of: Note.storedName, bytes), of: Note.self)
    }
  }

  private static func checkStore<Record: Sample>(
    _ bytes: [UInt8], of type: Record.Type
  ) throws {
    let files = VolatileFileSystem()
    try files.make(path, bytes)
    _ = try wait {
      let file = StoreFile(path, fileSystem: files)
      let report = try? await file.examine()
      if let report {
        let size = report.parts.reduce(0) { $0 + $1.byteCount }
        hold(size <= bytes.count, "The parts have \(size) bytes")
        _ = try await file.jsonLines()
      }
      hold(try files.content(path) == bytes, "Examining changed the file")

      let store = FileStore<Record>(unsharedPath: path, fileSystem: files)
      let opening: OpeningReport
      do {
        opening = try await store.open()
      } catch let error as FieldError {
        hold(try files.content(path) == bytes, "Opening failed and changed the file: \(error)")
        throw error
      }
      let first = try await store.snapshot()
      holdEqual(opening.recordCount, first.count, "The number of records")
      holdEqual(Set(first.map(\.id)).count, first.count, "The number of IDs")
      hold(first.allSatisfy { first[id: $0.id] == $0 }, "A record isn't found by its ID")
      try await store.commit(Changes(upserting: [Record.sample]), checkpoint: nil, expecting: nil)
      let second = try await store.snapshot()
      try await store.close()

      let again = FileStore<Record>(unsharedPath: path, fileSystem: files)
      let report2 = try await again.open()
      holdEqual(report2.cuts.count, 0, "The number of cuts of a repaired file")
      let third = try await again.snapshot()
      hold(third.revision == second.revision && third.elementsEqual(second), "The records differ")
      holdEqual(third.checkpoint, first.checkpoint, "The checkpoint")
      try await again.close()

      guard !hasGap(bytes) else { return }
      try await file.salvage()
      let last = FileStore<Record>(unsharedPath: path, fileSystem: files)
      hold(
        try await last.snapshot()[id: Record.sample.id] == Record.sample, "Salvaging lost a record")
      try await last.close()
      holdEqual(try await file.salvage().originals.count, 0, "Originals of a second salvage")
    }
  }

  /// Returns whether the header of a frame, intact or not, doesn't continue the revisions.
  ///
  /// No damage leaves such a gap. If the first commit after the cut closes it, salvaging takes that commit for the
  /// one before the gap.
  private static func hasGap(_ bytes: [UInt8]) -> Bool {
    guard case .header(_, var place)? = try? StoreFileHeader.read(bytes) else { return false }
    var last: UInt64 = 0
    while bytes.count - place >= Frame.headerSize {
      let (revision, length): (UInt64, UInt64) = (
        bytes.fixed(at: place + 16), bytes.fixed(at: place + 24)
      )
      if revision != last &+ 1, bytes[place + 4] == Frame.Kind.batch.rawValue { return true }
      guard length < UInt64(bytes.count) else { return false }
      last = revision
      place += Frame.headerSize + Int(length)
    }
    return false
  }

  /// Builds a store file from chunks: two bytes that describe a frame, two of its length, and its payload.
  private static func file(of name: String, _ bytes: [UInt8]) -> [UInt8] {
    var header = StoreFileHeader(recordName: name)
    header.creationID = [UInt8](repeating: 7, count: 16)
    var file = header.bytes
    var revision: UInt64 = 0
    for (kind, payload) in chunks(bytes.dropFirst()) {
      revision &+= kind & 2 == 0 ? 1 : kind & 4 == 0 ? 0 : 1 << 63
      var frame = [UInt8](repeating: 0, count: Frame.headerSize) + payload
      _ = Frame.seal(
        &frame, kind: kind & 1 == 0 ? .batch : .base, revision: Revision(number: revision),
        recordVersion: kind & 8 == 0 ? 1 : UInt32(kind >> 4), seed: header.seed, at: file.count)
      if kind & 0xC0 == 0xC0 { frame[Int(kind) % frame.count] ^= 1 }
      file += frame
    }
    return file
  }

  private static func chunks(_ bytes: ArraySlice<UInt8>) -> [(kind: UInt8, payload: [UInt8])] {
    var chunks: [(UInt8, [UInt8])] = []
    var rest = bytes
    while rest.count >= 3 {
      let head = Array(rest.prefix(3))
      let payload = rest.dropFirst(3).prefix(Int(head[1]) | Int(head[2]) << 8)
      chunks.append((head[0], Array(payload)))
      rest = rest[payload.endIndex...]
    }
    return chunks
  }

  private static func chunk(_ kind: UInt8, _ payload: some Collection<UInt8>) -> [UInt8] {
    [kind, UInt8(truncatingIfNeeded: payload.count), UInt8(payload.count >> 8)] + payload
  }

  private static var payloads: [[UInt8]] { [seed(Stone.self, 0), seed(Note.self, 1)] }

  private static func seed<Record: Sample>(_ type: Record.Type, _ flags: UInt8) -> [UInt8] {
    var changes = Changes<Record>(upserting: Record.samples.prefix(3))
    var bytes = [flags]
    for number in 0..<3 {
      let checkpoint = number == 1 ? Checkpoint() : nil
      guard
        let payload = try? FrameCoding<Record>.encode(changes.runs, checkpoint: checkpoint).bytes
      else { fail("There is no seed") }
      bytes += chunk(0, payload.dropFirst(Frame.headerSize))
      changes = Changes()
      if number == 0 { changes.remove(Record.samples[0].id) } else { changes.removeAll() }
      changes.upsert(Record.samples[1])
    }
    return bytes
  }

  private static var storeFiles: [[UInt8]] {
    [file(of: Stone.storedName, payloads[0]), file(of: Note.storedName, payloads[1])]
  }

  // MARK: Journals

  private static let journal = "/j/w.journal"

  private static let journalFile = Target("journal", seeds: journals) { bytes in
    try checkJournal(bytes)
  }

  /// The payloads of entries, which the harness chains to a valid journal.
  private static let entries = Target("entries", seeds: entryPayloads) { bytes in
    let payloads = chunks(bytes[...]).map(\.payload)
    let opened = try checkJournal(journalBytes(payloads))
    // An empty payload ends the journal.
    let count = payloads.firstIndex(where: \.isEmpty) ?? payloads.count
    holdEqual(opened?.payloads.count, count, "The number of entries")
    var draft: WalkDraft?
    for payload in payloads.prefix(count) {
      guard
        let entry = try readable({ try WalkEntry(payload, payload.indices) })
      else { continue }
      let again = Array(try entry.encoded().dropFirst(JournalScan.prefixSize))
      hold(
        try WalkEntry(again, again.indices).encoded().dropFirst(JournalScan.prefixSize)
          .elementsEqual(again), "The entry changes")
      _ = try WalkEntry.photo(payload, payload.indices)
      if case .begun(let beginning) = entry.event {
        draft = WalkDraft(beginning, goals: GoalPolicy())
      }
      draft?.apply(entry)
    }
    guard var draft else { return }
    draft.observeLastPoint()
    hold(
      draft.active >= 0 && draft.active <= draft.elapsed, "\(draft.active) of \(draft.elapsed) ms")
    _ = draft.walk(WalkEnding(elapsed: draft.elapsed, active: draft.active))
  }

  @discardableResult
  private static func checkJournal(_ bytes: [UInt8]) throws -> JournalDirectory.Opened? {
    let files = VolatileFileSystem()
    try files.make(journal, bytes)
    let directory = JournalDirectory(path: "/j", fileSystem: files)
    _ = try wait { try? await StoreFile(journal, fileSystem: files).jsonLines() }
    guard case .opened(let opened) = try directory.open("w", kind: "walk") else { return nil }
    for payload in opened.payloads { _ = try readable { try WalkEntry(opened.bytes, payload) } }
    var more: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 4, 0]
    more[9] = 1
    hold(try opened.journal.append(more), "The entry wasn't written")
    try opened.journal.flush()
    opened.journal.close()
    guard case .opened(let again) = try directory.open("w", kind: "walk") else {
      fail("The journal can't be opened again")
    }
    holdEqual(again.payloads.count, opened.payloads.count + 1, "The number of entries")
    hold(again.cut == nil, "A cut of a repaired journal")
    hold(
      zip(opened.payloads, again.payloads).allSatisfy { opened.bytes[$0] == again.bytes[$1] },
      "The entries differ")
    again.journal.close()
    return opened
  }

  private static func journalBytes(_ payloads: [[UInt8]]) -> [UInt8] {
    var bytes = JournalHeader(kind: "walk", kindVersion: 1).bytes
    var chain = JournalScan.seed(of: "w")
    for payload in payloads {
      var entry = [UInt8](repeating: 0, count: JournalScan.prefixSize) + payload
      chain = JournalScan.seal(&entry, after: chain)
      bytes += entry
    }
    return bytes
  }

  private static var journals: [[UInt8]] {
    entryPayloads.map { journalBytes(chunks($0[...]).map(\.payload)) }
  }

  private static var entryPayloads: [[UInt8]] {
    let beginning = WalkBeginning(
      id: Walk.ID(rawValue: "w"), start: .distantPast, zone: .taipei,
      pets: [Pet.ID(rawValue: "p")], goal: nil, candidates: [])
    var events: [WalkEvent] = [.begun(beginning), .paused, .resumed, .recovered]
    for number in 0..<4 {
      guard let place = Coordinate(validLatitude: 25 + Double(number) / 1e4, longitude: 121.5)
      else {
        continue
      }
      let point = TrackPoint(
        coordinate: place, elevation: 1, time: .distantPast + Double(number), accuracy: .meters(5))
      events.append(.point(point, startsSegment: number == 2))
    }
    events += [.joined(Pet.ID(rawValue: "q")), .left(Pet.ID(rawValue: "p"))]
    events.append(.ending(WalkEnding(elapsed: 9, active: 5)))
    return [
      events.enumerated().flatMap { number, event -> [UInt8] in
        let entry = WalkEntry(elapsed: Int64(number * 1000), event: event)
        guard let bytes = try? entry.encoded() else { fail("There is no seed") }
        return chunk(0, bytes.dropFirst(JournalScan.prefixSize))
      }
    ]
  }
}

private protocol Sample: StoredRecord where ID: Hashable {
  static var samples: [Self] { get }
}

extension Sample {
  /// A record that no seed contains.
  fileprivate static var sample: Self { samples[3] }
}

/// A record whose form is coded by hand, with every kind of value.
private struct Stone: Sample {
  var id: String
  var kind: String
  var number: Int
  var note: String?
  /// The bits of a number, so that equality is exact.
  var bits: UInt64
  var bytes: [UInt8]

  static let samples = (0..<4).map {
    Stone(
      id: "stone \($0)", kind: "iron", number: -$0 * 1000, note: $0 == 1 ? nil : "圖片",
      bits: 1.5.bitPattern, bytes: [1, 2])
  }

  init(id: String, kind: String, number: Int, note: String?, bits: UInt64, bytes: [UInt8]) {
    (self.id, self.kind, self.number, self.note) = (id, kind, number, note)
    (self.bits, self.bytes) = (bits, bytes)
  }

  func write(to writer: inout RecordWriter) throws {
    writer.write(id)
    writer.write(interned: kind)
    writer.write(number)
    writer.write(note)
    writer.write(Double(bitPattern: bits))
    writer.write(bytes)
  }

  init(reading reader: inout RecordReader) throws {
    id = try reader.string()
    kind = try reader.internedString()
    number = try reader.int()
    note = try reader.optionalString()
    bits = try reader.double().bitPattern
    bytes = try reader.byteArray()
  }

  static func id(checking reader: inout RecordReader) throws -> String? {
    let id = try reader.string()
    try reader.skipInternedString()
    _ = try reader.int()
    _ = try reader.optionalString()
    _ = try reader.double()
    _ = try reader.byteArray()
    return id
  }
}

/// A record in the default coding.
private struct Note: Sample {
  var id: Int
  var text: String
  var parts: [String: [Int?]]

  static let samples = (0..<4).map { Note(id: $0, text: "x\"\n", parts: ["a": [1, nil]]) }
}

extension FileSystem {
  fileprivate func make(_ path: String, _ bytes: [UInt8]) throws {
    let file = try openFile(path, .makingNew)
    try write(bytes, to: file, at: 0)
    try closeFile(file)
  }

  fileprivate func content(_ path: String) throws -> [UInt8] {
    let file = try openFile(path, .reading)
    defer { _ = try? closeFile(file) }
    return try readAll(file)
  }
}
