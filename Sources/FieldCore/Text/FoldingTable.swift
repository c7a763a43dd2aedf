/// The folded form of each Unicode scalar, unpacked once from ``runs`` and ``variants`` for fast
/// look-up.
final class FoldingTable: Sendable {
  static let shared = FoldingTable()

  /// The folded byte of each ASCII character; 0x20 stands for every blank and control character.
  ///
  /// It is what ``runs`` say, too, but a process that folds nothing else needn't unpack them.
  static let ascii: [UInt8] = (0 as UInt8..<128).map { byte in
    switch byte {
    case ...0x20, 0x7F: 0x20
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
    case UInt8(ascii: "`"): UInt8(ascii: "'")
    default: byte
    }
  }

  /// The start of a page of 64 cells for each 64 scalars; page 0 is all unchanged.
  private let pages: [UInt16]
  private let cells: [Cell]
  /// The bytes of the folded forms that are too long for a cell.
  let pool: [UInt8]

  /// Returns the folded form of a scalar.
  @inline(__always)
  func cell(of scalar: UInt32) -> Cell {
    if scalar < Self.limit {
      return cells[Int(pages[Int(scalar >> 6)]) + Int(scalar & 63)]
    }
    // Tags and the second block of variation selectors are invisible.
    return scalar >> 12 == 0xE0 ? .dropped : .unchanged
  }

  /// The first scalar beyond the table.
  private static let limit: UInt32 = 0x30000

  /// The folded form of one scalar: the top byte is the kind, the others are the bytes or their
  /// location.
  struct Cell: Equatable, Sendable {
    var bits: UInt32

    /// The number of bytes in the low three bytes, the first lowest; 0 for another kind.
    var inlineCount: Int { bits < 0x0400_0000 ? Int(bits >> 24) : 0 }
    /// The range of the bytes in the pool, if the kind says so.
    var poolRange: Range<Int>? {
      guard bits >> 24 == 0x20 else { return nil }
      let start = Int(bits & 0xFFFF)
      return start..<start + Int(bits >> 16 & 0xFF)
    }

    static let unchanged = Cell(bits: 0)
    static let dropped = Cell(bits: 0x1000_0000)
    static let blank = Cell(bits: 0x1100_0000)
    /// A mark or jamo that may join the preceding letter.
    static let joining = Cell(bits: 0x1200_0000)
  }

  private init() {
    var builder = Builder()
    builder.read(Self.runs)
    builder.readGroups(Self.variants)
    for scalar: UInt32 in [0x3099, 0x309A, 0xFF9E, 0xFF9F] { builder.set(.joining, at: scalar) }
    for scalar: UInt32 in 0x1161...0x1175 { builder.set(.joining, at: scalar) }
    for scalar: UInt32 in 0x11A8...0x11C2 { builder.set(.joining, at: scalar) }
    (pages, cells, pool) = (builder.pages, builder.cells, builder.pool)
  }

  /// The table while it is being unpacked.
  private struct Builder {
    var pages = [UInt16](repeating: 0, count: Int(FoldingTable.limit >> 6))
    var cells = [Cell](repeating: .unchanged, count: 64)
    var pool: [UInt8] = []
    /// The bytes of a folded form, reused for the next one.
    private var form: [UInt8] = []

    mutating func set(_ cell: Cell, at scalar: UInt32) {
      let page = Int(scalar >> 6)
      if pages[page] == 0 {
        pages[page] = UInt16(cells.count)
        cells.append(contentsOf: repeatElement(.unchanged, count: 64))
      }
      cells[Int(pages[page]) + Int(scalar & 63)] = cell
    }

    /// Returns the cell for a folded form.
    mutating func cell(for goal: [UInt32], plus offset: UInt32 = 0) -> Cell {
      if goal.isEmpty { return .dropped }
      if goal.count == 1, goal[0] == 0x20 { return .blank }
      form.removeAll(keepingCapacity: true)
      for scalar in goal { UTF8Scalar.append(scalar + offset, to: &form) }
      if form.count <= 3 && !form.contains(0x20) {
        var bits = UInt32(form.count) << 24
        for place in form.indices { bits |= UInt32(form[place]) << UInt32(8 * place) }
        return Cell(bits: bits)
      }
      defer { pool.append(contentsOf: form) }
      return Cell(bits: 0x2000_0000 | UInt32(form.count) << 16 | UInt32(pool.count))
    }

    /// Reads groups of characters, each of which becomes the first.
    mutating func readGroups(_ groups: String) {
      var goal: Cell?
      for scalar in groups.unicodeScalars {
        if scalar.value <= 0x20 {
          goal = nil
        } else if let goal {
          set(goal, at: scalar.value)
        } else {
          goal = cell(for: [scalar.value])
        }
      }
    }

    /// Reads the runs, whose grammar ``FoldingTable/runs`` documents.
    mutating func read(_ runs: String) {
      var source: UInt32 = 0
      var last: UInt32?
      var sign: UInt8 = 0
      var goal: [UInt32] = []
      var number: UInt32?

      for byte in [UInt8]((runs + " ").utf8) {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
          number = (number ?? 0) << 4 | UInt32(byte - 0x30)
        case UInt8(ascii: "A")...UInt8(ascii: "F"):
          number = (number ?? 0) << 4 | UInt32(byte - 0x37)
        case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "*"):
          (source, number, sign) = (number ?? 0, nil, byte)
        case UInt8(ascii: "="):
          if sign == 0 { source = number ?? 0 } else { last = number }
          number = nil
        default:
          if let scalar = number { goal.append(scalar) }
          number = nil
          if byte == UInt8(ascii: ".") { continue }
          let isGrowing = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "*")
          let stride: UInt32 = sign == UInt8(ascii: "*") ? 2 : 1
          let first = source
          let one = cell(for: goal)
          while source <= last ?? first {
            set(isGrowing ? cell(for: goal, plus: source - first) : one, at: source)
            source += stride
          }
          goal.removeAll(keepingCapacity: true)
          if byte != UInt8(ascii: ",") { (last, sign) = (nil, 0) }
        }
      }
    }
  }
}
