// The users of WalkFirestore need both for everything they do, so one import brings them.
@_exported public import FieldFirestore
@_exported public import WalkKit
