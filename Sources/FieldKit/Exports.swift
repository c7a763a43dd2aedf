// One `import FieldKit` is enough for an app. Keep this file free of anything else.
@_exported public import CivicKit
@_exported public import FieldCore
@_exported public import FieldPortals
@_exported public import FieldURLSession
@_exported public import FieldXML
@_exported public import MeteorKit
@_exported public import MetroKit
@_exported public import WalkKit
@_exported public import ZooKit
