internal import FieldCore

/// A line of the metro, with its stops in order.
///
/// The stops make a trunk and branches, which is what a line diagram draws: the Zhonghe-Xinlu line
/// runs from `O01` to `O21`, and a branch leaves it at `O12` for `O54`.
public struct MetroLine: Identifiable, Hashable, Sendable, Codable {
  /// The letters of the line's codes, such as `BL`, as a key.
  public var id: ID
  /// The company that runs the line, as TDX has it before the codes: `TRTC`, `NTMCC`.
  public var operatorCode: String
  /// The Chinese name, such as `板南線`.
  public var name: String
  /// The English name, such as `Bannan Line`.
  public var englishName: String
  /// The Japanese name; nil when the source has none.
  public var japaneseName: String?
  /// The Korean name; nil when the source has none.
  public var koreanName: String?
  /// The colour as TDX has it, in small letters: `#0a59ae`.
  public var color: String
  /// The stops of the main line, from one end to the other, by ascending codes.
  public var trunk: [MetroStation.Code]
  /// What leaves the trunk, in the order of the codes there.
  public var branches: [Branch]

  /// Makes a line.
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
}

extension MetroLine: CustomStringConvertible {
  /// The key and the name, such as `BL 板南線`.
  public var description: String { "\(id) \(name)".printable }
}
