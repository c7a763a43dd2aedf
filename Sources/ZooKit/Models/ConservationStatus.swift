public import FieldCore

/// The conservation status of a species on the IUCN Red List.
///
/// The zoo writes eight of the nine in 28 spellings: `易危 VU`, `易危VU`, `易危(VU)`, `(臺灣特有亞種)易危 VU`.
/// For the other content of that column, see ``ProtectionCategory`` and ``Endemism``.
public struct ConservationStatus: RawRepresentable, Sendable, Hashable, Codable {
  /// The code of the Red List, such as `VU`.
  public var rawValue: String
  /// Creates a status from its code.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Extinct (滅絕).
  public static var extinct: Self { Self(rawValue: "EX") }
  /// Extinct in the wild (野外滅絕).
  public static var extinctInTheWild: Self { Self(rawValue: "EW") }
  /// Critically endangered (極危).
  public static var criticallyEndangered: Self { Self(rawValue: "CR") }
  /// Endangered (瀕危).
  public static var endangered: Self { Self(rawValue: "EN") }
  /// Vulnerable (易危).
  public static var vulnerable: Self { Self(rawValue: "VU") }
  /// Near threatened (近危, 接近受威脅).
  public static var nearThreatened: Self { Self(rawValue: "NT") }
  /// Least concern (無危, 暫無危機).
  public static var leastConcern: Self { Self(rawValue: "LC") }
  /// Data deficient (資料不足).
  public static var dataDeficient: Self { Self(rawValue: "DD") }
  /// Not evaluated (未評估).
  public static var notEvaluated: Self { Self(rawValue: "NE") }

  /// The nine statuses, most threatened first.
  public static var known: [ConservationStatus] {
    [
      .extinct, .extinctInTheWild, .criticallyEndangered, .endangered, .vulnerable,
      .nearThreatened, .leastConcern, .dataDeficient, .notEvaluated,
    ]
  }

  /// A Boolean value that indicates whether the status is critically endangered, endangered, or
  /// vulnerable.
  public var isThreatened: Bool {
    [.criticallyEndangered, .endangered, .vulnerable].contains(self)
  }

  /// The localized name.
  public var title: FieldText { ZooTexts.name(of: self) }

  /// Creates a status by reading the zoo's text; returns `nil` if the text names none.
  ///
  /// The last two-letter code decides, in either width and case. Without a code, the Chinese name
  /// decides.
  public init?(reading text: String) {
    let folded = TextFolding.fold(text)
    let words = folded.split { !$0.isASCII || !$0.isLetter }
    let codes = Set(Self.known.map(\.rawValue))
    if let code = words.last(where: { codes.contains($0.uppercased()) }) {
      self.init(rawValue: code.uppercased())
      return
    }
    guard let found = ZooWords.first(of: Self.chineseNames, in: folded) else { return nil }
    self = found
  }

  /// Names that contain another name come before it.
  private static var chineseNames: KeyValuePairs<String, ConservationStatus> {
    [
      "野外滅絕": .extinctInTheWild, "滅絕": .extinct, "極危": .criticallyEndangered,
      "極度瀕危": .criticallyEndangered, "瀕危": .endangered, "易危": .vulnerable,
      "接近受威脅": .nearThreatened, "近危": .nearThreatened, "暫無危機": .leastConcern,
      "無危": .leastConcern, "資料不足": .dataDeficient, "資料缺乏": .dataDeficient,
      "未評估": .notEvaluated, "未予評估": .notEvaluated,
    ]
  }
}
