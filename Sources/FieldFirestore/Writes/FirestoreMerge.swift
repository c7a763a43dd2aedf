/// Which fields of an existing document a set replaces.
public enum FirestoreMerge: Sendable, Hashable {
  /// Each field that is given; all others stay.
  case all
  /// The fields at these paths; all others stay, and what else is given is ignored.
  case fields([FirestoreFieldPath])
}
