// A kit's users need the core's types for everything they do. They give the kit the portal that it reads,
// so one import brings that as well.
@_exported public import FieldCore
@_exported public import FieldPortals
