import Foundation

/// The content of a directory as lines of text, so that two directories can be compared.
///
/// The parser of store files and journals follows `Docs/store-format.md` and shares no code with
/// FieldCore. Checksums are verified and not listed. What is random differs between two equal
/// directories, and is left out: the creation ID of a store, and UUIDs, which are numbered in the order
/// in which they appear. The members of JSON objects in a checkpoint are sorted.
enum Transcript {
  /// The lines of all files below a directory.
  static func lines(of folder: URL) throws -> [String] {
    var lines: [String] = []
    for path in try Golden.files(in: folder) {
      let bytes = [UInt8](try Data(contentsOf: folder.appending(path: path)))
      lines.append("== \(path), \(bytes.count) bytes")
      if path.hasSuffix(".store") {
        lines += try StoreTranscript.lines(bytes)
      } else if path.hasSuffix(".journal") {
        let name = path.split(separator: "/").last.map { String($0.dropLast(8)) } ?? ""
        lines += JournalTranscript.lines(bytes, name: name)
      } else {
        lines += text(bytes).split(separator: "\n", omittingEmptySubsequences: false).map(
          String.init)
      }
    }
    return withoutUUIDs(lines)
  }

  /// Bytes with all that is not printable ASCII escaped.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes {
      if byte == UInt8(ascii: "\n") || (byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\\")) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "\\" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return text
  }

  /// CRC-32C, bit by bit.
  static func checksum(_ bytes: some Sequence<UInt8>, after before: UInt32 = 0) -> UInt32 {
    var sum = ~before
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = (sum >> 1) ^ (sum & 1 == 1 ? 0x82F6_3B78 : 0) }
    }
    return ~sum
  }

  private static func withoutUUIDs(_ lines: [String]) -> [String] {
    var known: [Substring: Int] = [:]
    let pattern = /[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[0-9A-F]{4}-[0-9A-F]{12}/
    return lines.map { line in
      line.replacing(pattern) { match in
        let number = known[match.output] ?? known.count + 1
        known[match.output] = number
        return "UUID-\(number)"
      }
    }
  }
}

extension [UInt8] {
  /// The little-endian number of this size at a place; zero beyond the end.
  func number(at place: Int, size: Int) -> Int {
    guard place >= 0, place + size <= count else { return 0 }
    return self[place..<(place + size)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Whether the checksum at a place is this one.
  func has(_ sum: UInt32, at place: Int) -> String {
    number(at: place, size: 4) == Int(sum) ? "good" : "BAD"
  }
}

/// A store file: a header, then frames.
private enum StoreTranscript {
  static func lines(_ bytes: [UInt8]) throws -> [String] {
    guard bytes.count >= 38 else { return ["too short"] }
    let size = bytes.number(at: 10, size: 2)
    guard size >= 38, size <= bytes.count else { return ["header of \(size) bytes"] }
    let sums =
      bytes.has(Transcript.checksum(bytes[..<12]), at: 12)
      + " " + bytes.has(Transcript.checksum(bytes[..<(size - 4)]), at: size - 4)
    var lines = [
      "header \(Transcript.text(bytes[..<12])) \(Transcript.text(bytes[32..<(size - 4)])) \(sums)"
    ]
    let seed = Transcript.checksum(bytes[16..<32])
    var place = size
    while place < bytes.count {
      guard place + 40 <= bytes.count else {
        return lines + ["tail of \(bytes.count - place) bytes"]
      }
      let payload = place + 40
      let end = payload + min(bytes.number(at: place + 24, size: 4), bytes.count - payload)
      let content = bytes[payload..<end]
      lines.append(
        "frame \(Transcript.text(bytes[place..<(place + 12)]))"
          + " \(Transcript.text(bytes[(place + 16)..<(place + 36)]))"
          + " \(bytes.has(Transcript.checksum(bytes[place..<(place + 36)], after: seed), at: place + 36))"
          + " \(bytes.has(Transcript.checksum(content, after: seed), at: place + 12))")
      lines += try payloadLines([UInt8](content))
      place = end
    }
    return lines
  }

  private static func payloadLines(_ bytes: [UInt8]) throws -> [String] {
    let texts = bytes.number(at: 0, size: 4)
    guard bytes.count > 8, texts > 8, texts <= bytes.count else { return ["payload of no order"] }
    var lines: [String] = []
    var place = 9
    if bytes[8] == 1 {
      var (length, shift) = (0, 0)
      repeat {
        length |= Int(bytes[place] & 0x7F) << shift
        shift += 7
        place += 1
      } while bytes[place - 1] & 0x80 != 0 && shift < 28
      let end = min(place + length, texts)
      lines.append("checkpoint \(try canonical(Data(bytes[place..<end])))")
      place = end
    }
    lines.append("steps \(Transcript.text(bytes[place..<texts]))")
    lines.append("texts \(Transcript.text(bytes[texts...]))")
    return lines
  }

  /// JSON with sorted keys, also where it is the text of a member.
  private static func canonical(_ json: Data) throws -> String {
    func sorted(_ value: Any) throws -> Any {
      if let object = value as? [String: Any] { return try object.mapValues(sorted) }
      if let array = value as? [Any] { return try array.map(sorted) }
      guard let text = value as? String, text.hasPrefix("{") else { return value }
      return ["json": try sorted(try JSONSerialization.jsonObject(with: Data(text.utf8)))]
    }
    let value = try sorted(try JSONSerialization.jsonObject(with: json))
    let data = try JSONSerialization.data(
      withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self)
  }
}

/// A journal: a header, then entries, each of whose checksums continues from the one before.
private enum JournalTranscript {
  static func lines(_ bytes: [UInt8], name: String) -> [String] {
    let size = bytes.number(at: 10, size: 2)
    guard size >= 18, size <= bytes.count else { return ["header of \(size) bytes"] }
    var lines = [
      "header \(Transcript.text(bytes[..<(size - 4)]))"
        + " \(bytes.has(Transcript.checksum(bytes[..<(size - 4)]), at: size - 4))"
    ]
    var chain = Transcript.checksum(Array(name.utf8))
    var place = size
    while place < bytes.count {
      let start = place + 8
      guard start <= bytes.count else { return lines + ["tail of \(bytes.count - place) bytes"] }
      let end = start + min(bytes.number(at: place, size: 4), bytes.count - start)
      let length = Transcript.checksum(bytes[place..<(place + 4)], after: chain)
      chain = Transcript.checksum(bytes[start..<end], after: length)
      lines.append(
        "entry \(Transcript.text(bytes[start..<end])) \(bytes.has(chain, at: place + 4))")
      place = max(end, start + 1)
    }
    return lines
  }
}
