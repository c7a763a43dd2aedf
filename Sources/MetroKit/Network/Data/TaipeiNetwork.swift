/// The compact form of Taipei's network, compiled in. `Scripts/Generators/metro-network.py`
/// generated it from TDX's responses and data.taipei's list of exits.
enum TaipeiNetwork {
  /// The whole network, as in a file.
  static var bytes: [UInt8] {
    var bytes: [UInt8] = []
    var count = 0
    for part in [lines, stops, exits, trains] {
      for byte in part.utf8 {
        bytes.append(byte)
        if byte == UInt8(ascii: "\n") { count += 1 }
      }
      bytes.append(UInt8(ascii: "\n"))
      count += 1
    }
    bytes.append(contentsOf: "end \(count)\n".utf8)
    return bytes
  }
}
