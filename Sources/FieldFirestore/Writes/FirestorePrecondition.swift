package import FieldCore

/// A condition that a document must meet for a write to be applied.
public enum FirestorePrecondition: Sendable, Hashable {
  /// The document exists, or it doesn't.
  case exists(Bool)
  /// The document exists and was last changed at this time.
  case updateTime(FirestoreTimestamp)

  package var json: JSONValue {
    switch self {
    case .exists(let flag): ["exists": .bool(flag)]
    case .updateTime(let time): ["updateTime": .string(time.description)]
    }
  }

  package init(json: JSONValue) throws(FirestoreValueProblem) {
    guard case .object(let members) = json, members.count == 1, let member = members.first else {
      throw FirestoreValueProblem("has a precondition without one condition")
    }
    if member.key == "exists", case .bool(let flag) = member.value {
      self = .exists(flag)
    } else if member.key == "updateTime",
      let time = member.value.string.flatMap(FirestoreTimestamp.init(rfc3339:))
    {
      self = .updateTime(time)
    } else {
      throw FirestoreValueProblem("has a precondition that isn't known")
    }
  }
}

/// The fields of an existing document that a `set` replaces.
public enum FirestoreMerge: Sendable, Hashable {
  /// The fields in the input; all others stay.
  case all
  /// The fields at these paths; all others stay, and the rest of the input is ignored.
  case fields([FirestoreFieldPath])
}
