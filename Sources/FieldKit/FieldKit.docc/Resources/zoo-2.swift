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
    do {
      for try await listing in zoo.listingUpdates() { entries = listing.entries }
    } catch {
      self.error = error as? FieldError
    }
  }
}
