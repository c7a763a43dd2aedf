internal import FieldCore

protocol SortedElement: Sendable {
  associatedtype SortKey: Comparable
  var sortKey: SortKey { get }
}

/// A sorted collection in chunks of some hundred elements: finding, inserting, and removing cost
/// O(log n) and one chunk, and a copy shares all chunks except those that change later.
struct SortedChunks<Element: SortedElement>: Sendable {
  private var chunks: [[Element]] = []
  private(set) var count = 0
  private static var capacity: Int { 512 }

  struct Place {
    fileprivate var chunk: Int
    fileprivate var offset: Int
  }

  /// Returns the position of the first element whose key isn't less than `key`.
  func lowerBound(_ key: Element.SortKey) -> Place {
    let chunk = chunks.partitioningIndex { $0.last.map { $0.sortKey >= key } ?? true }
    guard chunk < chunks.count else { return Place(chunk: chunk, offset: 0) }
    return Place(chunk: chunk, offset: chunks[chunk].partitioningIndex { $0.sortKey >= key })
  }

  /// Returns the element at a position, which advances, or `nil` at the end.
  func next(_ place: inout Place) -> Element? {
    guard place.chunk < chunks.count else { return nil }
    let element = chunks[place.chunk][place.offset]
    place.offset += 1
    if place.offset == chunks[place.chunk].count {
      place = Place(chunk: place.chunk + 1, offset: 0)
    }
    return element
  }

  func element(_ key: Element.SortKey) -> Element? {
    var place = lowerBound(key)
    guard let element = next(&place), element.sortKey == key else { return nil }
    return element
  }

  /// Inserts an element before others with its key.
  mutating func insert(_ element: Element) {
    count += 1
    var place = lowerBound(element.sortKey)
    if place.chunk == chunks.count {
      guard let last = chunks.last, last.count < Self.capacity else {
        var chunk: [Element] = []
        chunk.reserveCapacity(Self.capacity)
        chunk.append(element)
        return chunks.append(chunk)
      }
      place = Place(chunk: chunks.count - 1, offset: last.count)
    }
    chunks[place.chunk].insert(element, at: place.offset)
    if chunks[place.chunk].count > Self.capacity {
      let half = Array(chunks[place.chunk][(Self.capacity / 2)...])
      chunks[place.chunk].removeLast(half.count)
      chunks.insert(half, at: place.chunk + 1)
    }
  }

  @discardableResult
  mutating func remove(_ key: Element.SortKey) -> Element? {
    let place = lowerBound(key)
    guard place.chunk < chunks.count, chunks[place.chunk][place.offset].sortKey == key else {
      return nil
    }
    count -= 1
    let element = chunks[place.chunk].remove(at: place.offset)
    if chunks[place.chunk].isEmpty { chunks.remove(at: place.chunk) }
    return element
  }
}
