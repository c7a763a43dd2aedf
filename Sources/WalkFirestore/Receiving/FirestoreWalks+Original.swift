internal import FieldCore
public import FieldFirestore
internal import FieldFoundation
public import WalkKit

extension FirestoreWalks {
  /// Reads the documents of the original app: pets, and below each of them its walks.
  ///
  /// ```swift
  /// try await diary.add(try await cloud.originalDiary())
  /// try await diary.refresh(.now)  // sends everything in this package's layout
  /// ```
  ///
  /// Numbers may be text, and the reverse. The documents stay as they are. Importing them again, or on
  /// another device, adds nothing twice, because the IDs are those of the documents.
  ///
  /// - Parameter pets: The collection of pets. Defaults to `Pets`, with walks in `Pets/{id}/Walks`.
  /// - Returns: What was read, and what couldn't be.
  @concurrent
  public func originalDiary(in pets: FirestorePath = "Pets") async throws -> WalkImport {
    let client = originalClient
    var documents: [JSONValue] = []
    var failures: [RowFailure] = []
    for try await page in client.pages(of: pets) {
      failures += page.failures
      for pet in page.documents {
        var walks: [JSONValue] = []
        for try await page in client.pages(of: pet.path.child("Walks")) {
          failures += page.failures
          walks += page.documents.map { $0.json(in: client.database) }
        }
        documents.append(pet.json(in: client.database).adding(walks: walks))
      }
    }
    let text = (["Pets": ["documents": .array(documents)]] as JSONValue).canonicalText
    var found = try WalkImport(reading: Data(text.utf8), clock: clock, sizeLimit: .max)
    found.problems += failures.map {
      ImportProblem(path: $0.key ?? "", loss: .record, excerpt: $0.excerpt, reason: $0.reason)
    }
    return found
  }
}

extension JSONValue {
  /// Returns the document of a pet with its walks as a field, as the old app's exports have them.
  fileprivate func adding(walks: [JSONValue]) -> JSONValue {
    guard case .object(var members) = self else { return self }
    let field = Member(key: "walks", value: ["documents": .array(walks)])
    if let place = members.firstIndex(where: { $0.key == "fields" }),
      case .object(let fields) = members[place].value
    {
      members[place].value = .object(fields.filter { $0.key != "walks" } + [field])
    } else {
      members.append(.init(key: "fields", value: .object([field])))
    }
    return .object(members)
  }
}
