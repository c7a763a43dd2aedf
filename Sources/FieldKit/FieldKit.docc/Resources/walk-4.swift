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

/// Returns a location for each second, walking north at 1.4 meters per second.
func location(_ second: Int) throws -> LocationFix {
  let coordinate = try Coordinate(
    latitude: 25.0330 + Double(second) * 0.0000126, longitude: 121.5654)
  return LocationFix(coordinate: coordinate, accuracy: .meters(5), time: Date())
}

let walk = try await diary.start(pets: [pet.id])
for second in 0..<30 {
  let result = await walk.record(try location(second))
  print(second, result)
  try await Task.sleep(for: .seconds(1))
}
