/// The mounted volumes of a Linux system, as `/proc/self/mountinfo` lists them.
package struct MountTable: Sendable {
  private struct Volume: Sendable {
    var point: String
    var type: String

    func contains(_ path: String) -> Bool {
      path == point || path.hasPrefix(point == "/" ? point : point + "/")
    }
  }

  private let volumes: [Volume]

  /// Creates a table from the text of the file; a line of another form is skipped.
  package init(_ text: String) {
    volumes = text.split(separator: "\n").compactMap { line -> Volume? in
      let fields = line.split(separator: " ", omittingEmptySubsequences: false)
      // Six fields, any number of optional ones, a dash, and the type.
      guard let dash = fields.dropFirst(6).firstIndex(of: "-"), dash + 1 < fields.count else {
        return nil
      }
      return Volume(point: Self.unescaped(fields[4]), type: String(fields[dash + 1]))
    }
  }

  /// Returns the kind of the volume that contains a path without links.
  package func location(of path: String) -> FileLocation {
    // Of several volumes at one place, the last hides the others.
    let volume = volumes.reversed().filter { $0.contains(path) }
      .max { $0.point.utf8.count < $1.point.utf8.count }
    return volume.map { Self.isNetwork($0.type) } ?? false ? .network : .local
  }

  /// A program behind FUSE may keep the files anywhere, so only those known to be local are.
  private static func isNetwork(_ type: String) -> Bool {
    networkTypes.contains(type) || (type.hasPrefix("fuse.") && !localTypes.contains(type))
  }

  private static let networkTypes = [
    "9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "fuse", "gpfs", "lustre", "ncpfs",
    "nfs", "nfs4", "orangefs", "smb3", "smbfs",
  ]

  private static let localTypes = [
    "fuse.bindfs", "fuse.encfs", "fuse.fuse-overlayfs", "fuse.gocryptfs", "fuse.mergerfs",
    "fuse.ntfs-3g",
  ]

  /// Spaces and the like are written as a backslash and three octal digits.
  private static func unescaped(_ field: Substring) -> String {
    guard field.utf8.contains(UInt8(ascii: "\\")) else { return String(field) }
    var bytes: [UInt8] = []
    var rest = Array(field.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(3), as: UTF8.self)
      if byte == UInt8(ascii: "\\"), let code = UInt8(digits, radix: 8) {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
