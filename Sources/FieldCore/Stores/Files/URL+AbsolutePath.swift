internal import FieldFoundation

extension URL {
  /// The absolute path of a file URL.
  ///
  /// The first use of `path` takes a tenth of a millisecond in a new process, so it is used only if there is something
  /// to decode or to remove.
  var absolutePath: String {
    let path = absoluteURL.path(percentEncoded: true)
    let needsDecoding = path.utf8.contains(UInt8(ascii: "%")) || path.utf8.last == UInt8(ascii: "/")
    return needsDecoding ? absoluteURL.path : path
  }
}
