import FieldKit
import Foundation

/// The first answer of a new process about what one of the sides has stored.
enum RecordProcess {
  enum Question: String {
    case lookUp, heaviest, text, nearest
  }

  /// What answers; the last three are for ``Question/lookUp`` only.
  enum Side: String {
    case plain, meteorite, grdb
    /// A `Field` that is created, and not used.
    case field
    /// The catalog of the side, in a `Field`.
    case plainInField, meteoriteInField
  }

  private static let option = "--record-in-a-new-process"

  /// Answers a question if the process was started for that.
  static func answer(_ arguments: [String]) async throws -> Bool {
    guard arguments.count == 5, arguments[0] == option,
      let question = Question(rawValue: arguments[1]), let side = Side(rawValue: arguments[2]),
      let id = Int(arguments[4])
    else { return false }
    let folder = URL(filePath: arguments[3])
    try await NewProcess.report {
      switch side {
      case .plain: try await answer(question, id, PlainSide(folder))
      case .meteorite: try await answer(question, id, MeteoriteSide(folder))
      case .grdb: try await answer(question, id, GRDBSide(folder))
      case .field:
        ("created", Field(storage: .directory(folder), transport: Offline()))
      case .plainInField: try await plainInField(id, folder)
      case .meteoriteInField: try await meteoriteInField(id, folder)
      }
    }
    return true
  }

  /// Asks a new process.
  static func ask(
    _ question: Question, _ side: Side, in folder: URL, id: Int
  ) throws -> NewProcess.Cost {
    let output = try NewProcess.run([
      option, question.rawValue, side.rawValue, folder.path, "\(id)",
    ])
    return try JSONDecoder().decode(NewProcess.Cost.self, from: output)
  }

  // MARK: Answers, and what is alive with them

  private static func answer<Side: RecordSide>(
    _ question: Question, _ id: Int, _ side: Side
  ) async throws -> (String, Any) {
    let view = try await side.view()
    let text =
      switch question {
      case .lookUp: try Side.name(of: id, in: view) ?? "none"
      case .heaviest: "\(Side.masses(try Side.heaviest(in: view)))"
      case .text: "\(try Side.count(named: "yam", in: view))"
      case .nearest: "\(Side.ids(try Side.nearest(to: QueryBenchmarks.dhofar, in: view)))"
      }
    return (text, (side, view))
  }

  private static func plainInField(_ id: Int, _ folder: URL) async throws -> (String, Any) {
    let storage = Storage.directory(folder)
    let catalog = PlainSide.catalog(in: storage)
    let field = Field(storage: storage, transport: Offline(), adding: [catalog])
    let view = try await catalog.view()
    return (PlainSide.name(of: id, in: view) ?? "none", (field, view))
  }

  private static func meteoriteInField(_ id: Int, _ folder: URL) async throws -> (String, Any) {
    let field = Field(storage: .directory(folder), transport: Offline())
    let view = try await field.meteorites.view()
    return (MeteoriteSide.name(of: id, in: view) ?? "none", (field, view))
  }
}
