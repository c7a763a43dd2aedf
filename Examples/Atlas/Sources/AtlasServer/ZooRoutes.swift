import FieldKit
import Foundation
import Hummingbird
import NIOCore

/// The contents of the zoo's list.
struct ZooSummary: Codable, Sendable {
  var animals: Int
  var sightings: Int

  init(_ listing: ZooListing) {
    animals = listing.count - listing.sightingCount
    sightings = listing.sightingCount
  }
}

/// An entry of the wall.
struct ZooRow: Codable, Sendable {
  var id: String
  var sequence: Int
  var name: String
  var english: String?
  var latin: String?
  var also: [String]
  var place: String?
  var status: String?
  var statusName: String?
  var isThreatened: Bool
  var isSighting: Bool
  var latitude: Double?
  var longitude: Double?

  init(_ entry: ZooEntry, language: TextLanguage) {
    sequence = entry.sequence
    name = entry.name
    isSighting = entry.isLocal
    id = entry.animal?.id.rawValue ?? entry.sighting.map { "\($0.id)" } ?? ""
    let animal = entry.animal
    english = animal?.englishName
    latin = animal?.latinName
    also = animal?.alternativeNames ?? []
    place = animal?.locationText
    status = animal?.conservation?.rawValue
    statusName = animal?.conservation?.title.string(in: language)
    isThreatened = animal?.conservation?.isThreatened ?? false
    let coordinate = animal?.coordinate ?? entry.sighting?.place
    latitude = coordinate?.latitude
    longitude = coordinate?.longitude
  }
}

/// The wall.
struct ZooPayload: Codable, Sendable {
  struct Area: Codable, Sendable {
    var name: String
    var latitude: Double
    var longitude: Double
  }

  var rows: [ZooRow]
  var areas: [Area]
  var microseconds: Double
}

extension Router where Context == BasicRequestContext {
  func addZoo(_ world: World) {
    let zoo = world.field.zoo
    get("api/zoo/wall") { request, _ in
      let text = try request.text("text", isRequired: false)
      let language = TextLanguage(
        rawValue: request.uri.queryParameters["language"].map { String($0) } ?? "en")
      // atlas:begin zoo
      let listing = try await zoo.listing()
      let view = try await zoo.view()
      // Chinese, English, and Latin names, and alternative ones: 熊貓 finds 大貓熊.
      let (found, time) = measured { Set(view.find(AnimalQuery(text: text)).map(\.id)) }
      let entries = listing.filter { entry in
        entry.animal.map { found.contains($0.id) } ?? (text.isEmpty || entry.name.contains(text))
      }
      // atlas:end zoo
      let areas = view.areas.compactMap { area in
        area.coordinate.map {
          ZooPayload.Area(name: area.name, latitude: $0.latitude, longitude: $0.longitude)
        }
      }
      return try json(
        ZooPayload(
          rows: entries.map { ZooRow($0, language: language) }, areas: areas, microseconds: time))
    }
    get("api/zoo/picture/{sequence}") { _, context in
      let sequence = try context.parameters.require("sequence", as: Int.self)
      guard let entry = try await zoo.listing().first(where: { $0.sequence == sequence }) else {
        throw HTTPError(.notFound)
      }
      // atlas:begin zoo
      // From memory, from disk, or from the network: at most one request, however many ask.
      let picture = try await zoo.image(for: entry)
      // atlas:end zoo
      try checkSize(of: picture.data)
      var response = Response(
        status: .ok, headers: [.contentType: picture.contentType ?? "image/jpeg"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.data)))
      response.headers[.cacheControl] = "no-cache"
      response.headers[.pictureOrigin] = picture.origin.rawValue
      return response
    }
    post("api/zoo/sightings") { request, _ in
      let name = try request.text("name")
      let photo = try await request.photo()
      let place = try request.place()
      // atlas:begin zoo
      // The photo, the name, and the number are stored in one step, or not at all.
      let sighting = try await zoo.addSighting(
        name: name, photo: photo, place: place)
      // atlas:end zoo
      return try json(["number": sighting.number], status: .created)
    }
    delete("api/zoo/sightings") { _, _ in
      try await zoo.eraseSightings()
      return try json(["removed": true])
    }
  }
}

/// Refuses a picture that takes gigabytes to show.
private func checkSize(of picture: Data) throws {
  guard let size = PictureSize.largest(in: picture), !size.isReasonable else { return }
  throw HTTPError(
    .unprocessableContent,
    message: """
      The picture has \(size.width) × \(size.height) pixels, but \(PictureSize.pixelLimit / 1_000_000) million is \
      the limit.
      """)
}

extension Request {
  /// The maximum size of a photo, in bytes, which is more than phones take.
  static let photoLimit = SightingLimits().photoBytes

  /// Returns the photo in the body, if it has a size that can be stored and shown.
  fileprivate func photo() async throws -> Data {
    let url = try await receivedFile(limit: Self.photoLimit, called: "photo")
    defer { try? FileManager.default.removeItem(at: url) }
    let photo = try Data(contentsOf: url)
    try checkSize(of: photo)
    return photo
  }

  /// Receives the body into a file, so that slow clients cost no memory. Remove the file after use.
  ///
  /// - Parameters:
  ///   - limit: The maximum size, in bytes.
  ///   - name: The name of what is received, for messages.
  func receivedFile(limit: Int, called name: String) async throws -> URL {
    let refusal = HTTPError(
      .contentTooLarge, message: "The \(name) has more than \(limit >> 20) MiB.")
    // A length that is known is refused before the body is received.
    if let length = headers[.contentLength], Int(length) ?? .max > limit { throw refusal }
    let url = FileManager.default.temporaryDirectory.appending(path: "atlas-\(UUID().uuidString)")
    guard
      FileManager.default.createFile(
        atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw FieldError(.io, "The \(name) can't be received, because no file can be created.") }
    do {
      let file = try FileHandle(forWritingTo: url)
      defer { try? file.close() }
      var count = 0
      for try await part in body {
        count += part.readableBytes
        guard count <= limit else { throw refusal }
        try file.write(contentsOf: Data(part.readableBytesView))
      }
      return url
    } catch {
      try? FileManager.default.removeItem(at: url)
      throw error
    }
  }

  /// The place of a sighting, if the page sends one.
  fileprivate func place() throws -> Coordinate? {
    guard uri.queryParameters["latitude"] != nil else { return nil }
    return try Coordinate(latitude: number("latitude"), longitude: number("longitude"))
  }
}
