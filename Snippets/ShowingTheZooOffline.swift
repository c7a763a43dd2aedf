//! The list immediately, its age, and the changes of a refresh.

// snippet.hide
import FieldKit
import Foundation

@MainActor
final class ZooModel {
  private let zoo: Zoo
  private(set) var entries: [ZooEntry] = []
  private(set) var footnote = ""

  init(zoo: Zoo) { self.zoo = zoo }

  // snippet.show
  // snippet.follow
  func follow() async throws {
    for try await listing in zoo.listingUpdates() {
      entries = listing.entries
      footnote = ZooTexts.age(of: listing, at: Date()).string(in: .traditionalChinese)
    }
  }
  // snippet.end

  // snippet.refresh
  func pullDown() async {
    do {
      let report = try await zoo.refresh(.now)
      for notice in report.notices { print(notice) }
    } catch let error as FieldError where error.code == .offline {
      footnote += " · offline"
    } catch {
      footnote += " · \(error)"
    }
  }
  // snippet.end

  // snippet.progress
  func progress() async {
    for await step in zoo.refreshProgress() {
      print(ZooTexts.loadingTitle, step.fractionCompleted)
    }
  }
  // snippet.end
  // snippet.hide
}

func schedule(zoo: Zoo) async throws {
  // snippet.show
  // snippet.schedule
  if let next = try await zoo.nextRefreshDate { print("wake me at", next) }
  // snippet.end
  // snippet.hide
}

func ages(zoo: Zoo) async throws {
  // snippet.show
  // snippet.ages
  let refreshed = try await zoo.lastRefresh(of: .areas)  // when the portal last responded
  let imported = try await zoo.importDate(of: .areas)  // when the portal imported its newest row
  // snippet.end
  // snippet.hide
  _ = (refreshed, imported)
}

func source(transport: some Transport, storage: Storage) {
  // snippet.show
  // snippet.source
  var source = TaipeiZoo(transport: transport.retrying().coalescing())
  source.plants = nil
  source.animals.resources.insert("00000000-1111-2222-3333-444444444444", at: 0)
  let zoo = Zoo(
    sources: source.sources, storage: storage, transport: transport,
    policy: .every(.seconds(7 * 86_400)))
  // snippet.end
  // snippet.hide
  _ = zoo
}
