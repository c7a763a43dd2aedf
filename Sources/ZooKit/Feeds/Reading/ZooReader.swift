internal import FieldCore
internal import FieldFoundation

/// Reads the rows of a table from one or several bodies.
struct ZooReader {
  private(set) var found: ZooBatch
  private var values: ZooRowValues
  private var keys = ZooKeyCounter()
  private var remarks = ConservationRemarks()

  init(_ table: ZooTable) {
    found = ZooBatch(table: table)
    values = ZooRowValues(table)
  }

  private var table: ZooTable { found.table }

  /// Reads a body in UTF-8.
  mutating func read(_ bytes: [UInt8]) throws(FieldError) {
    let summary = try RowReader.forEachRow(
      of: bytes, columns: table.columns, key: table.nameColumn.rawValue,
      format: ZooBody.isAnswer(bytes) ? .envelope(path: ["result", "results"]) : nil
    ) { row throws(RowProblem) in
      try read(row)
    }
    for var failure in summary.failures {
      failure.index += found.rowCount
      found.failures.append(failure)
    }
    found.rowCount += summary.rowCount
    found.announcedRowCount = summary.announcedRows ?? found.announcedRowCount
  }

  mutating func read(_ row: borrowing SourceRow) throws(RowProblem) {
    values.beginRow()
    let date = values.importDate(row)
    switch table {
    case .animals: found.animals.append(try animal(row, date))
    case .areas: found.areas.append(try area(row, date))
    case .plants: found.plants.append(try plant(row, date))
    case .events: found.events.append(try event(row, date))
    }
    if let date { found.importDate = max(found.importDate ?? date, date) }
  }

  /// Returns everything that was read, or throws an error if that is nothing.
  func batch(origin: URL?, serverDate: Date? = nil) throws(FieldError) -> ZooBatch {
    var batch = found
    (batch.origin, batch.serverDate) = (origin, serverDate)
    guard batch.count > 0 else {
      throw FieldError(
        .zooEmptyTable,
        found.rowCount == 0
          ? "The table of \(table.rawValue) has no rows. Try again later."
          : "None of the \(found.rowCount) rows of \(table.rawValue) can be used.",
        problems: found.failures.prefix(20).map(\.description))
    }
    return batch
  }

  /// Sets the counts of a source that reads the pages itself.
  mutating func count(_ rows: Int, announced: Int?, failures: [RowFailure]) {
    found.rowCount = rows
    found.announcedRowCount = announced
    found.failures = failures
  }

  // MARK: rows

  private mutating func animal(
    _ row: borrowing SourceRow, _ date: Date?
  ) throws(RowProblem) -> Animal {
    let name = try name(row)
    let places = values.places(row)
    let conservation = values.text(.conservation, row).map { remarks.reading($0) }
    var animal = Animal(
      id: keys.unique(Animal.ID(name: name, place: places.places.first)), name: name,
      places: places.places, positionIssue: places.issue, importDate: date)
    animal.phylum = values.text(.phylum, row)
    animal.animalClass = values.word(.animalClass, row).map(AnimalClass.init(rawValue:))
    animal.order = values.text(.order, row)
    animal.conservationText = conservation?.text
    animal.conservation = conservation?.status
    animal.protection = conservation?.protection
    animal.endemism = conservation?.endemism
    animal.distribution = values.text(.distribution, row)
    animal.habitat = values.text(.habitat, row)
    animal.behavior = values.text(.behavior, row)
    animal.diet = values.text(.diet, row)
    animal.crisis = values.text(.crisis, row)
    animal.interpretation = values.text(.interpretation, row)
    animal.poiGroup = values.text(.poiGroup, row)
    animal.themeName = values.text(.themeName, row)
    animal.theme = values.link(.theme, row)
    animal.adoption = values.text(.adoption, row)
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
    plant.genus = values.text(.genus, row)
    plant.brief = values.text(.brief, row)
    plant.uses = values.text(.uses, row)
    fill(&plant, from: row)
    return plant
  }

  private mutating func area(
    _ row: borrowing SourceRow, _ date: Date?
  ) throws(RowProblem) -> ZooArea {
    guard let name = values.text(.areaName, row) else { throw RowProblem("the area has no name") }
    let places = values.places(row)
    var area = ZooArea(
      id: keys.unique(ZooArea.ID(name: name)), name: name, places: places.places,
      positionIssue: places.issue, importDate: date)
    area.number = values.number(.number, row)
    area.category = values.word(.category, row).map(ZooArea.Category.init(rawValue:))
    area.picture = values.link(.picture, row)
    area.info = values.text(.info, row)
    area.memo = values.text(.memo, row)
    area.link = values.link(.link, row)
    area.rowNumber = values.number(.rowNumber, row)
    area.unreadable = values.unreadable
    return area
  }

  private mutating func event(
    _ row: borrowing SourceRow, _ date: Date?
  ) throws(RowProblem) -> ZooEvent {
    guard let title = values.text(.title, row) else { throw RowProblem("the event has no title") }
    let places = values.places(row)
    let (start, time) = (values.day(.start, row), values.text(.time, row))
    let location = values.text(.location, row)
    let id = ZooEvent.ID(title: title, start: start, time: time, location: location)
    var event = ZooEvent(
      id: keys.unique(id), title: title, start: start, timeText: time, location: location,
      places: places.places, positionIssue: places.issue, importDate: date)
    event.category = values.text(.category, row)
    event.summary = values.text(.summary, row)
    event.brief = values.text(.brief, row)
    event.end = values.day(.end, row)
    event.publishedFrom = values.day(.publishedFrom, row)
    event.publishedUntil = values.day(.publishedUntil, row)
    event.keywords = values.text(.keywords, row)
    let (caption, link) = (values.text(.pictureCaption, row), values.link(.picture, row))
    if caption != nil || link != nil {
      event.picture = ZooMedia(number: 1, link: link, caption: caption)
    }
    event.link = values.link(.siteLink, row)
    event.address = values.text(.address, row)
    event.site = values.text(.site, row)
    event.rowNumber = values.number(.rowNumber, row)
    event.unreadable = values.unreadable
    return event
  }

  /// Reads the columns that animals and plants share. Call it last, because it adds the unreadable
  /// texts of the whole row.
  private mutating func fill(_ being: inout some Organism, from row: borrowing SourceRow) {
    being.englishName = values.text(.englishName, row)
    being.latinName = values.text(.latinName, row)
    being.alternativeNamesText = values.text(.alternativeNames, row)
    being.family = values.text(.family, row)
    being.feature = values.text(.feature, row)
    being.summary = values.text(.summary, row)
    being.keywords = values.text(.keywords, row)
    being.locationText = values.text(.location, row)
    being.pictures = values.media(from: .pictures, count: 4, row)
    being.documents = values.media(from: .documents, count: 2, row)
    being.recordings = values.media(from: .recordings, count: 3, row)
    being.video = values.link(.video, row)
    being.code = values.text(.code, row)
    being.catalogNumber = values.text(.catalogNumber, row)
    being.updated = values.day(.update, row)
    being.rowNumber = values.number(.rowNumber, row)
    being.unreadable = values.unreadable
  }

  /// Returns the name of a row: the Chinese one, or else the first other name.
  private func name(_ row: borrowing SourceRow) throws(RowProblem) -> String {
    for column in [ZooColumn.name, .englishName, .latinName, .alternativeNames, .code] {
      if let name = values.text(column, row) { return name }
    }
    throw RowProblem("the row has neither a name in any language nor a code")
  }
}
