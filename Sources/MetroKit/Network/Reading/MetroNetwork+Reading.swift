internal import FieldCore
public import FieldFoundation

extension MetroNetwork {
  /// Creates a network by reading its compact form, which `Scripts/Generators/metro-network.py`
  /// writes.
  ///
  /// Use this initializer to load a newer network than ``taipei``. All data is validated before any
  /// of it is used.
  ///
  /// - Throws: `FieldError` with the code
  ///   - `.emptyBody`, `.unknownFormat`, or `.encoding` if the bytes aren't a network file.
  ///   - `.newerFormat` if reading it requires a newer version of the package.
  ///   - `.cut` if its end is missing.
  ///   - `.malformed` if its content is inconsistent: missing codes, negative times, invalid
  ///     locations, or names of two stations. `problems` describes each.
  public init(reading bytes: some Sequence<UInt8>) throws {
    var builder = NetworkBuilder(try NetworkReader(Array(bytes)).draft)
    self.init(content: try builder.build())
  }

  /// Creates a network by reading a file; see ``init(reading:)``.
  ///
  /// ```swift
  /// let network = try MetroNetwork(contentsOf: folder.appending(path: "taipei.network"))
  /// print(network.version, network.stations.count)
  /// ```
  ///
  /// - Throws: `FieldError` with the code `.io` if the file can't be read, or an error of
  ///   ``init(reading:)``.
  public init(contentsOf file: URL) throws {
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      throw FieldError(
        .io, "The network file \(file.lastPathComponent) can't be read. Check that it exists.",
        underlying: error)
    }
    try self.init(reading: data)
  }
}
