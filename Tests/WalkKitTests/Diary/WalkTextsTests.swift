import FieldCore
import Foundation
import Testing
import WalkKit

@Suite("The localized strings of walks")
struct WalkTextsTests {
  // W4 of Docs/old-apps.md
  @Test(
    "a running walk shows MM : SS, and its minutes aren't capped",
    arguments: [
      (0, "00 : 00"), (17, "00 : 17"), (60, "01 : 00"), (3_665, "61 : 05"), (360_000, "6000 : 00"),
      (-5, "00 : 00"),
    ])
  func clock(_ seconds: Int, _ text: String) {
    #expect(WalkTexts.clock(.seconds(seconds)) == text)
  }

  // W4 of Docs/old-apps.md
  @Test("fractions of a second are dropped from a running walk's time")
  func fractions() {
    #expect(WalkTexts.clock(.milliseconds(59_999)) == "00 : 59")
  }

  // W4 of Docs/old-apps.md
  @Test("a finished walk shows minutes and seconds in three languages")
  func duration() {
    let text = WalkTexts.duration(.seconds(3_209))
    #expect(text.string(in: .korean) == "53분 29초")
    #expect(WalkTexts.duration(.seconds(17)).string(in: .korean) == "0분 17초")
    #expect(text.string() == "53 min 29 s")
    #expect(text.string(in: .traditionalChinese) == "53 分 29 秒")
  }

  // W4 of Docs/old-apps.md
  @Test("a walk's date and start use its own zone, whatever the device's")
  func dates() throws {
    var walk = Walk(
      id: .init(rawValue: "w"), pets: [], start: Date(timeIntervalSince1970: 1_581_675_480),
      end: Date(timeIntervalSince1970: 1_581_675_497), utcOffset: .seoul)
    #expect(WalkTexts.day(of: walk) == "2020-02-14")
    #expect(WalkTexts.startTime(of: walk) == "19:18:00")
    walk.utcOffset = try FixedZone(secondsFromUTC: -12 * 3_600)
    #expect(WalkTexts.day(of: walk) == "2020-02-13")
    #expect(WalkTexts.startTime(of: walk) == "22:18:00")
  }

  @Test("a walk without a date is reported as such, and not as one in 1970")
  func undated() {
    var walk = Walk(
      id: .init(rawValue: "w"), pets: [], start: Walk.undatedStart, end: Walk.undatedStart,
      utcOffset: .seoul)
    let title = WalkHistoryRow(walk).title
    #expect(title.string(in: .korean) == "날짜를 알 수 없는 산책 기록")
    for language in [TextLanguage.korean, .english, .traditionalChinese] {
      #expect(!title.string(in: language).contains("1970"))
    }
    walk.start = Date(timeIntervalSince1970: 1_580_295_863)
    #expect(
      WalkHistoryRow(walk).title.string(in: .korean) == "2020-01-29 20:04:23 의 산책 기록")
  }

  @Test(
    "the strings tell an owner what went wrong, and not that a walk wasn't saved",
    arguments: [
      (FieldError.Code.unknownPet, "이미 삭제되었습니다."), (.unknownPlace, "이미 삭제되었습니다."),
      (.petArchived, "보관 중인 반려동물입니다."), (.blobMissing, "사진이나 경로를 찾을 수 없습니다."),
      (.offline, "인터넷 연결을 확인해주세요."), (.newerFormat, "앱을 업데이트해주세요."),
      (.diskFull, "저장 공간이 부족합니다."), (.operationInProgress, "이미 처리 중입니다."),
    ])
  func errors(code: FieldError.Code, korean: String) {
    let text = WalkTexts.message(for: FieldError(code, ""))
    #expect(text.string(in: .korean) == korean)
    #expect(Set([.korean, .english, .traditionalChinese].map { text.string(in: $0) }).count == 3)
  }

  @Test("the strings of walks have the old app's words")
  func words() {
    #expect(WalkTexts.praise.string(in: .korean) == "칭찬해주세요 ↑")
    let failure = WalkTexts.message(for: FieldError(.io, ""))
    #expect(failure.string(in: .korean) == "산책 데이터 저장에 실패했습니다.")
    #expect(WalkTexts.name(of: .welshCorgi).string(in: .korean) == "웰시코기")
    #expect(WalkTexts.name(of: Breed("진돗개")).string(in: .traditionalChinese) == "진돗개")
  }
}
