#if SQLite
  internal import FieldCore
  internal import FieldFoundation

  extension CityFeeds {
    /// Imports the activities of the old app into the first activity feed, for an app without a
    /// ``CivicDirectory``.
    ///
    /// The old app stored the date as the description of an optional, `Optional(2017-06-05 16:00:00
    /// +0000)`, and wrote a new row on every visit. If several rows have the same link, the newest
    /// is used, and the activity is hidden if any of them is.
    ///
    /// - Returns: The number of activities that were added.
    @discardableResult
    public func importLegacyActivities(of database: LegacyCivicDatabase) async throws -> Int {
      guard let feed = feeds.first(where: { $0.kind == .activities }) else { return 0 }
      let rows = try await Self.activities(of: database, in: feed)
      var imported = 0
      try await store.update { snapshot, changes, _ in
        imported = 0
        for row in rows where snapshot.item(row.news.id, of: feed.id) == nil {
          changes.upsert(.item(row))
          imported += 1
        }
      }
      return imported
    }

    @concurrent
    private static func activities(
      of database: LegacyCivicDatabase, in feed: CityFeed
    ) async throws -> [FeedRecord.StoredItem] {
      var items: [NewsItem.ID: FeedRecord.StoredItem] = [:]
      let rows = try database.rows()[.activities, default: []]
      let dates = TimestampParser(
        zone: feed.zone, order: CivicTable.activities.dateOrder(in: rows))
      for (place, value) in rows.enumerated() {
        guard let row = CivicRow(value, of: .activities) else { continue }
        var news = CityActivity(row, dates: dates).news
        guard let id = CityActivity(news).contentID else { continue }
        (news.id, news.feed) = (id, feed.id)
        let wasHidden = items[id]?.isHidden ?? false
        items[id] = FeedRecord.StoredItem(
          news: news, isHidden: wasHidden || row.isDeleted,
          firstSeen: news.published ?? Date(timeIntervalSince1970: 0), place: place)
      }
      return items.values.sorted { $0.place < $1.place }
    }
  }
#endif
