public import FieldCore
public import FieldFoundation

/// A unit of a city hall: an office, a counter, or a fixture, such as a toilet or an elevator.
///
/// A property is `nil` if the source has no value for it, which the source writes as nothing,
/// blanks, or the word `null`. The fields are stored together behind a reference and copied on
/// write, because there may be a hundred thousand units, which are searched and passed around more
/// often than changed.
///
/// Source: the table `administrativeUnit` of the Tainan helper (ITRI).
public struct CivicUnit: Identifiable, Sendable, CustomStringConvertible {
  private final class Box: Sendable {
    let fields: Fields
    init(_ fields: consuming Fields) { self.fields = fields }
  }

  private var box: Box

  init(_ fields: consuming Fields) { box = Box(fields) }

  var fields: Fields {
    get { box.fields }
    set { box = Box(newValue) }
  }

  /// The identifier of a unit, as the source assigns it.
  public typealias ID = RecordID<CivicUnit>

  /// The key, `unitId`.
  public var id: ID {
    get { box.fields.id }
    set { fields.id = newValue }
  }

  /// The name; empty if the source has none.
  public var name: String {
    get { box.fields.name }
    set { fields.name = newValue }
  }

  /// The parent unit; `nil` for a root.
  ///
  /// Use ``CivicView/parent(of:)`` to check whether it exists.
  public var parentID: ID? {
    get { box.fields.parentID }
    set { fields.parentID = newValue }
  }

  /// The unit's tasks, in plain text with several lines.
  public var details: String? {
    get { box.fields.details }
    set { fields.details = newValue }
  }

  /// The telephone numbers.
  public var phones: PhoneList {
    get { box.fields.phones }
    set { fields.phones = newValue }
  }

  /// The fax numbers.
  public var faxes: PhoneList {
    get { box.fields.faxes }
    set { fields.faxes = newValue }
  }

  /// The email address.
  public var email: String? {
    get { box.fields.email }
    set { fields.email = newValue }
  }

  /// The address of the website, as the source writes it; use ``websiteURL`` to open it.
  public var website: String? {
    get { box.fields.website }
    set { fields.website = newValue }
  }

  /// The words to find the unit by, in addition to its name.
  public var keywords: [String] {
    get { box.fields.keywords }
    set { fields.keywords = newValue }
  }

  /// The file name of the icon.
  public var iconName: String? {
    get { box.fields.iconName }
    set { fields.iconName = newValue }
  }

  /// The floor plan that shows the unit; its floor is ``PlanField/floor``.
  public var field: PlanField? {
    get { box.fields.field }
    set { fields.field = newValue }
  }

  /// The position of the unit on the floor plan, if known.
  public var planPosition: PlanPosition? {
    get { box.fields.planPosition }
    set { fields.planPosition = newValue }
  }

  /// The key of the path on the floor plan that leads to the unit.
  public var nearbyPathID: String? {
    get { box.fields.nearbyPathID }
    set { fields.nearbyPathID = newValue }
  }

  /// The date on which the unit was entered.
  public var createdAt: Date? {
    get { box.fields.createdAt }
    set { fields.createdAt = newValue }
  }

  /// The date of the last change at the source.
  public var updatedAt: Date? {
    get { box.fields.updatedAt }
    set { fields.updatedAt = newValue }
  }

  /// Creates a unit.
  public init(
    id: ID,
    name: String,
    parentID: ID? = nil,
    details: String? = nil,
    phones: PhoneList = PhoneList(),
    faxes: PhoneList = PhoneList(),
    email: String? = nil,
    website: String? = nil,
    keywords: [String] = [],
    iconName: String? = nil,
    field: PlanField? = nil,
    planPosition: PlanPosition? = nil,
    nearbyPathID: String? = nil,
    createdAt: Date? = nil,
    updatedAt: Date? = nil
  ) {
    self.init(
      Fields(
        id: id, name: name, parentID: parentID, details: details, phones: phones, faxes: faxes,
        email: email, website: website, keywords: keywords, iconName: iconName, field: field,
        planPosition: planPosition, nearbyPathID: nearbyPathID, createdAt: createdAt,
        updatedAt: updatedAt))
  }

  /// The address of the website; `nil` if there is none or it isn't an `http` or `https` address.
  public var websiteURL: URL? { website.flatMap(PercentEncoding.webAddress) }

  /// The floor that the unit is on, if its floor plan is a known one.
  public var floor: CivicFloor? { field?.floor }

  struct Fields: Sendable, Hashable, Codable {
    var id: ID
    var name: String
    var parentID: ID?
    var details: String?
    var phones = PhoneList()
    var faxes = PhoneList()
    var email: String?
    var website: String?
    var keywords: [String] = []
    var iconName: String?
    var field: PlanField?
    var planPosition: PlanPosition?
    var nearbyPathID: String?
    var createdAt: Date?
    var updatedAt: Date?
  }

  /// The name, with the ID in parentheses.
  public var description: String { "\(name) (\(id))".printable }
}

extension CivicUnit: Hashable {
  /// Returns whether all fields are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.fields == right.fields
  }

  /// Hashes the key, which identifies the unit.
  public func hash(into hasher: inout Hasher) { id.hash(into: &hasher) }
}

extension CivicUnit: Codable {
  /// Creates a unit from its fields, which are found by their names.
  public init(from decoder: any Decoder) throws { self.init(try Fields(from: decoder)) }

  /// Writes the fields by their names.
  public func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }
}
