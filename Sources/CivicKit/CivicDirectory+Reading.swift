public import FieldCore

extension CivicDirectory {
  // MARK: Tiles

  /// The kinds of facilities, such as 廁所: the categories of rank 3, in the order of their table.
  @concurrent
  public func facilities() async throws -> [UnitCategory] {
    try await view().categories(of: .facility)
  }

  /// The kinds of services that people come for: the categories of rank 2, in the order of their table.
  @concurrent
  public func quickServices() async throws -> [UnitCategory] {
    try await view().categories(of: .quickService)
  }

  /// The departments of the city: the categories of rank 1, in the order of their table.
  @concurrent
  public func departments() async throws -> [UnitCategory] {
    try await view().categories(of: .administrative)
  }

  /// The categories of any kind, in the order of their table.
  @concurrent
  public func categories(of kind: CategoryKind) async throws -> [UnitCategory] {
    try await view().categories(of: kind)
  }

  /// Returns the category with a name, such as the tile 廁所; `nil` if there is none.
  ///
  /// ``CivicView/category(named:of:)`` says how names are compared.
  ///
  /// - Parameters:
  ///   - name: The whole name.
  ///   - kind: The kind of the category. Defaults to `nil`, which means any.
  @concurrent
  public func category(
    named name: String, of kind: CategoryKind? = nil
  ) async throws -> UnitCategory? {
    try await view().category(named: name, of: kind)
  }

  // MARK: Units

  /// The units in a category, in the order of their table; none when there is no such category.
  @concurrent
  public func units(in category: UnitCategory.ID) async throws -> [CivicUnit] {
    try await view().units(in: category)
  }

  /// The units that are tied to a keyword of a kind themselves, in the order of their table.
  @concurrent
  public func units(of kind: CategoryKind) async throws -> [CivicUnit] {
    try await view().units(of: kind)
  }

  /// A unit with its categories, what is above it and what is below; nil when there is none of this key.
  @concurrent
  public func unit(_ id: CivicUnit.ID) async throws -> UnitDetail? {
    try await view().detail(of: id)
  }

  // MARK: Search

  /// The units in whose name or description any of the words of a text is, the best first.
  ///
  /// - Parameters:
  ///   - text: The words to look for.
  ///   - recordingInHistory: Pass `true` to add the text to ``searchHistory``, whatever is found. Defaults to
  ///     `false`.
  @concurrent
  public func search(
    _ text: String, recordingInHistory: Bool = false
  ) async throws -> [CivicHit] {
    try await search(CivicSearch(text), recordingInHistory: recordingInHistory)
  }

  /// The units that a search finds, the best first; ``CivicView/search(_:)`` says what is best.
  ///
  /// - Parameters:
  ///   - search: The search.
  ///   - recordingInHistory: Pass `true` to add the text to ``searchHistory``, whatever is found. Defaults to
  ///     `false`.
  @concurrent
  public func search(
    _ search: CivicSearch, recordingInHistory: Bool = false
  ) async throws -> [CivicHit] {
    if recordingInHistory { try await searchHistory.add(search.text) }
    return try await view().search(search)
  }

  // MARK: Banners, apps and the guide

  /// The banners whose last day is not over, in the order of their table.
  ///
  /// - Parameter includingPast: Whether the others are there too.
  @concurrent
  public func banners(includingPast: Bool = false) async throws -> [CivicBanner] {
    let view = try await view()
    return includingPast
      ? view.banners : view.banners(on: CalendarDay(engine.clock.now, in: options.zone))
  }

  /// The apps of the city, in the order of their table.
  @concurrent
  public func apps() async throws -> [CivicApp] { try await view().apps }

  /// The pages of the guide, in the order of their table.
  @concurrent
  public func instructions() async throws -> [InstructionPage] { try await view().instructions }

  /// Notes that a page of the guide was read.
  ///
  /// - Returns: Whether it had not been: false for a page that is not there.
  @discardableResult
  public func markRead(_ page: InstructionPage.ID) async throws -> Bool {
    try await edit { edit in
      guard var row = edit.row(InstructionPage.self, id: page), !row.isRead else { return false }
      row.isRead = true
      edit.put(row)
      return true
    }
  }

  // MARK: Pictures

  /// The picture of a banner: from the app's folder, else as it was kept, else downloaded and kept; nil
  /// when the banner has none.
  ///
  /// - Throws: `FieldError` with the code `civic.noService` when it is nowhere and there is no media
  ///   address; those of the transport and of `AssetCache`.
  public func image(for banner: CivicBanner) async throws -> Asset? {
    try await pictures.asset(named: banner.imageName)
  }

  /// The icon of an app, as ``image(for:)-(CivicBanner)``.
  public func image(for app: CivicApp) async throws -> Asset? {
    try await pictures.asset(named: app.imageName)
  }

  /// The icon of a category, as ``image(for:)-(CivicBanner)``.
  public func icon(for category: UnitCategory) async throws -> Asset? {
    try await pictures.asset(named: category.iconName)
  }

  /// The icon of a unit, as ``image(for:)-(CivicBanner)``.
  public func icon(for unit: CivicUnit) async throws -> Asset? {
    try await pictures.asset(named: unit.iconName)
  }
}
