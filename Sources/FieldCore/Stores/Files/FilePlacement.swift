/// The conditions under which a store keeps its files.
package struct FilePlacement: Sendable, Hashable {
  /// The protection class, or `nil` for the one that the platform gives to the app's files.
  package var protection: FileProtection?
  /// A Boolean value that indicates whether backups of the device include the files.
  package var isBackedUp: Bool
  /// A Boolean value that indicates whether the files may be on a network volume.
  package var allowsNetworkVolumes: Bool

  package init(
    protection: FileProtection? = nil, isBackedUp: Bool = true, allowsNetworkVolumes: Bool = false
  ) {
    self.protection = protection
    self.isBackedUp = isBackedUp
    self.allowsNetworkVolumes = allowsNetworkVolumes
  }

  /// A Boolean value that indicates whether files that are open can be read as long as the device works, unless it has given them another
  /// protection class than this.
  var staysReadable: Bool { protection != .complete && !allowsNetworkVolumes }

  /// A Boolean value that indicates whether the device may refuse access while it is locked.
  ///
  /// An app can have a default class that this code doesn't know.
  var mayBeLocked: Bool {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      return protection != .unprotected
    #else
      return protection != nil && protection != .unprotected
    #endif
  }
}

/// A kind of volume.
package enum FileLocation: Sendable, Hashable {
  /// A volume of this device.
  case local
  /// A volume of another machine, whose locks and syncs can't be relied on.
  case network
  /// A container that the system synchronizes with iCloud, which replaces files at any time.
  case ubiquitous
}
