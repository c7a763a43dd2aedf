/// How much of a document is read before it is refused.
package struct XMLLimits: Sendable, Hashable {
  /// The most bytes that a document may have as it came.
  package var byteCount: Int
  /// The most elements that may be open at once; libxml2 itself stops at 256.
  package var depth: Int
  /// The most bytes of UTF-8 that may stand between two tags, or in one attribute.
  package var textByteCount: Int
  /// The most attributes that a tag may have, declarations of namespaces among them.
  package var attributeCount: Int

  /// Makes limits: 16 MiB, 64 levels, 4 MiB of text and 256 attributes unless told otherwise.
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
