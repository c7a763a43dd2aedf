public import FieldFoundation

/// A report of what salvaging a store file recovered, and of what is lost.
public struct SalvageReport: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Bytes that couldn't be recovered.
  public struct Loss: Sendable, Hashable, Codable {
    /// The file that still contains the bytes.
    public var file: URL
    /// The offset of the bytes in the file.
    public var offset: Int
    /// The number of bytes.
    public var byteCount: Int
  }

  /// The number of batches in the store now.
  public var batchCount: Int
  /// The number of batches that followed damage or had been set aside.
  public var salvagedBatchCount = 0
  /// The number of records that the salvaged batches insert or replace.
  public var salvagedRecordCount = 0
  /// The bytes that couldn't be recovered.
  public var losses: [Loss] = []
  /// The files that contain the damaged originals.
  ///
  /// While they exist, ``OpeningReport/salvaged`` lists them. Remove them if you don't need them.
  public var originals: [URL] = []
  /// A Boolean value that indicates whether the next refresh fetches everything, because rows of the source
  /// may be lost.
  public var isCheckpointReset = false

  /// The numbers of batches and of lost bytes.
  public var description: String {
    let lost = losses.reduce(0) { $0 + $1.byteCount }
    return "\(batchCount) batches, \(salvagedBatchCount) of them salvaged, \(lost) bytes lost"
  }
}
