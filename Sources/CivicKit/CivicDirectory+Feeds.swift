internal import FieldCore

extension CivicDirectory {
  // MARK: News and activities

  /// The news of the city, the newest first: the feed is asked first, and what is stored is the answer when
  /// that fails; `failure` and `age` of the page tell.
  public func news() async throws -> NewsPage { try await feeds.news() }

  /// The hot activities of the city, the newest first: those of the feeds, asked for as ``news()``, and
  /// those of the table `hot`.
  ///
  /// An activity that both have is there once, in the feed's words, and is hidden if it is hidden in either.
  ///
  /// - Parameter includingHidden: Whether those that a person has hidden are there too.
  public func activities(includingHidden: Bool = false) async throws -> ActivityPage {
    let failures = try await feeds.ask(.activities)
    return try await feeds.activities(
      includingHidden: includingHidden, adding: try await view().activities, failures: failures)
  }

  /// Hides an activity, until it is shown again; refreshes do not bring it back.
  ///
  /// - Throws: `FieldError` with the code `civic.unknownActivity` if neither a feed nor the table `hot` has it.
  public func hide(_ id: CityActivity.ID) async throws { try await setHidden(true, id) }

  /// Shows a hidden activity again.
  ///
  /// - Throws: As ``hide(_:)`` does.
  public func unhide(_ id: CityActivity.ID) async throws { try await setHidden(false, id) }

  private func setHidden(_ isHidden: Bool, _ id: CityActivity.ID) async throws {
    let rows = try await view().activities.filter { $0.names.contains(id) }
    try await edit { edit in
      for row in rows {
        guard var row = edit.row(CityActivity.self, id: row.id) else { continue }
        row.isHidden = isHidden
        edit.put(row)
      }
    }
    try await feeds.setHidden(
      isHidden, [id] + rows.flatMap(\.names).filter { $0 != id }, isOfTable: !rows.isEmpty)
  }

  // MARK: The whole directory

  /// Whatever the directory has for a text, grouped: units with their keywords and synonyms, categories,
  /// keywords, synonyms, apps, banners, activities and news. No feed is asked: what is stored is looked
  /// through.
  ///
  /// - Parameters:
  ///   - text: What is looked for, in words parted by blanks; without words nothing is found.
  ///   - words: How many of the words have to be found in one thing.
  ///   - recordingInHistory: Pass `true` to add the text to ``searchHistory``, whatever is found. Defaults to
  ///     `false`.
  @concurrent
  public func searchEverything(
    _ text: String, words: CivicSearch.Words = .any, recordingInHistory: Bool = false
  ) async throws -> CivicFindings {
    if recordingInHistory { try await searchHistory.add(text) }
    let search = CivicSearch(text, words: words, fields: .all)
    guard let test = WordTest(search) else { return CivicFindings() }
    let view = try await view()
    let activities = try await feeds.activities(
      includingHidden: false, adding: view.activities, failures: [:])
    let news = try await feeds.storedNews()
    return CivicFindings(
      units: view.search(search),
      categories: view.categories.filter { test.matches([$0.name, $0.details] + $0.keywords) },
      keywords: view.keywords.filter { test.matches([$0.text, $0.details]) },
      synonyms: view.synonyms.filter { test.matches([$0.text]) },
      apps: view.apps.filter { test.matches([$0.name]) },
      banners: view.banners.filter { test.matches([$0.name]) },
      activities: activities.filter { test.matches([$0.title, $0.plainText]) },
      news: news.filter { test.matches([$0.title, $0.plainText]) })
  }
}
