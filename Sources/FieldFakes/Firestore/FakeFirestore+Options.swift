public import FieldFirestore

extension FakeFirestore {
  /// How a database behaves.
  public struct Options: Sendable {
    /// A Boolean value that indicates whether queries that need a composite index fail without one. Defaults
    /// to `true`.
    public var requiresIndexes = true
    /// The composite indexes.
    public var indexes: [Index] = []
    /// The limits of documents and requests.
    public var limits = FirestoreLimits()
    /// The status of a creation whose document exists. Defaults to `ALREADY_EXISTS`; clients have to
    /// understand `FAILED_PRECONDITION` as well.
    public var failedCreationStatus = "ALREADY_EXISTS"
    /// The tokens that are accepted; `nil`, the default, for any and for none.
    public var validTokens: Set<String>?
    /// The rules: returns a Boolean value that indicates whether an access is allowed. By default, all are.
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
    /// The fields and their directions; `nil` for the elements of an array.
    public var fields: [Field]
    /// A Boolean value that indicates whether the index is of all collections of the ID, for queries of the
    /// group.
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
      public init(
        _ path: FirestoreFieldPath, _ direction: FirestoreQuery.Direction = .ascending
      ) {
        self.path = path
        self.direction = direction
      }
    }
  }

  /// An access that the rules decide on.
  public struct Access: Sendable {
    /// What is done.
    public var kind: Kind
    /// The document, or for a list the collection.
    public var path: FirestorePath
    /// The token of the request; `nil` if it has none.
    public var token: String?
    /// The document as it would be after a write; `nil` for reads and deletions.
    public var fields: FirestoreFields?

    /// What is done.
    public enum Kind: Sendable, Hashable {
      /// A document is read.
      case get
      /// A collection is read.
      case list
      /// A document is created.
      case create
      /// A document is changed.
      case update
      /// A document is deleted.
      case delete
    }
  }
}
