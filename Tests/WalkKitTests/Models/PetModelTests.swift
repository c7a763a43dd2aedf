import FieldCore
import Foundation
import Testing
import WalkKit

@Suite("A pet's breed, gender, and weight")
struct PetModelTests {
  @Test(
    "a breed is identified in all spellings",
    arguments: [
      ("welshcorgi", Breed.welshCorgi), ("웰시코기", .welshCorgi), ("Welsh Corgi", .welshCorgi),
      ("welsh-corgi", .welshCorgi), (" WELSHCORGI\n", .welshCorgi),
      ("\u{110B}\u{1170}\u{11AF}\u{1109}\u{1175}\u{110F}\u{1169}\u{1100}\u{1175}", .welshCorgi),
      ("푸들", .poodle), ("시츄", .shihTzu), ("닥스훈트", .dachshund), ("리트리버", .retriever),
      ("치와와", .chihuahua), ("비숑", .bichon), ("말티즈", .maltese), ("비글", .beagle), ("기타", .other),
    ])
  func spellings(_ text: String, _ breed: Breed) {
    #expect(Breed(text) == breed)
    #expect(Breed(breed.koreanName) == breed)
    #expect(Breed(breed.englishName) == breed)
  }

  @Test("a pet's breed, gender, and weight are in its description, on one line")
  func description() {
    let pet = Pet(id: "1", name: "Bo\n2", breed: .poodle, registered: Walk.undatedStart)
    #expect(pet.description == "Bo 2 (poodle)")
  }

  @Test("the breeds are the nine of the old app and its other, in its order")
  func known() {
    #expect(
      Breed.known.map(\.koreanName) == [
        "푸들", "시츄", "닥스훈트", "리트리버", "치와와", "비숑", "말티즈", "웰시코기", "비글", "기타",
      ])
  }

  @Test("a breed keeps any other text unchanged", arguments: ["진돗개", "Jindo / Husky mix", "?"])
  func own(_ text: String) throws {
    let breed = Breed("  \(text) ")
    #expect(breed.rawValue == text)
    #expect(breed.englishName == text)
    #expect(!breed.isKnown)
    #expect(try JSONDecoder().decode(Breed.self, from: JSONEncoder().encode(breed)) == breed)
  }

  @Test(
    "a gender is parsed from the old app's letters and from words",
    arguments: [
      ("M", "M"), ("W", "W"), ("F", "W"), ("male", "M"), ("암컷", "W"), ("neuter", "neuter"),
    ])
  func gender(_ text: String, _ stored: String) {
    #expect(Gender(rawValue: text).rawValue == stored)
  }

  @Test(
    "a weight is parsed as people write it",
    arguments: [
      ("33", 33), ("4.5", 4.5), ("4,5", 4.5), (" 10 kg ", 10), ("10KG", 10), ("7㎏", 7), (".5", 0.5),
    ])
  func weight(_ text: String, _ kilograms: Double) throws {
    #expect(try Weight(text) == .kilograms(kilograms))
  }

  @Test("names that a reader considers the same have one key")
  func nameKeys() {
    #expect(Pet.nameKey(of: "Mesh") == Pet.nameKey(of: "MESH"))
    #expect(Pet.nameKey(of: "a  b") == Pet.nameKey(of: "a b"))
    #expect(Pet.nameKey(of: "\u{1100}\u{1161}") == Pet.nameKey(of: "가"))
    #expect(Pet.nameKey(of: "a\u{200B}b\u{FE0F}") == Pet.nameKey(of: "ab"))
    #expect(Pet.nameKey(of: "Bär") != Pet.nameKey(of: "Bar"))
  }
}

@Suite("The rules for a pet")
struct PetRulesTests {
  private let today = CalendarDay(Date(timeIntervalSince1970: 1_767_236_400), in: .seoul)

  private func problems(_ change: (inout PetRegistration) -> Void) throws -> [String] {
    var form = PetRegistration(
      name: "mesh", breed: .welshCorgi, gender: .male, birth: try CalendarDay("2020-01-01"),
      weight: .kilograms(10), photo: Data([1]))
    change(&form)
    return PetRules().problems(of: form, today: today).map(\.field.rawValue)
  }

  @Test("the rules for a pet find nothing wrong with a complete registration")
  func whole() throws {
    #expect(try problems { _ in } == [])
  }

  @Test(
    "the rules for a pet accept names of 1 to 50 visible characters",
    arguments: [
      ("", false), ("   ", false), ("a", true), (String(repeating: "콩", count: 50), true),
      (String(repeating: "콩", count: 51), false), ("a\nb", false), ("a\u{0}b", false),
      ("a\u{2028}b", false), ("\u{200B}\u{2060}", false), ("\u{3164}", false), ("a/b", true),
      (String(repeating: "👨‍👩‍👧‍👦", count: 50), true),
      ("ee" + String(repeating: "\u{301}", count: 1_999), true),
      ("e" + String(repeating: "\u{301}", count: 2_000), false),
    ])
  func names(_ name: String, _ isGood: Bool) throws {
    #expect(try problems { $0.name = name } == (isGood ? [] : ["name"]))
  }

  @Test(
    "the rules for a pet accept weights of 0.1 to 155 kg",
    arguments: [
      (0.1, true), (155, true), (0.099, false), (155.1, false), (0, false), (-1, false),
      (.nan, false), (.infinity, false),
    ])
  func weights(_ kilograms: Double, _ isGood: Bool) throws {
    #expect(try problems { $0.weight = .kilograms(kilograms) } == (isGood ? [] : ["weight"]))
  }

  @Test("the rules for a pet accept breeds of up to 100 characters", arguments: [99, 100, 101])
  func breeds(count: Int) throws {
    let breed = Breed(rawValue: String(repeating: "콩", count: count))
    #expect(try problems { $0.breed = breed } == (count > 100 ? ["breed"] : []))
  }

  @Test("the rules for a pet report all problems at once, in the order of the form")
  func all() throws {
    let seen = try problems { form in
      form.name = "a\u{7}"
      form.breed = nil
      form.gender = nil
      form.photo = Data()
      form.birth = .last
      form.weight = .kilograms(.nan)
    }
    #expect(seen == ["name", "breed", "gender", "photo", "birth", "weight"])
  }

  @Test("the rules for a pet require only what is configured")
  func required() {
    let rules = PetRules(required: [.breed])
    #expect(rules.problems(of: PetRegistration(name: "a"), today: today).map(\.field) == [.breed])
    #expect(rules.problems(of: PetChanges(clearing: [.gender]), today: today).isEmpty)
    #expect(
      rules.problems(of: PetChanges(clearing: [.name, .breed]), today: today).map(\.field)
        == [.name, .breed])
    let replaced = PetChanges(name: "b", breed: .welshCorgi, clearing: [.name, .breed])
    #expect(rules.problems(of: replaced, today: today).isEmpty)
  }

  @Test("the rules for a pet count a pet born on 29 February from 1 March in other years")
  func leapDay() throws {
    let rules = PetRules(required: [], oldestAge: 1)
    let day = try CalendarDay("2024-02-29")
    func isOld(_ birth: String) throws -> Bool {
      let form = PetRegistration(name: "a", birth: try CalendarDay(birth))
      return !rules.problems(of: form, today: day).isEmpty
    }
    #expect(try isOld("2023-02-28"))
    #expect(try !isOld("2023-03-01"))
  }
}
