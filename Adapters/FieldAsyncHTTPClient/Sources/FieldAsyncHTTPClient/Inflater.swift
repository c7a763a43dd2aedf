internal import CFieldZlib
internal import FieldCore

/// A decoder of gzip that produces 16 KiB at a time and knows whether the data is complete.
final class Inflater {
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var output = [UInt8](repeating: 0, count: 16 << 10)
  private(set) var isAtEnd = false

  init() throws {
    stream.initialize(to: z_stream())
    guard fieldInflateInit(stream) == Z_OK else { throw FieldError(.transport, "zlib failed.") }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  func decode(_ input: some Collection<UInt8>, _ use: (ArraySlice<UInt8>) throws -> Void) throws {
    var input = Array(input)
    try input.withUnsafeMutableBufferPointer { input in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = UInt32(input.count)
      repeat {
        // A file may have several members.
        if isAtEnd, stream.pointee.avail_in > 0 { isAtEnd = inflateReset(stream) != Z_OK }
        let status = output.withUnsafeMutableBufferPointer { output in
          stream.pointee.next_out = output.baseAddress
          stream.pointee.avail_out = UInt32(output.count)
          return inflate(stream, Z_NO_FLUSH)
        }
        isAtEnd = status == Z_STREAM_END
        guard isAtEnd || status == Z_OK || status == Z_BUF_ERROR else {
          throw FieldError(.bodyCut, "The body can't be decoded.")
        }
        try use(output[..<(output.count - Int(stream.pointee.avail_out))])
      } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
    }
  }
}
