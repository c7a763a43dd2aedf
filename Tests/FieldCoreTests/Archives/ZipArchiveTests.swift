import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("A zip archive")
struct ZipArchiveTests {
  private static let text = InflaterTests.text
  private static let deflated = InflaterTests.streams[0]

  /// An archive of everything that is read.
  private static func archive(isWide: Bool = false) -> [UInt8] {
    var zip = ZipFixture(after: Array("#!/bin/sh\n".utf8))
    zip.add("folder/", [])
    zip.add("folder/stops.txt", text, deflated: deflated)
    zip.add("stored.txt", text)
    zip.add("descriptor.txt", text, deflated: deflated, hasDescriptor: true)
    zip.add("wrong.txt", text, deflated: deflated, localSize: 7)
    zip.add("wide.txt", text, deflated: deflated, isWide: true)
    zip.add("empty.txt", [])
    return zip.bytes(isWide: isWide, comment: "a comment")
  }

  private static func code(_ bytes: [UInt8], _ name: String = "a.txt") -> FieldError.Code? {
    do throws(FieldError) {
      _ = try ZipArchive(bytes).bytes(of: name)
      return nil
    } catch {
      return error.code
    }
  }

  @Test(
    "A zip archive is read with stored and deflated files, descriptors, wrong local sizes, Zip64, folders, and a prefix",
    arguments: [false, true])
  func everything(isWide: Bool) throws {
    let archive = try ZipArchive(Self.archive(isWide: isWide))
    #expect(
      archive.entries.map(\.name) == [
        "folder/", "folder/stops.txt", "stored.txt", "descriptor.txt", "wrong.txt", "wide.txt",
        "empty.txt",
      ])
    #expect(archive.entries.map(\.isFolder) == [true] + Array(repeating: false, count: 6))
    #expect(archive.entries[1].lastPathComponent == "stops.txt")
    for entry in archive.entries[1...5] { #expect(try archive.bytes(of: entry) == Self.text) }
    #expect(try archive.bytes(of: "empty.txt") == [])
  }

  @Test("A zip archive that ends at any byte is refused", arguments: [false, true])
  func truncated(isWide: Bool) {
    let bytes = Self.archive(isWide: isWide)
    // The comment's length is wrong then, so the end isn't found either.
    for end in bytes.indices {
      #expect(throws: FieldError.self) { try ZipArchive(Array(bytes[..<end])) }
    }
  }

  @Test("A zip archive with a damaged byte yields the right files or errors")
  func damaged() {
    let bytes = Self.archive()
    for place in bytes.indices {
      for bit in [0, 3, 7] {
        var damaged = bytes
        damaged[place] ^= 1 << bit
        guard let archive = try? ZipArchive(damaged) else { continue }
        for entry in archive.entries where !entry.isFolder {
          guard let content = try? archive.bytes(of: entry) else { continue }
          #expect(content == Self.text || content.isEmpty)
        }
      }
    }
  }

  @Test("Each way in which a file of a zip archive can't be read has its error code")
  func codes() {
    var encrypted = ZipFixture()
    encrypted.add("a.txt", Self.text, flags: 1)
    #expect(Self.code(encrypted.bytes()) == .archiveEncrypted)
    var other = ZipFixture()
    other.add("a.txt", Self.text, method: 12)
    #expect(Self.code(other.bytes()) == .unknownFormat)
    var wrong = ZipFixture()
    wrong.add("a.txt", Self.text, checksum: 1)
    #expect(Self.code(wrong.bytes()) == .malformed)
    var cut = ZipFixture()
    cut.add("a.txt", Self.text, deflated: Array(Self.deflated.dropLast(9)))
    #expect(Self.code(cut.bytes()) == .cut)
    var short = ZipFixture()
    short.add("a.txt", Self.text, deflated: Self.deflated, size: 9000)
    #expect(Self.code(short.bytes()) == .malformed)
    #expect(Self.code(ZipFixture([("b.txt", "")]).bytes()) == .invalidInput)
    #expect(Self.code([]) == .emptyBody)
    #expect(Self.code(Array("<html>Sign in</html>, and then some more".utf8)) == .notData)
    #expect(Self.code(Array("PK".utf8)) == .cut)
  }

  @Test(
    "A file that claims more than its bytes can contain, or than is allowed, is refused"
  )
  func bombs() throws {
    var impossible = ZipFixture()
    impossible.add("a.txt", Self.text, deflated: Self.deflated, size: 900_000_000)
    #expect(Self.code(impossible.bytes()) == .archiveLimit)
    var huge = ZipFixture()
    huge.add("a.txt", Self.text, deflated: Self.deflated, isWide: true, size: .max >> 1)
    #expect(Self.code(huge.bytes()) == .archiveLimit)
    let archive = try ZipArchive(Self.archive(), maximumEntrySize: Self.text.count - 1)
    #expect { try archive.bytes(of: "stored.txt") } throws: {
      ($0 as? FieldError)?.code == .archiveLimit
    }
  }

  @Test("A zip archive whose files overlap is refused")
  func overlapping() {
    var zip = ZipFixture()
    zip.add("a.txt", Self.text)
    zip.add("b.txt", Self.text, at: 0)
    #expect(Self.code(zip.bytes()) == .malformed)
  }

  @Test(
    "A zip archive that names a file outside its folder is refused",
    arguments: [
      "../a.txt", "x/../../a.txt", "/a.txt", "C:/a.txt", "x\\..\\..\\a.txt", "", "a\0.txt",
    ])
  func paths(name: String) {
    #expect(Self.code(ZipFixture([("a.txt", ""), (name, "")]).bytes()) == .archivePath)
  }

  @Test(
    "Zip archives of Python are read, and Python reads those of the tests",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"))
  func likePython() throws {
    let script = """
      import io, sys, zipfile
      out = io.BytesIO()
      with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as z:
          for i in range(300):
              with z.open('f%d/é%d.txt' % (i % 7, i), 'w', force_zip64=i % 3 == 0) as f:
                  f.write(b'%d,' % i * (i * 37))
          z.writestr('stored', b'x' * 999, zipfile.ZIP_STORED)
      sys.stdout.buffer.write(out.getvalue())
      """
    let archive = try ZipArchive([UInt8](try Tool.run("python3", "-c", script)))
    #expect(archive.entries.count == 301)
    for (index, entry) in archive.entries.dropLast().enumerated() {
      #expect(entry.name == "f\(index % 7)/é\(index).txt")
      let content = try archive.bytes(of: entry)
      #expect(content == Array(String(repeating: "\(index),", count: index * 37).utf8))
    }
    let read =
      "import io, sys, zipfile; z = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read())); print(len([z.read(n) for n in z.namelist()]))"
    let output = try Tool.run("python3", "-c", read, input: Data(Self.archive()))
    #expect(String(decoding: output, as: UTF8.self) == "7\n")
  }
}
