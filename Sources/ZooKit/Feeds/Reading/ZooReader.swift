internal import FieldCore
internal import FieldFoundation

/// Reads the rows of a table from one or several bodies.
struct ZooReader {
  private(set) var found = Batch<ZooRecord>(records: [])
  private let table: ZooTable
  private var values: ZooRowValues
  private var keys = ZooKeyCounter()
  private var remarks = ConservationRemarks()

  init(_ table: ZooTable) {
    self.table = table
    values = ZooRowValues(table)
  }

  /// Reads a body in UTF-8.
  mutating func read(_ bytes: [UInt8]) throws(FieldError) {
    let summary = try RowReader.forEachRow(
      of: bytes, columns: table.columns, key: table.nameColumn.rawValue,
      format: ZooBody.isAnswer(bytes) ? .envelope(path: ["result", "results"]) : nil
    ) { row throws(RowProblem) in
      try read(row)
    }
    for var failure in summary.failures {
      failure.index += found.facts.rowCount
      found.failures.append(failure)
    }
    found.facts.rowCount += summary.rowCount
    found.facts.announcedCount = summary.announcedRows ?? found.facts.announcedCount
  }

  mutating func read(_ row: borrowing SourceRow) throws(RowProblem) {
    values.beginRow()
    let date = values.importDate(row)
    switch table {
    case .animals: found.records.append(ZooRecord(try animal(row, date)))
    case .areas: found.records.append(ZooRecord(try area(row, date)))
    case .plants: found.records.append(ZooRecord(try plant(row, date)))
    case .events: found.records.append(ZooRecord(try event(row, date)))
    }
    if let date { found.facts.sourceDate = max(found.facts.sourceDate ?? date, date) }
  }

  /// Returns everything that was read, or throws an error if that is nothing.
  func batch(origin: URL?, serverDate: Date? = nil) throws(FieldError) -> Batch<ZooRecord> {
    var batch = found
    (batch.facts.origin, batch.facts.serverDate) = (origin, serverDate)
    guard !batch.records.isEmpty else {
      throw FieldError(
        .zooEmptyTable,
        found.facts.rowCount == 0
          ? "The table of \(table.rawValue) has no rows. Try again later."
          : "None of the \(found.facts.rowCount) rows of \(table.rawValue) can be used.",
        problems: found.failures.prefix(20).map(\.description))
    }
    return batch
  }

  /// Sets the counts of a source that reads the pages itself.
  mutating func count(_ rows: Int, announced: Int?, failures: [RowFailure]) {
    found.facts.rowCount = rows
    found.facts.announcedCount = announced
    found.failures = failures
  }

  // MARK: rows

  private mutating func animal(
    _ row: borrowing SourceRow, _ date: Date?
  ) throws(RowProblem) -> Animal {
    let name = try name(row)
    let places = values.places(row)
    let conservation = row.text(.conservation).map { remarks.reading($0) }
    var animal = Animal(
      id: keys.unique(Animal.ID(name: name, place: places.places.first)), name: name,
      places: places.places, positionIssue: places.issue, importDate: date)
    animal.phylum = row.text(.phylum)
    animal.animalClass = row.word(.animalClass).map(AnimalClass.init(rawValue:))
    animal.order = row.text(.order)
    animal.conservationText = conservation?.text
    animal.conservation = conservation?.status
    animal.protection = conservation?.protection
    animal.endemism = conservation?.endemism
    animal.distribution = row.text(.distribution)
    animal.habitat = row.text(.habitat)
    animal.behavior = row.text(.behavior)
    animal.diet = row.text(.diet)
    animal.crisis = row.text(.crisis)
    animal.interpretation = row.text(.interpretation)
    animal.poiGroup = row.text(.poiGroup)
    animal.themeName = row.text(.themeName)
    animal.theme = values.link(.theme, row)
    animal.adoption = row.text(.adoption)
    fill(&animal, from: row)
    return animal
  }

  private mutating func plant(_ row: borrowing SourceRow, _ date: Date?) throws(RowProblem) -> Plant
  {
    let name = try name(row)
    let places = values.places(row)
    var plant = Plant(
      id: keys.unique(Plant.ID(name: name, place: places.places.first)), name: name,
      places: places.places, positionIssue: places.issue, importDate: date)
    plant.genus = row.text(.genus)
    plant.brief = row.text(.brief)
    plant.uses = row.text(.uses)
    fill(&plant, from: row)
    return plant
  }

  private mutating func area(
    _ row: borrowing SourceRow, _ date: Date?
  ) throws(RowProblem) -> ZooArea {
    guard let name = row.text(.areaName) else { throw RowProblem("the area has no name") }
    let places = values.places(row)
    var area = ZooArea(
      id: keys.unique(ZooArea.ID(name: name)), name: name, places: places.places,
      positionIssue: places.issue, importDate: date)
    area.number = row.number(.number)
    area.category = row.word(.category).map(ZooArea.Category.init(rawValue:))
    area.picture = values.link(.picture, row)
    area.info = row.text(.info)
    area.memo = row.text(.memo)
    area.link = values.link(.link, row)
    area.rowNumber = row.number(.rowNumber)
    area.unreadable = values.unreadable
    return area
  }

  private mutating func event(
    _ row: borrowing SourceRow, _ date: Date?
  ) throws(RowProblem) -> ZooEvent {
    guard let title = row.text(.title) else { throw RowProblem("the event has no title") }
    let places = values.places(row)
    let ((start, end), time) = (values.days(.start, .end, row), row.text(.time))
    let location = row.text(.location)
    let id = ZooEvent.ID(title: title, start: start, time: time, location: location)
    var event = ZooEvent(
      id: keys.unique(id), title: title, start: start, timeText: time, location: location,
      places: places.places, positionIssue: places.issue, importDate: date)
    event.category = row.text(.category)
    event.summary = row.text(.summary)
    event.brief = row.text(.brief)
    event.end = end
    (event.publishedFrom, event.publishedUntil) = values.days(
      .publishedFrom, .publishedUntil, row)
    event.keywords = row.text(.keywords)
    let (caption, link) = (row.text(.pictureCaption), values.link(.picture, row))
    if caption != nil || link != nil {
      event.picture = ZooMedia(number: 1, link: link, caption: caption)
    }
    event.link = values.link(.siteLink, row)
    event.address = row.text(.address)
    event.site = row.text(.site)
    event.rowNumber = row.number(.rowNumber)
    event.unreadable = values.unreadable
    return event
  }

  /// Reads the columns that animals and plants share. Call it last, because it adds the unreadable
  /// texts of the whole row.
  private mutating func fill(_ being: inout some Organism, from row: borrowing SourceRow) {
    being.englishName = row.text(.englishName)
    being.latinName = row.text(.latinName)
    being.alternativeNamesText = row.text(.alternativeNames)
    being.family = row.text(.family)
    being.feature = row.text(.feature)
    being.summary = row.text(.summary)
    being.keywords = row.text(.keywords)
    being.locationText = row.text(.location)
    being.pictures = values.media(from: .pictures, count: 4, row)
    being.documents = values.media(from: .documents, count: 2, row)
    being.recordings = values.media(from: .recordings, count: 3, row)
    being.video = values.link(.video, row)
    being.code = row.text(.code)
    being.catalogNumber = row.text(.catalogNumber)
    being.updated = values.day(.update, row)
    being.rowNumber = row.number(.rowNumber)
    being.unreadable = values.unreadable
  }

  /// Returns the name of a row: the Chinese one, or else the first other name.
  private func name(_ row: borrowing SourceRow) throws(RowProblem) -> String {
    for column in [ZooColumn.name, .englishName, .latinName, .alternativeNames, .code] {
      if let name = row.text(column) { return name }
    }
    throw RowProblem("the row has neither a name in any language nor a code")
  }
}
