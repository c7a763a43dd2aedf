/// Limits beyond which a document is rejected.
package struct XMLLimits: Sendable, Hashable {
  /// The maximum size of the document as received, in bytes.
  package var byteCount: Int
  /// The maximum number of elements that are open at once; libxml2 stops at 256.
  package var depth: Int
  /// The maximum number of UTF-8 bytes between two tags or in one attribute.
  package var textByteCount: Int
  /// The maximum number of attributes in a tag, including namespace declarations.
  package var attributeCount: Int

  /// Creates limits, which default to 16 MiB, 64 levels, 4 MiB of text, and 256 attributes.
  package init(
    byteCount: Int = 16 << 20, depth: Int = 64, textByteCount: Int = 4 << 20,
    attributeCount: Int = 256
  ) {
    self.attributeCount = attributeCount
    self.byteCount = byteCount
    self.depth = depth
    self.textByteCount = textByteCount
  }
}
