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

extension Entry {
  static let models: [Entry] = [
    raw("FieldPortals.SODAVersion", SODAVersion.self),
    raw("FieldPortals.PortalFamily", PortalFamily.self),
    raw("FieldPortals.PortalColumn.Kind", PortalColumn.Kind.self),
    raw("FieldPortals.TaipeiDataset.Resource", TaipeiDataset.Resource.self),
    raw("FieldPortals.TaipeiOpenData.Form", TaipeiOpenData.Form.self),
    raw("FieldXML.FeedFormat", FeedFormat.self),
    raw("FieldXML.FeedMedia.Kind", FeedMedia.Kind.self),
    raw("MeteorKit.Meteorite.ClassGroup", Meteorite.ClassGroup.self),
    raw("MeteorKit.Meteorite.Classification", Meteorite.Classification.self),
    raw("MeteorKit.Meteorite.Fall", Meteorite.Fall.self),
    raw("MeteorKit.Meteorite.NameType", Meteorite.NameType.self),
    raw("MeteorKit.Meteorite.ID", Meteorite.ID.self),
    raw("MeteorKit.Meteorite.PositionIssue", Meteorite.PositionIssue.self),
    raw("MeteorKit.MeteoriteQuery.Order", MeteoriteQuery.Order.self),
    raw("WalkKit.AirQuality.Flag", AirQuality.Flag.self),
    raw("WalkKit.DustGrade", DustGrade.self),
    raw("WalkKit.WalkWeather", WalkWeather.self),
    raw("WalkKit.Breed", Breed.self),
    raw("WalkKit.Gender", Gender.self),
    raw("WalkKit.PetField", PetField.self),
    raw("WalkKit.Place.Kind", Place.Kind.self),
    raw("WalkKit.WalkChanges.Field", WalkChanges.Field.self),
    raw("WalkKit.WalkNote.Kind", WalkNote.Kind.self),
    raw("WalkKit.WalkReward.Reason", WalkReward.Reason.self),
    raw("WalkKit.FixPolicy.Reason", FixPolicy.Reason.self),
    raw("WalkKit.WalkPage.Cursor", WalkPage.Cursor.self),
    raw("WalkKit.GPXDetails.SegmentStart", GPXDetails.SegmentStart.self),
    raw("WalkKit.RouteIssue.Kind", RouteIssue.Kind.self),
    Entry("MeteorKit.Meteorite.Classification.init(rawValue:)", form: "its group") {
      let classification = Meteorite.Classification(rawValue: $0)
      use(classification)
      _ = classification.group
    }.ofProgram,
  ]

  static let markup: [Entry] = [
    Entry("FieldXML.HTMLText.init(_:)", "FieldXML.HTMLText.safeHTML(relativeTo:)") {
      let text = HTMLText($0)
      _ = text.plainText
      _ = text.safeHTML(relativeTo: URL(string: "https://h.example/a/"))
      _ = HTMLText("<a href='b'>x").safeHTML(relativeTo: URL(string: $0))
    },
    Entry(
      "FieldXML.HTMLText.init(_:)", form: "an attribute",
      wrap: { "<a href=\"\($0)\" title='\($0)'>x" }
    ) {
      _ = HTMLText($0).safeHTML
    },
    feed("a body") { $0 },
    feed("a title") { "<rss><channel><item><title>\(escaped($0))</title></item></channel></rss>" },
    feed("markup") {
      "<rss><channel><item><description><![CDATA[\($0)]]></description></item></channel></rss>"
    },
    feed("elements") { "<rss><channel><item>\($0)</item></channel></rss>" },
    feed("a date") {
      "<rss><channel><item><pubDate>\(escaped($0))</pubDate></item></channel></rss>"
    },
    feed("a link") { "<rss><channel><item><link>\(escaped($0))</link></item></channel></rss>" },
    feed("an author") {
      "<rss><channel><item><author>\(escaped($0))</author></item></channel></rss>"
    },
    feed("an Atom text") {
      "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><title type=\"html\">\(escaped($0))</title></entry></feed>"
    },
    feed("a document type") { "<!DOCTYPE rss [\($0)]><rss><channel/></rss>" },
    gpx("a body") { $0 },
    gpx("points") { "<gpx><trk><trkseg>\($0)</trkseg></trk></gpx>" },
    gpx("a name") {
      "<gpx><trk><name>\(escaped($0))</name><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>"
    },
    gpx("a time") {
      "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"><time>\(escaped($0))</time></trkpt></trkseg></trk></gpx>"
    },
    gpx("a latitude") {
      "<gpx><trk><trkseg><trkpt lat=\"\(escaped($0))\" lon=\"2\"/></trkseg></trk></gpx>"
    },
    gpx("extensions") {
      "<gpx><trk><extensions>\($0)</extensions><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>"
    },
  ]

  private static func feed(_ form: String, wrap: @escaping @Sendable (String) -> String) -> Entry {
    Entry(
      "FieldXML.FeedDocument.init(reading:from:charset:zone:byteLimit:)", form: form, wrap: wrap
    ) {
      let feed = try FeedDocument(reading: Array($0.utf8))
      use(feed)
    }
  }

  private static func gpx(_ form: String, wrap: @escaping @Sendable (String) -> String) -> Entry {
    Entry("FieldXML.GPXDocument.init(data:limits:)", form: form, wrap: wrap) {
      use(try GPXDocument(data: Data($0.utf8)))
    }
  }

  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }

  static let walks: [Entry] = [
    Entry("WalkKit.DustGrade.init(_:)") { _ = DustGrade($0) },
    Entry("WalkKit.WalkWeather.init(_:)", "WalkKit.WalkWeather.init(openWeatherIcon:)") {
      _ = WalkWeather($0)
      _ = WalkWeather(openWeatherIcon: $0)
    },
    Entry("WalkKit.Breed.init(_:)") { use(Breed($0)) }.ofProgram,
    Entry("WalkKit.Weight.init(_:)") { use(try Weight($0)) },
    Entry("WalkKit.Pet.nameKey(of:)") { _ = Pet.nameKey(of: $0) },
    Entry("WalkKit.PetRegistration.init(name:breed:gender:birth:weight:photo:)") {
      let form = PetRegistration(name: $0, breed: nil, gender: nil, birth: $0, weight: $0)
      use(form)
      let diary = WalkDiary(storage: .inMemory, transport: Answer(""))
      _ = try await diary.register(form)
    }.ofProgram,
    Entry("WalkKit.PetRegistration.init(name:breed:gender:birth:weight:photo:)", form: "registered")
    {
      let diary = WalkDiary(storage: .inMemory, transport: Answer(""))
      _ = try await diary.register(
        PetRegistration(
          name: $0, breed: .welshCorgi, gender: .male, birth: nil, weight: .kilograms(10)))
    },
    Entry("WalkKit.WalkDiary.addPlace(_:kind:at:)") {
      let diary = WalkDiary(storage: .inMemory, transport: Answer(""))
      _ = try await diary.addPlace($0, at: Coordinate(latitude: 25, longitude: 121))
    },
    Entry("WalkKit.WalkNote.init(_:text:time:coordinate:pet:)") {
      use(WalkNote(text: $0, time: Date(timeIntervalSince1970: 0)))
    }.ofProgram,
    Entry("WalkKit.WalkArchive.init(reading:sizeLimit:)") {
      _ = try WalkArchive(reading: Data($0.utf8))
    },
    Entry(
      "WalkKit.WalkArchive.init(reading:sizeLimit:)", form: "keys",
      wrap: { "{\"formatVersion\":1,\(quoted($0)):1,\"a\":{\"x\":[\($0)]}}" }
    ) { _ = try WalkArchive(reading: Data($0.utf8)) },
    Entry("WalkKit.WalkImport.init(reading:clock:sizeLimit:)") {
      _ = try WalkImport(reading: Data($0.utf8))
    },
    Entry(
      "WalkKit.WalkImport.init(reading:clock:sizeLimit:)", form: "a pet",
      wrap: {
        "{\"pets\":{\"a\":{\"name\":\(quoted($0)),\"birth\":\(quoted($0)),\"weight\":\(quoted($0)),\"photo\":\(quoted($0))}}}"
      }
    ) { _ = try WalkImport(reading: Data($0.utf8)) },
    Entry("WalkKit.GeoJSONRoute.init(_:)", "WalkKit.WalkRoute.init(geoJSON:)") {
      _ = try GeoJSONRoute(Data($0.utf8))
    },
    Entry(
      "WalkKit.GeoJSONRoute.init(_:)", form: "coordinates",
      wrap: { "{\"type\":\"LineString\",\"coordinates\":[[1,2],\($0)]}" }
    ) { _ = try GeoJSONRoute(Data($0.utf8)) },
    Entry("WalkKit.WalkRoute.gpx(name:)", "WalkKit.WalkRoute.geoJSON(name:)") {
      _ = WalkRoute().gpx(name: $0)
      _ = WalkRoute().geoJSON(name: $0)
    },
    Entry("WalkKit.OpenWeather.init(key:transport:url:fields:timeout:)", form: "the response") {
      let place = try Coordinate(latitude: 25, longitude: 121)
      _ = try await OpenWeather(key: "a", transport: Answer($0)).weather(at: place)
    },
    Entry("WalkKit.OpenWeather.init(key:transport:url:fields:timeout:)", form: "the key") {
      let place = try Coordinate(latitude: 25, longitude: 121)
      _ = try await OpenWeather(key: $0, transport: Answer("\"\($0)\"")).weather(at: place)
    },
    Entry("WalkKit.AirKorea.init(key:stationName:transport:url:)", form: "the response") {
      let place = try Coordinate(latitude: 25, longitude: 121)
      _ = try await AirKorea(key: $0, stationName: $0, transport: Answer($0)).airQuality(at: place)
    },
  ]

  static let cloud: [Entry] = [
    Entry("FieldFirestore.FirestorePath.init(_:)", "FieldFirestore.FirestorePath.child(_:)") {
      use(FirestorePath($0))
      use(FirestorePath("a").child($0))
    },
    Entry("FieldFirestore.FirestoreDatabase.path(of:)") {
      let database = FirestoreDatabase(project: "p")
      _ = database.path(of: "projects/p/databases/(default)/documents/" + $0)
      _ = database.path(of: $0)
    },
    Entry(
      "FieldFirestore.FirestoreFieldPath.init(_:)",
      "FieldFirestore.FirestoreFieldPath.init(dotted:)",
      "FieldFirestore.FirestoreFieldPath.init(segments:)"
    ) {
      use(FirestoreFieldPath(segments: [$0]))
      use(try FirestoreFieldPath(dotted: $0))
      use(try FirestoreFieldPath($0))
    },
    Entry("FieldFirestore.FirestoreTimestamp.init(_:)") { use(try FirestoreTimestamp($0)) },
    Entry("FieldFirestore.FirestoreUnknownValue.init(kind:content:)") {
      use(try FirestoreUnknownValue(kind: "newValue", content: $0))
    },
    Entry("FieldFirestore.FirestoreConfiguration.emulator(project:at:tokens:)") {
      _ = try FirestoreConfiguration.emulator(project: "p", at: $0)
    },
    document("a response") { $0 },
    document("a text") { fields("\"a\":{\"stringValue\":\(quoted($0))}") },
    document("a value") { fields("\"a\":\($0)") },
    document("a timestamp") { fields("\"a\":{\"timestampValue\":\(quoted($0))}") },
    document("a field") { fields("\(quoted($0)):{\"nullValue\":null}") },
    document("a name") {
      "[{\"found\":{\"name\":\(quoted("projects/p/databases/(default)/documents/a/" + $0)),\"fields\":{}}}]"
    },
    Entry(
      "FieldFirestore.SecureTokenProvider.init(apiKey:refreshToken:transport:endpoint:clock:onRotation:)"
    ) {
      let provider = SecureTokenProvider(apiKey: "a", refreshToken: $0, transport: Answer($0))
      _ = try await provider.token(replacing: nil)
    },
    Entry("FieldFirestore.StorageClient.metadata(of:)") {
      let client = StorageClient(
        StorageConfiguration(bucket: "b"), transport: Answer($0), clock: HastyClock())
      _ = try await client.metadata(of: $0)
    },
    Entry(
      "FieldPortals.SODADataset.init(_:at:version:)", "FieldPortals.SODADataset.init(_:version:)"
    ) {
      if let url = URL(string: $0) ?? URL(string: "https://h.example/" + $0) {
        if let dataset = try? SODADataset(url) { use(dataset) }
      }
      use(try SODADataset("abcd-1234", at: $0))
      use(try SODADataset($0, at: "h.example"))
    },
    Entry("FieldPortals.SODADataset.init(_:at:version:)", form: "the ID") {
      use(try SODADataset($0, at: "h.example"))
    },
    Entry("FieldPortals.PortalDataset.init(_:)") {
      if let url = URL(string: $0) { if let dataset = try? PortalDataset(url) { use(dataset) } }
      for start in [
        "dataset/", "explore/dataset/", "datasets/", "x/FeatureServer/", "api/3/action/a?id=",
      ] {
        if let url = URL(string: "https://h.example/" + start + $0) { use(try PortalDataset(url)) }
      }
    },
    Entry("FieldPortals.PortalColumn.init(name:title:type:)") {
      use(PortalColumn(name: $0, title: $0, type: $0).kind)
    }.ofProgram,
    Entry("FieldPortals.SODAValue.init(_:)") { use(SODAValue($0)) }.ofProgram,
    Entry(
      "FieldPortals.SoQL.init(stringLiteral:)",
      "FieldPortals.SoQL.StringInterpolation.appendLiteral(_:)",
      "FieldPortals.SoQL.StringInterpolation.appendInterpolation(column:)"
    ) {
      use(SoQL(stringLiteral: $0))
      use("\(column: $0) = \(SoQL(stringLiteral: $0))" as SoQL)
    },
    Entry("FieldPortals.TaipeiOpenData.address(of:matching:offset:)") {
      let portal = TaipeiOpenData(transport: Answer(""))
      _ = try portal.address(of: TaipeiDataset.Resource(rawValue: $0), matching: $0)
    }.ofProgram,
    portal("a response") { $0 },
    portal("a cell") {
      "{\"result\":{\"limit\":1000,\"offset\":0,\"count\":1,\"results\":[{\"_id\":1,\"a\":\(quoted($0))}]}}"
    },
    portal("a row") {
      "{\"result\":{\"limit\":1000,\"offset\":0,\"count\":1,\"results\":[\($0)]}}"
    },
  ]

  private static func portal(_ form: String, wrap: @escaping @Sendable (String) -> String) -> Entry
  {
    Entry("FieldPortals.TaipeiOpenData.table(of:matching:operation:)", form: form, wrap: wrap) {
      let portal = TaipeiOpenData(transport: Answer($0))
      _ = try await portal.table(of: TaipeiDataset(id: "a", name: "b", resources: ["c"]))
    }
  }

  private static func fields(_ fields: String) -> String {
    "[{\"found\":{\"name\":\"projects/p/databases/(default)/documents/a/b\",\"fields\":{\(fields)},\"createTime\":\"2025-07-22T20:42:19Z\",\"updateTime\":\"2025-07-22T20:42:19Z\"}}]"
  }

  private static func document(_ form: String, wrap: @escaping @Sendable (String) -> String)
    -> Entry
  {
    Entry(
      "FieldFirestore.FirestoreClient.init(_:transport:clock:random:)", form: form, wrap: wrap
    ) {
      let client = FirestoreClient(
        FirestoreConfiguration(project: "p"), transport: Answer($0), clock: HastyClock())
      use(try await client.get("a/b"))
    }
  }

  static let metro: [Entry] = [
    raw("MetroKit.ArrivalFreshness", ArrivalFreshness.self),
    raw("MetroKit.Arrival.Countdown", Arrival.Countdown.self),
    raw("MetroKit.MetroStation.Code", MetroStation.Code.self),
    Entry("MetroKit.Arrival.Countdown.init(_:)") {
      let countdown = Arrival.Countdown($0)
      use(countdown)
    }.ofProgram,
    Entry("MetroKit.FeedTime.init(_:)") { use(FeedTime($0)) }.ofProgram,
    Entry("MetroKit.MetroNetwork.station(named:)", "MetroKit.MetroNetwork.stations(matching:)") {
      _ = MetroNetwork.taipei.station(named: $0)
      _ = MetroNetwork.taipei.stations(matching: $0)
    },
    Entry("MetroKit.MetroNetwork.route(from:to:preferring:options:)") {
      _ = try MetroNetwork.taipei.route(from: $0, to: $0)
    },
    Entry("MetroKit.MetroNetwork.init(reading:)") { _ = try MetroNetwork(reading: $0.utf8) },
    arrivals("a body") { $0 },
    arrivals("a station") {
      "[{\"StationName\":\(quoted($0)),\"DestinationName\":\(quoted($0)),\"NowDateTime\":\(quoted($0)),\"CountDown\":\(quoted($0))}]"
    },
    arrivals("a station of the open data") {
      "[{\"Station\":\(quoted($0)),\"Destination\":\(quoted($0)),\"UpdateTime\":\(quoted($0))}]"
    },
    Entry("MetroKit.MetroAlerts.init(reading:network:)") {
      use(try MetroAlerts(reading: Array($0.utf8)))
    },
    Entry(
      "MetroKit.MetroAlerts.init(reading:network:)", form: "an alert",
      wrap: {
        "{\"UpdateTime\":\(quoted($0)),\"Alerts\":[{\"AlertID\":\(quoted($0)),\"Title\":\(quoted($0)),\"Description\":\(quoted($0)),\"Scope\":{\"Stations\":[{\"StationID\":\(quoted($0))}]}}]}"
      }
    ) { use(try MetroAlerts(reading: Array($0.utf8))) },
    Entry(
      "MetroKit.ArrivalBoard.alerts(at:)",
      "MetroKit.ArrivalBoard.arrivals(at:freshOnly:)",
      "MetroKit.ArrivalBoard.arrivals(to:freshOnly:)",
      "MetroKit.Metro.check(guess:for:)", "MetroKit.MetroGuess.init(_:for:in:)"
    ) {
      let rows = try Batch<Arrival>(
        reading: Array(
          "[{\"Station\":\"台北車站\",\"Destination\":\"淡水站\",\"UpdateTime\":\"2016-05-16T18:00:00\"}]"
            .utf8))
      let metro = Metro(storage: .inMemory, transport: Answer(""), clock: HastyClock())
      _ = metro.check(guess: $0, for: rows.records[0])
      let alert = MetroAlert(id: "1", title: "延誤", stationNames: ["台北車站"])
      let board = ArrivalBoard(
        rows.records, fetchedAt: Date(timeIntervalSince1970: 1.4e9),
        alerts: MetroAlerts(alerts: [alert]))
      _ = (board.arrivals(at: $0), board.arrivals(to: $0), board.alerts(at: $0))
    },
    Entry(
      "MetroKit.TrackInfoFeed.init(userName:password:transport:url:network:fields:timeout:limits:)"
    ) {
      _ = try await TrackInfoFeed(userName: $0, password: $0, transport: Answer($0)).fetch(
        RecordRequest())
    },
    Entry("MetroKit.TDXToken.init(clientID:secret:transport:url:margin:longestLife:timeout:clock:)")
    {
      let token = TDXToken(clientID: $0, secret: $0, transport: Answer($0))
      _ = try await TDXAlerts(token: token, transport: Answer($0)).fetch()
    },
  ]

  private static func arrivals(_ form: String, wrap: @escaping @Sendable (String) -> String)
    -> Entry
  {
    Entry("MetroKit.Batch.init(reading:network:estimateUnit:)", form: form, wrap: wrap) {
      _ = try Batch<Arrival>(reading: Array($0.utf8))
    }
  }

  static let zoo: [Entry] = [
    raw("ZooKit.AnimalClass", AnimalClass.self),
    raw("ZooKit.ConservationStatus", ConservationStatus.self),
    raw("ZooKit.ProtectionCategory", ProtectionCategory.self),
    raw("ZooKit.ZooArea.Category", ZooArea.Category.self),
    raw("ZooKit.ZooPositionIssue", ZooPositionIssue.self),
    raw("ZooKit.AnimalQuery.Order", AnimalQuery.Order.self),
    raw("ZooKit.SightingProblem", SightingProblem.self),
    Entry(
      "ZooKit.ConservationStatus.init(reading:)", "ZooKit.Endemism.init(reading:)",
      "ZooKit.ProtectionCategory.init(reading:)"
    ) {
      _ = ConservationStatus(reading: $0)
      _ = Endemism(reading: $0)
      _ = ProtectionCategory(reading: $0)
    },
    Entry("ZooKit.ZooDayRule.init(reading:)") { _ = ZooDayRule(reading: $0) },
    Entry("ZooKit.ZooOpeningRules.init(reading:)") { _ = ZooOpeningRules(reading: $0) },
    Entry("ZooKit.ZooTimeSpan.spans(reading:)") { _ = ZooTimeSpan.spans(reading: $0) },
    Entry("ZooKit.ZooLink.init(_:)") { if let link = ZooLink($0) { use(link) } },
    table("a file") { $0 },
    table("a cell") {
      "[{\"A_Name_Ch\":\"a\",\"A_Location\":\(quoted($0)),\"A_Geo\":\(quoted($0)),\"A_AlsoKnown\":\(quoted($0)),\"A_Conservation\":\(quoted($0)),\"A_Pic01_URL\":\(quoted($0)),\"A_Feature\":\(quoted($0)),\"A_Name_En\":\"b\",\"A_Phylum\":\"\",\"A_Class\":\(quoted($0)),\"A_Keywords\":\(quoted($0)),\"A_Update\":\(quoted($0))}]"
    },
    table("a name") {
      "[{\"A_Name_Ch\":\(quoted($0)),\"A_Location\":\"\",\"A_Geo\":\"\",\"A_Name_En\":\(quoted($0)),\"A_Phylum\":\"\",\"A_Class\":\"\"}]"
    },
    table("an area") {
      "[{\"E_no\":\"1\",\"E_Category\":\(quoted($0)),\"E_Name\":\(quoted($0)),\"E_Pic_URL\":\(quoted($0)),\"E_Info\":\(quoted($0)),\"E_Memo\":\(quoted($0)),\"E_Geo\":\(quoted($0)),\"E_URL\":\(quoted($0))}]"
    },
    Entry(
      "ZooKit.Zoo.addSighting(name:photo:date:place:)",
      "ZooKit.Zoo.editSighting(_:name:photo:place:)"
    ) {
      let zoo = Zoo(storage: .inMemory, transport: Answer(""), clock: HastyClock())
      let sighting = try await zoo.addSighting(name: $0, photo: nil)
      _ = try await zoo.editSighting(sighting.id, name: $0)
      for entry in try await zoo.listing() { _ = entry.name }
    },
    Entry("ZooKit.RecordID.init(name:)", "ZooKit.RecordID.init(name:place:)") {
      use(Animal.ID(name: $0))
    },
    Entry(
      "ZooKit.ZooView.plants(matching:)", "ZooKit.ZooView.area(named:)",
      "ZooKit.AnimalQuery.init(text:classes:statuses:protections:endemicOnly:area:hasPicture:hasCoordinate:circle:order:limit:offset:)"
    ) {
      let view = ZooView()
      _ = (view.plants(matching: $0), view.area(named: $0))
      _ = view.find(AnimalQuery(text: $0))
    },
  ]

  private static func table(_ form: String, wrap: @escaping @Sendable (String) -> String) -> Entry {
    Entry("ZooKit.Batch.init(reading:as:origin:)", form: form, wrap: wrap) {
      _ = try Batch<ZooRecord>(reading: Array($0.utf8))
    }
  }

  static let city: [Entry] = [
    raw("CivicKit.CityFeed.Kind", CityFeed.Kind.self),
    raw("CivicKit.LaunchFlag", LaunchFlag.self),
    raw("CivicKit.PlanField", PlanField.self),
    raw("CivicKit.CivicTable", CivicTable.self),
    Entry("CivicKit.PhoneList.init(_:areaCode:)") { use(PhoneList($0)) },
    Entry(
      "CivicKit.PhoneList.init(_:areaCode:)", form: "after a number", wrap: { "06-2991111 \($0)" }
    ) { use(PhoneList($0)) },
    Entry("CivicKit.PhoneNumber.init(digits:extensionDigits:)") {
      let number = PhoneNumber(digits: $0, extensionDigits: $0)
      use(number)
    }.ofProgram,
    Entry(
      "CivicKit.SearchEntry.init(_:)", "CivicKit.SearchHistory.add(_:)",
      "CivicKit.SearchHistory.remove(_:)"
    ) {
      use(SearchEntry($0))
      let directory = CivicDirectory(storage: .inMemory, transport: Answer(""), clock: HastyClock())
      try await directory.searchHistory.add($0)
      try await directory.searchHistory.add("a")
      try await directory.searchHistory.remove($0)
    }.ofProgram,
    Entry(
      "CivicKit.CivicSearch.init(_:words:fields:limit:)", "CivicKit.CivicView.category(named:of:)",
      "CivicKit.CivicDirectory.search(_:recordingInHistory:)",
      "CivicKit.CivicDirectory.category(named:of:)",
      "CivicKit.CivicDirectory.searchEverything(_:words:recordingInHistory:)"
    ) {
      let directory = CivicDirectory(storage: .inMemory, transport: Answer(""), clock: HastyClock())
      try await directory.apply(
        [.units: Data("[{\"id\":\"a\",\"name\":\"社會局 department\",\"description\":\"x\"}]".utf8)])
      _ = try await directory.search($0)
      _ = try await directory.category(named: $0)
      _ = try await directory.searchEverything($0, words: .any)
    },
    Entry("CivicKit.CityFeed.tainan(_:channel:name:)") {
      _ = try CityFeed.tainan(.news, channel: $0, name: $0)
    },
    Entry("CivicKit.LegacyLaunchFlags.init(propertyList:)") {
      _ = try LegacyLaunchFlags(propertyList: Data($0.utf8))
    },
    Entry("CivicKit.CivicSnapshot.init(json:)") { _ = try CivicSnapshot(json: Data($0.utf8)) },
    Entry("CivicKit.CivicService.mediaURL(of:)") {
      guard let base = URL(string: "https://h.example/a/") else { return }
      _ = CivicService(baseURL: base, mediaURL: base, project: "p").mediaURL(of: $0)
    }.ofProgram,
    units("a body") { $0 },
    units("a unit") {
      "[{\"id\":\"a\",\"name\":\(quoted($0)),\"description\":\(quoted($0)),\"phone\":\(quoted($0)),\"fax\":\(quoted($0)),\"website\":\(quoted($0)),\"keyword\":\(quoted($0)),\"updateTime\":\(quoted($0))}]"
    },
  ]

  private static func units(_ form: String, wrap: @escaping @Sendable (String) -> String) -> Entry {
    Entry(
      "CivicKit.CivicDirectory.apply(_:advancingCursors:)",
      "CivicKit.CivicDirectory.apply(_:to:advancingCursor:)", form: form, wrap: wrap
    ) {
      let directory = CivicDirectory(storage: .inMemory, transport: Answer(""), clock: HastyClock())
      try await directory.apply([.units: Data($0.utf8)])
      _ = try await directory.search("a")
    }
  }

  /// Responses that kits ask for themselves.
  static let answers: [Entry] = [
    Entry(
      "ZooKit.Zoo.init(storage:transport:clock:events:policy:snapshotGuard:limits:pictureLimits:picturesUseHTTPS:)",
      "ZooKit.Zoo.init(sources:storage:transport:clock:policy:snapshotGuard:limits:pictureLimits:picturesUseHTTPS:random:)",
      "ZooKit.TaipeiZoo.init(transport:events:)",
      "ZooKit.TaipeiZoo.init(_:animals:areas:plants:events:)", form: "a response"
    ) {
      try await Zoo(storage: .inMemory, transport: Answer($0), clock: HastyClock()).refresh()
    },
    Entry(
      "MetroKit.Metro.init(alerts:timetable:storage:transport:clock:staleness:polling:network:)",
      "MetroKit.MetroStationFeed.init(transport:url:network:fields:timeout:limits:)",
      form: "a response"
    ) {
      try await Metro(storage: .inMemory, transport: Answer($0), clock: HastyClock()).refresh()
    },
    Entry("MeteorKit.Batch.init(reading:charset:)") {
      _ = try Batch<Meteorite>(reading: Array($0.utf8))
    },
    Entry(
      "MeteorKit.Batch.init(reading:charset:)", form: "a cell",
      wrap: {
        "[{\"id\":\"1\",\"name\":\(quoted($0)),\"recclass\":\(quoted($0)),\"mass\":\(quoted($0)),\"year\":\(quoted($0)),\"reclat\":\(quoted($0)),\"geolocation\":\(quoted($0))}]"
      }
    ) { _ = try Batch<Meteorite>(reading: Array($0.utf8)) },
    Entry(
      "MeteorKit.MeteoriteQuery.init(fall:nameType:classes:groups:massInGrams:years:text:box:circle:plausibleOnly:order:limit:offset:)",
      "MeteorKit.MeteoriteCatalog.init(storage:transport:clock:policy:snapshotGuard:)",
      form: "the text"
    ) {
      let catalog = MeteoriteCatalog(
        storage: .inMemory, transport: Answer("[{\"id\":\"1\",\"name\":\"Aachen e\u{301}\"}]"),
        clock: HastyClock())
      try await catalog.refresh()
      _ = try await catalog.find(MeteoriteQuery(text: $0))
    },
    Entry(
      "CivicKit.CivicDirectory.init(name:service:feeds:storage:transport:clock:options:pictureLimits:)",
      "CivicKit.CityFeeds.init(name:storage:transport:clock:feeds:timeout:byteLimit:itemLimit:)",
      "CivicKit.CityFeeds.init(name:repository:transport:clock:feeds:timeout:byteLimit:itemLimit:)",
      form: "a response",
      wrap: {
        "<rss><channel><item><title>\(escaped($0))</title><description>\(escaped($0))</description></item></channel></rss>"
      }
    ) {
      _ = try await CivicDirectory(storage: .inMemory, transport: Answer($0), clock: HastyClock())
        .news()
    },
  ]
}
