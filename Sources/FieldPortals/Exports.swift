// Users of FieldPortals need the core's types throughout, so one import brings in both.
@_exported public import FieldCore
