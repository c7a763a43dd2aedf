package enum FrameCoding<Record: StoredRecord> {
  enum RunTag {
    static var upserts: UInt8 { 1 }
    static var removals: UInt8 { 2 }
    static var removeAll: UInt8 { 3 }
  }

  /// The version with which new frames are written.
  package static var recordVersion: UInt32 { UInt32(clamping: Record.formatVersion) }

  /// The part of a frame that consists of records, used to detect a mostly outdated file.
  package struct Weight: Sendable {
    package var records = 0
    package var bytes = 0
  }

  /// The bytes of a frame, with room for its header.
  package struct Encoded: Sendable {
    package var bytes: [UInt8]
    package var weight: Weight
    package var flags: Frame.Flags
  }

  /// Returns the bytes of a batch.
  ///
  /// - Parameter content: The content after the batch, if the batch contains all of it.
  package static func encode(
    _ runs: [Changes<Record>.Run], checkpoint: Checkpoint?,
    indexing content: StoreContent<Record>? = nil
  ) throws -> Encoded {
    var writer = try writer(checkpoint: checkpoint, records: 0)
    var weight = Weight()
    var lastRun = 0
    for run in runs {
      switch run {
      case .upserts(let records):
        writer.reserve(32 * records.count)
        writer.write(byte: RunTag.upserts)
        writer.write(UInt64(records.count))
        lastRun = writer.count
        try Record._loops.write(records, &writer)
        weight.records += records.count
        weight.bytes += writer.count - lastRun
      case .removals(let ids):
        writer.write(byte: RunTag.removals)
        writer.write(try StoredJSON.encode(ids))
      case .removeAll:
        writer.write(byte: RunTag.removeAll)
      }
    }
    // There is one run of records, none of which occurs twice.
    guard case .upserts(let records)? = runs.last, records.count == weight.records,
      records.count == content?.count
    else { return try finish(writer, weight, recordsFrom: lastRun, nil) }
    return try finish(writer, weight, recordsFrom: lastRun, content)
  }

  /// Returns the bytes of a base.
  package static func encode(
    _ content: StoreContent<Record>, checkpoint: Checkpoint?
  ) throws -> Encoded {
    var writer = try writer(checkpoint: checkpoint, records: content.count)
    var weight = Weight(records: content.count)
    var start = 0
    if content.count > 0 {
      writer.write(byte: RunTag.upserts)
      writer.write(UInt64(content.count))
      start = writer.count
      try Record._loops.writeAll(content, &writer)
      weight.bytes = writer.count - start
    }
    return try finish(writer, weight, recordsFrom: start, content)
  }

  private static func writer(checkpoint: Checkpoint?, records: Int) throws -> RecordWriter {
    var writer = RecordWriter(prefix: Frame.headerSize + 8, capacity: 256 + 32 * records)
    writer.write(checkpoint != nil)
    if let checkpoint { writer.write(try StoredJSON.encode(checkpoint)) }
    return writer
  }

  private static func finish(
    _ writer: consuming RecordWriter, _ weight: Weight, recordsFrom start: Int,
    _ content: StoreContent<Record>?
  ) throws -> Encoded {
    var index = content.flatMap(Record._loops.index)
    try index?.append(to: &writer, recordsFrom: start)
    var flags: Frame.Flags = writer.hasShapes ? .shaped : []
    if index != nil { flags.insert(.indexed) }
    var (bytes, strings) = writer.finish()
    bytes.put(fixed: UInt64(strings - Frame.headerSize), at: Frame.headerSize)
    return Encoded(bytes: bytes, weight: weight, flags: flags)
  }

  /// The information that the replay of a frame yields besides the records.
  package struct Replayed {
    package var checkpoint: Checkpoint?
    package var weight = Weight()
    /// The IDs that the frame changes; `nil` if there are too many or they weren't requested.
    package var ids: [Record.ID]?
    /// A Boolean value that indicates whether the records that found the store empty can be decoded on demand; `nil`
    /// if there are none or it wasn't asked for.
    package var isProven: Bool?
  }

  /// Applies a frame to the content.
  ///
  /// - Parameters:
  ///   - payload: The range of the payload in `bytes`.
  ///   - isIndexed: Whether the payload contains an index.
  ///   - version: The version of the record type that wrote it.
  ///   - trust: What is known about the records.
  ///   - source: The source of the records that are decoded when they are used.
  ///   - isProving: Whether to find out if the records can be decoded on demand.
  /// - Throws: ``FieldError`` if the payload is invalid, or an error from the record type.
  package static func replay(
    _ bytes: [UInt8], _ payload: Range<Int>, isIndexed: Bool = false, version: Int,
    trust: RecordReader.Trust = .checked, source: StoredSource? = nil, isProving: Bool = false,
    noting ids: Bool, into content: inout StoreContent<Record>
  ) throws -> Replayed {
    var reader = try reader(bytes, payload)
    (reader.trust, reader.source) = (trust, source)
    let index = isIndexed ? try StoredIndex(endOf: &reader) : nil
    return try replay(
      reader, index, version: version, isProving: isProving, noting: ids, into: &content)
  }

  /// Applies a frame whose records are in the file to empty content.
  static func replay(
    _ distant: DistantFrame, into content: inout StoreContent<Record>
  ) throws -> Replayed {
    try replay(
      distant.steps, distant.index, version: Int(clamping: distant.frame.recordVersion),
      isProving: false, noting: false, into: &content)
  }

  private static func replay(
    _ steps: RecordReader, _ index: StoredIndex?, version: Int, isProving: Bool,
    noting ids: Bool, into content: inout StoreContent<Record>
  ) throws -> Replayed {
    var reader = steps
    var replayed = Replayed(ids: ids ? [] : nil)
    if try reader.bool() {
      let json = try reader.lengthPrefixed()
      replayed.checkpoint = try StoredJSON.checkpoint(from: reader.bytes[json])
    }
    while reader.remainingCount > 0 {
      switch try reader.byte() {
      case RunTag.upserts:
        let count = try reader.count()
        let before = reader
        let isFirst = content.count == 0
        try Record._loops.replay(count, version, index, &reader, &content, &replayed.ids)
        if isFirst, isProving {
          // A type that checks its records has checked them now.
          let isProven =
            Record._isIndexed
            ? content.source != nil : Record._loops.proves(count, index, before, content)
          replayed.isProven = isProven && replayed.isProven != false
        }
        replayed.weight.records += count
        replayed.weight.bytes += before.availableCount - reader.availableCount
      case RunTag.removals:
        let removed = try StoredJSON.decode(
          [Record.ID].self, from: reader.bytes[try reader.lengthPrefixed()])
        for id in removed { _ = content.remove(id) }
        replayed.ids?.append(contentsOf: removed)
      case RunTag.removeAll:
        if replayed.ids != nil { content.forEachRecord { replayed.ids?.append($0.id) } }
        content.removeAll()
      default:
        throw reader.damaged("A frame contains an unknown kind of step")
      }
    }
    return replayed
  }

  /// Returns a reader of the steps, with the strings that records refer to.
  static func reader(_ bytes: [UInt8], _ payload: Range<Int>) throws -> RecordReader {
    guard payload.count >= 8 else { throw FieldError(.damaged, "A frame is too short.") }
    let place: UInt64 = bytes.fixed(at: payload.lowerBound)
    guard place >= 8, place <= UInt64(payload.count) else {
      throw FieldError(.damaged, "The strings of a frame begin beyond its end.")
    }
    let middle = payload.lowerBound + Int(place)
    var table = RecordReader(bytes, middle..<payload.upperBound)
    return RecordReader(
      bytes, (payload.lowerBound + 8)..<middle, strings: try table.stringTable())
  }
}
