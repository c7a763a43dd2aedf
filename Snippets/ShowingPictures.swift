//! Pictures from the zoo and from the user with one call.

// snippet.hide
import FieldKit
import Foundation

func pictures(zoo: Zoo, entry: ZooEntry, animal: Animal) async throws {
  // snippet.show
  // snippet.one
  let picture = try await zoo.image(for: entry)
  print(picture.data.count, picture.origin)
  // snippet.end

  // snippet.numbers
  for picture in animal.pictures where picture.link != nil {
    let image = try await zoo.image(for: animal, number: picture.number)
    print(picture.caption ?? "", image.data.count)
  }
  // snippet.end

  // snippet.ahead
  let report = try await zoo.prefetchImages()
  print(report.fetched, report.present, report.failures.count)
  // snippet.end
  // snippet.hide
}

func limits(storage: Storage, transport: some Transport) {
  // snippet.show
  // snippet.limits
  let zoo = Zoo(
    storage: storage, transport: transport,
    pictureLimits: AssetLimits(memoryBytes: 16 << 20, diskBytes: 128 << 20))
  // snippet.end
  // snippet.hide
  _ = zoo
}
