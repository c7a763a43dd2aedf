import FieldCore
import FieldFakes
import Foundation
import TestSupport
import ZooKit

/// Photos and zoos for tests of sightings.
enum Photos {
  /// A photo that differs from those of other numbers.
  static func jpeg(_ number: Int = 0) -> Data { Data(FakeTaipeiOpenData.SmallPicture.jpeg(number)) }
}

/// A zoo that has nobody to ask.
struct NoSource: ZooSource {
  var dataSource: DataSource { .taipeiZoo }
  var tables: [ZooTable] { [.animals] }

  func read(_ table: ZooTable) async throws -> ZooDelivery {
    throw FieldError(.offline, "there is no network")
  }
}

extension Zoo {
  /// A zoo without a network.
  static func offline(
    _ storage: Storage = .inMemory, clock: any FieldClock = ManualClock(),
    limits: SightingLimits = SightingLimits(), seed: UInt64 = 1
  ) -> Zoo {
    let generator = Lock(SeededGenerator(seed: seed))
    return Zoo(
      source: NoSource(), storage: storage, clock: clock, limits: limits,
      random: { generator.withLock { $0.next() } })
  }
}
