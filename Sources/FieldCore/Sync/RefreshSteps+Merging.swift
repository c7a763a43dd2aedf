extension RefreshSteps {
  /// A refresh to run, and where its steps are told.
  package struct Run: Sendable {
    let kit: String
    let steps: RefreshSteps
    let refresh: @Sendable () async throws -> RefreshReport

    package init(
      kit: String, steps: RefreshSteps,
      refresh: @escaping @Sendable () async throws -> RefreshReport
    ) {
      self.kit = kit
      self.steps = steps
      self.refresh = refresh
    }
  }

  /// Starts all runs at once and tells all their steps; ends when every run has ended.
  package static func merging(_ runs: [Run]) -> RefreshSteps {
    let (stream, listener) = AsyncStream.makeStream(of: RefreshProgress.self)
    let task = Task {
      await withTaskGroup(of: Void.self) { group in
        for run in runs {
          group.addTask { await follow(run, telling: listener) }
        }
      }
      listener.finish()
    }
    listener.onTermination = { _ in task.cancel() }
    return RefreshSteps(stream)
  }

  /// Tells the steps of a run; its last one comes from the run's own end, so that there always is one.
  private static func follow(
    _ run: Run, telling listener: AsyncStream<RefreshProgress>.Continuation
  ) async {
    let ending = await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await step in run.steps where step.outcome == nil { listener.yield(step) }
      }
      let ending = await outcome(of: run)
      group.cancelAll()
      return ending
    }
    listener.yield(
      RefreshProgress(
        kit: run.kit, phase: .finished, fractionCompleted: 1, outcome: ending))
  }

  private static func outcome(of run: Run) async -> RefreshProgress.Outcome {
    do {
      return .finished(try await run.refresh())
    } catch is CancellationError {
      return .cancelled
    } catch let error as FieldError {
      return .failed(error)
    } catch {
      return .failed(FieldError(.transport, "\(run.kit) could not be refreshed", underlying: error))
    }
  }
}
