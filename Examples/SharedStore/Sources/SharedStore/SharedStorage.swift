public import FieldCore
import Foundation

/// A storage in a PostgreSQL database, which several processes and machines share.
///
/// ```swift
/// let storage = Storage(SharedStorage("postgresql://atlas@db.example/field", files: .directory(folder)))
/// ```
///
/// Records and blobs are in the database. Journals and assets stay files: a journal belongs to the process
/// that records, and assets can be fetched again.
public final class SharedStorage: StorageProvider {
  private let database: Database
  private let namespace: String
  private let files: Storage

  /// Creates a storage. The first use of a store connects, and creates the tables if necessary.
  ///
  /// - Parameters:
  ///   - url: The connection URL, or keywords and values as libpq reads them.
  ///   - namespace: The part of the database to use. Storages with equal namespaces share their stores.
  ///   - files: The storage of journals and assets.
  public init(_ url: String, namespace: String = "field", files: Storage = .inMemory) {
    database = Database(url)
    self.namespace = namespace
    self.files = files
  }

  /// Returns a store of records, with its own copy of the content in memory.
  public func records<Record: StoredRecord>(
    _ name: String, of type: Record.Type
  ) throws -> any RecordStore<Record> {
    SharedRecordStore<Record>("\(namespace)/\(try StorageName(name))", in: database)
  }

  /// Returns a store of blobs.
  public func blobs(_ name: String) throws -> any BlobStore {
    SharedBlobStore("\(namespace)/\(try StorageName(name))", in: database)
  }

  /// Returns the directory of an asset cache, among the files.
  public func assets(_ name: String) throws -> AssetDirectory? { try files.assets(name) }

  /// Returns a directory of journals, among the files.
  public func journals(_ name: String) throws -> JournalDirectory { try files.journals(name) }
}
