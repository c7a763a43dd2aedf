import FieldCore
import Foundation
import TestSupport
import Testing

@testable import WalkKit

@Suite("The bytes of a diary's records", .timeLimit(.minutes(60)))
struct RecordBytesTests {
  private static let date = Date(timeIntervalSinceReferenceDate: 1.5)

  private static func samples() throws -> [(content: WalkRecord.Content, bytes: String)] {
    let coordinate = try Coordinate(latitude: 24.5, longitude: 121.25)
    let photo = WalkPhoto(
      id: .init(rawValue: "f"), takenAt: date, coordinate: coordinate, blob: BlobID(of: [1]),
      url: URL(string: "http://a.tw/b"))
    let pet = Pet(id: .init(rawValue: "p"), name: "n", breed: .poodle, registered: date)
    var other = pet
    other.gender = .init(rawValue: "g")
    other.birth = try CalendarDay("2020-02-29")
    other.weight = .kilograms(4.5)
    other.photo = photo
    other.isArchived = true
    let place = Place(id: .init(rawValue: "l"), name: "n", coordinate: coordinate)
    let walk = Walk(
      id: .init(rawValue: "w"), pets: [.init(pet: pet.id, joined: date)], start: date,
      end: date + 60, utcOffset: .seoul)
    var full = walk
    full.pets.append(.init(pet: pet.id, joined: date, left: date))
    full.duration = .milliseconds(1_500)
    full.movingTime = .seconds(-1)
    full.distance = .meters(7)
    full.climb = .meters(2)
    full.weather = .rain
    full.dust = .bad
    full.air = AirQuality(
      pm10: 30, pm25: 15, measuredAt: date, station: "s", pm10Flag: .init(rawValue: "a"),
      pm25Flag: .init(rawValue: "b"))
    full.photos = [photo, WalkPhoto(id: .init(rawValue: "h"))]
    full.notes = [
      WalkNote(time: date),
      WalkNote(.pee, text: "t", time: date, coordinate: coordinate, pet: pet.id),
    ]
    full.goal = place
    full.reward = WalkReward(of: walk.id, earned: date, claimed: date)
    full.routeBlob = BlobID(of: [2])
    return [
      (
        .pet(pet),
        """
        ~01~01p~01n~00~00~00~00~00~00~00~00~00~00~00~00~f8?~01~06poodle
        """
      ),
      (
        .pet(other),
        """
        ~01~01p~01n~00~01~01~01~f2~88Z~01~00~00~00~00~00~00~12@~01~01f~01~00~00~00\
        ~00~00~00~f8?~01~00~00~00~00~00~808@~00~00~00~00~00P^@~01@4bf5122f344554c53b\
        de2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a~01~0dhttp://a.tw/b~01~00~00\
        ~00~00~00~00~f8?~02~06poodle~01g
        """
      ),
      (
        .place(place),
        """
        ~03~01l~01n~00~00~00~00~00~00~808@~00~00~00~00~00P^@~01~04goal
        """
      ),
      (
        .walk(walk),
        """
        ~02~01w~01~00~00~00~00~00~00~00~f8?~00~00~00~00~00~00~00~f8?~00~00~00~00~00\
        ~c0N@~a0~fa~03x~00x~00x~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00\
        ~00~01~01p
        """
      ),
      (
        .walk(full),
        """
        ~02~01w~02~00~00~00~00~00~00~00~f8?~00~00~00~00~00~00~00~00~f8?~01~00~00~00\
        ~00~00~00~f8?~00~00~00~00~00~00~f8?~00~00~00~00~00~c0N@~a0~fa~03~02~80~80~90\
        ~bb~ba~d6~ad~f0~0dx~00~01~00~00~00~00~00~00~00~1c@~01~00~00~00~00~00~00~00@\
        ~01~01~01~02~01~01~00~00~00~00~00~00>@~01~00~00~00~00~00~00.@~01~00~00~00~00\
        ~00~00~f8?~01~03~01~04~01~05~02~01f~01~00~00~00~00~00~00~f8?~01~00~00~00~00\
        ~00~808@~00~00~00~00~00P^@~01@4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385\
        a5d7cce23c7785459a~01~0dhttp://a.tw/b~01h~00~00~00~00~02~06~00~00~00~00~00\
        ~00~00~f8?~00~00~07~01t~00~00~00~00~00~00~f8?~01~00~00~00~00~00~808@~00~00\
        ~00~00~00P^@~01~00~01~01l~01n~08~00~00~00~00~00~808@~00~00~00~00~00P^@~01~06\
        w/goal~08~00~00~00~00~00~00~f8?~01~00~00~00~00~00~00~f8?~01@dbc1b4c900ffe48d\
        575b5da5c638040125f65db0fe3e24494b76ea986457d986~09~01p~04rain~03bad~01s~01a\
        ~01b~04note~03pee~04goal
        """
      ),
      (.choice(nil), "~04~00~00"),
      (.choice(pet.id), "~04~01~01p~00"),
      (.alias(.init(rawValue: "a"), of: pet.id), "~05~01a~01p~00"),
    ]
  }

  @Test(
    "the bytes of a diary's records hold durations with less than a second of attoseconds",
    arguments: [
      (999_999_999_999_999_999, true), (1_000_000_000_000_000_000, false),
      (-999_999_999_999_999_999, true), (-1_000_000_000_000_000_000, false),
    ])
  func durations(attoseconds: Int64, isRead: Bool) throws {
    var writer = RecordWriter()
    writer.write(3 as Int64)
    writer.write(attoseconds)
    let bytes = writer.finish().bytes
    let read = Result {
      var reader = RecordReader(bytes, bytes.indices)
      return try reader.duration()
    }
    guard isRead else {
      #expect(throws: FieldError.self) { try read.get() }
      return
    }
    #expect(try read.get() == Duration(secondsComponent: 3, attosecondsComponent: attoseconds))
  }

  @Test("the bytes of a diary's records match those of the files on disk")
  func bytes() throws {
    for sample in try Self.samples() {
      let text = try StoredBytes.text(of: WalkRecord(sample.content))
      #expect(text == sample.bytes)
    }
  }

  @Test("the bytes of a diary's records are checked for the ID as strictly as they are read")
  func checking() throws {
    let records = try Self.samples().map { WalkRecord($0.content) }
    let rounds = Sample.rounds(20_000, 2_000, inDebug: 200)
    #expect(try StoredBytes.misjudged(records, rounds: rounds, seed: Sample.seed()) == [])
  }
}
