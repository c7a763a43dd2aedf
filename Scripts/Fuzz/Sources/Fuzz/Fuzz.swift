internal import CLibFuzzer
@testable internal import FieldCore
internal import Foundation

/// Runs libFuzzer on the target that the environment variable `FUZZ_TARGET` names.
///
/// `Fuzz list` prints the names of all targets, and `Fuzz seeds TARGET DIRECTORY` writes the target's seeds.
@main enum Fuzz {
  static let targets: [Target] =
    Target.text + Target.rows + Target.markup + Target.cloud
    + Target.walks + Target.stores + Target.coding + Target.timetables

  static func main() throws {
    let arguments = CommandLine.arguments
    switch arguments.dropFirst().first {
    case "list": print(targets.map(\.name).joined(separator: "\n"))
    case "seeds":
      guard let target = targets.first(where: { $0.name == arguments[2] }) else { exit(2) }
      for (number, seed) in target.seeds().enumerated() {
        try Data(seed).write(to: URL(filePath: arguments[3]).appending(path: "seed\(number)"))
      }
    default:
      var count = CommandLine.argc
      var values = CommandLine.unsafeArgv
      exit(
        LLVMFuzzerRunDriver(&count, &values) { data, count in
          Fuzz.run(Array(UnsafeBufferPointer(start: data, count: count)))
          return 0
        })
    }
  }

  private static let target: Target = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = targets.first(where: { $0.name == name }) else {
      fail("FUZZ_TARGET must be one of \(targets.map(\.name)), not \"\(name)\".")
    }
    return target
  }()

  private static func run(_ bytes: [UInt8]) {
    check(bytes)
    // One input of 32 is blown up, so that a reader whose time grows with the square of the length is noticed.
    let choice = Int(CRC32C.checksum(bytes, 0..<bytes.count))
    guard bytes.count > 3, choice % 32 == 0 else { return }
    let first = choice / 32 % bytes.count
    let last = first + choice / 1024 % (bytes.count - first)
    // Swift sorts combining marks when it hashes and compares texts.
    let part = choice >> 30 == 0 ? Array("\u{35A}\u{345}".utf8)[...] : bytes[first...last]
    var blown = Array(bytes[..<first])
    while blown.count < 1 << 16 { blown += part }
    blown += bytes[(last + 1)...]
    let start = clock()
    check(blown)
    let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
    if seconds > target.secondsFor64KB {
      fail("\(blown.count) bytes took \(seconds) s; \(part.count) were repeated after \(first).")
    }
  }

  /// Any error but a `FieldError` is a finding.
  private static func check(_ bytes: [UInt8]) {
    do {
      try target.check(bytes)
    } catch is FieldError {
    } catch {
      fail("Threw \(error)")
    }
  }
}

/// A reader with the properties that must hold for every input.
struct Target: Sendable {
  let name: String
  /// The processor time, in instrumented code, that 64 KB may take.
  var secondsFor64KB = 1.0
  /// The valid inputs from which mutation starts.
  let seeds: @Sendable () -> [[UInt8]]
  /// Reads an input; a broken property ends the process.
  let check: @Sendable ([UInt8]) throws -> Void

  init(
    _ name: String, seeds: @escaping @Sendable @autoclosure () -> [[UInt8]],
    check: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    self.name = name
    self.seeds = seeds
    self.check = check
  }

  /// Creates a target whose inputs are text; bytes that aren't UTF-8 are replaced.
  init(
    _ name: String, texts: [String], check: @escaping @Sendable (String) throws -> Void
  ) {
    self.init(name, seeds: texts.map { Array($0.utf8) }) {
      try check(String(decoding: $0, as: UTF8.self))
    }
  }
}

/// Ends the process unless a property holds.
func hold(_ isTrue: Bool, _ message: @autoclosure () -> String) {
  if !isTrue { fail(message()) }
}

/// Ends the process unless two values are equal.
func holdEqual<Value: Equatable>(_ left: Value, _ right: Value, _ what: String) {
  if left != right { fail("\(what): \(left) isn't \(right)") }
}

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("FINDING: \(message.prefix(2000))\n".utf8))
  abort()
}

/// Returns the result of asynchronous code, after waiting for it.
func wait<Value: Sendable>(
  _ body: @escaping @Sendable () async throws -> Value
) throws -> Value {
  let result = Lock<Result<Value, any Error>?>(nil)
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    let outcome: Result<Value, any Error>
    do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    result.withLock { $0 = outcome }
    done.signal()
  }
  done.wait()
  guard let outcome = result.withLock({ $0 }) else { fail("No result") }
  return try outcome.get()
}

/// Returns the value of a closure, or `nil` if it throws a `FieldError`.
func readable<Value>(_ body: () throws -> Value) throws -> Value? {
  do { return try body() } catch is FieldError { return nil }
}
