internal import FieldCore
internal import FieldFoundation

extension SightingStore {
  /// A record of the old app, after its photo has been synced to the device.
  private typealias Moved = (number: Int, name: String, photo: Sighting.Photo, date: Date)

  /// Imports the old app's records: first all photos, then all records, the counter, and the import
  /// mark in one commit.
  @concurrent
  func importLegacyData(_ old: LegacyZooData, on date: Date) async throws -> ZooImport {
    var report = ZooImport()
    if SightingCheckpoint(try await repository.snapshot()).takenOver != nil {
      report.wasDoneBefore = true
      return report
    }
    await sweepOnce()
    var moved: [Moved] = []
    var leases: [BlobLease] = []
    defer { for lease in leases { lease.end() } }
    // Only one photo at a time is in memory.
    for number in try old.numbers() {
      try Task.checkCancellation()
      do {
        let (record, photo) = try read(number, of: old)
        let lease = try await blobs.put(photo.bytes)
        leases.append(lease)
        let stored = Sighting.Photo(
          blob: lease.id, format: photo.format, byteCount: photo.bytes.count)
        moved.append((number, record.name, stored, record.date ?? date))
      } catch let refusal as SightingRefusal {
        let file = old.photo(of: number)
        report.failures.append(
          ZooImport.Failure(
            number: number, name: old.names[number],
            photo: refusal.problems.contains(.photoMissing) ? nil : file,
            problems: refusal.problems))
      }
    }
    // Before a device's first unlock, no photo can be read.
    if moved.isEmpty,
      let unread = report.failures.first(where: { $0.problems.contains(.photoUnreadable) })
    {
      throw FieldError(
        .io, "None of the old app's photos can be read, such as that of record \(unread.number).")
    }
    let done = try await commit(moved, of: old, on: date, report)
    await claim(Set(done.sightings.compactMap { $0.photo?.blob }))
    return done
  }

  private func commit(
    _ moved: [Moved], of old: LegacyZooData, on date: Date, _ report: ZooImport
  ) async throws -> ZooImport {
    try await change { _, changes, ledger in
      var report = report
      guard ledger.takenOver == nil else {
        report = ZooImport()
        report.wasDoneBefore = true
        return report
      }
      // Lower numbers belong to new sightings, some of which may have been removed.
      let firstFree = ledger.nextNumber
      ledger.skip(to: max(old.counter ?? 0, (moved.last?.number ?? -1) + 1))
      for record in moved {
        let sighting = Sighting(
          id: Sighting.ID(rawValue: "old-\(record.number)"),
          number: record.number < firstFree ? ledger.takeNumber() : record.number,
          name: record.name, photo: record.photo, date: record.date)
        changes.upsert(sighting)
        report.sightings.append(sighting)
      }
      ledger.takenOver = TimestampWriter.iso8601(date)
      return report
    }
  }

  /// Reads a record, or throws all of its problems.
  private func read(_ number: Int, of old: LegacyZooData) throws -> (
    record: (name: String, date: Date?), photo: (bytes: [UInt8], format: AssetFormat)
  ) {
    let file = old.photo(of: number)
    var problem: SightingProblem?
    var data: Data?
    do throws(FieldError) {
      let advice = "Pass the file URL of the folder."
      data = Data(try LocalFile.bytes(of: file, limit: limits.photoBytes, advice: advice))
    } catch {
      if error.code == .invalidInput { throw error }
      // A photo isn't missing if the device fails to tell.
      let isMissing = (try? LocalFile.exists(at: file.path)) == false
      problem =
        error.code == .responseTooLarge
        ? .photoTooLarge : isMissing ? .photoMissing : .photoUnreadable
    }
    // The old app stored no dates; the file's date is when the photo was taken.
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    let date = attributes?[.modificationDate] as? Date
    var checked = limits.checked(name: old.names[number] ?? "", photo: data)
    if checked.problems == [.nameMissing], let name = old.nameOfUnnamed {
      // The app's name must meet the same conditions as a user's.
      let named = limits.checked(name: name, photo: nil)
      (checked.name, checked.faults) = (named.name, named.faults)
    }
    let problems = checked.problems + (problem.map { [$0] } ?? [])
    guard problems.isEmpty, let name = checked.name, let photo = checked.photo else {
      throw SightingRefusal(problems: problems)
    }
    return ((name, date), photo)
  }
}
