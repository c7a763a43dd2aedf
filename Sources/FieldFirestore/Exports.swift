// The users of FieldFirestore need the core's types for everything they do, so one import brings both.
@_exported public import FieldCore
