import FieldCore
import Foundation
import Synchronization

/// A store of blobs in a database.
///
/// Leases are known to their own process only. What another process has put is therefore kept for ten minutes,
/// even if no record refers to it yet.
final class SharedBlobStore: BlobStore {
  private let name: String
  private let database: Database
  private let process = UUID().uuidString
  private let leases = Mutex<[BlobID: Int]>([:])

  init(_ name: String, in database: Database) {
    self.name = name
    self.database = database
  }

  func put(_ bytes: [UInt8]) async throws -> BlobLease {
    let id = BlobID(of: bytes)
    leases.withLock { $0[id, default: 0] += 1 }
    let lease = BlobLease(id) { [weak self] in
      self?.leases.withLock { leases in
        let left = (leases[id] ?? 1) - 1
        leases[id] = left > 0 ? left : nil
      }
    }
    try await run(
      """
      INSERT INTO field_blobs (store, id, put_by, put_at, bytes) VALUES ($1, $2, $3, now(), $4)
      ON CONFLICT (store, id) DO UPDATE SET put_by = excluded.put_by, put_at = excluded.put_at
      """, [.text(id.hexadecimal), .text(process), .bytes(bytes)])
    return lease
  }

  func bytes(of id: BlobID) async throws -> [UInt8]? {
    let rows = try await run(
      "SELECT bytes FROM field_blobs WHERE store = $1 AND id = $2", [.text(id.hexadecimal)])
    guard let bytes = rows.first?.bytes(0) else { return nil }
    guard BlobID(of: bytes) == id else {
      throw FieldError(.damaged, "The bytes of the blob \(id) have changed.")
    }
    return bytes
  }

  func contains(_ id: BlobID) async throws -> Bool {
    try await !run(
      "SELECT id FROM field_blobs WHERE store = $1 AND id = $2", [.text(id.hexadecimal)]
    ).isEmpty
  }

  func remove(_ id: BlobID) async throws {
    guard leases.withLock({ $0[id] == nil }) else { return }
    try await run(
      """
      DELETE FROM field_blobs WHERE store = $1 AND id = $2
      AND (put_by = $3 OR put_at < now() - INTERVAL '10 minutes')
      """, [.text(id.hexadecimal), .text(process)])
  }

  @discardableResult
  func sweep(keeping ids: Set<BlobID>) async throws -> Set<BlobID> {
    let all = try await run("SELECT id FROM field_blobs WHERE store = $1", [])
    var removed: Set<BlobID> = []
    for row in all {
      guard let id = BlobID(hexadecimal: row.text(0)), !ids.contains(id) else { continue }
      try await remove(id)
      if try await !contains(id) { removed.insert(id) }
    }
    return removed
  }

  @discardableResult
  private func run(_ statement: String, _ values: [SQLValue]) async throws -> [SQLRow] {
    try await database.run { [name] connection, _ in
      try connection.run(statement, [.text(name)] + values)
    }
  }
}
