internal import CivicKit
internal import FieldCore
internal import FieldFoundation
internal import WalkKit

/// A kit in place of one that can't be added to a field, because its name is taken.
///
/// It never touches the data: under a name that is taken, that is the data of another kit. Every
/// method that can throws the reason, so that it appears wherever a kit's error does.
struct RefusedKit: Kit {
  let name: String
  let dataSources: [DataSource]
  let error: FieldError
  /// The kit that was refused, which is only closed.
  let kit: any Kit

  /// Returns kits to add to a field, where each whose name is taken is replaced by a refusal.
  ///
  /// Names are compared without case, because some volumes ignore the case of file names.
  ///
  /// - Parameter city: The name of the directory, which determines the names of its stores.
  static func replacingClashes(
    in others: [any Kit], beside kits: [any Kit], city: String
  ) -> [any Kit] {
    var names = Set(kits.map { $0.name.lowercased() })
    var stores: Set<String> = [
      "sightings", "metro-alerts", "metro-timetable", StoredWalks.storeName,
    ]
    for store in ["civic", "civic-feeds"] {
      stores.insert(CivicDirectory.storeName(store, of: city).lowercased())
    }
    return others.map { kit in
      let name = kit.name.lowercased()
      let reason: String
      if !names.insert(name).inserted {
        reason = "The field already contains a kit of that name."
      } else if stores.contains(name) {
        reason = "A kit of the field keeps its data under that name."
      } else {
        return kit
      }
      return RefusedKit(
        name: kit.name, dataSources: kit.dataSources,
        error: FieldError(
          .invalidInput,
          "The kit \(kit.name) wasn't added. \(reason) Pass another name when you create the kit; "
            + "names must differ in more than case.", operation: "field.add"),
        kit: kit)
    }
  }

  var nextRefreshDate: Date? { get async throws { throw error } }
  var lastRefresh: Date? { get async throws { throw error } }

  func open() async throws -> OpeningReport { throw error }
  func refresh(_ when: RefreshTrigger) async throws -> RefreshReport { throw error }
  func refreshProgress() -> RefreshProgressUpdates {
    RefreshProgressUpdates(AsyncStream { $0.finish() })
  }
  func eraseAll() async throws { throw error }
  func close() async throws {
    do {
      try await kit.close()
    } catch let error as FieldError where error.code == .invalidInput {
      // Its store belongs to another kit, so there is nothing to close.
    }
  }
}
