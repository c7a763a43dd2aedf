internal import FieldCore

/// Checks whether rows contain the fields that order them, and are in that order.
///
/// Rows arrive by the ten thousand, so their cells are compared as bytes; only the last ones become
/// text.
struct SODAOrder {
  /// The positions of the columns `:id` and `:updated_at`; `stamp` is `nil` for rows without times.
  typealias Columns = (id: Int, stamp: Int?)

  private(set) var tokens: [UInt64] = []
  private let columns: Columns
  private let checksStamps: Bool
  /// The location of the last `:id`, usually in the body itself.
  private var lastID: (owner: [UInt8], range: Range<Int>) = ([], 0..<0)
  private var lastStamp: [UInt8] = []
  private var lastIndex = -1
  private var isWithout = false
  private var disorder: (before: String, after: String)?

  /// - Parameter request: The request of the page; `nil` if rows have no times.
  init(_ request: PageRequest?, columns: Columns) {
    self.columns = columns
    checksStamps = request?.order == .byChange
    if checksStamps { lastStamp = Array((request?.position?.stamp ?? "").utf8) }
  }

  mutating func note(_ row: borrowing SourceRow) {
    if tokens.isEmpty { tokens.reserveCapacity(row.expectedCount) }
    let found = row.lentText(columns.id)
    if let found {
      tokens.append(Self.hash(found.owner, found.range))
      lastID = found
    }
    lastIndex = row.index
    guard let stampColumn = columns.stamp else {
      if found == nil { isWithout = true }
      return
    }
    let stamped: Void? = row.withUTF8(stampColumn) { noteStamp($0) }
    if found == nil || stamped == nil { isWithout = true }
  }

  /// Records a row that couldn't be read, after all others. If it was the last row of the response,
  /// the next page begins after it.
  mutating func noteFailed(index: Int, id: String?, stamp: String?) {
    guard let id, !id.isEmpty, stamp != nil || columns.stamp == nil else { return }
    let bytes = Array(id.utf8)
    tokens.append(Self.hash(bytes, bytes.indices))
    guard index > lastIndex else { return }
    lastIndex = index
    lastID = (bytes, bytes.indices)
    lastStamp = Array((stamp ?? "").utf8)
  }

  /// The position after the last row; `nil` if none could be read.
  var end: SyncPosition? {
    guard !lastID.range.isEmpty else { return nil }
    return SyncPosition(
      stamp: columns.stamp == nil ? nil : String(decoding: lastStamp, as: UTF8.self),
      key: String(decoding: lastID.owner[lastID.range], as: UTF8.self))
  }

  func check() throws(FieldError) {
    if isWithout { throw Self.missing }
    if let disorder {
      throw FieldError(
        .disordered,
        """
        A row changed at \(disorder.after) follows one changed at \(disorder.before), so the \
        server ignores the requested order or position. The store is unchanged.
        """)
    }
  }

  /// The error for rows without the fields that order them.
  static var missing: FieldError {
    FieldError(
      .sodaNoSystemFields,
      """
      The rows have no `:id` or `:updated_at`, which reading a portal page by page requires. The \
      URL is a file or another server. Read it whole instead.
      """)
  }

  private mutating func noteStamp(_ stamp: Span<UInt8>) {
    // Texts in the same format sort by time; another format isn't treated as an error.
    var isLess = false
    var isEqual = stamp.count == lastStamp.count
    if isEqual {
      for place in stamp.indices where stamp[place] != lastStamp[place] {
        isEqual = false
        isLess = stamp[place] < lastStamp[place]
        break
      }
    }
    if isEqual { return }
    if isLess, checksStamps, disorder == nil {
      var text: [UInt8] = []
      Self.copy(stamp, to: &text)
      disorder = (String(decoding: lastStamp, as: UTF8.self), String(decoding: text, as: UTF8.self))
    }
    Self.copy(stamp, to: &lastStamp)
  }

  private static func copy(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
    text.removeAll(keepingCapacity: true)
    for place in bytes.indices { text.append(bytes[place]) }
  }

  /// FNV-1a only distinguishes rows within a run, so it needn't resist attacks.
  private static func hash(_ bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for place in range { hash = (hash ^ UInt64(bytes[place])) &* 0x100_0000_01b3 }
    return hash
  }
}
