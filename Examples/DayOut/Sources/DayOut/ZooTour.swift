import FieldFakes
import FieldKit
import Foundation

/// The zoo: the user's own animals before and after the network, questions, pictures, and bad days.
struct ZooTour {
  let storage: Storage
  let language: TextLanguage

  func run(page: inout HTMLPage) async throws {
    let portal = try Self.portal()
    let server = try LoopbackServer(serving: portal)
    let transport = URLSessionTransport()
    let zoo = Zoo(
      sources: TaipeiZoo(TaipeiOpenData(transport: transport, base: server.url)).sources,
      storage: storage, transport: LocalPictures(base: transport, server: server.url))
    let photo = Data(FakeTaipeiOpenData.SmallPicture.jpeg)
    try await zoo.addSighting(name: " 石虎\u{3000}", photo: photo)
    print("  before the network: \(try await zoo.listing().map(\.name).joined(separator: ", "))")
    try await refuse(zoo)
    try await firstRefresh(zoo)
    try await zoo.addSighting(name: "臺灣藍鵲", photo: photo)
    try await show(zoo)
    let near = try await ask(zoo)
    try await pictures(zoo, portal)
    let refusals = try await badDays(zoo, portal)
    try await add(zoo, near, refusals, to: &page)
    try await zoo.close()
    await server.stop()
  }

  /// Twelve animals and four areas, in the form of 2026, with a picture each of which one is a web page.
  static func portal() throws -> FakeTaipeiOpenData {
    let animals = TaipeiDataset.zooAnimals.resources[1].rawValue
    let areas = TaipeiDataset.zooAreas.resources[0].rawValue
    var pictures: [String: FakeTaipeiOpenData.Picture] = [:]
    for number in 1...12 {
      pictures["/zoo/animal \(number).jpg"] = .init(
        bytes: number == 12
          ? Array("<!DOCTYPE html><title>404</title>".utf8)
          : FakeTaipeiOpenData.SmallPicture.jpeg(number))
    }
    return FakeTaipeiOpenData(
      datasets: [
        try .init(animals, capture: PackageResources.zoo_animals_json),
        try .init(areas, capture: PackageResources.zoo_areas_json),
        .init(TaipeiDataset.zooPlants.resources[0].rawValue, rows: [["F_Name_Ch": "九芎"]]),
      ],
      // Today's id of the animals has moved away, so that yesterday's is found.
      retired: [TaipeiDataset.zooAnimals.resources[0].rawValue: .notFound], pictures: pictures,
      cap: 5)
  }

  private var gate: Coordinate {
    get throws { try Coordinate(latitude: 24.9986, longitude: 121.5809) }
  }

  private func refuse(_ zoo: Zoo) async throws {
    do {
      try await zoo.addSighting(name: "\u{3000}", photo: nil)
    } catch let error as FieldError {
      let problems = error.sightingProblems.map { language.text(ZooTexts.text(of: $0)) }
      say(
        """
        without name and photo: \(language.text(ZooTexts.refusalTitle)): \
        \(problems.joined(separator: " "))
        """)
    }
  }

  private func firstRefresh(_ zoo: Zoo) async throws {
    let steps = zoo.refreshProgress()
    async let report = zoo.refresh()
    for await step in steps {
      ProgressBar.show(step)
      if step.outcome != nil { break }
    }
    let done = try await report
    print()
    say("\(done.rows) rows in pages of 5, from yesterday's ID: \(done.added) added\n")
  }

  private func show(_ zoo: Zoo) async throws {
    var table = Table("no.", "name", "picture")
    for entry in try await zoo.listing() {
      let place =
        switch entry.picture {
        case .file: "a file on the device"
        case .stored: "in memory"
        case .remote(let url): url.path
        case nil: "none"
        }
      table.add("\(entry.sequence)", name(of: entry), place)
    }
    table.print()
  }

  private func name(of entry: ZooEntry) -> String {
    entry.animal.map(language.name) ?? entry.name
  }

  private func ask(_ zoo: Zoo) async throws -> [NearbyAnimal] {
    for text in ["熊貓", "panda", "CAMELUS", "台灣"] {
      let names = try await zoo.animals(AnimalQuery(text: text)).map(language.name)
      say("\"\(text)\" finds \(names.joined(separator: ", "))")
    }
    let view = try await zoo.view()
    for area in view.areas {
      say("\(area.name): \(view.animals(in: area.id).map(language.name).joined(separator: ", "))")
    }
    let near = try await zoo.nearest(to: gate, count: 3)
    let places = near.map { "\(language.name($0.animal)) \(Int($0.distance.meters.rounded())) m" }
    say("nearest to the gate: \(places.joined(separator: ", "))\n")
    return near
  }

  private func pictures(_ zoo: Zoo, _ portal: FakeTaipeiOpenData) async throws {
    let ahead = try await zoo.prefetchImages()
    print("  pictures prefetched: \(ahead.fetched), rejected: \(ahead.failures.count)")
    for failure in ahead.failures {
      say("\(failure.error.code): \(failure.error.message)", indent: 4)
    }
    let before = portal.requests.count
    try await withThrowingTaskGroup(of: Void.self) { group in
      for entry in try await zoo.listing() where entry.animal?.id != nil && entry.sequence < 13 {
        for _ in 0..<10 { group.addTask { _ = try await zoo.image(for: entry) } }
      }
      try await group.waitForAll()
    }
    print("  110 more calls: \(portal.requests.count - before) requests\n")
  }

  private func badDays(
    _ zoo: Zoo, _ portal: FakeTaipeiOpenData
  ) async throws -> [(day: String, message: String)] {
    var refusals: [(day: String, message: String)] = []
    let failures: [(title: String, failure: FakeTaipeiOpenData.Failure)] = [
      ("a web page with status 200", .webPage), ("half an answer", .cut(after: 300)),
      ("a result without rows", .noResults), ("no rows", .noRows), ("HTTP 500", .serverError),
    ]
    for (title, failure) in failures {
      portal.fail(failure)
      do {
        try await zoo.refresh(.now)
      } catch let error as FieldError {
        refusals.append((title, "\(error.code): \(error.message)"))
        let listing = try await zoo.listing()
        say(
          """
          \(title): \(error.code); still \(listing.sightingCount) sightings and \
          \(listing.animals.count) animals, \(language.text(ZooTexts.age(of: listing, at: Date())))
          """)
      }
    }
    portal.fail(nil)
    return refusals
  }

  private func add(
    _ zoo: Zoo, _ near: [NearbyAnimal], _ refusals: [(day: String, message: String)],
    to page: inout HTMLPage
  ) async throws {
    let view = try await zoo.view()
    page.heading("The zoo")
    page.figure(
      try ZooMap(view, from: gate, near: near, in: language).svg,
      caption: """
        \(view.animals.count) animals of \(view.species.count) species in \(view.areas.count) areas; \
        the brown ones are nearest to the gate
        """)
    page.table(
      caption: "The listing, with your own animals",
      ["no.", "name", "in English", "status"],
      try await zoo.listing().map { entry in
        let status = entry.animal?.conservation.map { language.text($0.title) }
        return [
          "\(entry.sequence)", entry.name, entry.animal?.englishName ?? "",
          status ?? (entry.isLocal ? "your own" : ""),
        ]
      })
    page.heading("When the portal misbehaves")
    page.table(
      caption: "Answers of the portal that were refused",
      ["the answer", "the error; the list was unchanged each time"],
      refusals.map { [$0.day, $0.message] })
    page.note(zoo.dataSources[0].attribution)
  }
}

/// Fetches the zoo's pictures from the server on this machine: the addresses in the data name the zoo's.
struct LocalPictures: Transport {
  let base: any Transport
  let server: URL

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    var request = request
    request.url = server.appending(path: request.url.path)
    return try await base.send(request)
  }
}
