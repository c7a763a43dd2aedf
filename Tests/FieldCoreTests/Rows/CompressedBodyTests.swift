import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Compressed bodies")
struct CompressedBodyTests {
  /// What Python's `gzip` made of 40 rows, with a file name in the header.
  static let gzipped =
    Data(
      base64Encoded:
        "H4sICAAAAAAC/3N0b25lcy5jc3YAPdG7bUNBDETRfKtwAQxIzvvW4QoESIEDyYHcP3wF7LzsTrQH3J97vG7PRzxv7/eo+P77fT2+"
        + "KipHz9HROTSHQjmWOZZYcqxzrLHm2ObYYsuxz7HHnuOY44gjxznHGWeOSr+aPMu+FDBwlCFEQSlbiEJT5hAFqCwiClMZRRSssosoZGUa"
        + "UeDKOqLwtX1E42v7iP7c6ToUl8LX9hGNr+0jGl/bRzS+to9ofG0f0fjaPqLxtX1E45N9hPDJPkL4ZB+hz1def8ln4pN9hPDJPkL4ZB8h"
        + "fLKPED7ZRwif7COEb7GPWPD9A893ZmpyAgAA"
    ).map { [UInt8]($0) } ?? []

  static let table = "id,name\n1,Aachen\n2,Bondoc\n"

  @Test("a body that is compressed with gzip is read")
  func gzip() throws {
    let read: RowBatch<RowStone> = try RowReader.read(Self.gzipped)
    #expect(read.records.count == 40 && read.failures.isEmpty)
    #expect(read.records.last == RowStone(id: "40", name: "Stone 40", mass: 400))
  }

  @Test("a gzip body that is truncated or changed anywhere is an error")
  func damage() throws {
    let whole: RowBatch<RowStone> = try RowReader.read(Self.gzipped)
    for end in 2..<Self.gzipped.count {
      #expect(
        code { _ = try RowReader.read(Array(Self.gzipped[..<end]), as: RowStone.self) } != nil,
        "\(end) bytes")
    }
    let header = 10 + "stones.csv".utf8.count + 1
    for at in header..<Self.gzipped.count {
      for bit in 0..<8 {
        var bytes = Self.gzipped
        bytes[at] ^= 1 << bit
        // A few bits mean nothing, such as those after the end of the last symbol.
        let read = try? RowReader.read(bytes, as: RowStone.self)
        #expect(
          read?.records == whole.records
            || code { _ = try RowReader.read(bytes, as: RowStone.self) } == .cut,
          "bit \(bit) of byte \(at)")
      }
    }
  }

  @Test("a gzip header may have more fields, and must have no unknown ones")
  func fields() throws {
    var bytes = Self.gzipped
    bytes[3] = 4 | 8 | 16 | 2  // more fields, a name, a comment, and a checksum of the header
    bytes.insert(contentsOf: [3, 0, 1, 2, 3], at: 10)
    bytes.insert(contentsOf: Array("a comment\0".utf8) + [7, 7], at: 15 + 11)
    #expect(try RowReader.read(bytes, as: RowStone.self).records.count == 40)
    bytes[3] = 0x80
    #expect(code { _ = try RowReader.read(bytes, as: RowStone.self) } == .unknownFormat)
    bytes = Self.gzipped
    bytes[2] = 7
    #expect(code { _ = try RowReader.read(bytes, as: RowStone.self) } == .unknownFormat)
  }

  @Test("a gzip body can't claim more than its bytes can contain")
  func bomb() {
    var bytes = Self.gzipped
    bytes.replaceSubrange((bytes.count - 4)..., with: [0xFF, 0xFF, 0xFF, 0x1F])
    #expect(code { _ = try RowReader.read(bytes, as: RowStone.self) } == .cut)
  }

  @Test(
    "the rows of a zip archive are those of its only file, its only table, or its only JSON file",
    arguments: [
      [("stones.csv", table)], [("a/b/STONES.CSV", table), ("a/readme.txt", "no,rows\n")],
      [("data", table)],
      [("__MACOSX/._stones.csv", "?"), (".DS_Store", "?"), ("stones.txt", table)],
      [("columns.json", #"{"columns":[]}"#), ("stones.csv", table)],
      [("stones.geojson", #"[{"id":1},{"id":2}]"#), ("notes.md", "notes"), ("licence.txt", "CC")],
    ] as [[(String, String)]])
  func archives(_ files: [(String, String)]) throws {
    var zip = ZipFixture()
    zip.add("folder/", [])
    for (name, text) in files { zip.add(name, Array(text.utf8)) }
    #expect(try RowReader.read(zip.bytes(), as: RowStone.self).records.map(\.id) == ["1", "2"])
  }

  @Test("an archive of several tables, or of none, is refused with the names of its files")
  func unclear() {
    let several = ZipFixture([("a.csv", Self.table), ("b.csv", Self.table), ("c.json", "[]")])
    let error = failure { _ = try RowReader.read(several.bytes(), as: RowStone.self) }
    #expect(error?.code == .unknownFormat)
    #expect(error?.message.contains("3 files (a.csv, b.csv, c.json)") == true)
    #expect(
      code { _ = try RowReader.read(ZipFixture().bytes(), as: RowStone.self) } == .unknownFormat)
    var encrypted = ZipFixture()
    encrypted.add("stones.csv", Array(Self.table.utf8), flags: 1)
    #expect(
      code { _ = try RowReader.read(encrypted.bytes(), as: RowStone.self) } == .archiveEncrypted)
  }

  @Test("an archive that is truncated anywhere is an error")
  func truncatedArchives() {
    let bytes = ZipFixture([("stones.csv", Self.table)]).bytes()
    for end in 4..<bytes.count {
      #expect(
        code { _ = try RowReader.read(Array(bytes[..<end]), as: RowStone.self) } != nil,
        "\(end) bytes")
    }
  }
}
