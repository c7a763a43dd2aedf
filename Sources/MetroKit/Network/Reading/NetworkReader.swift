internal import FieldCore

/// Reads the compact form of a network.
///
/// The form is UTF-8 text with one record per line: a word, a blank, and fields separated by bars.
///
/// ```
/// metro 1|VERSION                                 first: format number, date of the data
/// line ID|OPERATOR|#COLOR|CHINESE|ENGLISH|JAPANESE|KOREAN
/// stop LINE|CODE|LATITUDE|LONGITUDE|CHINESE|ENGLISH|JAPANESE|KOREAN
/// service LINE|ID|CODE RUN CODE:STOP RUN … CODE   seconds to run to the next stop, and to dwell
/// walk CODE|CODE                                  stations with a walk along the street between
/// alias CODE|NAME                                 another name of a station
/// exits CODE|NUMBER LATITUDE LONGITUDE|…          of the stop's station; `-` is no number
/// trains CODE|DESTINATION FIRST LAST|…            two codes, and times of day
/// end COUNT                                       last: the number of lines before it
/// ```
///
/// An empty Japanese name equals the Chinese one, and `-` marks an unknown name. Stops with the
/// same Chinese name form one station. The first service of a line is its trunk.
struct NetworkReader {
  static let format = 1

  private(set) var draft = NetworkDraft()

  init(_ bytes: [UInt8]) throws(FieldError) {
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    guard bytes.contains(where: { $0 > 0x20 }) else {
      throw FieldError(.emptyBody, "The network file is empty. Keep the network you have.")
    }
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0
    }
    try Self.checkHead(lines[0])
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw FieldError(.encoding, "The network file isn't UTF-8. Download it again.")
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    let end = Self.record(lines[lines.count - 1])
    guard end.kind == "end", end.fields == [String(lines.count - 1)] else {
      throw FieldError(
        .cut, "The network file is cut off after \(lines.count) lines. Download it again.")
    }
    for index in lines.indices.dropLast() {
      let (kind, fields) = Self.record(lines[index])
      if let problem = draft.add(kind, fields, isFirst: index == 0) {
        draft.problems.append("line \(index + 1): \(problem)")
      }
    }
  }

  private static func checkHead(_ line: ArraySlice<UInt8>) throws(FieldError) {
    let head = record(line)
    guard head.kind == "metro", let format = Int(head.fields[0]), format >= 1 else {
      throw FieldError(
        .unknownFormat, "This isn't a network file: its first line doesn't begin with \"metro 1\".")
    }
    guard format <= Self.format else {
      throw FieldError(
        .newerFormat,
        "The network file has format \(format), but \(Self.format) is the newest known. "
          + "Update FieldKit.")
    }
  }

  private static func record(_ line: ArraySlice<UInt8>) -> (kind: String, fields: [String]) {
    let blank = line.firstIndex(of: 0x20) ?? line.endIndex
    let fields = line[blank...].dropFirst().split(
      separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
    return (
      String(decoding: line[..<blank], as: UTF8.self).streamSafe,
      fields.map { String(decoding: $0, as: UTF8.self).streamSafe }
    )
  }
}
