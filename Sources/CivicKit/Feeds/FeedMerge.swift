internal import FieldCore
internal import FieldFoundation
internal import FieldXML

/// Merges the items of a feed into the stored ones.
///
/// Content is taken from the feed, the user's changes are kept, and items that have left the feed
/// stay for a while.
struct FeedMerge {
  let feed: CityFeed
  let document: FeedDocument
  let date: Date
  /// The maximum number of the feed's items to keep.
  let limit: Int

  /// Adds the changes against the stored items and returns a report of them.
  func apply(
    to snapshot: Snapshot<FeedRecord>, _ changes: inout Changes<FeedRecord>
  ) -> RefreshReport {
    var report = RefreshReport(outcome: .unchanged, rows: document.items.count, date: date)
    report.add(document.failures)
    let ids = storedIDs(in: snapshot)
    var seen: Set<NewsItem.ID> = []
    for (index, item) in document.items.enumerated() {
      guard let id = ids[index] else {
        report.add([RowFailure(index: index, reason: "the item has no link, ID, or title")])
        continue
      }
      // An ID that appears twice is one item: the first one in the feed.
      guard seen.insert(id).inserted else { continue }
      let news = NewsItem(id, of: item, in: feed)
      guard var kept = snapshot.item(id, of: feed.id) else {
        changes.upsert(.item(FeedRecord.StoredItem(news: news, firstSeen: date, place: index)))
        report.added += 1
        continue
      }
      if kept.news == news {
        report.unchanged += 1
      } else {
        kept.news = news
        changes.upsert(.item(kept))
        report.updated += 1
      }
    }
    report.removed = removeOldest(but: seen, from: snapshot, &changes)
    if report.added + report.updated + report.removed > 0 { report.outcome = .updated }
    return report
  }

  /// Returns the IDs of the items; `nil` for an item that has nothing to identify it by.
  ///
  /// If an item has a new ID, but the address and the title or date of one that has left the feed,
  /// it is that item: servers renumber their articles, or begin to send IDs.
  private func storedIDs(in snapshot: Snapshot<FeedRecord>) -> [NewsItem.ID?] {
    var ids = itemIDs()
    let isNew = ids.map { id in id.map { snapshot.item($0, of: feed.id) == nil } ?? false }
    guard isNew.contains(true) else { return ids }
    let left = snapshot.items(of: feed.id, but: Set(ids.compactMap(\.self)))
    // An address that several items share, such as the front page, identifies none of them.
    let known = Self.unique(left.map { NewsItem.ID(of: $0.news.link) })
    let links = document.items.map { NewsItem.ID(of: $0.link) }
    for (link, index) in Self.unique(links) where isNew[index] {
      guard let place = known[link] else { continue }
      let (item, old) = (document.items[index], left[place].news)
      let isSameDate = item.publishedText != nil && item.publishedText == old.publishedText
      if isSameDate || item.plainTitle == old.title { ids[index] = old.id }
    }
    return ids
  }

  /// Returns the IDs by which the feed identifies its items; an ID with several addresses is
  /// ignored.
  private func itemIDs() -> [NewsItem.ID?] {
    let ids = document.items.map { NewsItem.ID(of: $0) }
    var links: [NewsItem.ID: NewsItem.ID] = [:]
    var shared: Set<NewsItem.ID> = []
    for (id, item) in zip(ids, document.items) {
      guard let id, let link = NewsItem.ID(of: item.link) else { continue }
      if links.updateValue(link, forKey: id).map({ $0 != link }) == true { shared.insert(id) }
    }
    guard !shared.isEmpty else { return ids }
    return zip(ids, document.items).map { id, item in
      guard let id, shared.contains(id) else { return id }
      return NewsItem.ID(of: item.link) ?? id
    }
  }

  /// Returns the indices of the links that occur once.
  private static func unique(_ links: [NewsItem.ID?]) -> [NewsItem.ID: Int] {
    var indices: [NewsItem.ID: [Int]] = [:]
    for case (let index, let link?) in links.enumerated() {
      indices[link, default: []].append(index)
    }
    return indices.compactMapValues { $0.count == 1 ? $0[0] : nil }
  }

  /// Removes the oldest of the items that have left the feed, down to the limit.
  ///
  /// Hidden items stay, because they may come back and should be hidden then.
  private func removeOldest(
    but seen: Set<NewsItem.ID>, from snapshot: Snapshot<FeedRecord>,
    _ changes: inout Changes<FeedRecord>
  ) -> Int {
    let left = snapshot.items(of: feed.id, but: seen)
    let surplus = seen.count + left.count - limit
    guard surplus > 0 else { return 0 }
    let oldest = left.filter { !$0.isHidden }.sorted { FeedRecord.isNewer($1, $0) }.prefix(surplus)
    for item in oldest { changes.remove(FeedRecord.id(item.news.id, of: feed.id)) }
    return oldest.count
  }
}

extension NewsItem {
  init(_ id: ID, of item: FeedItem, in feed: CityFeed) {
    // The feed itself came with `https` from its host, so the pages and files there can, too, and
    // apps for Apple's platforms aren't blocked from showing them.
    let host =
      feed.address.scheme?.lowercased() == "https" ? feed.address.host()?.lowercased() : nil
    func secure(_ url: URL?) -> URL? {
      host != nil && url?.host()?.lowercased() == host ? url?.upgradedToHTTPS : url
    }
    func secure(_ files: [FeedMedia]) -> [FeedMedia] {
      files.map { file in
        var file = file
        file.url = secure(file.url)
        return file
      }
    }
    self.init(
      id: id, feed: feed.id, title: item.plainTitle, link: secure(item.link),
      description: item.content ?? item.description, published: item.published,
      publishedText: item.publishedText, categories: item.categories, authors: item.authors,
      enclosures: secure(item.enclosures), media: secure(item.media))
  }
}

extension Snapshot<FeedRecord> {
  func item(_ id: NewsItem.ID, of feed: CityFeed.ID) -> FeedRecord.StoredItem? {
    guard case .item(let item)? = self[id: FeedRecord.id(id, of: feed)] else { return nil }
    return item
  }

  /// Returns the items of a feed but for some, in the order in which they were stored.
  func items(of feed: CityFeed.ID, but others: Set<NewsItem.ID> = []) -> [FeedRecord.StoredItem] {
    compactMap { record in
      guard case .item(let item) = record, item.news.feed == feed,
        !others.contains(item.news.id)
      else { return nil }
      return item
    }
  }

  func health(of feed: CityFeed.ID) -> FeedHealth {
    guard case .health(let health)? = self[id: FeedRecord.healthID(feed)] else {
      return FeedHealth(id: feed)
    }
    return health
  }
}
