extension RandomAccessCollection where Self: Sendable, Element: Sendable, Index == Int {
  /// Returns the results of an operation on each element, in the order of the elements.
  ///
  /// If an operation throws, the operations that are still running are canceled, and the error is
  /// rethrown.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of operations that run at the same time.
  ///   - progress: A closure to call after each operation with the number of finished operations.
  ///   - operation: The operation to perform on each element.
  package func concurrentMap<Output: Sendable>(
    limit: Int = .max, progress: (Int) -> Void = { _ in },
    _ operation: @escaping @Sendable (Element) async throws -> Output
  ) async throws -> [Output] {
    var outputs = [Output?](repeating: nil, count: count)
    try await withThrowingTaskGroup(of: NumberedOutput<Output>.self) { group in
      var rest = self[...]
      func startNext(in group: inout ThrowingTaskGroup<NumberedOutput<Output>, any Error>) {
        guard let index = rest.indices.first, let element = rest.popFirst() else { return }
        let number = index - startIndex
        group.addTask {
          let output = try await operation(element)
          return NumberedOutput(number: number, output: output)
        }
      }
      for _ in 0..<Swift.min(limit, count) { startNext(in: &group) }
      var finished = 0
      while let next = try await group.next() {
        outputs[next.number] = next.output
        finished += 1
        progress(finished)
        startNext(in: &group)
      }
    }
    return outputs.compactMap(\.self)
  }
}

/// An output and the index of its element.
///
/// It isn't a tuple, because Swift 6.3 loses parts of a tuple that an async closure returns
/// (`Docs/decisions/006-no-tuples-from-async-closures.md`).
private struct NumberedOutput<Output: Sendable>: Sendable {
  let number: Int
  let output: Output
}
