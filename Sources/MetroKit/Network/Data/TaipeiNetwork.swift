/// The compact form of Taipei's network, compiled in. `Scripts/Generators/metro-network.py`
/// generated it from TDX's responses and data.taipei's list of exits.
enum TaipeiNetwork {
  /// The whole network, as in a file.
  static var bytes: [UInt8] {
    var bytes = [lines, stops, exits, trains].flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
    let count = bytes.count { $0 == UInt8(ascii: "\n") }
    bytes.append(contentsOf: "end \(count)\n".utf8)
    return bytes
  }
}
