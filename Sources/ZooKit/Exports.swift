// Users of a kit need the core's types throughout. They pass the kit the portal to read from, so
// one import brings that in as well.
@_exported public import FieldCore
@_exported public import FieldPortals
