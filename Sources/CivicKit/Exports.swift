// Users of a kit need the core's types for everything they do, so one import provides both. Items
// of feeds have authors and media, which are types of FieldXML.
@_exported public import FieldCore
@_exported public import FieldXML
