internal import FieldCore
internal import FieldFoundation

/// A reader that turns the records of old documents into pets and walks, and notes their problems.
struct OldReader {
  let now: Date
  private(set) var pets: [Pet] = []
  private(set) var walks: [Walk.ID: Walk] = [:]
  private var order: [Walk.ID] = []
  var problems: [ImportProblem] = []
  var unknownKeys: Set<String> = []
  private var petIDs: Set<Pet.ID> = []
  /// The number of pets with each name that received an ID from their content so far.
  private var sameNames: [String: Int] = [:]

  init(now: Date) { self.now = now }

  private static let petKeys: Set<String> = [
    "key", "name", "breed", "gender", "birth", "weight", "profileurl", "walks", "__collections__",
  ]

  var walksInOrder: [Walk] { order.compactMap { walks[$0] } }

  mutating func read(_ document: OldDocument) {
    guard document.isObject else {
      return lose(document.path, document.value, "the pet isn't an object")
    }
    var fields = OldFields(document, known: Self.petKeys)
    let name = petName(&fields)
    let id = petID(&fields, name: name)
    let pet = Pet(
      id: id, name: name, breed: breed(&fields), gender: gender(&fields), birth: birth(&fields),
      weight: weight(&fields), photo: portrait(&fields), registered: now)
    take(fields)
    pets.append(pet)
    guard let documents = OldDocuments.walks(of: document) else {
      return lose(fields.path("walks"), fields.value("walks"), "the walks aren't a list")
    }
    var counts: [String: Int] = [:]
    for walk in documents { readWalk(walk, of: pet, &counts) }
  }

  mutating func take(_ fields: OldFields) {
    problems += fields.problems
    unknownKeys.formUnion(fields.unknown)
  }

  mutating func lose(_ path: String, _ value: JSONValue?, _ reason: String) {
    let excerpt = value?.canonicalText ?? ""
    problems.append(ImportProblem(path: path, loss: .record, excerpt: excerpt, reason: reason))
  }

  /// Adds a walk; if another pet already contributed it, this pet is added to it.
  mutating func keep(_ walk: Walk) {
    if let known = walks[walk.id] {
      walks[walk.id]?.pets += walk.pets.filter { !known.includes($0.pet) }
    } else {
      walks[walk.id] = walk
      order.append(walk.id)
    }
  }

  private func petName(_ fields: inout OldFields) -> String {
    if let name = fields.text("name", or: "the name isn't a string") { return name }
    let substitute = fields.value("key")?.words ?? "Pet \(pets.count + 1)"
    fields.note("name", .value, "the pet has no name, so it is named \(substitute)")
    return substitute
  }

  private mutating func petID(_ fields: inout OldFields, name: String) -> Pet.ID {
    let key = fields.key()
    if let key, ImportID.isUsable(key) {
      let id = Pet.ID(rawValue: key)
      if petIDs.insert(id).inserted { return id }
      fields.note("key", .value, "another pet has this key, so the pet has a new one")
    } else if key != nil {
      fields.note("key", .value, "the key has a slash or is too long, so the pet has a new one")
    }
    let nameKey = Pet.nameKey(of: name)
    while true {
      let count = sameNames[nameKey, default: 0]
      sameNames[nameKey] = count + 1
      let id = Pet.ID(rawValue: ImportID.make("pet", [nameKey, "\(count)"]))
      if petIDs.insert(id).inserted { return id }
    }
  }

  private func breed(_ fields: inout OldFields) -> Breed {
    if let text = fields.text("breed", or: "the breed isn't a string") { return Breed(text) }
    if !fields.hasNoted("breed") {
      fields.note("breed", .value, "the pet has no breed, so it is imported as another breed (기타)")
    }
    return .other
  }

  private func gender(_ fields: inout OldFields) -> Gender? {
    fields.text("gender", or: "the gender isn't a string").map { Gender(rawValue: $0) }
  }

  private func birth(_ fields: inout OldFields) -> CalendarDay? {
    guard let text = fields.text("birth", or: "the birth date isn't a string") else { return nil }
    guard let day = TimestampParser(zone: .seoul).instant(text)?.day else {
      fields.note("birth", .value, "the birth date isn't a date")
      return nil
    }
    // Seoul's day begins no later than that of any other place where the old app was used.
    guard day <= CalendarDay(now, in: .seoul) else {
      fields.note("birth", .value, "the birth date is in the future")
      return nil
    }
    return day
  }

  private func weight(_ fields: inout OldFields) -> Weight? {
    guard let text = fields.text("weight", or: "the weight is neither a number nor a string") else {
      return nil
    }
    if let weight = try? Weight(text) { return weight }
    // JSON may contain numbers such as 1e1, which people don't type.
    if case .number? = fields.value("weight"), let number = fields.value("weight")?.double,
      number > 0
    {
      return .kilograms(number)
    }
    fields.note("weight", .value, "the weight isn't a number of kilograms above zero")
    return nil
  }

  private func portrait(_ fields: inout OldFields) -> WalkPhoto? {
    guard let text = fields.text("profileURL", or: "the URL isn't a string") else { return nil }
    guard let url = OldFields.address(text) else {
      fields.note("profileURL", .value, "this isn't the URL of a photo")
      return nil
    }
    return WalkPhoto(id: WalkPhoto.ID(rawValue: "profile"), url: url)
  }
}
