import FieldCore
import Foundation
import TestSupport
import Testing

/// Journals of texts.
struct TextJournals {
  static let header = JournalHeader(kind: "text", kindVersion: 3)
  static let path = "/kit/texts.journals"

  let directory: JournalDirectory

  init(_ files: any FileSystem, _ path: String = Self.path) {
    directory = JournalDirectory(path: path, fileSystem: files)
  }

  static func entry(_ text: String) -> [UInt8] {
    [UInt8](repeating: 0xEE, count: JournalScan.prefixSize) + Array(text.utf8)
  }

  func make(_ name: String = "a") throws -> Journal {
    try directory.make(name, Self.header, first: Self.entry("first"))
  }

  func open(_ name: String = "a") throws -> JournalDirectory.Opening {
    try directory.open(name, kind: "text")
  }

  /// What a journal without an owner holds, and what was cut off; the journal is closed again.
  func read(_ name: String = "a") throws -> (texts: [String], cut: OpeningReport.Cut?)? {
    guard case .opened(let opened) = try open(name) else { return nil }
    defer { opened.journal.close() }
    return (opened.texts, opened.cut)
  }
}

extension JournalDirectory.Opened {
  var texts: [String] { payloads.map { String(decoding: bytes[$0], as: UTF8.self) } }
}

extension Journal {
  @discardableResult
  func append(_ text: String) throws -> Bool { try append(TextJournals.entry(text)) }

  var texts: [String] {
    get throws {
      var texts: [String] = []
      try forEachEntry { texts.append(String(decoding: $0[$1], as: UTF8.self)) }
      return texts
    }
  }
}
