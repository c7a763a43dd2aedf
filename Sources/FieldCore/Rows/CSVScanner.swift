/// A scanner of separated values (RFC 4180) that reads one cell at a time.
///
/// In addition to the RFC, the separator may be another byte, a line may end in LF, CRLF, or CR,
/// blanks may surround the quotes of a cell, a quote is text inside a cell that doesn't begin with
/// one, and text after a closing quote belongs to the cell, as in Python's `csv`.
struct CSVScanner {
  /// What ends a cell.
  enum Ending { case separator, line, body, openQuote }

  let separator: UInt8
  /// The offset of the next byte.
  var at: Int
  /// All bytes of the record so far, combined with or, to detect any beyond ASCII.
  var seen: UInt64 = 0
  /// A Boolean value that indicates whether text followed quotes around a line break in the record
  /// so far.
  var isBroken = false

  init(separator: UInt8, at start: Int) {
    self.separator = separator
    at = start
  }

  /// A Boolean value that indicates whether the record so far may hold nothing but separators and
  /// blanks.
  ///
  /// The last word of a cell adds bits of the byte after the cell to ``seen``, such as those of a
  /// comma or a line break.
  @inline(__always)
  var mayBeBlank: Bool { seen & ~ByteTest.spread(separator | 0x2F) == 0 }

  /// Resets the notes about a record.
  @inline(__always)
  mutating func beginRecord() {
    seen = 0
    isBroken = false
  }

  /// Moves past a cell and its ending.
  @inline(__always)
  mutating func cell(_ bytes: Span<UInt8>) -> (cell: RowCell, ending: Ending) {
    if at < bytes.count {
      if bytes[at] == 0x20 { skipIndent(bytes) }
      if bytes[at] == UInt8(ascii: "\"") { return quotedCell(bytes) }
    }
    let start = at
    skipToEnding(bytes)
    let cell = RowCell(kind: .text, start: start, end: at)
    return (cell, passEnding(bytes))
  }

  /// Moves past blanks before a quote, unless the quotes don't enclose the rest of the cell, because
  /// then they are text.
  @inline(never)
  private mutating func skipIndent(_ bytes: Span<UInt8>) {
    func end(from start: Int, _ isPart: (UInt8) -> Bool) -> Int {
      var end = start
      while end < bytes.count, isPart(bytes[end]) { end += 1 }
      return end
    }
    let quote = UInt8(ascii: "\"")
    let start = end(from: at) { $0 == 0x20 }
    guard start < bytes.count, bytes[start] == quote else { return }
    var next = start
    repeat {
      next = end(from: next + 1) { $0 != quote } + 1
    } while next < bytes.count && bytes[next] == quote
    guard next <= bytes.count else { return }
    next = end(from: next) { $0 == 0x20 }
    let endings = [separator, 0x0A, 0x0D]
    if next == bytes.count || endings.contains(bytes[next]) { at = start }
  }

  private mutating func quotedCell(_ bytes: Span<UInt8>) -> (cell: RowCell, ending: Ending) {
    at &+= 1
    var cell = RowCell(kind: .text, start: at, end: at)
    let wanted = ByteTest.spread(UInt8(ascii: "\""))
    while true {
      while let word = bytes.wholeWord(at: at) {
        let hits = ByteTest.zeros(word ^ wanted)
        if hits != 0 {
          seen |= word & ((hits & (0 &- hits)) &- 1)
          at &+= ByteTest.first(hits)
          break
        }
        seen |= word
        at &+= 8
      }
      while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
        seen |= UInt64(bytes[at])
        at &+= 1
      }
      guard at < bytes.count else {
        cell.end = at
        return (cell, .openQuote)
      }
      guard at &+ 1 < bytes.count, bytes[at &+ 1] == UInt8(ascii: "\"") else { break }
      cell.encoding = .doubledQuotes
      at &+= 2
    }
    cell.end = at
    at &+= 1
    let after = at
    skipToEnding(bytes)
    if at > after, !bytes.trimmed(after..<at).isEmpty {
      cell.end = at
      cell.encoding = .doubledQuotes
      // A quote that was never closed makes one record of several: one quote too few, and the next
      // cell's opening quote closes this one.
      if spansLines(bytes, cell.start..<after) { isBroken = true }
    }
    return (cell, passEnding(bytes))
  }

  @inline(never)
  private func spansLines(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    range.contains { bytes[$0] == 0x0A || bytes[$0] == 0x0D }
  }

  /// Moves to the next separator, line break, or the end.
  @inline(__always)
  private mutating func skipToEnding(_ bytes: Span<UInt8>) {
    let count = bytes.count
    var here = at
    let separators = ByteTest.spread(separator)
    while let word = bytes.wholeWord(at: here) {
      let hits =
        ByteTest.zeros(word ^ separators) | ByteTest.zeros(word ^ ByteTest.spread(0x0A))
        | ByteTest.zeros(word ^ ByteTest.spread(0x0D))
      if hits != 0 {
        seen |= word & ((hits & (0 &- hits)) &- 1)
        at = here &+ ByteTest.first(hits)
        return
      }
      seen |= word
      here &+= 8
    }
    while here < count {
      let byte = bytes[here]
      if byte == separator || byte == 0x0A || byte == 0x0D { break }
      seen |= UInt64(byte)
      here &+= 1
    }
    at = here
  }

  @inline(__always)
  private mutating func passEnding(_ bytes: Span<UInt8>) -> Ending {
    guard at < bytes.count else { return .body }
    let byte = bytes[at]
    at &+= 1
    if byte == separator { return .separator }
    if byte == 0x0D, at < bytes.count, bytes[at] == 0x0A { at &+= 1 }
    return .line
  }
}
