// A kit's users need the core's types for everything they do, so one import brings both. Items of feeds
// have authors and media, which are types of FieldXML.
@_exported public import FieldCore
@_exported public import FieldXML
