internal import FieldXML
internal import Foundation

extension Suites {
  /// The W3C's XML conformance suite.
  ///
  /// The reader of XML isn't public, so each document is read in two ways. As it stands, it is given to
  /// `FeedDocument` and `GPXDocument`: both must return or throw a `FieldError`. Then its root element is
  /// renamed to `rss`: `FeedDocument` must find a fault in a document that isn't well-formed, and none in
  /// one that is. Declarations and document types are skipped by design, so documents that are wrong in
  /// these don't count. A document that declares an entity is refused by design, so only the refusal counts.
  static func xmlSuites(in directory: URL) async throws -> [SuiteResult] {
    var whole = SuiteResult(name: "W3C xmlconf, every document returns or throws a FieldError")
    var entities = SuiteResult(name: "W3C xmlconf, documents that declare entities are rejected")
    var valid = SuiteResult(name: "W3C xmlconf, well-formed documents have no fault")
    var broken = SuiteResult(name: "W3C xmlconf, documents that aren't well-formed have a fault")
    let root = directory.appending(path: "xmlts/xmlconf")
    let lists = files(in: root, ending: ".xml").filter { url in
      text(url)?.contains("<TEST ") == true
    }
    guard !lists.isEmpty else {
      whole.skipped = "xmlts/xmlconf is missing"
      return [whole]
    }
    var seen: Set<String> = []
    for list in lists {
      for test in (text(list) ?? "").components(separatedBy: "<TEST ").dropFirst() {
        let tag = String(test.prefix { $0 != ">" })
        guard let type = attribute("TYPE", of: tag), let path = attribute("URI", of: tag) else {
          continue
        }
        let url = list.deletingLastPathComponent().appending(path: path)
        guard let data = try? Data(contentsOf: url), seen.insert(url.path()).inserted else {
          continue
        }
        let name = String(url.path().dropFirst(root.path().count))
        whole.record(name, failure(of: data))
        guard let document = String(validating: data, as: UTF8.self) else { continue }
        if document.contains("<!ENTITY") {
          if type != "not-wf" { entities.record(name, isRefused(data) ? nil : "it is read") }
        } else if type == "not-wf" {
          if !document.contains("<!DOCTYPE"), attribute("NAMESPACE", of: tag) == nil,
            !name.contains("xml-1.1"), !document.contains("<?xml")
          {
            broken.record(name, fault(in: document) == nil ? "no fault" : nil)
          }
        } else if type == "valid" || type == "invalid",
          attribute("VERSION", of: tag) != "1.1", !name.contains("1.1/"),
          // References to entities that are declared in another file.
          attribute("ENTITIES", of: tag) ?? "none" == "none"
        {
          valid.record(name, fault(in: document))
        }
      }
    }
    return [whole, entities, valid, broken]
  }

  private static func attribute(_ name: String, of tag: String) -> String? {
    for quote in ["\"", "'"] {
      let parts = tag.components(separatedBy: "\(name)=\(quote)")
      if parts.count > 1 { return parts[1].components(separatedBy: quote).first }
    }
    return nil
  }

  /// What is wrong with a document whose root element is named `rss` instead.
  private static func fault(in document: String) -> String? {
    var rest = document[...]
    while let start = rest.range(of: "<!--"), let end = rest[start.upperBound...].range(of: "-->") {
      rest = rest[..<start.lowerBound] + rest[end.upperBound...]
    }
    let tags = rest.split(separator: "<").filter { $0.first?.isLetter == true || $0.first == "_" }
    let name = tags.first?.prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" } ?? "rss"
    var text = document
    for mark in ["<", "</"] {
      text = text.split(separator: mark + name, omittingEmptySubsequences: false).reduce(into: "") {
        // `<docs` is another name.
        let isWhole = $1.first.map { $0.isWhitespace || $0 == ">" || $0 == "/" } ?? true
        $0 += $0.isEmpty && text.hasPrefix($1) ? $1 : mark + (isWhole ? "rss" : name) + $1
      }
    }
    do {
      return try FeedDocument(reading: Array(text.utf8)).fault?.description
    } catch {
      return "\(error)"
    }
  }

  private static func isRefused(_ data: Data) -> Bool {
    do {
      _ = try GPXDocument(data: data)
    } catch let error as FieldError {
      return error.code == .xmlEntities
    } catch {}
    return false
  }

  /// What is wrong with the outcome of reading a body.
  static func failure(of data: Data) -> String? {
    for read in [
      { _ = try FeedDocument(reading: [UInt8](data)) }, { _ = try GPXDocument(data: data) },
    ] as [() throws -> Void] {
      do {
        try read()
      } catch let error as FieldError {
        let scalars = error.message.unicodeScalars
        if scalars.contains(where: { $0.properties.generalCategory == .control }) {
          return "the message contains control characters"
        }
      } catch {
        return "threw \(error)"
      }
    }
    return nil
  }

  // MARK: Files

  /// The files in a folder and its folders, in the order of their paths.
  static func files(in folder: URL, ending: String) -> [URL] {
    let paths = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String }
    return (paths ?? []).filter { $0.hasSuffix(ending) }.sorted().map { folder.appending(path: $0) }
  }

  static func text(_ url: URL) -> String? {
    (try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) }
  }
}
