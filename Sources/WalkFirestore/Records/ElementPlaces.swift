internal import FieldCore
internal import FieldFirestore

/// The names and orders of a collection's elements, such as a walk's notes, which stay the same when other
/// elements are added, moved, or removed.
///
/// If an element's order were its index, removing a note would edit all notes after it, and these edits would
/// win over those of another device.
struct ElementPlaces {
  private let collection: String
  private let known: [Place]
  /// A Boolean value that indicates whether a new element is named by what it contains, too.
  private let namesContent: Bool
  /// The fields of the elements, each with its name.
  private(set) var fields: [(name: String, value: FieldValue)] = []

  private struct Place {
    var name: String
    var order: Double
    var content: FirestoreFields

    func isAfter(_ other: Place) -> Bool { (order, name) > (other.order, other.name) }
  }

  static let orderField = "order"

  /// Gives elements their names and orders.
  ///
  /// - Parameters:
  ///   - elements: The elements in order, each with its ID and what it contains.
  ///   - collection: The name of the collection.
  ///   - values: The fields as they were, of which some may contain only the order.
  ///   - sharesIDs: Pass `true` if two devices may add different elements with one ID. Those that contain the
  ///     same are one element. Defaults to `false`.
  init(
    _ elements: [(id: String, content: [String: FieldValue?])], in collection: String,
    over values: [String: FieldValue], sharesIDs: Bool = false
  ) {
    self.collection = collection
    // Devices that create the same record, such as from one import, may have edited its elements before.
    namesContent = sharesIDs && !values.isEmpty
    known =
      values.compactMap { name, field in
        guard name.hasPrefix("\(collection)/"), var content = field.value.map else { return nil }
        let order = content[Self.orderField].flatMap { FieldValue($0).number }
        content[Self.orderField] = nil
        return Place(name: name, order: order ?? 0, content: content)
      }.sorted { $1.isAfter($0) }
    let places = matches(for: elements)
    var taken = Set(known.map(\.name))
    let names = zip(elements, places).map { element, place in
      place?.name ?? unusedName(for: element, &taken)
    }
    for (place, order) in Self.orders(of: places, names).enumerated() {
      var content = content(of: elements[place], named: names[place])
      content[Self.orderField] = .number(order)
      fields.append((names[place], .map(content)))
    }
  }

  private func content(
    of element: (id: String, content: [String: FieldValue?]), named name: String
  ) -> [String: FieldValue?] {
    var content = element.content
    if name != "\(collection)/\(element.id)" { content["id"] = .text(element.id) }
    return content
  }

  /// Returns the place that each element has had: that of the same element, or else of one with its ID.
  private func matches(for elements: [(id: String, content: [String: FieldValue?])]) -> [Place?] {
    var free = Dictionary(grouping: known) { Self.group(of: $0.name) }
    var places = [Place?](repeating: nil, count: elements.count)
    for isSame in [true, false] {
      var last: Place?
      for (index, element) in elements.enumerated() where places[index] == nil {
        let group = Self.group(of: name(for: element.id))
        let found = (free[group] ?? []).indices.filter { place in
          guard isSame, let known = free[group]?[place] else { return true }
          return .map(known.content)
            == FieldValue.map(content(of: element, named: known.name)).value
        }
        // Of twins, the one that follows the element before.
        let next = found.first { place in
          last.map { last in free[group]?[place].isAfter(last) ?? false } ?? true
        }
        guard let place = next ?? found.first else { continue }
        places[index] = free[group]?.remove(at: place)
        last = places[index]
      }
    }
    return places
  }

  /// The name for an ID, if it is the first of its kind.
  private func name(for id: String) -> String {
    let key = PercentEncoding.component(id)
    return "\(collection)/" + (key.isEmpty || key.hasPrefix("__") ? "-\(key)" : key)
  }

  private func unusedName(
    for element: (id: String, content: [String: FieldValue?]), _ taken: inout Set<String>
  ) -> String {
    var first = name(for: element.id)
    if namesContent {
      let bytes = Array(FieldValue.map(element.content).value.json.canonicalText.utf8)
      first += "~\(CRC32C.checksum(bytes, bytes.indices))"
    }
    var name = first
    var count = 1
    while !taken.insert(name).inserted {
      count += 1
      name = "\(first)~\(count)"
    }
    return name
  }

  /// What the names of elements with the same ID have in common.
  private static func group(of name: String) -> Substring {
    var group = name[...]
    while let mark = group.lastIndex(of: "~") {
      let number = group[mark...].dropFirst()
      guard !number.isEmpty, number.allSatisfy(\.isNumber) else { break }
      group = group[..<mark]
    }
    return group
  }

  /// Returns orders that rise, in which as many elements as possible keep theirs.
  private static func orders(of places: [Place?], _ names: [String]) -> [Double] {
    let kept = longestRise(of: places)
    var orders: [Double] = []
    for (start, place) in kept.enumerated() {
      let previous = start == 0 ? nil : places[kept[start - 1]]?.order
      append(place - orders.count, between: previous, and: places[place]?.order, to: &orders)
      orders.append(places[place]?.order ?? 0)
    }
    append(places.count - orders.count, between: orders.last, and: nil, to: &orders)
    return rising(orders, names)
  }

  /// Returns orders that rise, with other ones for those of equal elements, such as of two devices.
  private static func rising(_ orders: [Double], _ names: [String]) -> [Double] {
    var rising: [Double] = []
    while rising.count < orders.count {
      let place = rising.count
      guard let last = rising.last, (last, names[place - 1]) >= (orders[place], names[place])
      else {
        rising.append(orders[place])
        continue
      }
      let end = orders[place...].firstIndex { $0 > last }
      append(
        (end ?? orders.count) - place, between: last, and: end.map { orders[$0] }, to: &rising)
    }
    let rises = zip(zip(rising, names), zip(rising, names).dropFirst()).allSatisfy(<)
    // Between two doubles there isn't always a third one.
    return rises ? rising : orders.indices.map(Double.init)
  }

  private static func append(
    _ count: Int, between lower: Double?, and upper: Double?, to orders: inout [Double]
  ) {
    for number in 0..<count {
      let number = Double(number)
      switch (lower, upper) {
      case (nil, nil): orders.append(number)
      case (let lower?, nil): orders.append(lower.rounded(.down) + number + 1)
      case (nil, let upper?): orders.append(upper.rounded(.up) - Double(count) + number)
      case (let lower?, let upper?):
        orders.append(lower + (upper - lower) * (number + 1) / Double(count + 1))
      }
    }
  }

  /// Returns the indices of the longest part of the places that rises.
  private static func longestRise(of places: [Place?]) -> [Int] {
    /// For each length, the index where the lowest rise of this length ends.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: places.count)
    for (index, place) in places.enumerated() {
      guard let place else { continue }
      let length = ends.partitioningIndex { end in
        places[end].map { !place.isAfter($0) } ?? true
      }
      previous[index] = length == 0 ? nil : ends[length - 1]
      if length == ends.count { ends.append(index) } else { ends[length] = index }
    }
    var rise: [Int] = []
    var next = ends.last
    while let index = next {
      rise.append(index)
      next = previous[index]
    }
    return rise.reversed()
  }
}
