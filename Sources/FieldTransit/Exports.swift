// Users of FieldTransit need the core's types for everything they do, so one import provides both.
@_exported public import FieldCore
