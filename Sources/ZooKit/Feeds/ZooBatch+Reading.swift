internal import FieldCore
public import FieldFoundation

extension ZooBatch {
  /// Reads a table of any form and year:
  ///
  /// - the portal's answer with its envelope, or the array of rows alone;
  /// - CSV, as UTF-8 with or without a byte-order mark, or as Big5;
  /// - keys in mixed case, in lower case, with a byte-order mark in front;
  /// - `A_Geo` in all its spellings, or longitude and latitude in columns of their own.
  ///
  /// - Parameters:
  ///   - bytes: The body of the answer, or the content of a file.
  ///   - table: Which table it is; nil to find it out by the names of the columns.
  ///   - origin: Where the bytes came from.
  /// - Throws: `FieldError` with a `rows.…` code when the bytes are no table, or only a part of one;
  ///   `zoo.unknownTable` when the columns are those of another table or of none; `zoo.emptyTable` when
  ///   no row can be used. Some rows that cannot be used are no error: they are among ``failures``.
  public init(
    reading bytes: [UInt8], as table: ZooTable? = nil, origin: URL? = nil
  ) throws {
    self = try Self.reading([bytes], as: table, origin: origin)
  }

  /// Reads a table that comes in several parts, such as the saved pages of an answer.
  ///
  /// - Parameter names: The names of the parts, for messages; empty if they have none.
  static func reading(
    _ parts: [[UInt8]], as table: ZooTable?, origin: URL?, names: [String] = []
  ) throws(FieldError) -> ZooBatch {
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
      // What is wrong with all parts together is found after the last of them.
      let name = current < names.count ? names[current] : names.joined(separator: ", ")
      error.message = "\(name): \(error.message)"
      throw error
    }
  }

  private static func reading(
    _ bodies: [[UInt8]], as table: ZooTable?, origin: URL?, afterEach: () -> Void
  ) throws(FieldError) -> ZooBatch {
    let found = bodies.lazy.compactMap(ZooBody.table).first
    if let table, let found, table != found {
      throw FieldError(
        .zooUnknownTable,
        "the columns are those of the zoo's \(found.rawValue), and \(table.rawValue) were wanted")
    }
    // Without a known column the reading of any table tells best what the bytes are instead.
    var reader = ZooReader(table ?? found ?? .animals)
    do throws(FieldError) {
      for body in bodies {
        try ZooBody.read(body, into: &reader)
        afterEach()
      }
    } catch {
      var error = error
      if found == nil, error.code == .schema || error.code == .unknownFormat {
        error.code = .zooUnknownTable
        error.message = "this is no table of the zoo: \(error.message)"
      }
      throw error
    }
    do throws(FieldError) {
      return try reader.delivery(origin: origin)
    } catch {
      var error = error
      // Rows of which no column is known are no rows of the zoo.
      if found == nil, reader.rowCount > 0 {
        error.code = .zooUnknownTable
        error.message = "this is no table of the zoo: \(error.message)"
      }
      throw error
    }
  }
}
