import FieldKit
import Foundation

let diary = WalkDiary(
  storage: .directory(URL(filePath: "diary")), transport: URLSessionTransport(),
  rules: PetRules(required: []))

var pet = try await diary.pets().first
if pet == nil {
  pet = try await diary.register(
    PetRegistration(
      name: "mesh", breed: .welshCorgi, gender: .male, birth: CalendarDay("2020-01-01"),
      weight: .kilograms(10)))
}
guard let pet else { exit(1) }
print(pet.name)
