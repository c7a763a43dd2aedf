// The privacy manifest is a resource, and a target with resources needs a source file. SwiftPM adds
// one that imports Foundation, so FieldCore depends on this target on Apple platforms only.
