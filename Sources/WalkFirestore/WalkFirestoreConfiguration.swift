public import FieldCore
public import FieldFirestore

/// The place in Firestore and Cloud Storage where a diary is kept.
public struct WalkFirestoreConfiguration: Sendable {
  /// The database and its tokens.
  public var firestore: FirestoreConfiguration
  /// The bucket for photos; `nil` to keep photos on the device that took them.
  public var photos: StorageConfiguration?
  /// The document below which the diary is, such as `users/ada`; empty for the root of the database.
  ///
  /// A diary has the collections `diary` and `routes`.
  public var root: FirestorePath
  /// How often the diary asks for changes of other devices.
  ///
  /// Defaults to every 30 seconds.
  public var interval: Duration = .seconds(30)
  /// When edits are sent again, and how many at the same time.
  public var outbox = OutboxPolicy()
  /// The most bytes of a route in a document, which has room for 1 MiB. Tests use fewer.
  var routePartSize = 768 << 10

  /// Creates a configuration.
  public init(
    _ firestore: FirestoreConfiguration, photos: StorageConfiguration? = nil,
    root: FirestorePath = ""
  ) {
    self.firestore = firestore
    self.photos = photos
    self.root = root
  }

  /// Returns the configuration of a diary in Firestore.
  ///
  /// - Parameters:
  ///   - firestore: The database and its tokens.
  ///   - photos: The bucket for photos; `nil` to keep photos on the device that took them.
  ///   - root: The document below which the diary is, such as `users/ada`.
  public static func firestore(
    _ firestore: FirestoreConfiguration, photos: StorageConfiguration? = nil,
    root: FirestorePath = ""
  ) -> WalkFirestoreConfiguration {
    WalkFirestoreConfiguration(firestore, photos: photos, root: root)
  }

  var diary: FirestorePath { root.child("diary") }

  /// The document with a part of a route; a later one has its number after the hash.
  func route(_ id: BlobID, part: Int = 0) -> FirestorePath {
    root.child("routes").child(id.hexadecimal + (part == 0 ? "" : "-\(part + 1)"))
  }

  func photo(_ id: BlobID) -> String {
    (root.text.isEmpty ? "" : "\(root.text)/") + "photos/\(id.hexadecimal)"
  }
}
