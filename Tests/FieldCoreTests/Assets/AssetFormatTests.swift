import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("The format of an asset")
struct AssetFormatTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var format: AssetFormat?
    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8], _ format: AssetFormat?) {
      self.name = name
      self.bytes = bytes
      self.format = format
    }

    init(_ text: String, _ format: AssetFormat?) { self.init(text, Array(text.utf8), format) }
  }

  static func box(_ brands: [String]) -> [UInt8] {
    let body =
      Array("ftyp\(brands[0])".utf8) + [0, 0, 0, 0] + Array(brands.dropFirst().joined().utf8)
    return [0, 0, 0, UInt8(body.count + 4)] + body + Array("meta".utf8)
  }

  static let samples = [
    Sample("JPEG", [0xFF, 0xD8, 0xFF, 0xE1, 0, 0], .jpeg),
    Sample("PNG", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0], .png),
    Sample(
      "PNG that went through a text transfer", [0x89, 0x50, 0x4E, 0x47, 0x0A, 0x1A, 0x0A], nil),
    Sample("GIF89a and more", .gif), Sample("GIF87a and more", .gif), Sample("GIF90a", nil),
    Sample("RIFF1234WEBPVP8 ", .webp), Sample("RIFF1234WAVEfmt ", nil),
    Sample("HEIC", box(["heic", "mif1", "heic"]), .heic),
    Sample("HEIF", box(["mif1", "mif1", "heic"]), .heic),
    Sample("AVIF", box(["avif", "mif1"]), .avif),
    Sample("AVIF by its compatible brands", box(["mif1", "miaf", "avif"]), .avif),
    Sample("a film", box(["isom", "mp41"]), nil),
    Sample(
      "BMP", Array("BM".utf8) + [9, 9, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0], .bmp),
    Sample("BM is no bitmap, but a text", nil),
    Sample("TIFF of Intel", [0x49, 0x49, 0x2A, 0, 8], .tiff),
    Sample("TIFF of Motorola", [0x4D, 0x4D, 0, 0x2A, 8], .tiff),
    Sample("%PDF-1.7", .pdf),
    Sample("<svg xmlns='http://www.w3.org/2000/svg'/>", .svg),
    Sample("\u{FEFF}<?xml version='1.0'?>\n<!-- made by > hand -->\n<svg>", .svg),
    Sample("<!DOCTYPE svg PUBLIC '-//W3C' [<!ENTITY a 'b>'>]><svg>", .svg),
    Sample("<!doctype html><html><body><svg></svg>", .html),
    Sample("\n <html><svg>", .html), Sample("<HTML>", .html),
    Sample("<!-- x --><h1>404</h1>", .html),
    Sample("<?xml version='1.0'?><rss><svg/></rss>", nil), Sample("<!-- without an end", nil),
    Sample("<!doctype svg", nil), Sample("{\"error\":404}", nil), Sample("", nil), Sample("<", nil),
  ]

  @Test("the format of an asset is detected from the first bytes", arguments: samples)
  func sniffing(sample: Sample) {
    #expect(AssetFormat(sniffing: Data(sample.bytes)) == sample.format)
    // A slice of a larger buffer is no different.
    let whole = Data([1, 2, 3] + sample.bytes)
    #expect(AssetFormat(sniffing: whole[3...]) == sample.format)
  }

  @Test("the format of an asset is detected from any bytes without a crash", arguments: samples)
  func damaged(sample: Sample) {
    for count in 0...sample.bytes.count {
      _ = AssetFormat(sniffing: Data(sample.bytes.prefix(count)))
    }
    let seed: UInt64 = 7
    var chance = SeededGenerator(seed: seed)
    for _ in 0..<200 where !sample.bytes.isEmpty {
      var bytes = sample.bytes
      for _ in 0..<3 {
        bytes[Int.random(in: bytes.indices, using: &chance)] = .random(in: 0...255, using: &chance)
      }
      _ = AssetFormat(sniffing: Data(bytes))
    }
  }

  @Test("the format of a picture is never that of a page or a document")
  func images() {
    #expect(AssetFormat.images.isDisjoint(with: [.html, .pdf]))
    #expect(AssetFormat.images.count == 9)
  }
}

@Suite("A least-recently-used cache")
struct CostLRUTests {
  @Test(
    "a least-recently-used cache behaves like a plain list", arguments: [1, 2, 3, 4] as [UInt64])
  func model(seed: UInt64) {
    var chance = SeededGenerator(seed: seed)
    var values = CostLRU<Int, Int>()
    var model: [(key: Int, value: Int, cost: Int)] = []
    for step in 0..<5_000 {
      let key = Int.random(in: 0..<40, using: &chance)
      let place = model.firstIndex { $0.key == key }
      switch Int.random(in: 0..<5, using: &chance) {
      case 0, 1:
        let cost = Int.random(in: 0..<20, using: &chance)
        values.put(step, for: key, cost: cost)
        if let place { model.remove(at: place) }
        model.append((key, step, cost))
      case 2:
        #expect(values.use(key) == place.map { model[$0].value }, "seed \(seed)")
        if let place { model.append(model.remove(at: place)) }
      case 3:
        #expect(values.remove(key) == place.map { model.remove(at: $0).value }, "seed \(seed)")
      default:
        let limit = Int.random(in: 100..<400, using: &chance)
        values.shrink(to: limit)
        while model.reduce(0, { $0 + $1.cost }) > limit { model.removeFirst() }
      }
      #expect(values.keys == model.map(\.key), "seed \(seed), step \(step)")
      #expect(values.cost == model.reduce(0) { $0 + $1.cost }, "seed \(seed), step \(step)")
      #expect(values.count == model.count && values.oldestKey == model.first?.key)
      #expect(values.peek(key) == model.first { $0.key == key }?.value)
    }
  }
}
