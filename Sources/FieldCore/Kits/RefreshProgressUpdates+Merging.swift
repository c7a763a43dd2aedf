extension RefreshProgressUpdates {
  /// Refreshes kits concurrently and returns all their steps.
  ///
  /// The sequence ends when every kit has finished. If its iteration ends earlier, the kits that
  /// are still running are canceled. A kit with nothing to fetch has a step only if opening it cut
  /// off damage.
  package static func refreshing(_ kits: [any Kit], _ when: RefreshTrigger)
    -> RefreshProgressUpdates
  {
    let progress = kits.map { $0.refreshProgress() }
    return merging(zip(kits, progress)) { kit, steps, listener in
      var isIdle = false
      do {
        isIdle = try await kit.nextRefreshDate == nil
      } catch {
        // The refresh fails as well, and its last step contains the error.
      }
      // The last step comes from the end of the run itself, so that there always is one.
      let ending = await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for await step in steps where step.outcome == nil { listener.yield(step) }
        }
        let ending = await outcome(of: kit, isIdle ? .ifDue : when)
        group.cancelAll()
        return ending
      }
      if isIdle, case .finished(let report) = ending, report.notices.isEmpty { return }
      listener.yield(
        RefreshProgress(
          kit: kit.name, phase: .finished, fractionCompleted: 1, outcome: ending))
    }
  }

  /// Returns the steps of several kits in one sequence, which ends after all of theirs have ended.
  package static func merging(_ kits: [any Kit]) -> RefreshProgressUpdates {
    merging(zip(kits, kits.map { $0.refreshProgress() })) { _, steps, listener in
      for await step in steps { listener.yield(step) }
    }
  }

  private static func merging(
    _ kits: some Sequence<(any Kit, RefreshProgressUpdates)>,
    _ follow:
      @escaping @Sendable (
        any Kit, RefreshProgressUpdates, AsyncStream<RefreshProgress>.Continuation
      ) async -> Void
  ) -> RefreshProgressUpdates {
    let (stream, listener) = AsyncStream.makeStream(of: RefreshProgress.self)
    let kits = Array(kits)
    let task = Task {
      await withTaskGroup(of: Void.self) { group in
        for (kit, steps) in kits { group.addTask { await follow(kit, steps, listener) } }
      }
      listener.finish()
    }
    listener.onTermination = { _ in task.cancel() }
    return RefreshProgressUpdates(stream)
  }

  private static func outcome(
    of kit: any Kit, _ when: RefreshTrigger
  ) async -> RefreshProgress.Outcome {
    do {
      return .finished(try await kit.refresh(when))
    } catch is CancellationError {
      return .cancelled
    } catch let error as FieldError {
      return .failed(error)
    } catch {
      return .failed(
        FieldError(.transport, "The \(kit.name) data can't be refreshed.", underlying: error))
    }
  }
}
