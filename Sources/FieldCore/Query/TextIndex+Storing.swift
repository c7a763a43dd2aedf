extension TextIndex {
  /// Returns the form of an index of texts.
  ///
  /// - Parameters:
  ///   - name: The name of its section: up to eight ASCII letters.
  ///   - declaration: A description of the texts.
  ///   - texts: A closure that returns the texts of a record.
  package static func form<Record: StoredRecord>(
    _ name: String, _ declaration: String = "",
    _ texts: @escaping @Sendable (Record) -> [String?]
  ) -> IndexForm<Record, Self> {
    IndexForm(name: name, declaration: declaration) { index, limit, bytes in
      let base = index.isBaseOnly ? index.base : index.rebased(slotLimit: limit).base
      base.write(to: &bytes)
      return true
    } read: { reader, limit in
      SubstringIndex(from: &reader, mostTexts: limit).map { TextIndex($0) }
    } agrees: { index, slot, record in
      var folded: [UInt8] = []
      if let record { SubstringIndex.append(foldedBytesOf: texts(record), to: &folded) }
      return Int(slot) < index.base.count
        ? index.base.foldedBytes(at: Int(slot)).elementsEqual(folded) : folded.isEmpty
    }
  }
}

extension SubstringIndex {
  fileprivate func write(to section: inout [UInt8]) {
    section.append(numbers: bytes)
    section.append(numbers: starts)
  }

  fileprivate init?(from reader: inout SectionReader, mostTexts limit: Int) {
    guard let bytes = reader.numbers(UInt8.self), let starts = reader.numbers(UInt32.self),
      starts.count <= limit + 1, starts.first == 0, starts.last == UInt32(exactly: bytes.count)
    else { return nil }
    var start = 0
    for number in starts.dropFirst() {
      let end = Int(clamping: number)
      // Each text ends with a zero, which is in no other place.
      guard end > start, end <= bytes.count, bytes[end - 1] == 0 else { return nil }
      start = end
    }
    self.init(
      bytes: bytes, starts: starts, blocks: Builder.blocks(starts),
      places: Amortized(after: 4) { Places(in: bytes) })
  }
}
