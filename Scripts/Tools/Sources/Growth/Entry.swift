@testable internal import FieldCore
internal import Foundation

/// A way in which text or bytes from outside enter the package.
struct Entry: Sendable {
  /// The symbols that are tried, as `Module.Path`; growth.py compares them with the symbol graphs.
  let names: [String]
  /// What distinguishes the entry from others of the same symbol.
  let form: String
  private var wrap: @Sendable (String) -> String
  private let body: @Sendable (String) async throws -> Void

  init(
    _ names: String..., form: String = "", wrap: @escaping @Sendable (String) -> String = { $0 },
    body: @escaping @Sendable (String) async throws -> Void
  ) {
    self.names = names
    self.form = form
    self.wrap = wrap
    self.body = body
  }

  /// The entry with texts that a program builds itself, such as an ID. Swift sorts the combining marks of a text
  /// when it hashes it, in a time that grows with the square of their number. Readers therefore make foreign
  /// texts safe; what a program builds stays as it is.
  var ofProgram: Entry {
    var entry = self
    entry.wrap = { [wrap] in wrap($0).streamSafe }
    return entry
  }

  var title: String { names[0] + (form.isEmpty ? "" : " (\(form))") }

  /// Returns the text in the form that the entry takes.
  func prepared(_ text: String) -> String {
    var text = wrap(text)
    text.makeContiguousUTF8()
    return text
  }

  /// Runs the code; that it refuses a text is as good as that it reads it.
  ///
  /// The main thread waits: valgrind 3.19 fails on a main thread that Dispatch has ended.
  func run(_ text: String) {
    let done = DispatchSemaphore(value: 0)
    let body = body
    Task.detached {
      try? await body(text)
      done.signal()
    }
    done.wait()
  }

  static let all: [Entry] =
    texts + models + values.map(\.ofProgram) + rows + markup + walks + cloud + metro + zoo + city
    + answers
    + servers + files + timetables

  /// Creates an entry for an open set of values.
  static func raw<Value: RawRepresentable<String> & Hashable & Sendable>(
    _ name: String, _: Value.Type
  ) -> Entry {
    Entry("\(name).init(rawValue:)") { if let value = Value(rawValue: $0) { use(value) } }.ofProgram
  }
}

/// Does with a value what programs do with any value.
func use(_ value: some Hashable) {
  var hasher = Hasher()
  hasher.combine(value)
  // Deliberately the same value: equal texts are compared to their ends.
  if hasher.finalize() == 0, value != value { print("unequal") }
  if String(describing: value).isEmpty { return }
}

/// Does with a model what programs do with it, and what an app does that stores it.
func use(_ value: some Hashable & Codable) {
  use(AnyHashable(value))
  _ = try? JSONEncoder().encode(value)
}

/// Prints a value as a debugger does.
func show(_ value: some Any) {
  var text = ""
  dump(value, to: &text)
}

/// JSON for a text.
func quoted(_ text: String) -> String {
  String(decoding: (try? JSONEncoder().encode(text)) ?? Data("\"\"".utf8), as: UTF8.self)
}

/// A server that sends the same body to everybody.
struct Answer: Transport {
  let body: [UInt8]
  var fields: HTTPHeaderFields = ["Content-Type": "application/json"]
  var status = 200

  init(_ text: String) { body = Array(text.utf8) }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    TransportResponse(status: status, fields: fields, url: request.url, body: .bytes(body))
  }
}

/// A clock whose sleepers don't wait, for kits that try again later.
final class HastyClock: FieldClock {
  private let slept = Lock(Duration.zero)

  var now: Date { Date(timeIntervalSince1970: 1.7e9) + uptime / .seconds(1) }
  var uptime: Duration { slept.withLock { $0 } }
  func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    slept.withLock { $0 += duration }
  }
}
