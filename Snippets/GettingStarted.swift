//! A complete program: refresh once, and query with or without a network.

// snippet.program
import FieldKit
import Foundation

let field = Field(storage: .directory(URL(filePath: "data")), transport: URLSessionTransport())

do {
  print(try await field.meteorites.refresh())
} catch let error as FieldError {
  print("The meteorites weren't refreshed: \(error.message)")
}

let bratislava = try Coordinate(latitude: 48.15, longitude: 17.11)
for near in try await field.meteorites.nearest(to: bratislava, count: 5) {
  print(near.meteorite.name, near.distance)
}
let route = try MetroNetwork.taipei.route(from: "動物園", to: "淡水")
print(route.stations.count, "stations,", route.duration)
// snippet.end
