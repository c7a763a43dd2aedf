internal import FieldCore

extension CivicDirectory {
  // MARK: News and activities

  /// The news of the city, the newest first: the feed is asked first, and what is stored is the answer when
  /// that fails; `failure` and `age` of the page tell.
  public func news() async throws -> NewsPage { try await feeds.news() }

  /// The hot activities of the city, the newest first, asked for as ``news()``.
  ///
  /// - Parameter includingHidden: Whether those that a person has hidden are there too.
  public func activities(includingHidden: Bool = false) async throws -> ActivityPage {
    try await feeds.activities(includingHidden: includingHidden)
  }

  /// Hides an activity, until it is shown again; refreshes do not bring it back.
  public func hide(_ id: CityActivity.ID) async throws { try await feeds.hide(id) }

  /// Shows a hidden activity again.
  public func unhide(_ id: CityActivity.ID) async throws { try await feeds.unhide(id) }

  // MARK: The whole directory

  /// Whatever the directory has for a text, grouped: units with their keywords and synonyms, categories,
  /// apps, banners, activities and news. No feed is asked: what is stored is looked through.
  ///
  /// - Parameters:
  ///   - text: What is looked for, in words parted by blanks; without words nothing is found.
  ///   - words: How many of the words have to be found in one thing.
  @concurrent
  public func searchEverything(
    _ text: String, words: CivicSearch.Words = .any
  ) async throws -> CivicFindings {
    let search = CivicSearch(text, words: words, fields: .all)
    guard let test = WordTest(search) else { return CivicFindings() }
    let view = try await view()
    let activities = try await feeds.storedActivities(includingHidden: false)
    let news = try await feeds.storedNews()
    return CivicFindings(
      units: view.search(search),
      categories: view.categories.filter { test.matches([$0.name, $0.details] + $0.keywords) },
      apps: view.apps.filter { test.matches([$0.name]) },
      banners: view.banners.filter { test.matches([$0.name]) },
      activities: activities.filter { test.matches([$0.title, $0.plainText]) },
      news: news.filter { test.matches([$0.title, $0.plainText]) })
  }
}
