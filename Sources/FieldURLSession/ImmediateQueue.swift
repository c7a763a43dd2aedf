#if canImport(FoundationNetworking)
  internal import Foundation

  /// A queue that calls the delegate immediately, on the session's own thread.
  ///
  /// Foundation on Linux receives and decompresses a body faster than a queue passes it on, and would
  /// keep all of it in memory. Here, a part is used or dropped before the next one exists.
  ///
  /// It is sendable without a check because it adds no state to its superclass, which is.
  final class ImmediateQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
  }
#endif
