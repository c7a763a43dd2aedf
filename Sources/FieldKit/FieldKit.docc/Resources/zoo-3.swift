import FieldKit
import Foundation
import Observation

@MainActor @Observable
final class ZooModel {
  private(set) var entries: [ZooEntry] = []
  private(set) var error: FieldError?
  private let zoo: Zoo

  init(_ zoo: Zoo) { self.zoo = zoo }

  func run() async {
    async let refreshed: Void = refresh()
    do {
      for try await listing in zoo.listingUpdates() { entries = listing.entries }
    } catch {
      self.error = error as? FieldError
    }
    await refreshed
  }

  func refresh(_ when: RefreshTrigger = .ifDue) async {
    do {
      try await zoo.refresh(when)
      error = nil
    } catch {
      self.error = error as? FieldError
    }
  }
}
