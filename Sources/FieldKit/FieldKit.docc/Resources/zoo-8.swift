import FieldKit
import Foundation
import Observation

@MainActor @Observable
final class ZooModel {
  private(set) var entries: [ZooEntry] = []
  private(set) var error: FieldError?
  private(set) var footnote = ""
  private let zoo: Zoo

  init(_ zoo: Zoo) { self.zoo = zoo }

  func run() async {
    async let refreshed: Void = refresh()
    do {
      for try await listing in zoo.listingUpdates() {
        entries = listing.entries
        footnote = ZooTexts.age(of: listing, at: .now).string(in: .english)
      }
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

  /// Fetches the list and the first picture of every animal.
  func prepareVisit() async {
    do {
      try await zoo.refresh()
      let report = try await zoo.prefetchImages()
      footnote = "\(report.fetched + report.present) pictures are on this device."
      if !report.failures.isEmpty { footnote += " \(report.failures.count) are missing." }
    } catch {
      self.error = error as? FieldError
    }
  }

  /// Returns the bytes of an entry's picture; `nil` if there is none.
  func picture(of entry: ZooEntry) async -> Data? {
    do {
      return try await zoo.image(for: entry).data
    } catch {
      return nil  // show a placeholder
    }
  }

  /// Stores a sighting with its photo, and returns what is wrong with them.
  func addSighting(name: String, photo: Data) async -> [String] {
    do {
      try await zoo.addSighting(name: name, photo: photo)
      return []
    } catch let error as FieldError where error.code == .sightingRefused {
      return error.sightingProblems.map { ZooTexts.text(of: $0).string(in: .english) }
    } catch {
      return [String(describing: error)]
    }
  }
}

#if canImport(SwiftUI)
  import SwiftUI

  struct ZooList: View {
    let model: ZooModel

    var body: some View {
      List(model.entries) { entry in Text("\(entry.sequence) \(entry.name)") }
        .safeAreaInset(edge: .bottom) { Text(model.error?.message ?? model.footnote) }
        .toolbar { Button("Prepare a visit") { Task { await model.prepareVisit() } } }
        .task { await model.run() }
        .refreshable { await model.refresh(.now) }
    }
  }
#endif
