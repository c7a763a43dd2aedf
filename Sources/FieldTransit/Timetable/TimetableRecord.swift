package import FieldCore
internal import FieldFoundation

/// A compiled timetable in a store.
package struct TimetableRecord: StoredRecord {
  package static let onlyID = "timetable"
  package static let storedName = "TimetableRecord"
  /// It can be compiled again.
  package static let isBackedUp = false

  package var id = onlyID
  var bytes: [UInt8]
  var report: TimetableReport

  /// Compiles a feed.
  init(
    compiling feed: [UInt8], zone: FixedZone?, includingShapes includesShapes: Bool
  ) throws(FieldError) {
    let compiled = try Timetable.compile(
      ZipArchive(feed), zone: zone, includingShapes: includesShapes)
    bytes = compiled.timetable.bytes
    report = compiled.report
    // A store isn't a log: what the first failures have in common is what matters.
    report.failures = Array(report.failures.prefix(100))
  }

  var usableTripCount: Int { report.tripCount - report.unusableTripCount }

  // MARK: Coding

  package func write(to writer: inout RecordWriter) throws {
    writer.write(id)
    writer.write(bytes)
    try writer.encode(report)
  }

  package init(reading reader: inout RecordReader) throws {
    id = try reader.string()
    bytes = try reader.byteArray()
    report = try reader.decode(TimetableReport.self)
  }

  package static func id(checking reader: inout RecordReader) throws -> String? {
    try TimetableRecord(reading: &reader).id
  }
}

/// A feed's URL, whose timetable must be plausible beside the stored one.
struct TimetableSource: RecordSource {
  let download: Download<TimetableRecord>
  let store: any RecordStore<TimetableRecord>
  let clock: any FieldClock

  var dataSource: DataSource? { download.dataSource }

  func fetch(_ request: RecordRequest) async throws -> Batch<TimetableRecord> {
    let batch = try await download.fetch(request)
    guard let record = batch.records.first else { return batch }
    let timetable = try Timetable(record.bytes)
    guard record.usableTripCount > 0, let days = timetable.serviceDays else {
      throw Self.refusal("it has no trips that can be used")
    }
    let rules = timetable.storage.rules
    let today = CalendarDay(
      dayNumber: rules.day(of: Int64(limiting: clock.now.timeIntervalSince1970)))
    guard days.upperBound >= today else {
      throw Self.refusal("its service has ended on \(days.upperBound)")
    }
    let old = try await store.snapshot()[id: TimetableRecord.onlyID]
    if let old, record.usableTripCount < old.usableTripCount / 10 {
      throw Self.refusal(
        "it has only \(record.usableTripCount) trips, and the stored one has \(old.usableTripCount)",
        advice: ", or erase the catalog to accept it")
    }
    return batch
  }

  private static func refusal(_ reason: String, advice: String = "") -> FieldError {
    FieldError(
      .transitFeedRefused,
      "The feed was rejected: \(reason). The old timetable stays. Check the feed\(advice).")
  }
}
