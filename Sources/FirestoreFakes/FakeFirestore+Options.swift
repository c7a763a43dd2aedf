public import FieldFirestore

extension FakeFirestore {
  /// The behavior of a fake database.
  public struct Options: Sendable {
    /// A Boolean value that indicates whether queries fail without the composite index they need.
    ///
    /// Defaults to `true`.
    public var requiresIndexes = true
    /// The composite indexes.
    public var indexes: [Index] = []
    /// The limits of documents and requests.
    public var limits = FirestoreLimits()
    /// The status of a creation whose document exists.
    ///
    /// Defaults to `ALREADY_EXISTS`.
    ///
    /// Clients must understand `FAILED_PRECONDITION`, too.
    public var failedCreationStatus = "ALREADY_EXISTS"
    /// The accepted tokens.
    ///
    /// Defaults to `nil`, which accepts any token and none.
    public var validTokens: Set<String>?
    /// The security rules: returns a Boolean value that indicates whether an access is allowed.
    ///
    /// By default, every access is.
    ///
    /// The closure must not use the database itself.
    public var isAllowed: @Sendable (Access) -> Bool = { _ in true }

    /// Creates the default behavior.
    public init() {}
  }

  /// A composite index.
  public struct Index: Sendable, Hashable {
    /// The ID of the collections.
    public var collectionID: String
    /// The fields and their directions; the direction is `nil` for the elements of an array.
    public var fields: [Field]
    /// A Boolean value that indicates whether the index covers all collections with the ID, for
    /// collection group queries.
    public var isGroup: Bool

    /// Creates an index.
    public init(_ collectionID: String, _ fields: Field..., isGroup: Bool = false) {
      self.collectionID = collectionID
      self.fields = fields
      self.isGroup = isGroup
    }

    /// A field of an index.
    public struct Field: Sendable, Hashable {
      /// The field.
      public var path: FirestoreFieldPath
      /// The direction.
      public var direction: FirestoreQuery.Direction

      /// Creates a field.
      public init(_ path: FirestoreFieldPath, _ direction: FirestoreQuery.Direction = .ascending) {
        self.path = path
        self.direction = direction
      }
    }
  }

  /// An access that the rules allow or deny.
  public struct Access: Sendable {
    /// The kind of access.
    public var kind: Kind
    /// The document, or the collection of a list.
    public var path: FirestorePath
    /// The token of the request, or `nil` if it has none.
    public var token: String?
    /// The document as it would be after a write, or `nil` for reads and deletions.
    public var fields: FirestoreFields?

    /// A kind of access.
    public enum Kind: Sendable, Hashable {
      /// Reading a document.
      case get
      /// Reading a collection.
      case list
      /// Creating a document.
      case create
      /// Changing a document.
      case update
      /// Deleting a document.
      case delete
    }
  }
}
