public import FieldCore
public import FieldFoundation

extension Batch<ZooRecord> {
  /// Creates a batch by reading a table of any format and year.
  ///
  /// - The portal's response with its envelope, or the array of rows alone.
  /// - CSV, as UTF-8 with or without a byte-order mark, or as Big5.
  /// - Keys in mixed case, in lowercase, or after a byte-order mark.
  /// - `A_Geo` in all its spellings, or longitude and latitude in separate columns.
  ///
  /// - Parameters:
  ///   - bytes: The body of the response, or the content of a file.
  ///   - table: The expected table; `nil` to detect it from the names of the columns.
  ///   - origin: The URL of the bytes.
  /// - Throws: `FieldError` with a `rows.…` code if the bytes aren't a table or only part of one,
  ///   `zoo.unknownTable` if the columns match another table or none, or `zoo.emptyTable` if no row
  ///   can be used. Single rows that can't be used don't throw; they are among the failures.
  public init(reading bytes: [UInt8], as table: ZooTable? = nil, origin: URL? = nil) throws {
    self = try Self.reading([bytes], as: table, origin: origin)
  }

  /// Reads a table in several parts, such as the saved pages of a response.
  ///
  /// - Parameter names: The names of the parts, for messages; empty if they have none.
  static func reading(
    _ parts: [[UInt8]], as table: ZooTable?, origin: URL?, names: [String] = []
  ) throws(FieldError) -> Batch {
    var bodies: [[UInt8]] = []
    var current = 0
    do throws(FieldError) {
      for part in parts {
        bodies.append(try UTF16Text.utf8(part) ?? part)
        current += 1
      }
      current = 0
      return try reading(bodies, as: table, origin: origin) { current += 1 }
    } catch {
      guard !names.isEmpty else { throw error }
      var error = error
      // Problems of all parts together are detected after the last one.
      let name = current < names.count ? names[current] : names.joined(separator: ", ")
      error.message = "\(name): \(error.message)"
      throw error
    }
  }

  private static func reading(
    _ bodies: [[UInt8]], as table: ZooTable?, origin: URL?, afterEach: () -> Void
  ) throws(FieldError) -> Batch {
    let found = bodies.lazy.compactMap(ZooBody.table).first
    if let table, let found, table != found {
      throw FieldError(
        .zooUnknownTable,
        "The columns match the zoo's \(found.rawValue) instead of its \(table.rawValue).")
    }
    // Without a known column, reading any table describes best what the bytes are instead.
    var reader = ZooReader(table ?? found ?? .animals)
    do throws(FieldError) {
      for body in bodies {
        try ZooBody.read(body, into: &reader)
        afterEach()
      }
      return try reader.batch(origin: origin)
    } catch {
      var error = error
      // Rows without a known column aren't the zoo's.
      let isStrange = error.code == .zooEmptyTable && reader.found.facts.rowCount > 0
      if found == nil, isStrange || error.code == .schema || error.code == .unknownFormat {
        error.code = .zooUnknownTable
        error.message = "This isn't a table of the zoo: \(error.message)"
      }
      throw error
    }
  }
}
