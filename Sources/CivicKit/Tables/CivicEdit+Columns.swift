internal import FieldCore
internal import FieldFoundation

extension CivicEdit {
  mutating func applyUnit(_ row: CivicRow, areaCode: String) throws(RowProblem) {
    let id = CivicUnit.ID(rawValue: try Self.id("unitId", of: row))
    guard !row.isDeleted else { return remove(CivicUnit.self, id) }
    var fields = self.row(CivicUnit.self, id: id)?.fields ?? CivicUnit.Fields(id: id, name: "")
    if let name = row.text("name") { fields.name = name ?? "" }
    if let parent = row.text("parentUnitId") {
      fields.parentID = parent.map(RowText.plainID).flatMap {
        $0 == "0" ? nil : CivicUnit.ID(rawValue: $0)
      }
    }
    if let details = row.text("description") { fields.details = details }
    if let tel = row.text("tel") { fields.phones = PhoneList(tel, areaCode: areaCode) }
    if let fax = row.text("fax") { fields.faxes = PhoneList(fax, areaCode: areaCode) }
    if let email = row.text("email") { fields.email = email }
    if let website = row.text("website") { fields.website = website }
    if let keyword = row.text("keyword") { fields.keywords = CleanText.words(keyword) }
    if let icon = row.text("iconName") { fields.iconName = icon }
    if let field = row.text("fieldId") {
      fields.field = field.map { PlanField(rawValue: RowText.plainID($0)) }
    }
    if let path = row.text("nearByPathId") { fields.nearbyPathID = path.map(RowText.plainID) }
    if let date = row.date("createTime") { fields.createdAt = date }
    if let date = row.date("lastUpdateTime") { fields.updatedAt = date }
    if let position = Self.position(of: row, before: fields.planPosition) {
      fields.planPosition = position
    }
    put(CivicUnit(fields))
  }

  /// Returns the position on the plan; `nil` if the row has no column for it. A row with one
  /// coordinate keeps the other.
  private static func position(of row: CivicRow, before: PlanPosition?) -> PlanPosition?? {
    let (x, y) = (row.integer("x"), row.integer("y"))
    if x == nil && y == nil { return nil }
    guard let x = x ?? before?.x, let y = y ?? before?.y, x != 0 || y != 0 else {
      return .some(nil)
    }
    return .some(PlanPosition(x: x, y: y))
  }

  mutating func applyCategory(_ row: CivicRow) throws(RowProblem) {
    let id = UnitCategory.ID(rawValue: try Self.id("categoryId", of: row))
    guard !row.isDeleted else { return remove(UnitCategory.self, id) }
    var category = self.row(UnitCategory.self, id: id) ?? UnitCategory(id: id, name: "")
    if let name = row.text("name") { category.name = name ?? "" }
    if let details = row.text("description") { category.details = details }
    if let icon = row.text("iconName") { category.iconName = icon }
    if let keyword = row.text("keyword") { category.keywords = CleanText.words(keyword) }
    if let date = row.date("createTime") { category.createdAt = date }
    if let date = row.date("lastUpdateTime") { category.updatedAt = date }
    put(category)
  }

  mutating func applyKeyword(_ row: CivicRow) throws(RowProblem) {
    let id = CivicKeyword.ID(rawValue: try Self.id("keywordId", of: row))
    guard !row.isDeleted else { return remove(CivicKeyword.self, id) }
    var keyword = self.row(CivicKeyword.self, id: id) ?? CivicKeyword(id: id, text: "")
    if let text = row.text("keyword") { keyword.text = text ?? "" }
    if let rank = row.integer("rank") { keyword.kind = CategoryKind(rawValue: rank ?? 0) }
    if let details = row.text("description") { keyword.details = details }
    if let date = row.date("createTime") { keyword.createdAt = date }
    if let date = row.date("lastUpdateTime") { keyword.updatedAt = date }
    put(keyword)
  }

  mutating func applyBanner(_ row: CivicRow, order: DateOrder) throws(RowProblem) {
    let id = CivicBanner.ID(rawValue: try Self.id("edmId", of: row))
    guard !row.isDeleted else { return remove(CivicBanner.self, id) }
    var banner = self.row(CivicBanner.self, id: id) ?? CivicBanner(id: id, name: "")
    if let name = row.text("edmName") { banner.name = name ?? "" }
    if let address = row.text("edmURL") { banner.address = address }
    if let image = row.text("edmImage") { banner.imageName = image }
    if let day = row.text("edmEndDay") { banner.lastDay = day.flatMap { Self.day($0, order) } }
    if let date = row.date("lastUpdateTime") { banner.updatedAt = date }
    put(banner)
  }

  /// Returns the day of `2016-09-20`, `2016/9/20`, or `105/09/20`, possibly with a time after it,
  /// as a database may add one: the day as written, in no time zone. A range is its last day.
  private static func day(_ text: String, _ order: DateOrder) -> CalendarDay? {
    TimestampParser(zone: .utc, order: order).instant(text).map { $0.lastDay ?? $0.day }
  }

  mutating func applyApp(_ row: CivicRow) throws(RowProblem) {
    let id = CivicApp.ID(rawValue: try Self.id("appId", of: row))
    guard !row.isDeleted else { return remove(CivicApp.self, id) }
    var app = self.row(CivicApp.self, id: id) ?? CivicApp(id: id, name: "")
    if let name = row.text("appName") { app.name = name ?? "" }
    // An empty column doesn't remove what another column contains.
    let columns = [(row.text("appURL"), false), (row.text("appIOSUrl", "iosAppUrl"), true)]
    for case (.some(nil), let isOfIOS) in columns { app.take(nil, fromColumnOfIOS: isOfIOS) }
    for case (.some(.some(let address)), let isOfIOS) in columns {
      app.take(address, fromColumnOfIOS: isOfIOS)
    }
    if let image = row.text("appImage") { app.imageName = image }
    if let date = row.date("lastUpdateTime") { app.updatedAt = date }
    put(app)
  }

  mutating func applyInstruction(_ row: CivicRow) throws(RowProblem) {
    guard let id = row.integer("id") ?? nil else { throw RowProblem("the row has no numeric id") }
    guard !row.isDeleted else { return remove(InstructionPage.self, id) }
    var page = self.row(InstructionPage.self, id: id) ?? InstructionPage(id: id, name: "")
    if let name = row.text("name") { page.name = name ?? "" }
    if let isRead = row.integer("read") { page.isRead = (isRead ?? 0) != 0 }
    put(page)
  }

  mutating func applySearch(_ row: CivicRow) throws(RowProblem) {
    guard let text = row.key("searchKeyword") else {
      throw RowProblem("the row has no searchKeyword")
    }
    guard !row.isDeleted else { return remove(SearchEntry.self, text) }
    put(SearchEntry(text))
  }

  /// Applies a row of the table `hot`.
  ///
  /// Servers and whole files number activities. The old app's number is a position in the feed,
  /// which belongs to another activity tomorrow, so its rows are identified by their addresses.
  ///
  /// In the old app, `isDelete` marks an activity that the user has hidden, not a deletion. An
  /// activity that was shown again after the first import stays visible.
  mutating func applyActivity(_ row: CivicRow, rules: CivicRowRules) throws(RowProblem) {
    let number = row.id("id").map(CityActivity.ID.init(rawValue:))
    let dates = TimestampParser(zone: rules.zone, order: rules.dateOrder)
    let content = CityActivity(row, dates: dates).contentID
    guard let id = rules.origin == .oldDatabase ? content ?? number : number ?? content else {
      throw RowProblem("the row has no id, hotLink, or hotTitle")
    }
    guard !row.isDeleted || rules.origin != .server else { return remove(CityActivity.self, id) }
    var activity = self.row(CityActivity.self, id: id) ?? CityActivity(id: id, title: "")
    activity.take(row, dates: dates)
    if row.isDeleted, base[id: CivicRecord.ID(.activity, id.rawValue)] == nil {
      activity.isHidden = true
    }
    put(activity)
  }

  static func id(_ name: String, of row: CivicRow) throws(RowProblem) -> String {
    guard let id = row.id(name) else { throw RowProblem("the row has no \(name)") }
    return id
  }
}
