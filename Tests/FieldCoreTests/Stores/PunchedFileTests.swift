// The tool `fallocate` of Linux punches holes.
#if os(Linux)
  import FieldCore
  import Foundation
  import TestSupport
  import Testing

  /// Returns a range of a file to the file system, and whether that was possible; the size of the file stays.
  private func punchHole(in file: URL, _ range: Range<Int>) -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/fallocate")
    process.arguments = [
      "--punch-hole", "--offset", "\(range.lowerBound)", "--length", "\(range.count)", file.path,
    ]
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      return false
    }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// Whether there is the tool, and the file system of temporary files can do it.
  private let canPunch: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    let file = folder.url.appending(path: "whole")
    guard (try? Data(count: 65_536).write(to: file)) != nil else { return false }
    return withExtendedLifetime(folder) { punchHole(in: file, 4_096..<8_192) }
  }()

  @Suite(
    "A file in which a range is punched out", .timeLimit(.minutes(60)),
    .enabled(if: canPunch, "the file system, or the tool fallocate, can't punch holes"))
  struct PunchedFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func url(_ name: String) -> URL { folder.url.appending(path: name) }

    private func punch(_ file: URL, _ range: Range<Int>) throws {
      try #require(punchHole(in: file, range))
    }

    private static let notes = (1...30).map {
      Note($0, String(repeating: "n\($0 % 7)", count: 700))
    }

    private func store() -> FileStore<Note> {
      FileStore(unsharedPath: url("notes.store").path, patience: .seconds(2))
    }

    /// Expects that each record is one that was written.
    private func expectTrue(_ notes: [Note], _ comment: Comment) {
      for note in notes {
        #expect(note == Self.notes[note.id - 1] || note.id == 30 && note.text == "new", comment)
      }
    }

    @Test(
      "a closed store with a punched-out range reports it, and never serves another record",
      arguments: 1...12 as ClosedRange<UInt64>)
    func closedStore(seed: UInt64) async throws {
      let written = store()
      for note in Self.notes { try await written.put(note) }
      try await written.close()
      let size = try Data(contentsOf: url("notes.store")).count
      var random = SeededGenerator(seed: seed)
      let start = Int.random(in: 0..<size - 64, using: &random)
      try punch(
        url("notes.store"), start..<min(size, start + Int.random(in: 64...9_000, using: &random)))
      let again = store()
      let report: OpeningReport
      do {
        report = try await again.open()
      } catch let error as FieldError {
        // Nothing is readable without the beginning of the file.
        #expect(error.code == .damaged, "seed \(seed)")
        return
      }
      let found = try await again.all
      expectTrue(found, "seed \(seed)")
      #expect(!report.isClean && found.count < Self.notes.count, "seed \(seed)")
      _ = try await again.salvage()
      let salvaged = try await again.all
      expectTrue(salvaged, "seed \(seed)")
      #expect(salvaged.count >= found.count, "seed \(seed)")
    }

    @Test(
      "a running store with a punched-out range serves what it has read, and reports the rest later",
      arguments: 1...12 as ClosedRange<UInt64>)
    func runningStore(seed: UInt64) async throws {
      let running = store()
      for note in Self.notes.dropLast() { try await running.put(note) }
      let size = try Data(contentsOf: url("notes.store")).count
      var random = SeededGenerator(seed: seed)
      let start = Int.random(in: 0..<size - 64, using: &random)
      try punch(
        url("notes.store"), start..<min(size, start + Int.random(in: 64...9_000, using: &random)))
      // It may refuse, but neither reads nor writes anything else than records.
      for step in 0..<3 {
        do throws(any Error) {
          expectTrue(try await running.all, "seed \(seed), step \(step)")
          try await running.put(Note(30, "new"))
        } catch let error as FieldError {
          #expect(
            [.damaged, .needsReopening, .conflict].contains(error.code), "seed \(seed): \(error)")
        }
      }
      try await running.close()
      let again = store()
      do {
        _ = try await again.open()
        expectTrue(try await again.all, "seed \(seed), reopened")
        _ = try await again.salvage()
        expectTrue(try await again.all, "seed \(seed), salvaged")
      } catch let error as FieldError {
        #expect(error.code == .damaged, "seed \(seed): \(error)")
      }
    }

    @Test(
      "a journal with a punched-out range opens with the entries before it, and saves the rest",
      arguments: [true, false], 1...8 as ClosedRange<UInt64>)
    func journal(isRunning: Bool, seed: UInt64) throws {
      let texts = TextJournals(PosixFileSystem(), url("texts.journals").path)
      let journal = try texts.make()
      var written = ["first"]
      for number in 0..<40 {
        written.append(String(repeating: "e\(number)", count: 200))
        try journal.append(written[number + 1])
      }
      if !isRunning { journal.close() }
      let file = url("texts.journals").appending(path: "a.journal")
      let bytes = try Data(contentsOf: file)
      var random = SeededGenerator(seed: seed)
      let start = Int.random(in: 200..<bytes.count - 64, using: &random)
      try punch(file, start..<min(bytes.count, start + Int.random(in: 64...9_000, using: &random)))
      if isRunning {
        // The owner doesn't read it again.
        try journal.append("last")
        written.append("last")
        journal.close()
      }
      guard case .opened(let opened) = try texts.open() else {
        Issue.record("seed \(seed): the journal wasn't opened")
        return
      }
      #expect(opened.cut != nil && opened.texts.count < written.count, "seed \(seed)")
      var rest = written[...]
      for text in opened.texts {
        let place = rest.firstIndex(of: text)
        #expect(place != nil, "seed \(seed): \(text)")
        if let place { rest = rest[(place + 1)...] }
      }
      #expect(try texts.directory.hasSetAside(), "seed \(seed)")
    }

    @Test(
      "a blob with a punched-out range is reported as damaged, also after reopening, and is replaced"
    )
    func blob() async throws {
      let directory = url("photos.blobs")
      let blobs = FileBlobStore(directory, grace: .zero)
      let bytes = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 % 251 + 1) }
      let lease = try await blobs.put(bytes)
      try punch(directory.appending(path: lease.id.hexadecimal), 20_000..<20_100)
      for store in [blobs, FileBlobStore(directory, grace: .zero)] {
        let error = await #expect(throws: FieldError.self) { try await store.bytes(of: lease.id) }
        #expect(error?.code == .damaged)
      }
      #expect(try await blobs.put(bytes).id == lease.id)
      #expect(try await blobs.bytes(of: lease.id) == bytes)
    }
  }
#endif
