/// A search for one sequence of bytes in others, in linear time.
///
/// Comparing the bytes at every place would take quadratic time if the text repeats the beginning of a
/// long sequence.
package struct ByteSearch: Sendable {
  /// Up to this length, comparing at every place is faster.
  private static let shortLength = 32

  private let needle: [UInt8]
  /// For each number of leading bytes that match, how many still match if the next byte doesn't;
  /// empty for a short sequence.
  private let fallbacks: [Int]

  /// Creates a search for bytes. An empty sequence is found everywhere.
  package init(for needle: [UInt8]) {
    self.needle = needle
    guard needle.count > Self.shortLength else {
      fallbacks = []
      return
    }
    // Knuth, Morris, and Pratt: the longest beginning that is also an end of the leading bytes.
    var fallbacks = [0, 0]
    fallbacks.reserveCapacity(needle.count + 1)
    var length = 0
    for byte in needle.dropFirst() {
      while length > 0, needle[length] != byte { length = fallbacks[length] }
      if needle[length] == byte { length += 1 }
      fallbacks.append(length)
    }
    self.fallbacks = fallbacks
  }

  /// Returns the first place of the bytes in a text at or after a position.
  package func firstIndex(in text: [UInt8], from start: Int = 0) -> Int? {
    guard !needle.isEmpty else { return start }
    return text.withByteSpan { text in
      needle.withByteSpan { needle in
        fallbacks.isEmpty
          ? Self.comparing(needle, in: text, from: start) : following(needle, in: text, from: start)
      }
    }
  }

  private static func comparing(
    _ needle: Span<UInt8>, in text: Span<UInt8>, from start: Int
  ) -> Int? {
    var place = start
    while place + needle.count <= text.count {
      var length = 0
      while length < needle.count, text[place + length] == needle[length] { length += 1 }
      if length == needle.count { return place }
      place += 1
    }
    return nil
  }

  private func following(
    _ needle: Span<UInt8>, in text: Span<UInt8>, from start: Int
  ) -> Int? {
    var length = 0
    for place in start..<max(start, text.count) {
      let byte = text[place]
      while length > 0, needle[length] != byte { length = fallbacks[length] }
      if needle[length] == byte { length += 1 }
      if length == needle.count { return place + 1 - length }
    }
    return nil
  }
}

extension StringProtocol {
  /// Returns a Boolean value that indicates whether the text contains the bytes of another.
  ///
  /// Searching for characters, as `contains(_:)` of the standard library does, takes quadratic time in a
  /// long run of flags, and doesn't find a text before a combining mark.
  package func contains(bytesOf part: String) -> Bool {
    ByteSearch(for: Array(part.utf8)).firstIndex(in: Array(utf8)) != nil
  }

  /// Returns the text after the first occurrence of the bytes of another; `nil` if there is none.
  package func suffix(afterBytesOf part: String) -> String? {
    let bytes = Array(utf8)
    return ByteSearch(for: Array(part.utf8)).firstIndex(in: bytes).map { start in
      String(decoding: bytes[(start + part.utf8.count)...], as: UTF8.self)
    }
  }

  /// Returns the text with each occurrence of the bytes of another replaced.
  package func replacing(bytesOf part: String, with replacement: String) -> String {
    let (bytes, part) = (Array(utf8), Array(part.utf8))
    let search = ByteSearch(for: part)
    var (result, copied) = ([UInt8](), 0)
    while !part.isEmpty, let place = search.firstIndex(in: bytes, from: copied) {
      result += bytes[copied..<place] + Array(replacement.utf8)
      copied = place + part.count
    }
    return String(decoding: result + bytes[copied...], as: UTF8.self)
  }
}
