public import FieldCore

/// A line of the metro, with its stops in order.
///
/// The stops form a trunk and branches, as in a line diagram: the Zhonghe-Xinlu line runs from
/// `O01` to `O21`, and a branch leaves it at `O12` for `O54`.
public struct MetroLine: Identifiable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The line's ID: the letters of its codes, such as `BL`.
  public var id: ID
  /// The code of the line's operator, which TDX puts before the codes: `TRTC`, `NTMCC`.
  public var operatorCode: String
  /// The Chinese name, such as `板南線`.
  public var name: String
  /// The English name, such as `Bannan Line`.
  public var englishName: String
  /// The Japanese name; `nil` if the source has none.
  public var japaneseName: String?
  /// The Korean name; `nil` if the source has none.
  public var koreanName: String?
  /// The color that TDX gives, in lowercase: `#0a59ae`.
  public var color: String
  /// The stops of the main line, from one end to the other, in ascending order of codes.
  public var trunk: [MetroStation.Code]
  /// The branches, in the order in which they leave the trunk.
  public var branches: [Branch]

  /// Creates a line.
  public init(
    id: ID, operatorCode: String, name: String, englishName: String, japaneseName: String? = nil,
    koreanName: String? = nil, color: String, trunk: [MetroStation.Code], branches: [Branch] = []
  ) {
    self.id = id
    self.operatorCode = operatorCode
    self.name = name
    self.englishName = englishName
    self.japaneseName = japaneseName
    self.koreanName = koreanName
    self.color = color
    self.trunk = trunk
    self.branches = branches
  }

  /// All stops: those of the trunk, then those of each branch.
  public var codes: [MetroStation.Code] { trunk + branches.flatMap(\.stops) }

  /// A description with the ID and the name, such as `BL 板南線`.
  public var description: String { "\(id) \(name)".printable }
}

extension MetroLine {
  /// A part of a line that leaves its trunk.
  public struct Branch: Hashable, Sendable, Codable, Identifiable {
    /// The trunk's stop where the branch begins, such as `O12`.
    public var junction: MetroStation.Code
    /// The branch's stops, from the junction outward and without it: `O50` through `O54`.
    public var stops: [MetroStation.Code]

    /// Creates a branch.
    public init(junction: MetroStation.Code, stops: [MetroStation.Code]) {
      self.junction = junction
      self.stops = stops
    }

    /// The stops, which are unique for each branch of a line.
    public var id: [MetroStation.Code] { stops }
  }
}

extension MetroLine {
  /// The identifier of a line: the letters of its codes, such as `BL`.
  public typealias ID = RecordID<MetroLine>
}

extension RecordID where Subject == MetroLine {
  /// The Bannan line, 板南線.
  public static var bannan: Self { Self(rawValue: "BL") }
  /// The Wenhu line, 文湖線.
  public static var wenhu: Self { Self(rawValue: "BR") }
  /// The Songshan-Xindian line with its Xiaobitan branch, 松山新店線.
  public static var songshanXindian: Self { Self(rawValue: "G") }
  /// The Zhonghe-Xinlu line, 中和新蘆線.
  public static var zhongheXinlu: Self { Self(rawValue: "O") }
  /// The Tamsui-Xinyi line with its Xinbeitou branch, 淡水信義線.
  public static var tamsuiXinyi: Self { Self(rawValue: "R") }
  /// The Circular line of New Taipei, 環狀線.
  public static var circular: Self { Self(rawValue: "Y") }
}
