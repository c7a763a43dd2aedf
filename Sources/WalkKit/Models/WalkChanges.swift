public import FieldCore
public import FieldFoundation

/// A change to the owner's entries about a walk; fields that are `nil` stay as they are.
public struct WalkChanges: Hashable, Sendable, Codable {
  /// The weather.
  public var weather: WalkWeather?
  /// The grade of the fine dust.
  public var dust: DustGrade?
  /// The notes that replace the existing ones; see ``originalNotes``.
  public var notes: [WalkNote]?
  /// The notes that ``notes`` were edited from; `nil` to replace all.
  ///
  /// Notes that have been added, edited, or removed since, such as by another device while a form was open, stay
  /// that way. For another change in the same form, pass the notes of the walk that the last one returned.
  public var originalNotes: [WalkNote]?
  /// The pets on the walk, at least one.
  ///
  /// Pets that were on the walk keep the times at which they joined and left; others join at the
  /// start.
  public var pets: [Pet.ID]?
  /// The start.
  ///
  /// The route doesn't change; see ``WalkDiary/trim(_:to:)``.
  public var start: Date?
  /// The end.
  ///
  /// The pauses stay as long as they were.
  public var end: Date?
  /// The distance of a walk without a route.
  public var distance: Distance?
  /// The fields to clear; a new value in the same change takes precedence.
  public var cleared: Set<Field>

  /// Creates a change.
  public init(
    weather: WalkWeather? = nil, dust: DustGrade? = nil, notes: [WalkNote]? = nil,
    editedFrom originalNotes: [WalkNote]? = nil, clearing cleared: Set<Field> = [],
    pets: [Pet.ID]? = nil, start: Date? = nil, end: Date? = nil, distance: Distance? = nil
  ) {
    self.pets = pets
    self.start = start
    self.end = end
    self.distance = distance
    self.weather = weather
    self.dust = dust
    self.notes = notes
    self.originalNotes = originalNotes
    self.cleared = cleared
  }

  /// A field of a walk that can be cleared, as an open set of names.
  public struct Field: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name of the field.
    public var rawValue: String
    /// Creates a field from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name of the field.
    public var description: String { rawValue }

    /// The weather.
    public static var weather: Field { Field(rawValue: "weather") }
    /// The grade of the fine dust.
    public static var dust: Field { Field(rawValue: "dust") }
    /// The measured air quality.
    public static var air: Field { Field(rawValue: "air") }
  }
}

extension WalkChanges {
  /// Returns the notes that replace the current ones; `nil` if they stay.
  func notes(over current: [WalkNote]) -> [WalkNote]? {
    guard var notes, let originalNotes else { return notes }
    // Notes that this change adds as well, or has removed, which needn't be inserted.
    var settled = notes.difference(from: originalNotes).insertions.map { $0.element }
    var moved: [WalkNote] = []
    for change in current.difference(from: originalNotes) {
      let note = change.element
      switch change {
      case .remove:
        if notes.removeFirst(note) { moved.append(note) } else { settled.append(note) }
      case .insert(let place, _, _):
        if !moved.removeFirst(note), settled.removeFirst(note) { continue }
        notes.insert(note, at: min(place, notes.count))
      }
    }
    return notes
  }
}

extension CollectionDifference.Change {
  fileprivate var element: ChangeElement {
    switch self {
    case .insert(_, let element, _), .remove(_, let element, _): element
    }
  }
}

extension [WalkNote] {
  /// Removes the first note that equals this one, and returns whether there was one.
  fileprivate mutating func removeFirst(_ note: WalkNote) -> Bool {
    guard let place = firstIndex(of: note) else { return false }
    remove(at: place)
    return true
  }
}
