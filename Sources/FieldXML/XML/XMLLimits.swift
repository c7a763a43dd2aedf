/// Limits beyond which a document is rejected.
struct XMLLimits: Sendable, Hashable {
  /// The maximum size of the document as received, in bytes.
  var byteCount = 16 << 20
  /// The maximum number of elements that are open at once; libxml2 stops at 256.
  var depth = 64
  /// The maximum number of UTF-8 bytes between two tags or in one attribute.
  var textByteCount = 4 << 20
  /// The maximum number of attributes in a tag, including namespace declarations.
  var attributeCount = 256
}
