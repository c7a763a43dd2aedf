internal import FieldCore
internal import FieldFoundation

/// Converts the rows of any feed into arrivals.
///
/// A feed has few names, few times, and many rows, so each name is looked up once and each time is
/// parsed once.
struct ArrivalReader {
  private(set) var arrivals: [Arrival] = []

  private let network: MetroNetwork
  private let estimateUnit: TDXLiveBoard.EstimateUnit
  private var names = ByteTable<Name>()
  private var times = ByteTable<Stamp>()
  private var texts = ByteTable<String>()
  /// The numbers of the texts in IDs: equal texts have equal numbers.
  private var keys: [String: Int] = [:]
  private var pairs: [Int64: Pair] = [:]
  private var occurrences: [Identity: Int] = [:]

  /// A station name as a feed writes it, with its meaning, shared by its rows.
  private final class Name {
    let text: String
    let station: MetroStation.ID?
    let lines: [MetroLine.ID]
    /// The name's text in an ``Arrival/ID``, and its number.
    let key: String
    let number: Int

    init(
      _ text: String, _ station: MetroStation.ID?, _ lines: [MetroLine.ID],
      number: (String) -> Int
    ) {
      self.text = text
      self.station = station
      self.lines = lines
      key = station?.rawValue ?? text
      self.number = number(key)
    }
  }

  /// The data that all rows from one station to another share.
  private final class Pair {
    let number: Int64
    /// The prefix of the IDs of their events.
    let idBeginning: String
    /// The only line that runs there, looked up on first use.
    private(set) lazy var line = ArrivalReader.soleLine(network, station, destination)
    private let network: MetroNetwork
    private let station: Name
    private let destination: Name

    init(_ number: Int64, _ station: Name, _ destination: Name, _ network: MetroNetwork) {
      self.number = number
      idBeginning = Arrival.ID.beginning(ofEvent: station.key, destination.key)
      self.station = station
      self.destination = destination
      self.network = network
    }
  }

  /// A time as a feed writes it, with its text in an ``Arrival/ID``.
  private final class Stamp {
    let time: FeedTime
    let key: String
    let identity: Identity.Moment

    init(_ time: FeedTime, number: (String) -> Int) {
      self.time = time
      if let instant = time.instant {
        let milliseconds = Arrival.ID.milliseconds(of: instant)
        key = String(milliseconds)
        identity = .instant(milliseconds)
      } else {
        key = time.rawText
        identity = .text(number(key))
      }
    }
  }

  /// The components of an ``Arrival/ID``, as numbers, which compare faster than texts.
  private struct Identity: Hashable {
    enum Moment: Hashable {
      case instant(Int64)
      case text(Int)
      case train(Int)
    }

    var pair: Int64
    var moment: Moment
  }

  init(network: MetroNetwork, estimateUnit: TDXLiveBoard.EstimateUnit = .seconds) {
    self.network = network
    self.estimateUnit = estimateUnit
  }

  mutating func read(_ row: borrowing SourceRow) throws(RowProblem) {
    guard
      let station = name(
        row, ArrivalColumn.station, ArrivalColumn.stationCode, ArrivalColumn.stationEnglish)
    else { throw RowProblem("there is no station") }
    guard
      let destination = name(
        row, ArrivalColumn.destination, ArrivalColumn.destinationCode,
        ArrivalColumn.destinationEnglish) ?? headSign(row)
    else { throw RowProblem("there is no destination") }
    let pair = pair(station, destination)
    let stamp = stamp(row)
    let countdown = countdown(row)
    let trainNumber = row.trimmedText(ArrivalColumn.trainNumber)
    if arrivals.isEmpty {
      arrivals.reserveCapacity(row.expectedCount)
      occurrences.reserveCapacity(row.expectedCount)
    }
    arrivals.append(
      Arrival(
        id: id(pair, station, destination, stamp, isEvent: countdown == nil, trainNumber),
        sourceID: row.trimmedText(ArrivalColumn.sourceID),
        stationName: station.text,
        destinationName: destination.text,
        stationEnglishName: english(row, ArrivalColumn.stationEnglish, ArrivalColumn.station),
        destinationEnglishName: english(
          row, ArrivalColumn.destinationEnglish, ArrivalColumn.destination),
        station: station.station,
        destination: destination.station,
        line: line(row, trainNumber, station, pair),
        updatedAt: stamp?.time,
        countdown: countdown,
        trainNumber: trainNumber,
        service: row.integer(ArrivalColumn.service).map(Arrival.Service.init(rawValue:))))
  }

  /// Returns the number of a text, counting from 1.
  private static func number(_ key: String, _ keys: inout [String: Int]) -> Int {
    if let number = keys[key] { return number }
    keys[key] = keys.count + 1
    return keys.count
  }

  // MARK: names

  /// Returns the name in a column, which TDX gives in four languages, or else the code or English
  /// name in another column.
  private mutating func name(
    _ row: borrowing SourceRow, _ column: Int, _ code: Int, _ english: Int
  ) -> Name? {
    var name = row.withUTF8(column) { cached($0) }
    if name == nil, row.isNested(column), let chinese = row.json(column)?["Zh_tw"]?.string,
      !chinese.isEmpty
    {
      name = cached(chinese)
    }
    if let name, name.station != nil { return name }
    // A name that is new or misspelled may come with a known code or English name.
    let byCode = row.withUTF8(code) { cached($0) }
    let other = byCode?.station == nil ? row.withUTF8(english) { cached($0) } ?? byCode : byCode
    guard let name else { return other }
    guard let other, let station = other.station else { return name }
    return Name(name.text, station, other.lines) { Self.number($0, &keys) }
  }

  private mutating func pair(_ station: Name, _ destination: Name) -> Pair {
    let number = Int64(station.number) << 32 | Int64(destination.number)
    if let pair = pairs[number] { return pair }
    let pair = Pair(number, station, destination, network)
    pairs[number] = pair
    return pair
  }

  /// The destination in `往南港展覽館`.
  private mutating func headSign(_ row: borrowing SourceRow) -> Name? {
    guard var text = row.trimmedText(ArrivalColumn.headSign) else { return nil }
    if text.hasPrefix("往") { text.removeFirst() }
    return text.isEmpty ? nil : cached(text)
  }

  private mutating func cached(_ text: String) -> Name {
    var text = text
    return text.withUTF8 { bytes in cached(unsafe bytes.span) }
  }

  private mutating func cached(_ bytes: Span<UInt8>) -> Name {
    names.value(bytes) { [network] bytes in
      let text = Self.text(bytes)
      let station = network.station(named: text)
      return Name(text, station?.id, station?.lines ?? []) { Self.number($0, &keys) }
    }
  }

  private mutating func english(_ row: borrowing SourceRow, _ column: Int, _ names: Int) -> String?
  {
    if let text = row.withUTF8(column, { bytes in texts.value(bytes) { Self.text($0) } }) {
      return text
    }
    return row.isNested(names) ? row.json(names)?["En"]?.string : nil
  }

  // MARK: the rest

  /// Returns the source's own time if it is readable, or else the time of the row.
  private mutating func stamp(_ row: borrowing SourceRow) -> Stamp? {
    let own = row.withUTF8(ArrivalColumn.sourceTime) { cachedTime($0) }
    if let own, own.time.instant != nil { return own }
    return row.withUTF8(ArrivalColumn.time) { cachedTime($0) } ?? own
  }

  private mutating func cachedTime(_ bytes: Span<UInt8>) -> Stamp {
    times.value(bytes) { bytes in
      let time = FeedTime(
        rawText: Self.text(bytes),
        instant: bytes.count > 64 ? nil : FeedTime.instant(FeedTime.parser.instant(bytes)))
      return Stamp(time) { Self.number($0, &keys) }
    }
  }

  private func countdown(_ row: borrowing SourceRow) -> Arrival.Countdown? {
    if let text = row.trimmedText(ArrivalColumn.countdown) { return Arrival.Countdown(text) }
    // TDX marks an event with an estimate of 0: the train is there.
    guard let estimate = row.integer(ArrivalColumn.estimate), (1...86_400).contains(estimate)
    else { return nil }
    return Arrival.Countdown(seconds: estimate * estimateUnit.seconds)
  }

  private mutating func id(
    _ pair: Pair, _ station: Name, _ destination: Name, _ stamp: Stamp?, isEvent: Bool,
    _ trainNumber: String?
  ) -> Arrival.ID {
    let moment: Identity.Moment =
      if isEvent {
        stamp?.identity ?? .text(0)
      } else {
        .train(trainNumber.map { Self.number($0, &keys) } ?? 0)
      }
    let occurrence = occurrences[Identity(pair: pair.number, moment: moment), default: 0].counted()
    let id =
      isEvent
      ? Arrival.ID(rawValue: pair.idBeginning + (stamp?.key ?? ""))
      : Arrival.ID(train: trainNumber, station.key, destination.key)
    return occurrence == 1 ? id : id.numbered(occurrence)
  }

  /// Returns the line from the feed, from the train's number, or the only one that runs there.
  private func line(
    _ row: borrowing SourceRow, _ trainNumber: String?, _ station: Name, _ pair: Pair
  ) -> MetroLine.ID? {
    if let line = row.trimmedText(ArrivalColumn.line) { return MetroLine.ID(rawValue: line) }
    if let line = trainNumber.flatMap(Self.line(ofTrain:)),
      station.station == nil || station.lines.contains(line)
    {
      return line
    }
    return pair.line
  }

  /// Returns the line encoded in the hundreds digit of a train's number.
  static func line(ofTrain number: String) -> MetroLine.ID? {
    guard number.utf8.count >= 3, let digits = Int(number), digits >= 100 else { return nil }
    switch digits / 100 % 10 {
    case 1: return .tamsuiXinyi
    case 2: return .bannan
    case 3: return .songshanXindian
    case 4: return .zhongheXinlu
    default: return nil
    }
  }

  private static func soleLine(_ network: MetroNetwork, _ from: Name, _ to: Name) -> MetroLine.ID? {
    guard let start = from.station, let end = to.station else { return nil }
    let running = network.lines(from: start, toward: end)
    if !running.isEmpty { return running.count == 1 ? running[0] : nil }
    // A short turn that isn't in the network, or a train at its last station.
    let shared = from.lines.filter(to.lines.contains)
    return shared.count == 1 ? shared[0] : nil
  }

  private static func text(_ bytes: Span<UInt8>) -> String {
    unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self).streamSafe }
  }
}

extension Int {
  /// Increments the count and returns the new value.
  fileprivate mutating func counted() -> Int {
    self += 1
    return self
  }
}
