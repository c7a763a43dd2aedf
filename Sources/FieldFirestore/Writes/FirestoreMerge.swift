/// The fields of an existing document that a `set` replaces.
public enum FirestoreMerge: Sendable, Hashable {
  /// The fields in the input; all others stay.
  case all
  /// The fields at these paths; all others stay, and the rest of the input is ignored.
  case fields([FirestoreFieldPath])
}
