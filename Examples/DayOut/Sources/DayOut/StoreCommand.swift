import FieldKit
import Foundation

/// `day-out store`: examines a store file or a journal, salvages it, and exports what it contains.
struct StoreCommand: Command {
  static let name = "store"
  static let operands = "FILE [options]"
  static let summary = "lists, verifies, salvages, and exports a store file"
  static let examples = ["day-out store sightings.store --salvage"]
  static let details: [Detail] = [
    ("FILE", "a store file, a journal, or a part of one that was set aside"),
    ("--verify", "prints one line, and exits with status 1 if the file is damaged"),
    ("--salvage", "restores the batches after damage and those that were set aside"),
    ("--copy FILE", "with --salvage, writes a new file and changes nothing about the original"),
    ("--export", "prints the content as JSON lines, including what follows damage"),
  ]
  static let flags: Set<String> = ["--json", "--verify", "--salvage", "--export"]
  static let values: Set<String> = ["--copy"]

  private enum Action {
    case list
    case verify
    case salvage(copy: URL?)
    case export
  }

  private let file: StoreFile
  private let action: Action
  private let printsJSON: Bool

  init(_ arguments: Arguments) throws {
    guard let path = arguments.operands.first, arguments.operands.count == 1 else {
      throw UsageError("pass one file")
    }
    file = StoreFile(URL(filePath: path))
    printsJSON = arguments.has("--json")
    let copy = arguments.value("--copy").map { URL(filePath: $0) }
    switch ["--verify", "--salvage", "--export"].filter(arguments.has) {
    case []: action = .list
    case ["--verify"]: action = .verify
    case ["--salvage"]: action = .salvage(copy: copy)
    case ["--export"]: action = .export
    default: throw UsageError("use only one of --verify, --salvage, and --export")
    }
    if copy != nil, !arguments.has("--salvage") { throw UsageError("--copy needs --salvage") }
  }

  func run() async throws {
    switch action {
    case .list: try list(try await file.examine())
    case .verify: try verify(try await file.examine())
    case .salvage(let copy?): try report(try await file.salvage(to: copy))
    case .salvage(nil): try report(try await file.salvage())
    case .export: for line in try await file.jsonLines() { print(line) }
    }
  }

  private func list(_ report: StoreFileReport) throws {
    if printsJSON { return try JSONOutput.print(report) }
    print(report)
    var table = Table("offset", "bytes", "revision", "records", "state")
    for part in report.parts {
      table.add(
        "\(part.offset)", "\(part.byteCount)", part.revision.map { "\($0.number)" } ?? "",
        part.recordCount.map(String.init) ?? "", part.isDamaged ? "damaged" : "intact")
    }
    table.print()
    if report.isHeaderDamaged { print("  the header is damaged; --salvage repairs it") }
    for url in report.setAside { print("  set aside: \(url.path)") }
    for url in report.salvaged { print("  damaged original: \(url.path)") }
  }

  private func verify(_ report: StoreFileReport) throws {
    if printsJSON { try JSONOutput.print(report) } else { print(report) }
    guard !report.isIntact else { return }
    throw FieldError(.damaged, "\(file.url.path) is damaged, or part of it was set aside")
  }

  private func report(_ report: SalvageReport) throws {
    if printsJSON { return try JSONOutput.print(report) }
    print(report)
    for loss in report.losses {
      print("  lost: \(loss.byteCount) bytes at \(loss.offset) of \(loss.file.path)")
    }
    for url in report.originals { print("  damaged original: \(url.path)") }
    if report.isCheckpointReset { print("  the next refresh fetches all rows again") }
  }
}
