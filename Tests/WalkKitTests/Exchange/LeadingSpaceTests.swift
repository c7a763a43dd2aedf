import FieldCore
import FieldTesting
import Foundation
import Testing
import WalkKit

/// PHP scripts often send a line break or a space before the JSON.
@Suite("JSON after white space")
struct LeadingSpaceTests {
  private static let spaces = ["", " ", "\n", "\r\n\r\n\t ", "\u{FEFF}\n"]

  @Test("JSON after white space is read as a document of the old app", arguments: spaces)
  func oldDocument(space: String) throws {
    let text = #"{"Pets":[{"name":"mesh","breed":"welshcorgi","birth":"2020-01-01","gender":"M"}]}"#
    #expect(try WalkImport(reading: Data((space + text).utf8)).pets.map(\.name) == ["mesh"])
  }

  @Test("JSON after white space is read as an archive", arguments: spaces)
  func archive(space: String) throws {
    let date = Date(timeIntervalSince1970: 1_600_000_000)
    let archive = WalkArchive(pets: [], walks: [], exported: date)
    let data = Data(space.utf8) + (try archive.json())
    #expect(try WalkArchive(reading: data) == archive)
  }

  @Test("JSON after white space is read as a route", arguments: spaces)
  func route(space: String) throws {
    let text = #"{"type":"LineString","coordinates":[[121.5,25],[121.6,25.1]]}"#
    #expect(try GeoJSONRoute(Data((space + text).utf8)).route.segments.map(\.count) == [2])
  }

  @Test("JSON after white space is read as the weather and the air", arguments: spaces)
  func conditions(space: String) async throws {
    let place = try Coordinate(latitude: 37.5, longitude: 127)
    let transport = StubTransport {
      $0.on(
        "walks.weather.openWeather",
        respond: .json(text: space + #"{"weather":[{"id":800}],"main":{"temp":20}}"#))
      $0.on(
        "walks.air.openWeather",
        respond: .json(text: space + #"{"list":[{"components":{"pm10":7}}]}"#))
      $0.on(
        "walks.air.airKorea",
        respond: .json(text: space + #"{"response":{"body":{"items":[{"pm10Value":"8"}]}}}"#))
    }
    let source = OpenWeather(key: "k", transport: transport)
    #expect(try await source.weather(at: place).temperatureInCelsius == 20)
    #expect(try await source.airQuality(at: place).pm10 == 7)
    let korea = AirKorea(key: "k", stationName: "종로구", transport: transport)
    #expect(try await korea.airQuality(at: place).pm10 == 8)
  }
}
