internal import FieldCore
public import FieldFoundation

extension MetroNetwork {
  /// Reads a network from the bytes of its compact form, as `Scripts/Generators/metro-network.py` writes
  /// it: so a host can bring a newer one than ``taipei`` along.
  ///
  /// All of it is checked before any of it is used.
  ///
  /// - Throws: `FieldError` with the code
  ///   - `.emptyBody`, `.unknownFormat`, `.encoding` when this is no network file;
  ///   - `.newerFormat` when a newer version of the package is needed to read it;
  ///   - `.cut` when its end is missing;
  ///   - `.malformed` when something in it does not fit: codes that are not there, times below zero,
  ///     places that are none, names that mean two stations. `problems` names each.
  public init(reading bytes: some Sequence<UInt8>) throws {
    var builder = NetworkBuilder(try NetworkReader(Array(bytes)).draft)
    self.init(content: try builder.build())
  }

  /// Reads a network from a file; see ``init(reading:)``.
  ///
  /// - Throws: `FieldError` with the code `.io` when the file cannot be read, and what
  ///   ``init(reading:)`` throws.
  public init(contentsOf file: URL) throws {
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      throw FieldError(
        .io, "the network file \(file.lastPathComponent) cannot be read; is it there?",
        underlying: error)
    }
    try self.init(reading: data)
  }
}
