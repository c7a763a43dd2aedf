internal import FieldCore

extension CivicDirectory {
  // MARK: News and activities

  /// Returns the city's news, newest first.
  ///
  /// The stored news is returned at once, even if the server never answers; `refresh()` fetches the
  /// feeds. If nothing was ever stored, they are fetched first. Check ``CityPage/failure`` and
  /// ``CityPage/age`` to see why and how old the news is.
  ///
  /// ```swift
  /// let news = try await directory.news()
  /// for item in news.prefix(10) { print(item.published as Any, item.title) }
  /// if let failure = news.failure { print("as of", news.age as Any, failure.message) }
  /// ```
  ///
  /// - Throws: `FieldError` if nothing is stored and no feed can be read, or if the store can't be
  ///   read; `CancellationError` if the task is canceled.
  public func news() async throws -> NewsPage { try await feeds.news() }

  /// Returns the city's activities, newest first.
  ///
  /// The page combines the activities of the feeds, as ``news()`` returns them, with those of the
  /// table `hot`. An activity that both contain appears once, as the feed describes it, and is
  /// hidden if it is hidden in either.
  ///
  /// ```swift
  /// for activity in try await directory.activities() { print(activity.title) }
  /// ```
  ///
  /// - Parameter includingHidden: Pass `true` to include hidden activities. Defaults to `false`.
  public func activities(includingHidden: Bool = false) async throws -> ActivityPage {
    try await feeds.fetchingIfEmpty(.activities) {
      try await storedActivities(includingHidden: includingHidden)
    }
  }

  /// Returns the stored news, and the newest after each refresh and each change of what is read.
  ///
  /// The sequence never fetches a feed; `refresh()` does. Failures are part of the page.
  ///
  /// ```swift
  /// async let refreshed = directory.refresh()
  /// for try await news in directory.newsUpdates() {
  ///   print(news.count, "items,", news.unread.count, "unread", news.failure ?? "")
  /// }
  /// ```
  public func newsUpdates() -> CityPageUpdates<NewsItem> { feeds.newsUpdates() }

  /// Returns the stored activities, and the newest after each refresh and each change of what is
  /// hidden or read, as ``newsUpdates()`` does.
  ///
  /// - Parameter includingHidden: Pass `true` to include hidden activities. Defaults to `false`.
  public func activityUpdates(
    includingHidden: Bool = false
  ) -> CityPageUpdates<CityActivity> {
    let tables: @Sendable (@Sendable () -> Void) async throws -> Void = { [self] signal in
      for try await _ in updates() { signal() }
    }
    return .pages(of: [tables, feeds.changes]) { [self] in
      try await storedActivities(includingHidden: includingHidden)
    }
  }

  private func storedActivities(includingHidden: Bool) async throws -> ActivityPage {
    try await feeds.activities(
      includingHidden: includingHidden, adding: try await view().activities)
  }

  /// Marks a piece of news or an activity of a feed as read, so that it isn't in ``CityPage/unread``.
  ///
  /// ```swift
  /// if let item = try await directory.news().first { try await directory.markItemRead(item.id) }
  /// ```
  ///
  /// - Returns: `true` if the item was unread; `false` if it was already read or doesn't exist.
  @discardableResult
  public func markItemRead(_ id: NewsItem.ID) async throws -> Bool {
    try await feeds.markItemRead(id)
  }

  /// Hides an activity until ``unhide(_:)`` is called, even if a refresh returns it again.
  ///
  /// ```swift
  /// if let activity = try await directory.activities().first {
  ///   try await directory.hide(activity.id)
  /// }
  /// ```
  ///
  /// - Throws: `FieldError` with the code `civic.unknownActivity` if neither a feed nor the table
  ///   `hot` contains it.
  public func hide(_ id: CityActivity.ID) async throws { try await setHidden(true, id) }

  /// Shows a hidden activity again.
  ///
  /// - Throws: The same errors as ``hide(_:)``.
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

  /// Searches everything that is stored and returns the results in groups.
  ///
  /// The search covers units (with their keywords and synonyms), categories, keywords, synonyms,
  /// apps, banners, activities, and news. It doesn't fetch any feed.
  ///
  /// ```swift
  /// let findings = try await directory.searchEverything("公園")
  /// print(findings.units.count, findings.news.map(\.title))
  /// ```
  ///
  /// - Parameters:
  ///   - text: The words to look for, separated by blanks. Without words, nothing is found.
  ///   - words: How many of the words must match. Defaults to any of them.
  ///   - recordingInHistory: Pass `true` to add the text to ``searchHistory``, even if nothing is
  ///     found. Defaults to `false`.
  @concurrent
  public func searchEverything(
    _ text: String, words: CivicSearch.Words = .any, recordingInHistory: Bool = false
  ) async throws -> CivicFindings {
    if recordingInHistory { try await searchHistory.add(text) }
    let search = CivicSearch(text, words: words, fields: .all)
    guard let test = WordTest(search) else { return CivicFindings() }
    let view = try await view()
    let activities = try await feeds.activities(
      includingHidden: false, adding: view.activities)
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
