internal import FieldCore
internal import FieldFirestore

/// A document, or a change of one, in which each field knows when it was edited.
///
/// Two states are merged field by field, and the later edit wins. Merging in any order and any number of times
/// ends in the same state, so devices that have seen the same edits are equal. The elements of a walk's
/// photos, notes, and pets are fields of their own, named such as `photos/1`.
///
/// A document exists if it was created after it was last removed: a removal wins over edits, whenever they
/// were made, and ends only if the record is created again.
struct DocumentState: Hashable, Sendable {
  /// The values by field.
  var values: [String: FieldValue] = [:]
  /// When the fields were edited, if not by the creation. One without a value was removed.
  var stamps: [String: Stamp] = [:]
  /// What the edits of ``stamps`` have seen of earlier ones of their fields, and under ``removedField`` the
  /// removal of the whole document; nothing for an edit of an earlier version.
  var seen: [String: SeenEdits] = [:]
  /// When the record was created; `nil` in a change of an existing one.
  var created: Stamp?
  var removed: Stamp?

  var isAlive: Bool {
    guard let created else { return false }
    return removed.map { $0 < created } ?? true
  }

  /// The latest stamp of all.
  var latest: Stamp? { (stamps.values + [created, removed].compactMap(\.self)).max() }

  /// The stamp of a field; `nil` if this is a change that doesn't contain it.
  func stamp(of field: String) -> Stamp? { stamps[field] ?? created }

  /// The names of all fields that have a value or a stamp.
  var fields: Set<String> { Set(values.keys).union(stamps.keys) }

  /// Returns this state with another one merged into it. Of values with equal stamps, this one's stay.
  func merged(with other: DocumentState) -> DocumentState {
    var merged = DocumentState()
    merged.created = [created, other.created].compactMap(\.self).max()
    merged.removed = [removed, other.removed].compactMap(\.self).max()
    for field in fields.union(other.fields) {
      let (mine, theirs) = (stamp(of: field), other.stamp(of: field))
      let isMine = theirs.map { theirs in mine.map { $0 >= theirs } ?? false } ?? true
      guard let stamp = isMine ? mine : theirs else { continue }
      // What was edited before the removal is gone with it.
      if let removed = merged.removed, stamp <= removed { continue }
      merged.values[field] = isMine ? values[field] : other.values[field]
      guard stamp != merged.created else { continue }
      merged.stamps[field] = stamp
      merged.seen[field] = isMine ? seen[field] : other.seen[field]
    }
    if let removed = merged.removed {
      let remover = removed == self.removed ? self : other
      merged.seen[Self.removedField] = remover.seen[Self.removedField]
    }
    return merged
  }

  /// Returns what an edit of a field that is made now has seen of the earlier ones.
  func seenEdits(of field: String) -> SeenEdits {
    var edits = seen[field] ?? SeenEdits()
    edits.insert(stamps[field])
    return edits
  }

  /// What a removal that is made now has seen of the earlier edits.
  var seenEdits: SeenEdits {
    var edits = SeenEdits()
    for edit in seen.values { edits.formUnion(edit) }
    for stamp in stamps.values { edits.insert(stamp) }
    edits.insert(created)
    edits.insert(removed)
    return edits
  }

  /// Returns the fields of a change whose edits this state has overruled without having seen them.
  ///
  /// - Parameter assumesSeen: Pass `true` to leave out the fields whose edits don't say what they have seen.
  func overruled(_ change: DocumentState, assumesSeen: Bool = false) -> [String] {
    // Nobody misses what an edit says that removes the record, too.
    if change.removed != nil && !change.isAlive { return [] }
    return change.fields.filter { field in
      guard let stamp = change.stamp(of: field) else { return false }
      if !isAlive || removed.map({ $0 >= stamp }) ?? false {
        return !(seen[Self.removedField]?.contains(stamp) ?? assumesSeen)
      }
      guard let mine = self.stamp(of: field), mine > stamp, values[field] != change.values[field]
      else { return false }
      // A record that is edited is known, but two devices may create one with the same ID.
      if stamps[field] == nil { return true }
      if stamp == created { return false }
      return !(seen[field]?.contains(stamp) ?? assumesSeen)
    }.sorted()
  }

  /// Forgets when fields were edited, if they haven't been edited since a change.
  mutating func forget(_ change: DocumentState, _ fields: some Sequence<String>) {
    for field in fields where stamps[field] == change.stamp(of: field) {
      stamps[field] = nil
      seen[field] = nil
    }
  }
}

extension DocumentState {
  /// The collections whose elements are fields of their own.
  private static let collections: Set<String> = ["photos", "notes", "pets"]
  /// The field with the stamp of the removal.
  static let removedField = "removed"
  private static let own: Set<String> = [
    "type", "id", "created", removedField, "edited", "seen", "changedAt",
  ]

  /// Returns a Boolean value that indicates whether a field is an element of a collection.
  static func isElement(_ field: String) -> Bool {
    let names = field.parts(at: "/", maxSplits: 1)
    return names.count == 2 && collections.contains(String(names[0]))
  }

  /// Reads the fields of a document, or of a change.
  init(_ fields: FirestoreFields) {
    created = fields["created"]?.string.map(Stamp.init(text:))
    removed = fields[Self.removedField]?.string.map(Stamp.init(text:))
    for stamp in fields["edited"]?.map ?? [:] {
      if let text = stamp.value.string { stamps[stamp.name] = Stamp(text: text) }
    }
    for edits in fields["seen"]?.map ?? [:] {
      if let text = edits.value.string { seen[edits.name] = SeenEdits(text: text) }
    }
    for (name, field) in [String: FieldValue](fields) where !Self.own.contains(name) {
      if Self.collections.contains(name), let elements = field.value.map {
        for element in elements { values["\(name)/\(element.name)"] = .init(element.value) }
      } else {
        values[name] = field
      }
    }
  }

  /// The path of a field in the document.
  static func path(of field: String) -> FirestoreFieldPath {
    FirestoreFieldPath(segments: field.parts(at: "/", maxSplits: 1).map(String.init))
  }

  /// The fields of the document, without the time of the last change.
  var document: FirestoreFields {
    var fields = FirestoreFields()
    // In order, so that each is added at the end.
    for path in paths.sorted() { fields[path] = value(at: path) }
    return fields
  }

  /// The paths of everything that the state contains.
  var paths: Set<FirestoreFieldPath> {
    var paths = Set(values.keys.map(Self.path(of:)))
    for (name, field) in values where field.exact != nil {
      paths.insert(FirestoreFieldPath(segments: [FieldValue.exactField, name]))
    }
    paths.formUnion(stamps.keys.map { FirestoreFieldPath(segments: ["edited", $0]) })
    paths.formUnion(seen.keys.map { FirestoreFieldPath(segments: ["seen", $0]) })
    if created != nil { paths.insert("created") }
    if removed != nil { paths.insert("removed") }
    return paths
  }

  /// The value at one of the ``paths``.
  func value(at path: FirestoreFieldPath) -> FirestoreValue? {
    switch (path.segments.first, path.segments.count) {
    case ("created", 1): created.map { .string($0.text) }
    case ("removed", 1): removed.map { .string($0.text) }
    case ("edited", 2): stamps[path.segments[1]].map { .string($0.text) }
    case ("seen", 2): seen[path.segments[1]].map { .string($0.text) }
    case (FieldValue.exactField, 2): values[path.segments[1]]?.exact
    default: values[path.segments.joined(separator: "/")]?.value
    }
  }

  init(text: String) throws {
    do {
      self.init(try FirestoreFields(json: try JSONDocument.value(Array(text.utf8))))
    } catch {
      throw FieldError(.damaged, "A stored edit can't be read: it \(error).")
    }
  }

  /// The state as it is stored.
  var text: String { document.json.canonicalText }
}

extension DocumentState {
  /// Reads a document of the server. One that was written without stamps counts as created before all edits.
  init(_ document: FirestoreDocument) {
    self.init(document.fields)
    if created == nil && removed == nil { created = Stamp.none }
  }
}
