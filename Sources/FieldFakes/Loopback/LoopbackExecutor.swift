internal import Dispatch

/// Where a server's tasks run: on threads of its own, so that a process whose cooperative threads are
/// all busy, such as one with many tests, still answers in time.
final class LoopbackExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "FieldFakes.Loopback", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
