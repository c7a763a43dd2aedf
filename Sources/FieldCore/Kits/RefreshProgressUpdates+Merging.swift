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
    return merging(zip(kits, progress), awaitsAll: true) { kit, steps, yield in
      // The last step comes from the end of the run itself, so that there always is one.
      let ending = await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for await step in steps where step.outcome == nil { yield(step) }
        }
        let ending = await outcome(of: kit, when)
        group.cancelAll()
        return ending
      }
      if case .finished(let report) = ending, await isIdle(kit, after: report) { return yield(nil) }
      yield(
        RefreshProgress(kit: kit.name, phase: .finished, fractionCompleted: 1, outcome: ending))
    }
  }

  /// Returns the steps of several kits in one sequence, which ends after all of theirs have ended.
  package static func merging(_ kits: [any Kit]) -> RefreshProgressUpdates {
    merging(zip(kits, kits.map { $0.refreshProgress() }), awaitsAll: false) { _, steps, yield in
      for await step in steps { yield(step) }
    }
  }

  /// Merges the steps that a closure yields for each kit.
  ///
  /// - Parameters:
  ///   - awaitsAll: Pass `true` if the closure yields an outcome for each kit, or `nil` if there is
  ///     nothing to refresh.
  ///   - follow: A closure that yields the steps of one kit.
  private static func merging(
    _ kits: some Sequence<(any Kit, RefreshProgressUpdates)>, awaitsAll: Bool,
    _ follow:
      @escaping @Sendable (
        any Kit, RefreshProgressUpdates, @escaping @Sendable (RefreshProgress?) -> Void
      ) async -> Void
  ) -> RefreshProgressUpdates {
    let (stream, listener) = AsyncStream.makeStream(of: RefreshTotal.Event.self)
    let kits = Array(kits)
    let task = Task {
      await withTaskGroup(of: Void.self) { group in
        for (index, (kit, steps)) in kits.enumerated() {
          group.addTask {
            await follow(kit, steps) { listener.yield(RefreshTotal.Event(kit: index, step: $0)) }
          }
        }
      }
      listener.finish()
    }
    listener.onTermination = { _ in task.cancel() }
    let total = RefreshTotal(awaiting: awaitsAll ? kits.indices : 0..<0)
    return FieldSequence<RefreshTotal.Event, Never>(stream).scan(total) { total, event in
      total.steps(after: event)
    }.flattened { $0 }
  }

  /// Returns whether a kit had nothing to refresh: it sent no request, and none is scheduled.
  private static func isIdle(_ kit: any Kit, after report: RefreshReport) async -> Bool {
    guard report.outcome == .notDue, report.notices.isEmpty else { return false }
    do {
      return try await kit.nextRefreshDate == nil
    } catch {
      return false
    }
  }

  private static func outcome(
    of kit: any Kit, _ when: RefreshTrigger
  ) async -> RefreshProgress.Outcome {
    do {
      return .finished(try await kit.refresh(when))
    } catch {
      return RefreshProgress.Outcome(
        of: FieldError.wrapping(
          error, as: .transport, "The \(kit.name) data can't be refreshed."))
    }
  }
}
