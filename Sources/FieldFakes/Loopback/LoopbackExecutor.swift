internal import Dispatch

/// The executor of a server's tasks, with its own threads, so that a process whose cooperative
/// threads are all busy, such as one with many tests, still responds in time.
final class LoopbackExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "FieldFakes.Loopback", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
