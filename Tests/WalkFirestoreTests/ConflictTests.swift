import FieldCore
import FieldFakes
import FirestoreFakes
import Foundation
import TestSupport
import Testing

@testable import WalkFirestore
@testable import WalkKit

@Suite("Edits of several devices", .timeLimit(.minutes(60)))
struct ConflictTests {
  let server = FakeFirestore()

  private func device(_ seed: UInt64, over transport: (any Transport)? = nil) -> Device {
    Device(server, over: transport, seed: seed)
  }

  /// The fields of each conflict, by device.
  private func conflicts(_ devices: Device...) async throws -> [[[String]]] {
    var found: [[[String]]] = []
    for device in devices { found.append(try await device.cloud.conflicts().map(\.fields)) }
    return found
  }

  private func rename(_ name: String, on device: Device) async throws {
    try await device.stored.updatePet("1") { $0.name = name }
  }

  @Test("a removal lists the edit that it hasn't seen", arguments: [false, true], [-10.0, 10])
  func removal(isFirst: Bool, lead: Double) async throws {
    let (left, right) = (device(1), device(2))
    try await left.stored.add(Device.pet("1"))
    try await Device.settle(left, right)
    right.clock.set(now: left.clock.now + lead)
    try await rename("left", on: left)
    try await right.stored.removePet("1")
    for device in isFirst ? [right, left] : [left, right] { try await device.cloud.refresh(.now) }
    try await Device.settle(left, right)
    #expect(try await left.content().pets.isEmpty)
    #expect(try await right.content().pets.isEmpty)
    #expect(try await conflicts(left, right) == [[["name"]], []])
    #expect(try await left.cloud.conflicts().map(\.subject) == [.pet("1")])
  }

  @Test("edits that know of each other are no conflicts, whichever devices have received them")
  func sequence() async throws {
    let (left, right, third) = (device(1), device(2), device(3))
    try await left.stored.add(Device.pet("1"))
    try await Device.settle(left, right, third)
    try await rename("left", on: left)
    try await left.cloud.refresh(.now)
    try await right.cloud.refresh(.now)
    for name in ["right", "right again"] {
      try await rename(name, on: right)
      try await right.cloud.refresh(.now)
    }
    try await third.cloud.refresh(.now)
    try await rename("third", on: third)
    // The left device hasn't received what the third one knows of the right one.
    try await Device.settle(third, left, right)
    #expect(try await left.content().pets.map(\.name) == ["third"])
    #expect(try await conflicts(left, right, third) == [[], [], []])
    try await third.stored.removePet("1")
    try await Device.settle(third, left, right)
    #expect(try await left.content().pets.isEmpty)
    #expect(try await conflicts(left, right, third) == [[], [], []])
  }

  @Test("edits conflict even if the arriving one knows of the one that hadn't seen them")
  func chain() async throws {
    let (left, right, third) = (device(1), device(2), device(3))
    try await left.stored.add(Device.pet("1"))
    try await Device.settle(left, right, third)
    right.clock.set(now: left.clock.now + 10)
    let date = left.clock.now
    try await rename("left", on: left)
    try await rename("right", on: right)
    for device in [left, right, third] { try await device.cloud.refresh(.now) }
    try await rename("third", on: third)
    try await Device.settle(third, left, right)
    #expect(try await conflicts(left, right, third) == [[["name"]], [], []])
    #expect(try await left.cloud.conflicts().map(\.date) == [date])
  }

  @Test("edits are no conflict if the first was seen before its answer, which was lost")
  func lostResponse() async throws {
    let transport = FaultTransport(
      server, FaultPlan.script([nil, .lostResponse()]).on("firestore.commit"))
    let (left, right) = (device(1, over: transport), device(2))
    try await left.stored.add(Device.pet("1"))
    try await Device.settle(left, right)
    try await rename("left", on: left)
    try await left.cloud.refresh(.now)
    #expect(try await left.cloud.pending().count == 1)
    try await right.cloud.refresh(.now)
    try await rename("right", on: right)
    try await right.cloud.refresh(.now)
    try await Device.settle(left, right)
    #expect(try await left.content().pets.map(\.name) == ["right"])
    #expect(try await conflicts(left, right) == [[], []])
  }

  @Test("edits with equal values are no conflict")
  func equal() async throws {
    let (left, right) = (device(1), device(2))
    try await left.stored.add(Device.pet("1"))
    try await Device.settle(left, right)
    for device in [left, right] { try await rename("both", on: device) }
    try await Device.settle(left, right)
    #expect(try await conflicts(left, right) == [[], []])
  }

  @Test("edits in conflict are listed once, even if it is dismissed before the other edit arrives")
  func dismissed() async throws {
    let (left, right) = (device(1), device(2))
    try await left.stored.add(Device.pet("1"))
    try await Device.settle(left, right)
    right.clock.set(now: left.clock.now + 10)
    try await rename("left", on: left)
    try await rename("right", on: right)
    try await right.cloud.refresh(.now)
    try await left.cloud.send(.now)
    #expect(try await conflicts(left) == [[["name"]]])
    try await left.cloud.dismiss(try #require(try await left.cloud.conflicts().first))
    try await left.cloud.refresh(.now)
    #expect(try await left.content().pets.map(\.name) == ["right"])
    #expect(try await conflicts(left) == [[]])
  }

  @Test("edits of a record that two devices have created conflict in each field that differs")
  func creations() async throws {
    for isReversed in [false, true] {
      let server = FakeFirestore()
      let (left, right) = (Device(server, seed: 1), Device(server, seed: 2))
      right.clock.set(now: left.clock.now + 10)
      try await left.stored.add(Device.pet("1", "left"))
      try await right.stored.add(Device.pet("1", "right"))
      for device in isReversed ? [right, left, right] : [left, right, left] {
        try await device.cloud.refresh(.now)
      }
      #expect(try await left.content().pets.map(\.name) == ["right"])
      #expect(try await conflicts(left, right) == [[["name"]], []])
    }
  }

  @Test(
    "edits of an earlier version don't say what they have seen, so they are no conflict")
  func earlierVersion() throws {
    let stamps = (1...3).map { Stamp(microseconds: $0, device: "d\($0)") }
    var (state, change) = (DocumentState(), DocumentState())
    state.created = stamps[0]
    (state.values["name"], state.stamps["name"]) = (.text("later"), stamps[2])
    (change.values["name"], change.stamps["name"]) = (.text("earlier"), stamps[1])
    #expect(state.overruled(change) == ["name"])
    #expect(state.overruled(change, assumesSeen: true) == [])
    state.seen["name"] = SeenEdits(text: stamps[0].text)
    #expect(state.overruled(change, assumesSeen: true) == ["name"])
    state.seen["name"]?.insert(stamps[1])
    #expect(state.overruled(change) == [])
    #expect(try DocumentState(text: state.text) == state)
  }
}
