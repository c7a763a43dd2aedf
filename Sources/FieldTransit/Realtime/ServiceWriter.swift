/// Writes the services of runs that messages change.
struct ServiceWriter {
  private let contents: TimetableContents
  /// The days on which runs of the timetable don't run.
  private var removedDays: [Int: [Int32]] = [:]
  private var removalCount = 0
  /// The services of a single day.
  private var dayServices: [Int32: UInt32] = [:]
  /// The days of those services, in their order.
  private var days: [Int32] = []

  init(_ contents: TimetableContents) { self.contents = contents }

  var hasRemovals: Bool { !removedDays.isEmpty }

  /// Whether there are as many services as a timetable can have.
  var isFull: Bool {
    contents.serviceCount + days.count + removalCount + 2 >= Int(RunFlags.serviceMask)
  }

  mutating func remove(_ instance: RunResolver.Instance) {
    guard !isFull else { return }
    removalCount += 1
    removedDays[instance.run, default: []].append(instance.day)
  }

  /// Returns the service that runs on a day and on no other.
  mutating func service(on day: Int32) -> UInt32 {
    if let service = dayServices[day] { return service }
    let service = UInt32(contents.serviceCount + days.count)
    days.append(day)
    dayServices[day] = service
    return service
  }

  /// Writes the services, and those of all runs.
  ///
  /// - Parameter added: The services and flags of the runs that are added.
  func write(_ added: [UInt32], to edits: inout SectionEdits) {
    var rows = (0..<contents.serviceCount * 4).map { contents.services[$0] }
    var exceptions: [UInt32] = []
    let known = UInt32(contents.exceptions.count)
    func row(_ weekdays: UInt32, _ start: UInt32, _ end: UInt32) {
      rows += [weekdays, start, end, known + UInt32(exceptions.count)]
    }
    for day in days {
      row(0, UInt32(bitPattern: .max), UInt32(bitPattern: .min))
      exceptions.append(Self.exception(day) | 1 << 31)
    }
    var runs = (0..<contents.runServices.count).map { contents.runServices[$0] }
    var numbers: [Reduced: UInt32] = [:]
    for (run, days) in removedDays.sorted(by: { $0.key < $1.key }) {
      let service = runs[run] & RunFlags.serviceMask
      let reduced = Reduced(service: service, days: days.sorted())
      let number = numbers[reduced] ?? UInt32(rows.count / 4)
      if numbers.updateValue(number, forKey: reduced) == nil {
        let at = Int(service) * 4
        row(contents.services[at], contents.services[at + 1], contents.services[at + 2])
        exceptions += self.exceptions(of: Int(service), without: reduced.days)
      }
      runs[run] = runs[run] & ~RunFlags.serviceMask | number
    }
    row(0, 0, 0)
    edits.replace(.services, with: rows)
    edits.append(exceptions, to: .exceptions)
    edits.replace(.runServices, with: runs + added)
  }

  /// A service without some of its days.
  private struct Reduced: Hashable { var service: UInt32, days: [Int32] }

  private static func exception(_ day: Int32) -> UInt32 {
    UInt32(bitPattern: day + TimetableContents.dayOffset)
  }

  private func exceptions(of service: Int, without days: [Int32]) -> [UInt32] {
    let removed = days.map(Self.exception)
    let range = Int(contents.services[service * 4 + 3])..<Int(contents.services[service * 4 + 7])
    let kept = range.map { contents.exceptions[$0] }.filter { !removed.contains($0 & ~(1 << 31)) }
    return (kept + removed).sorted { $0 & ~(1 << 31) < $1 & ~(1 << 31) }
  }
}
