import FieldCore
import FieldFakes
import FirestoreFakes
import Foundation
import TestSupport
import Testing

@testable import FieldFirestore
@testable import WalkFirestore
@testable import WalkKit

@Suite(.timeLimit(.minutes(60))) struct ElementPlacesTests {
  @Test(arguments: [[0, 1], [1, 0]])
  func `a removed note and an edited one are both on both devices`(_ order: [Int]) async throws {
    let server = FakeFirestore()
    let devices = [Device(server, seed: 1), Device(server, seed: 2)]
    let (left, right) = (devices[0], devices[1])
    try await left.stored.add(Device.pet("1"))
    var walk = Device.walk("w", of: ["1"])
    walk.notes = (0..<5).map { WalkNote(text: "\($0)", time: Device.noon + Double($0 / 2)) }
    walk.photos = (0..<3).map { WalkPhoto(id: .init(rawValue: "\($0)")) }
    try await left.stored.save(walk)
    try await Device.settle(left, right)
    // The removal is later than the edits, so whatever it says about other elements would win.
    let old = left.clock.now
    left.clock.set(now: old + 20)
    right.clock.set(now: old + 10)
    try await right.stored.updateWalk("w") { walk in
      walk.notes[1].text = "edited"
      walk.notes[4].text = "edited"
      walk.photos[2].takenAt = Device.noon
      walk.notes.append(WalkNote(text: "5", time: Device.noon + 9))
    }
    try await left.stored.updateWalk("w") { walk in
      walk.notes.removeFirst()
      walk.photos.removeFirst()
    }
    #expect(try await left.cloud.pending().operations.map(\.payload.fields.count) == [2])
    for place in order { try await devices[place].cloud.refresh(.now) }
    try await Device.settle(left, right)
    for device in devices {
      let walk = try #require(try await device.content().walks.first)
      #expect(walk.notes.map(\.text) == ["edited", "2", "3", "edited", "5"])
      #expect(walk.photos.map(\.id) == ["1", "2"] && walk.photos[1].takenAt == Device.noon)
      #expect(try await device.cloud.conflicts().isEmpty)
    }
  }

  @Test(arguments: [[0, 1], [1, 0]], [false, true])
  func `notes of one time that two devices add are all on both devices`(
    _ order: [Int], replacesLast: Bool
  ) async throws {
    let server = FakeFirestore()
    let devices = [Device(server, seed: 1), Device(server, seed: 2)]
    let (left, right) = (devices[0], devices[1])
    @Sendable func note(_ text: String) -> WalkNote { WalkNote(text: text, time: Device.noon) }
    try await left.stored.add(Device.pet("1"))
    var walk = Device.walk("w", of: ["1"])
    walk.notes = [note("a"), note("b")]
    try await left.stored.save(walk)
    try await Device.settle(left, right)
    if replacesLast {
      right.clock.set(now: left.clock.now + 10)
      try await left.stored.updateWalk("w") { $0.notes.removeLast() }
      try await right.stored.updateWalk("w") { $0.notes[1].text = "edited" }
    }
    for (device, text) in [(left, "left"), (right, "right")] {
      try await device.stored.updateWalk("w") { $0.notes += [note(text), note("both")] }
    }
    for place in order { try await devices[place].cloud.refresh(.now) }
    try await Device.settle(left, right)
    let notes = try await devices.first?.content().walks[0].notes.map(\.text) ?? []
    // Two devices that say the same have added one note.
    let kept = replacesLast ? ["edited"] : ["b"]
    #expect(notes.sorted() == (["a", "both", "left", "right"] + kept).sorted())
    for device in devices {
      #expect(try await device.content().walks[0].notes.map(\.text) == notes)
    }
    // The removal doesn't last, because the edit is later.
    #expect(try await left.cloud.conflicts().count == (replacesLast ? 1 : 0))
    #expect(try await right.cloud.conflicts().isEmpty)
  }

  /// Many of the notes have the same time, so their names don't tell them apart.
  @Test func `edits of different notes are all on both devices, whatever they are`() async throws {
    for round in 0..<UInt64(Sample.rounds(200, 15, inDebug: 1)) {
      let seed = Sample.seed() &+ round
      var chance = SeededGenerator(seed: seed)
      let server = FakeFirestore()
      let devices = [Device(server, seed: chance.next()), Device(server, seed: chance.next())]
      try await devices[0].stored.add(Device.pet("1"))
      try await devices[0].stored.save(Device.walk("w", of: ["1"]))
      try await Device.settle(devices[0], devices[1])
      var expected: Set<String> = []
      for step in 0..<8 {
        // Each device edits some of the notes that both have, and adds others.
        var free = Array(expected).sorted()
        for (place, device) in devices.enumerated() {
          device.clock.advance(by: .seconds(.random(in: 0...60, using: &chance)))
          for number in 0..<Int.random(in: 0...4, using: &chance) {
            let change = Int.random(in: 0..<4, using: &chance)
            let old =
              free.isEmpty ? nil : free.remove(at: .random(in: 0..<free.count, using: &chance))
            let text = "\(place), \(step), \(number)"
            let time = Device.noon + Double(Int.random(in: 0..<2, using: &chance))
            if let old, change < 2 { expected.remove(old) }
            if old == nil || change > 0 { expected.insert(text) }
            try await device.stored.updateWalk("w") { walk in
              switch (walk.notes.firstIndex { $0.text == old }, change) {
              case (let index?, 0): walk.notes.remove(at: index)
              case (let index?, 1): walk.notes[index].text = text
              case (_, 2): walk.notes.insert(WalkNote(text: text, time: time), at: 0)
              default: walk.notes.append(WalkNote(text: text, time: time))
              }
            }
          }
        }
        try await Device.settle(devices[step % 2], devices[1 - step % 2])
        let notes = try await devices[0].content().walks[0].notes
        #expect(try await devices[1].content().walks[0].notes == notes, "seed \(seed)")
        #expect(notes.map(\.text).sorted() == expected.sorted(), "seed \(seed)")
      }
      for device in devices {
        #expect(try await device.cloud.conflicts().isEmpty, "seed \(seed)")
      }
    }
  }

  @Test func `an element keeps its name and order, whatever happens to the others`() throws {
    for round in 0..<UInt64(Sample.rounds(20_000, 2_000, inDebug: 20)) {
      var chance = SeededGenerator(seed: Sample.seed() &+ round)
      var elements: [Element] = []
      var fields: [String: FieldValue] = [:]
      for step in 0..<12 {
        let before = (elements, fields)
        var changes = 0
        let place = Int.random(in: 0...elements.count, using: &chance)
        switch Int.random(in: 0..<4, using: &chance) {
        case 0 where place < elements.count:
          elements.remove(at: place)
          changes = 1
        case 1 where place < elements.count:
          elements[place].text = "edited in \(step)"
          changes = 1
        case 2 where place < elements.count:
          let moved = elements.remove(at: place)
          elements.insert(moved, at: Int.random(in: 0...elements.count, using: &chance))
          changes = 1
        default:
          changes = Int.random(in: 1...3, using: &chance)
          for number in 0..<changes {
            let id = ["a", "a~2", "b/c", "", "__x__", "~"].randomElement(using: &chance) ?? ""
            elements.insert(Element(id: id, text: "\(number) of \(step)"), at: place)
          }
        }
        let seed = "seed \(Sample.seed() &+ round), \(before.0) to \(elements)"
        let found = ElementPlaces(elements.map(\.pair), in: "list", over: fields).fields
        fields = Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0.value) })
        #expect(read(fields) == elements, "\(seed)")
        let names = Set(fields.keys).union(before.1.keys)
        #expect(names.count { fields[$0] != before.1[$0] } <= changes, "\(seed)")
        // What a device knows without the contents says the same.
        let places = fields.mapValues {
          FieldValue.map(["order": FieldValue($0.value.map?["order"] ?? .null)])
        }
        let again = ElementPlaces(elements.map(\.pair), in: "list", over: places).fields
        #expect(again.map(\.name) == found.map(\.name) && again.map(\.value) == found.map(\.value))
      }
    }
  }

  @Test(arguments: ["equal", "different", "of one ID", "with free numbers"])
  func `the search for the places of notes of one kind and time grows with their number`(
    _ kind: String
  ) {
    func steps(_ count: Int) -> Int {
      let elements = (0..<count).map { number in
        let text = kind == "equal" ? "a" : "\(number)"
        return (id: "note", content: ["text": FieldValue?.some(.text(text))])
      }
      let first = ElementPlaces(elements, in: "notes", over: [:], sharesIDs: true)
      var values: [String: FieldValue] = [:]
      for (name, value) in first.fields { values[name] = value }
      let next: [(id: String, content: [String: FieldValue?])] =
        switch kind {
        case "of one ID": elements.map { ($0.id, ["text": .text("new")]) }
        case "with free numbers": elements + elements
        default: elements.reversed()
        }
      let second = ElementPlaces(next, in: "notes", over: values, sharesIDs: true)
      #expect(Set(second.fields.map(\.name)).count == next.count)
      return first.stepCount + second.stepCount
    }
    let (few, many) = (steps(200), steps(1_600))
    #expect(few > 0 && many <= 16 * few + 1_600, "\(few) and \(many) steps")
  }

  @Test func `removing one of two equal elements leaves the other where it is`() {
    let elements = ["x", "y", "x", "x"].map { Element(id: $0, text: "") }
    let all = ElementPlaces(elements.map(\.pair), in: "list", over: [:]).fields
    for place in elements.indices {
      var rest = elements
      rest.remove(at: place)
      let known = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.value) })
      let found = ElementPlaces(rest.map(\.pair), in: "list", over: known).fields
      #expect(found.allSatisfy { known[$0.name] == $0.value })
    }
  }

  /// Two devices that add elements at the same time give them the same order.
  @Test(arguments: ["0", "bb", "z"], 1...4)
  func `an element between others of one order edits only those behind it`(
    _ id: String, _ place: Int
  ) {
    let orders: [(String, Double)] = [
      ("e", 10), ("b", 11), ("c", 11), ("d", 11), ("a", 12),
    ]
    let fields = Dictionary(
      uniqueKeysWithValues: orders.map {
        ("list/\($0)", FieldValue(["order": .double($1), "text": ""]))
      })
    var elements = read(fields)
    #expect(elements.map(\.id) == orders.map(\.0))
    elements.insert(Element(id: id, text: ""), at: place)
    let found = ElementPlaces(elements.map(\.pair), in: "list", over: fields).fields
    #expect(read(Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0.value) })) == elements)
    let edited = found.filter { fields[$0.name] != $0.value }.map(\.name)
    #expect(Set(edited).isSubset(of: elements[place..<5].map { "list/\($0.id)" }), "\(edited)")
  }

  @Test
  func `elements keep their places with a hundred in one gap, orders of other clients, or none`()
    throws
  {
    var elements = [Element(id: "first", text: ""), Element(id: "last", text: "")]
    var fields: [String: FieldValue] = [:]
    for number in 0..<100 {
      elements.insert(Element(id: "\(number)", text: ""), at: 1)
      fields = Dictionary(
        uniqueKeysWithValues: ElementPlaces(elements.map(\.pair), in: "list", over: fields)
          .fields.map { ($0.name, $0.value) })
      #expect(read(fields) == elements)
    }
    let foreign: [FirestoreValue] = [.null, "x", .double(.nan), .double(.infinity), 1e300, -1, "7"]
    for (number, order) in foreign.enumerated() {
      fields["list/\(number)"] = FieldValue(["order": order, "text": ""])
    }
    let known = read(fields)
    let found = ElementPlaces(known.map(\.pair), in: "list", over: fields).fields
    #expect(read(Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0.value) })) == known)
    #expect(ElementPlaces([], in: "list", over: fields).fields.isEmpty)
  }

  private struct Element: Equatable {
    var id: String
    var text: String

    var pair: (id: String, content: [String: FieldValue?]) { (id, ["text": .text(text)]) }
  }

  private func read(_ fields: [String: FieldValue]) -> [Element] {
    var reader = FieldReader(fields)
    return reader.elements("list") { Element(id: $1, text: $0.text("text") ?? "") }
  }
}
