internal import CivicKit
internal import FieldCore
internal import FieldFirestore
internal import FieldPortals
internal import FieldXML
internal import Foundation
internal import MeteorKit
internal import MetroKit
internal import WalkKit
internal import ZooKit

/// Models of texts that a program builds itself: what is done with any value, and what they compute.
extension Entry {
  static let values: [Entry] = [
    Entry(
      "FieldCore.Track.init(name:segments:extensions:)",
      "FieldCore.Track.Extension.init(_:namespace:text:segment:)",
      "FieldXML.GPXDocument.Waypoint.init(point:name:description:symbol:kind:link:)",
      "WalkKit.GPXDetails.init(name:description:creator:created:pets:weather:dust:segmentStarts:waypoints:)",
      "WalkKit.GPXDetails.Waypoint.init(coordinate:elevation:time:name:description:link:kind:)"
    ) {
      let part = Track.Extension($0, namespace: $0, text: $0)
      let track = Track(name: $0, segments: [], extensions: [part])
      use(track)
      let place = try Coordinate(latitude: 25, longitude: 121)
      show(
        GPXDocument.Waypoint(
          point: TrackPoint(coordinate: place), name: $0, description: $0, symbol: $0, kind: $0,
          link: $0))
      let waypoint = GPXDetails.Waypoint(
        coordinate: place, name: $0, description: $0, link: URL(string: $0), kind: $0)
      let details = GPXDetails(
        name: $0, description: $0, creator: $0, pets: [$0], weather: $0, dust: $0,
        waypoints: [waypoint])
      _ = WalkRoute(tracks: [track]).gpx(details)
      _ = WalkRoute(track: track).gpx(GPXDetails(track: track))
    },
    Entry(
      "FieldCore.RefreshProgress.init(kit:phase:fractionCompleted:rows:outcome:)",
      "FieldCore.RefreshReport.Notice.init(_:_:refusedRemoval:)",
      "FieldCore.RefusedRemoval.init(ids:count:storedCount:)",
      "FieldCore.OpeningReport.Cut.init(file:offset:byteCount:reason:revisions:savedAs:)",
      "FieldCore.PageMetadata.init(rowCount:rowHashes:end:isLast:announcedCount:dataVersion:serverDate:sourceDate:origin:validators:isNotModified:notices:)",
      "FieldCore.PageRequest.init(order:position:size:validators:)",
      "FieldCore.PageRequest.Order.byKey(changedFrom:)",
      "FieldCore.RowProblem.init(_:)", "FieldCore.FileSystemError.init(_:call:path:)"
    ) {
      let refused = RefusedRemoval(ids: [$0], count: 1, storedCount: 2)
      use(refused)
      let notice = RefreshReport.Notice(.repeatedIDs, $0, refusedRemoval: refused)
      use(notice)
      show(
        RefreshProgress(kit: $0, phase: RefreshProgress.Phase(rawValue: $0), fractionCompleted: 0))
      show(
        OpeningReport.Cut(
          file: URL(filePath: "/a").appending(path: $0), offset: 0, byteCount: 1, reason: $0))
      use(
        PageMetadata(
          rowCount: 1, dataVersion: $0, validators: [$0: HTTPValidators(entityTag: $0)],
          notices: [notice]))
      show(PageRequest(order: .byKey(changedFrom: $0), position: SyncPosition(key: $0), size: 1))
      show(RowProblem($0))
      show(FileSystemError(2, call: $0, path: $0))
    },
    Entry(
      "FieldCore.Asset.init(data:format:contentType:file:origin:fetchedAt:confirmedAt:refreshFailure:)",
      "FieldCore.TransportBody.data(_:)", "FieldCore.TransportBody.text(_:)",
      "FieldCore.TransportBody.bytes(_:)",
      "FieldCore.InMemoryBlobStore.put(_:)", "FieldCore.BlobStore.put(_:)",
      "WalkKit.WalkArchive.Attachment.init(_:)"
    ) {
      let data = Data($0.utf8)
      show(Asset(data: data, contentType: $0))
      show(TransportBody.data(data))
      show(TransportBody.text($0))
      let attachment = WalkArchive.Attachment(data)
      use(attachment)
      _ = try await InMemoryBlobStore().put(Array($0.utf8))
      let archive = WalkArchive(
        pets: [], walks: [], attachments: [attachment], exported: Date(timeIntervalSince1970: 0))
      _ = try WalkArchive(reading: archive.json())
    },
    Entry("FieldCore.FileBlobStore.put(_:)") { text in
      try await inFolder { folder in
        let lease = try await FileBlobStore(folder).put(Array(text.utf8))
        lease.end()
      }
    },
    Entry(
      "FieldXML.FeedItem.init(title:link:rawLink:guid:description:content:published:publishedText:categories:authors:contributors:enclosures:media:)",
      "FieldXML.FeedDocument.init(format:title:items:)",
      "FieldXML.FeedMedia.init(kind:url:rawURL:type:byteCount:width:height:title:)",
      "FieldXML.FeedPerson.init(name:email:uri:)",
      "FieldXML.XMLFault.init(line:column:message:isCut:isRepaired:)",
      "CivicKit.NewsItem.init(id:feed:title:link:description:published:publishedText:categories:authors:enclosures:media:)",
      "CivicKit.CityActivity.init(id:title:link:description:published:isHidden:)",
      "CivicKit.FeedHealth.Failure.init(date:code:message:)"
    ) {
      let person = FeedPerson(name: $0, email: $0, uri: $0)
      let media = FeedMedia(kind: .image, url: URL(string: $0), rawURL: $0, type: $0, title: $0)
      let item = FeedItem(
        title: $0, rawLink: $0, guid: $0, description: $0, content: $0, publishedText: $0,
        categories: [$0], authors: [person], media: [media])
      use(FeedDocument(format: .rss, title: $0, items: [item]))
      use(XMLFault(line: 1, column: 1, message: $0))
      use(
        NewsItem(
          id: NewsItem.ID(rawValue: $0), feed: CityFeed.ID(rawValue: $0), title: $0,
          description: $0, publishedText: $0, categories: [$0], authors: [person],
          enclosures: [media]))
      use(CityActivity(id: CityActivity.ID(rawValue: $0), title: $0, description: $0))
      use(FeedHealth.Failure(date: Date(timeIntervalSince1970: 0), code: $0, message: $0))
    },
    Entry(
      "CivicKit.CivicUnit.init(id:name:parentID:details:phones:faxes:email:website:keywords:iconName:field:planPosition:nearbyPathID:createdAt:updatedAt:)",
      "CivicKit.CivicKeyword.init(id:text:kind:details:createdAt:updatedAt:)",
      "CivicKit.UnitCategory.init(id:name:details:iconName:keywords:createdAt:updatedAt:)",
      "CivicKit.UnitSynonym.init(unitID:text:)", "CivicKit.UnitSynonym.ID.init(unitID:text:)",
      "CivicKit.KeywordLink.init(objectID:keywordID:updatedAt:)",
      "CivicKit.KeywordLink.ID.init(objectID:keywordID:)",
      "CivicKit.CivicApp.init(id:name:iOSAddress:androidPackage:imageName:updatedAt:)",
      "CivicKit.CivicBanner.init(id:name:address:imageName:lastDay:updatedAt:)",
      "CivicKit.InstructionPage.init(id:name:isRead:)", "CivicKit.LegacyLaunchFlags.init(_:)"
    ) {
      let id = CivicUnit.ID(rawValue: $0)
      let unit = CivicUnit(
        id: id, name: $0, details: $0, phones: PhoneList($0), email: $0, website: $0,
        keywords: [$0], iconName: $0, nearbyPathID: $0)
      use(unit)
      show(unit)
      use(CivicKeyword(id: CivicKeyword.ID(rawValue: $0), text: $0, details: $0))
      use(
        UnitCategory(
          id: UnitCategory.ID(rawValue: $0), name: $0, details: $0, iconName: $0, keywords: [$0]))
      use(UnitSynonym(unitID: id, text: $0))
      use(UnitSynonym.ID(unitID: id, text: $0))
      let keyword = CivicKeyword.ID(rawValue: $0)
      use(KeywordLink(objectID: $0, keywordID: keyword))
      use(KeywordLink.ID(objectID: $0, keywordID: keyword))
      let app = CivicApp(
        id: CivicApp.ID(rawValue: $0), name: $0, iOSAddress: $0, androidPackage: $0, imageName: $0)
      use(app)
      show(app)
      use(CivicBanner(id: CivicBanner.ID(rawValue: $0), name: $0, address: $0, imageName: $0))
      use(InstructionPage(id: 1, name: $0))
      use(LegacyLaunchFlags([$0: true]))
    },
    Entry("CivicKit.CivicHit.init(unit:fields:words:)") {
      try highlight($0, in: $0)
      try highlight(String($0.prefix(1)), in: $0)
    },
    Entry("CivicKit.CivicHit.init(unit:fields:words:)", form: "half of the text, and no match") {
      let half = String(decoding: $0.utf8.prefix($0.utf8.count / 2), as: UTF8.self)
      try highlight(half + "\u{4E00}", in: $0)
      try highlight(half, in: $0)
    },
    Entry("FieldCore.TextFolding.contains(_:in:)", form: "half of the text, and no match") {
      let half = String(decoding: $0.utf8.prefix($0.utf8.count / 2), as: UTF8.self)
      _ = TextFolding.contains(TextFolding.fold(half + "\u{4E00}"), in: $0)
    },
    Entry("FieldCore.TextFolding.contains(_:in:)") { _ = TextFolding.contains("a", in: $0) },
    Entry(
      "MeteorKit.Meteorite.init(id:name:classification:massInGrams:fall:nameType:year:coordinate:unreadable:)",
      "MeteorKit.Meteorite.MapPin.init(id:coordinate:title:subtitle:region:)",
      "FieldCore.RecordRequest.init(validators:)", "FieldCore.Batch.notModified(validators:origin:)"
    ) {
      let id = Meteorite.ID(rawValue: $0)
      let place = try Coordinate(latitude: 25, longitude: 121)
      let meteorite = Meteorite(
        id: id, name: $0, classification: Meteorite.Classification(rawValue: $0), coordinate: place,
        unreadable: [$0: $0])
      use(meteorite)
      show(meteorite)
      if let pin = try meteorite.mapPin() {
        use(
          Meteorite.MapPin(
            id: id, coordinate: place, title: $0, subtitle: $0, region: pin.region))
      }
      let validators = [$0: HTTPValidators(entityTag: $0)]
      show(
        Batch<Meteorite>.notModified(validators: validators, origin: URL(filePath: "/a")))
      show(RecordRequest(validators: validators))
    },
    Entry(
      "MetroKit.Arrival.init(id:sourceID:stationName:destinationName:stationEnglishName:destinationEnglishName:station:destination:line:updatedAt:countdown:trainNumber:service:)",
      "MetroKit.ArrivalBoard.init(_:fetchedAt:serverDate:origin:failures:validators:policy:network:asOf:lastFailure:alerts:alertsFailure:timetable:timetableFailure:)",
      "MetroKit.ArrivalGroup.init(key:name:arrivals:)",
      "MetroKit.ArrivalGroup.ID.name(_:)",
      "MetroKit.MetroAlert.init(id:title:text:status:lines:stations:stationNames:publishedAt:updatedAt:)",
      "MetroKit.MetroLine.init(id:operatorCode:name:englishName:japaneseName:koreanName:color:trunk:branches:)",
      "MetroKit.MetroService.init(id:line:stops:runSeconds:stopSeconds:)",
      "MetroKit.MetroStation.init(id:englishName:japaneseName:koreanName:coordinate:stops:exits:)",
      "MetroKit.MetroStation.Exit.init(number:coordinate:)"
    ) {
      let arrival = Arrival(
        sourceID: $0, stationName: $0, destinationName: $0, stationEnglishName: $0,
        destinationEnglishName: $0, updatedAt: FeedTime($0), countdown: Arrival.Countdown($0),
        trainNumber: $0)
      use(arrival)
      let line = MetroLine.ID(rawValue: $0)
      let alert = MetroAlert(
        id: MetroAlert.ID(rawValue: $0), title: $0, text: $0, lines: [line], stationNames: [$0])
      use(alert)
      let validators = [$0: HTTPValidators(entityTag: $0)]
      let board = ArrivalBoard(
        [arrival, arrival], fetchedAt: Date(timeIntervalSince1970: 1.4e9), validators: validators,
        alerts: MetroAlerts(alerts: [alert]))
      show(board)
      for group in board.byDestination { use(group.id) }
      show(RecordRequest(validators: validators))
      show(ArrivalGroup(key: line, name: $0, arrivals: [arrival]))
      use(
        MetroLine(
          id: line, operatorCode: $0, name: $0, englishName: $0, japaneseName: $0, koreanName: $0,
          color: $0, trunk: []))
      use(MetroService(id: $0, line: line, stops: [], runSeconds: [], stopSeconds: []))
      let place = try Coordinate(latitude: 25, longitude: 121)
      let station = MetroStation(
        id: MetroStation.ID(rawValue: $0), englishName: $0, japaneseName: $0, koreanName: $0,
        coordinate: place, stops: [], exits: [MetroStation.Exit(number: $0, coordinate: place)])
      use(station)
      show(station)
    },
    Entry(
      "WalkKit.Pet.init(id:name:breed:gender:birth:weight:photo:isArchived:registered:)",
      "WalkKit.PetProblem.init(_:_:)", "WalkKit.Place.init(id:name:kind:coordinate:)",
      "WalkKit.PointsLedger.Entry.init(id:points:date:)",
      "WalkKit.ImportProblem.init(path:loss:excerpt:reason:)",
      "WalkKit.AirQuality.init(pm10:pm25:measuredAt:station:pm10Flag:pm25Flag:)",
      "WalkKit.AirStation.init(name:coordinate:)",
      "WalkKit.WeatherReport.init(weather:temperatureInCelsius:humidityInPercent:windSpeedInMetersPerSecond:observedAt:placeName:)"
    ) {
      let date = Date(timeIntervalSince1970: 0)
      let place = try Coordinate(latitude: 25, longitude: 121)
      use(Pet(id: Pet.ID(rawValue: $0), name: $0, breed: Breed($0), registered: date))
      use(PetProblem(.name, $0))
      use(Place(id: Place.ID(rawValue: $0), name: $0, coordinate: place))
      use(PointsLedger.Entry(id: $0, points: 1, date: date))
      use(ImportProblem(path: $0, loss: .record, excerpt: $0, reason: $0))
      use(AirQuality(station: $0, pm10Flag: AirQuality.Flag(rawValue: $0)))
      use(AirStation(name: $0, coordinate: place))
      use(WeatherReport(placeName: $0))
    },
    Entry(
      "WalkKit.PetChanges.init(name:breed:gender:birth:weight:photo:clearing:)",
      "WalkKit.WalkDiary.addPhoto(_:to:takenAt:at:)", "WalkKit.WalkRecorder.addNote(_:kind:pet:)",
      "WalkKit.WalkRecorder.addPhoto(_:)", form: "in a diary"
    ) {
      let diary = WalkDiary(storage: .inMemory, transport: Answer(""))
      let pet = try await diary.register(
        PetRegistration(
          name: "a", breed: .welshCorgi, gender: .male, birth: nil, weight: .kilograms(10)))
      _ = try await diary.update(pet.id, PetChanges(name: $0, breed: Breed($0)))
      let data = Data($0.utf8)
      _ = try await diary.update(pet.id, PetChanges(photo: data))
      let recorder = try await diary.start(pets: [pet.id])
      try await recorder.addNote($0, kind: WalkNote.Kind(rawValue: $0))
      _ = try await recorder.addPhoto(data)
      let walk = try await recorder.finish()
      _ = try await diary.addPhoto(data, to: walk.id)
    },
    Entry(
      "ZooKit.Animal.init(id:name:englishName:latinName:alternativeNamesText:phylum:animalClass:order:family:conservationText:conservation:protection:endemism:distribution:habitat:feature:behavior:diet:crisis:interpretation:summary:keywords:locationText:places:positionIssue:poiGroup:pictures:documents:recordings:video:themeName:theme:code:catalogNumber:adoption:updated:importDate:rowNumber:unreadable:)",
      "ZooKit.ZooView.init(animals:areas:plants:events:areaAliases:)",
      "ZooKit.ZooListing.search(_:)",
      "ZooKit.ZooMedia.init(number:link:caption:)"
    ) {
      let media = ZooMedia(number: 1, link: ZooLink($0), caption: $0)
      let animal = Animal(
        name: $0, englishName: $0, latinName: $0, alternativeNamesText: $0, phylum: $0,
        conservationText: $0, feature: $0, keywords: $0, locationText: $0, pictures: [media],
        code: $0, unreadable: [$0: $0])
      use(animal)
      show(animal)
      let area = ZooArea(name: $0, info: $0)
      let view = ZooView(animals: [animal], areas: [area], areaAliases: [$0: $0])
      _ = (view.areas(of: animal), view.animals(in: area.id), view.find(AnimalQuery(text: $0)))
      let listing = ZooListing(
        sightings: [], animals: [(animal, nil)], nextNumber: 1, lastRefresh: nil)
      _ = (listing.search($0), listing.search("b"))
    },
    Entry(
      "ZooKit.Plant.init(id:name:englishName:latinName:alternativeNamesText:family:genus:brief:feature:uses:summary:keywords:locationText:places:positionIssue:pictures:documents:recordings:video:code:catalogNumber:updated:importDate:rowNumber:unreadable:)",
      "ZooKit.ZooArea.init(id:number:name:category:picture:info:memo:places:positionIssue:link:importDate:rowNumber:unreadable:)",
      "ZooKit.ZooEvent.init(id:category:title:summary:brief:start:end:timeText:location:places:positionIssue:publishedFrom:publishedUntil:keywords:picture:link:address:site:importDate:rowNumber:unreadable:)",
      "ZooKit.RecordID.init(title:start:time:location:)"
    ) {
      let plant = Plant(
        name: $0, englishName: $0, latinName: $0, alternativeNamesText: $0, keywords: $0,
        locationText: $0)
      use(plant)
      show(plant)
      let area = ZooArea(
        name: $0, category: ZooArea.Category(rawValue: $0), info: $0, memo: $0, link: ZooLink($0))
      use(area)
      show(area)
      let event = ZooEvent(
        category: $0, title: $0, summary: $0, brief: $0, timeText: $0, location: $0, keywords: $0,
        address: $0, site: $0)
      use(event)
      show(event)
      use(ZooEvent.ID(title: $0, start: nil, time: $0, location: $0))
      let view = ZooView(areas: [area], plants: [plant], events: [event])
      _ = (view.areas(of: plant), view.plants(matching: $0))
    },
    Entry(
      "ZooKit.Sighting.init(id:number:name:photo:date:place:)",
      "ZooKit.ZooImport.Failure.init(number:name:photo:problems:)",
      "ZooKit.ZooRecord.ID.init(table:key:)", "ZooKit.ZooRecord.init(order:of:)",
      "ZooKit.ZooRecord.Content.order(_:)", "ZooKit.ZooPicture.remote(_:)",
      "ZooKit.ZooRecord.UnreadableCell.init(record:column:rawText:)"
    ) {
      let sighting = Sighting(
        id: Sighting.ID(rawValue: $0), number: 1, name: $0, photo: nil,
        date: Date(timeIntervalSince1970: 0))
      use(sighting)
      show(ZooImport.Failure(number: 1, name: $0, photo: nil, problems: []))
      if let url = URL(string: $0) { show(ZooPicture.remote(url)) }
      use(ZooRecord.ID(table: .animals, key: $0))
      show(ZooRecord(order: $0.split(separator: " ").map(String.init), of: .animals))
      show(ZooRecord.UnreadableCell(record: $0, column: $0, rawText: $0))
    },
    Entry(
      "ZooKit.LegacyZooData.init(propertyList:documents:nameOfUnnamed:)",
      "ZooKit.LegacyZooData.init(defaults:documents:nameOfUnnamed:)"
    ) { text in
      try await inFile(text) { file in
        let old = LegacyZooData(
          defaults: ["nameOfID1": text, text: text], documents: file.deletingLastPathComponent(),
          nameOfUnnamed: text)
        show(old)
        _ = try LegacyZooData(propertyList: file, documents: file)
      }
    },
    Entry(
      "ZooKit.LegacyZooData.init(propertyList:documents:nameOfUnnamed:)", form: "a dictionary",
      wrap: {
        "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>nameOfID1</key><string>\(escaped($0))</string><key>\(escaped($0))</key>\($0)</dict></plist>"
      }
    ) { text in
      try await inFile(text) { file in
        _ = try LegacyZooData(propertyList: file, documents: file)
        _ = try LegacyLaunchFlags(propertyList: Data(text.utf8))
      }
    },
    Entry(
      "FieldPortals.SoQL.StringInterpolation.appendInterpolation(_:)",
      "FieldPortals.SoQL.Query.init(select:where:group:having:order:limit:offset:)"
    ) {
      let client = SODAClient(
        try SODADataset("abcd-1234", at: "h.example"), transport: Answer("[]"),
        clock: HastyClock())
      let query = SoQL.Query(where: "starts_with(a, \($0)) OR a IN \([$0])")
      use(query)
      for try await row in client.rows(query) { use(row) }
    },
    Entry(
      "FieldPortals.OpenDataRow.init(columns:values:)", "FieldPortals.OpenDataRow.subscript(_:)",
      "FieldPortals.OpenDataTable.init(resource:columns:rows:)",
      "FieldPortals.SODARow.init(id:cells:)", "FieldPortals.SODARow.subscript(_:)",
      "FieldPortals.SODAMetadata.init(id:name:columns:rowsUpdatedAt:lastModified:)"
    ) {
      let row = OpenDataRow(columns: [$0], values: [$0])
      _ = (row[$0], row["a"])
      use(
        OpenDataTable(
          resource: TaipeiDataset.Resource(rawValue: $0), columns: [$0], rows: [row]))
      let typed = SODARow(id: SODARow.ID(rawValue: $0), cells: [$0: SODAValue($0)])
      _ = typed[$0]
      use(typed)
      struct Cells: Decodable { var a: String? }
      _ = try? typed.decode(Cells.self)
      let column = SODAMetadata.Column(name: $0, title: $0, type: $0)
      use(SODAMetadata(id: $0, name: $0, columns: [column]))
    },
    Entry(
      "FieldFirestore.FirestorePath.init(segments:)", "FieldFirestore.FirestoreQuery.group(_:in:)",
      "FieldFirestore.FirestoreFields.Field.init(_:_:)",
      "FieldFirestore.FirestoreFields.subscript(_:)",
      "FieldFirestore.FirestoreInput.Field.init(_:_:)", "FieldFirestore.FirestoreValue.string(_:)",
      "FieldFirestore.FirestoreValue.bytes(_:)", "FieldFirestore.FirestoreValue.reference(_:)",
      "FieldFirestore.FirestoreResults.init(documents:failures:readTime:nextPageToken:)",
      "FieldFirestore.StorageMetadata.init(name:generation:size:contentType:crc32c:md5:created:updated:custom:)"
    ) {
      use(FirestorePath(segments: $0.split(separator: "/").map(String.init)))
      let query = FirestoreQuery.group($0)
      use(query)
      var fields: FirestoreFields = ["a": .string($0)]
      fields[$0] = .string($0)
      _ = fields[$0]
      use(fields)
      use(FirestoreFields.Field($0, .bytes(Array($0.utf8))))
      show(FirestoreInput.Field($0, .value(.reference($0))))
      show(FirestoreResults(nextPageToken: $0))
      use(StorageMetadata(name: $0, generation: $0, contentType: $0, md5: $0, custom: [$0: $0]))
    },
  ]

  /// Shows a word in a unit's name.
  private static func highlight(_ word: String, in text: String) throws {
    let hit = CivicHit(
      unit: CivicUnit(id: CivicUnit.ID(rawValue: "a"), name: text), fields: .name, words: [word])
    _ = hit.nameRanges.count
  }
}
