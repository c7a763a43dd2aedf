/// A stack of up to ``JSONScanner/deepest`` open arrays and objects with one bit each, which allocates no
/// memory.
struct JSONNesting {
  /// The innermost 64 or fewer, the innermost in the lowest bit: 1 for an object, 0 for an array.
  private var bits: UInt64 = 0
  private var count = 0
  /// The outer 64, if there are more than 64.
  private var outer: UInt64 = 0

  var isEmpty: Bool { count == 0 }

  /// A Boolean value that indicates whether the innermost is an object.
  var isInObject: Bool { bits & 1 == 1 }

  @inline(__always)
  mutating func removeAll() {
    bits = 0
    count = 0
  }

  @inline(__always)
  mutating func push(isObject: Bool) {
    if count == 64 { outer = bits }
    bits = bits &<< 1 | (isObject ? 1 : 0)
    count &+= 1
  }

  @inline(__always)
  mutating func pop() {
    bits &>>= 1
    count &-= 1
    if count == 64 { bits = outer }
  }
}
