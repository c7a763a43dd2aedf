//! Importing the old app's database with the trait SQLite.

// snippet.hide
import FieldKit
import Foundation

#if SQLite
  func importing(field: Field, documents: URL) async throws {
    // snippet.show
    // snippet.import
    let old = LegacyCivicDatabase(documents.appending(path: "itriTainan.sqlite"))
    let report = try await field.civic.importTables(of: old)
    print(report.added, "rows;", report.failureCount, "could not be used")
    // snippet.end
    // snippet.hide
  }
#endif
