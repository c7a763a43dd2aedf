import Foundation
import MetroKit
import Testing

@Suite("An arrival")
struct ArrivalModelTests {
  @Test(
    "an arrival counts down in minutes and seconds, or reports why it doesn't",
    arguments: [
      ("00:41", 41), ("121:05", 7_265), ("0:00", 0), ("列車進站", 0), ("資料擷取中", nil),
      ("營運時間已過", nil), ("月台暫停服務", nil), ("夜間施工", nil), ("", nil), ("00:60", nil), ("1234:00", nil),
      ("-1:00", nil), ("00:4", nil), ("00:00:41", nil), ("٣:٠٠", nil), (":41", nil),
    ] as [(String, Int?)])
  func countdown(text: String, seconds: Int?) {
    let countdown = Arrival.Countdown(text)
    #expect(countdown.rawValue == text)
    #expect(countdown.seconds == seconds)
    #expect(countdown.remaining == seconds.map { .seconds($0) })
  }

  @Test(
    "an arrival counts down as the feed writes it",
    arguments: [(41, "00:41"), (7_265, "121:05"), (-5, "00:00")])
  func written(seconds: Int, text: String) {
    #expect(Arrival.Countdown(seconds: seconds).rawValue == text)
  }

  @Test("an arrival is expected at the time of its event, or when its countdown ends")
  func expected() {
    let time = FeedTime("2025-08-10 21:00:22")
    func arrival(_ time: FeedTime?, _ countdown: Arrival.Countdown?) -> Arrival {
      Arrival(
        stationName: "a", destinationName: "b", updatedAt: time, countdown: countdown)
    }
    #expect(arrival(time, nil).expectedAt == time.instant)
    #expect(arrival(time, "00:41").expectedAt == time.instant?.addingTimeInterval(41))
    #expect(arrival(time, .serviceEnded).expectedAt == nil)
    #expect(arrival(FeedTime("?"), nil).expectedAt == nil)
    #expect(arrival(nil, "00:41").expectedAt == nil)
  }

  @Test("an arrival that is an event is identified by its station, its destination, and its time")
  func eventID() {
    func id(_ name: String, _ station: MetroStation.ID?, _ time: String?) -> Arrival.ID {
      Arrival(
        sourceID: "7", stationName: name, destinationName: "淡水站", station: station,
        updatedAt: time.map { FeedTime($0) }
      ).id
    }
    let base = id("士林站", "士林", "2026-10-08T13:16:02")
    #expect(id("士林", "士林", "20261008131602") == base)
    #expect(id("士林站", "士林", "2026-10-08T05:16:02Z") == base)
    #expect(id("士林站", "士林", "2026-10-08T13:16:02.5") != base)
    #expect(id("劍潭站", "劍潭", "2026-10-08T13:16:02") != base)
    #expect(id("士林站", "士林", nil) != base)
  }

  @Test("an arrival that counts down keeps its identity while it does")
  func countdownID() {
    func id(_ train: String?, _ countdown: String, _ time: String) -> Arrival.ID {
      Arrival(
        stationName: "士林", destinationName: "淡水站", updatedAt: FeedTime(time),
        countdown: Arrival.Countdown(countdown), trainNumber: train
      ).id
    }
    let base = id("104", "00:41", "2025-08-10 21:00:22")
    #expect(id("104", "00:26", "2025-08-10 21:00:37") == base)
    #expect(id("105", "00:41", "2025-08-10 21:00:22") != base)
    #expect(id(nil, "00:41", "2025-08-10 21:00:22") != base)
  }

  @Test("an arrival is unchanged after coding")
  func coding() throws {
    for form in FeedFixture.events.map(\.bytes) + FeedFixture.countdowns.map({ Array($0.utf8) }) {
      let arrivals = try Batch<Arrival>(reading: form).records
      let data = try JSONEncoder().encode(arrivals)
      #expect(try JSONDecoder().decode([Arrival].self, from: data) == arrivals)
    }
  }
}
