import FieldKit
import Foundation
import Observation

// The models for SwiftUI that the kits' pages show: each slice is a part of a page. Examples/SwiftUI
// contains the views.

// snippet.zoo
@MainActor @Observable
final class ZooModel {
  private(set) var entries: [ZooEntry] = []
  private(set) var lastRefresh: Date?
  private(set) var error: FieldError?
  private let zoo: Zoo

  init(_ zoo: Zoo) { self.zoo = zoo }

  var isStale: Bool { RefreshPolicy.daily.isDue(lastSuccess: lastRefresh, now: .now) }

  func run() async {
    async let refreshed: Void = refresh()
    do {
      for try await listing in zoo.listingUpdates() {
        (entries, lastRefresh) = (listing.entries, listing.lastRefresh)
      }
    } catch {
      self.error = error as? FieldError
    }
    await refreshed
  }

  func refresh(_ when: RefreshTrigger = .ifDue) async {
    error = nil
    do {
      try await zoo.refresh(when)
      lastRefresh = try await zoo.lastRefresh  // newer, even if no row has changed
    } catch {
      self.error = error as? FieldError  // nil after a cancellation; the old data is still there
    }
  }
}
// snippet.end

// snippet.metro
@MainActor @Observable
final class MetroModel {
  private(set) var arrivals: [Arrival] = []
  private(set) var age = ""
  private(set) var error: FieldError?
  private let metro: Metro

  init(_ metro: Metro) { self.metro = metro }

  func run(at station: String) async {
    for await board in metro.boards(every: .seconds(20)) {
      arrivals = board.arrivals(at: station, freshOnly: true)
      age = MetroTexts.age(of: board).string()
      error = board.lastFailure
    }
  }
}
// snippet.end

// snippet.meteorites
@MainActor @Observable
final class MeteoriteModel {
  private(set) var heaviest: [Meteorite] = []
  private(set) var lastRefresh: Date?
  private(set) var error: FieldError?
  private let catalog: MeteoriteCatalog

  init(_ catalog: MeteoriteCatalog) { self.catalog = catalog }

  var isStale: Bool { RefreshPolicy.daily.isDue(lastSuccess: lastRefresh, now: .now) }

  func run() async {
    async let refreshed: Void = refresh()
    do {
      for try await view in catalog.updates() {
        heaviest = view.find(MeteoriteQuery(order: .massDescending, limit: 100))
        lastRefresh = try await catalog.lastRefresh
      }
    } catch {
      self.error = error as? FieldError
    }
    await refreshed
  }

  func refresh(_ when: RefreshTrigger = .ifDue) async {
    error = nil
    do {
      try await catalog.refresh(when)
      lastRefresh = try await catalog.lastRefresh  // newer, even if no row has changed
    } catch {
      self.error = error as? FieldError  // nil after a cancellation; the old data is still there
    }
  }
}
// snippet.end

// snippet.walks
@MainActor @Observable
final class DiaryModel {
  private(set) var pets: [Pet] = []
  private(set) var history: [WalkHistoryRow] = []
  private(set) var lastRefresh: Date?  // nil if the diary has no server
  private(set) var error: FieldError?
  private let diary: WalkDiary

  init(_ diary: WalkDiary) { self.diary = diary }

  func run() async {
    async let refreshed: Void = refresh()
    do {
      for try await _ in diary.updates() {
        pets = try await diary.pets()
        history = try await diary.walks().rows
      }
    } catch {
      self.error = error as? FieldError
    }
    await refreshed
  }

  func refresh(_ when: RefreshTrigger = .ifDue) async {
    error = nil
    do {
      try await diary.refresh(when)
      lastRefresh = try await diary.lastRefresh
    } catch {
      self.error = error as? FieldError  // nil after a cancellation; the old data is still there
    }
  }
}
// snippet.end

// snippet.city
@MainActor @Observable
final class CityModel {
  private(set) var facilities: [UnitCategory] = []
  private(set) var news: [NewsItem] = []
  private(set) var unreadCount = 0
  private(set) var lastRefresh: Date?
  private(set) var error: FieldError?
  private(set) var newsError: FieldError?  // a feed's failure, which leaves the tables alone
  private let city: CivicDirectory

  init(_ city: CivicDirectory) { self.city = city }

  var isStale: Bool { RefreshPolicy.daily.isDue(lastSuccess: lastRefresh, now: .now) }

  func run() async {
    async let refreshed: Void = refresh()
    async let followed: Void = followNews()
    do {
      for try await view in city.updates() { facilities = view.categories(of: .facility) }
    } catch {
      self.error = error as? FieldError
    }
    _ = await (refreshed, followed)
  }

  private func followNews() async {
    do {
      for try await page in city.newsUpdates() {
        (news, unreadCount, newsError) = (page.items, page.unread.count, page.failure)
      }
    } catch {
      newsError = error as? FieldError
    }
  }

  func refresh(_ when: RefreshTrigger = .ifDue) async {
    error = nil
    do {
      try await city.refresh(when)  // tables and feeds: one that fails doesn't stop the other
    } catch {
      self.error = error as? FieldError  // nil after a cancellation; the old data is still there
    }
    do {
      lastRefresh = try await city.lastRefresh
    } catch {
      self.error = error as? FieldError
    }
  }
}
// snippet.end
