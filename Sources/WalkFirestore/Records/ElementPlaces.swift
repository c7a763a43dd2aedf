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

  /// The number of steps of all searches, by which tests see that they don't grow with the square.
  private(set) var stepCount = 0

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
    var counts: [String: Int] = [:]
    var names: [String] = []
    for (element, place) in zip(elements, places) {
      names.append(place?.name ?? unusedName(for: element, &taken, &counts))
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
  private mutating func matches(
    for elements: [(id: String, content: [String: FieldValue?])]
  ) -> [Place?] {
    var places = [Place?](repeating: nil, count: elements.count)
    guard !known.isEmpty else { return places }
    var free = FreePlaces(known.map(\.name), known.map(\.content), group: Self.group(of:))
    for isSame in [true, false] {
      var last: Int?
      for (index, element) in elements.enumerated() where places[index] == nil {
        let (own, group) = ("\(collection)/\(element.id)", Self.group(of: name(for: element.id)))
        // Of twins, the one that follows the element before.
        let found =
          isSame
          ? free.take(
            named: own, FieldValue.map(content(of: element, named: own)).value.map,
            orOther: FieldValue.map(content(of: element, named: "")).value.map, in: group,
            after: last)
          : free.take(in: group, after: last)
        guard let found else { continue }
        places[index] = known[found]
        last = found
      }
    }
    stepCount += free.stepCount
    return places
  }

  /// The name for an ID, if it is the first of its kind.
  private func name(for id: String) -> String {
    let key = PercentEncoding.component(id)
    return "\(collection)/" + (key.isEmpty || key.hasPrefix("__") ? "-\(key)" : key)
  }

  private mutating func unusedName(
    for element: (id: String, content: [String: FieldValue?]), _ taken: inout Set<String>,
    _ counts: inout [String: Int]
  ) -> String {
    var first = name(for: element.id)
    if namesContent {
      let bytes = Array(FieldValue.map(element.content).value.json.canonicalText.utf8)
      first += "~\(CRC32C.checksum(bytes, bytes.indices))"
    }
    // Goes on where the last search for such a name has ended: there may be thousands of one kind and time.
    var count = counts[first] ?? 1
    var name = count == 1 ? first : "\(first)~\(count)"
    while !taken.insert(name).inserted {
      count += 1
      stepCount += 1
      name = "\(first)~\(count)"
    }
    counts[first] = count
    return name
  }

  /// What the names of elements with the same ID have in common.
  private static func group(of name: String) -> Substring {
    var group = name[...]
    while let mark = group.utf8.lastIndex(of: UInt8(ascii: "~")) {
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

/// Places of a collection that no element has taken, by their group and by their group and content.
///
/// Any client of the diary decides how many elements are alike, so each search takes a step or two, however
/// many there are.
private struct FreePlaces {
  private struct Key: Hashable {
    let group: Substring
    let content: FirestoreFields
  }

  /// Places in their order, of which those that are taken are skipped in one step.
  private struct Queue {
    var places: [Int] = []
    /// For each index, one that isn't before the next free place.
    var next: [Int] = []

    mutating func append(_ place: Int) {
      next.append(places.count)
      places.append(place)
    }
  }

  private let contents: [FirestoreFields]
  private var placeOfName: [String: Int] = [:]
  private let groupOfPlace: [Substring]
  private var isTaken: [Bool]
  private var groups: [Substring: Queue] = [:]
  private var alike: [Key: Queue] = [:]
  private(set) var stepCount = 0

  init(_ names: [String], _ contents: [FirestoreFields], group: (String) -> Substring) {
    self.contents = contents
    isTaken = [Bool](repeating: false, count: names.count)
    groupOfPlace = names.map(group)
    for (place, name) in names.enumerated() {
      let group = groupOfPlace[place]
      placeOfName[name] = place
      groups[group, default: Queue()].append(place)
      alike[Key(group: group, content: contents[place]), default: Queue()].append(place)
    }
  }

  /// Takes the first free place of a group after another one, or else the first of all.
  mutating func take(in group: Substring, after last: Int?) -> Int? {
    var queue = groups[group].take() ?? Queue()
    defer { groups[group] = queue }
    let place = first(of: &queue, after: last) ?? first(of: &queue)
    if let place { isTaken[place] = true }
    return place
  }

  /// Takes the first free place with a content after another one, or else the first of all: the place with
  /// a name and one content, or one with any other name and another content.
  mutating func take(
    named name: String, _ own: FirestoreFields?, orOther content: FirestoreFields?,
    in group: Substring, after last: Int?
  ) -> Int? {
    guard let own, let content else { return nil }
    let named = placeOfName[name].flatMap { groupOfPlace[$0] == group ? $0 : nil }
    var candidates: [Int] = []
    if let named, !isTaken[named], contents[named] == own { candidates.append(named) }
    let key = Key(group: group, content: content)
    if var queue = alike[key].take() {
      for place in [
        first(of: &queue, after: last, except: named), first(of: &queue, except: named),
      ] {
        if let place { candidates.append(place) }
      }
      alike[key] = queue
    }
    let next = candidates.filter { $0 > last ?? -1 }.min()
    let place = next ?? candidates.min()
    if let place { isTaken[place] = true }
    return place
  }

  private mutating func first(
    of queue: inout Queue, after last: Int? = nil, except named: Int? = nil
  ) -> Int? {
    var start = 0
    if let last { start = queue.places.partitioningIndex { $0 > last } }
    var index = free(from: start, in: &queue)
    if index < queue.places.count, queue.places[index] == named {
      index = free(from: index + 1, in: &queue)
    }
    return index < queue.places.count ? queue.places[index] : nil
  }

  /// Returns the index of the first free place from an index on, and shortens the way there.
  private mutating func free(from start: Int, in queue: inout Queue) -> Int {
    var index = start
    var way: [Int] = []
    while index < queue.places.count {
      stepCount += 1
      let next = max(queue.next[index], isTaken[queue.places[index]] ? index + 1 : index)
      if next == index { break }
      way.append(index)
      index = next
    }
    for passed in way { queue.next[passed] = index }
    return index
  }
}
