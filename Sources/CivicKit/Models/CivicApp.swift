public import FieldCore
public import FieldFoundation

/// An app of the city, with its addresses in the iOS and Android stores.
///
/// The source's only column for addresses has had three names (`appURL`, `appIOSUrl`, `iosAppUrl`)
/// and contains either a store's address or an Android package. The value decides where it is
/// stored.
///
/// Source: the table `mobileApp`.
public struct CivicApp: Identifiable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The key, `appId`.
  public var id: ID
  /// The name; empty if the source has none.
  public var name: String
  /// The address in Apple's store, as the source writes it, possibly with `itms://`; use ``iOSURL``
  /// to open it.
  public var iOSAddress: String?
  /// The Android package, such as `tw.gov.tncp`, without the parameters that the source appends.
  public var androidPackage: String?
  /// The file name of the icon.
  public var imageName: String?
  /// The date of the last change at the source.
  public var updatedAt: Date?

  /// The identifier of an app, as the source assigns it.
  public typealias ID = RecordID<CivicApp>

  /// Creates an app.
  public init(
    id: ID, name: String, iOSAddress: String? = nil, androidPackage: String? = nil,
    imageName: String? = nil, updatedAt: Date? = nil
  ) {
    self.id = id
    self.name = name
    self.iOSAddress = iOSAddress
    self.androidPackage = androidPackage
    self.imageName = imageName
    self.updatedAt = updatedAt
  }

  /// The address in Apple's store, with `https`; `nil` if there is none.
  public var iOSURL: URL? {
    guard let iOSAddress else { return nil }
    let lowercased = iOSAddress.lowercased()
    for scheme in ["itms://", "itms-apps://", "itms-appss://"] where lowercased.hasPrefix(scheme) {
      return PercentEncoding.webAddress("https://" + iOSAddress.dropFirst(scheme.count))
    }
    return PercentEncoding.webAddress(iOSAddress)
  }

  /// The address in Google's store; `nil` if there is no package.
  public var androidURL: URL? {
    guard let androidPackage else { return nil }
    return URL(
      string: "https://play.google.com/store/apps/details?id="
        + PercentEncoding.component(androidPackage))
  }

  /// Stores a text of the source where it belongs; `nil` removes what a column with this name
  /// provided.
  mutating func take(_ text: String?, fromColumnOfIOS isOfIOS: Bool) {
    guard let text else {
      if isOfIOS { iOSAddress = nil } else { (iOSAddress, androidPackage) = (nil, nil) }
      return
    }
    if let package = Self.androidPackage(in: text) {
      androidPackage = package
    } else {
      iOSAddress = text
    }
  }

  /// Returns the package in `tw.gov.tncp&hl=zh_TW`, or in an address of Google's store; `nil` if
  /// the text is neither.
  static func androidPackage(in text: String) -> String? {
    var rest = text[...]
    if text.lowercased().contains(bytesOf: "play.google.com/") {
      guard let mark = text.firstIndex(of: "?") else { return nil }
      let items = text[text.index(after: mark)...].split(separator: "&")
      guard let item = items.first(where: { $0.hasPrefix("id=") }) else { return nil }
      rest = item.dropFirst(3)
    }
    let package = rest.prefix { $0 != "&" && $0 != "?" && $0 != "#" }
    let parts = package.split(separator: ".", omittingEmptySubsequences: false)
    let isPackage =
      parts.count >= 2
      && parts.allSatisfy { part in
        part.first.map { $0.isASCII && $0.isLetter } == true
          && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      }
    return isPackage ? String(package) : nil
  }

  /// The name, with the ID in parentheses.
  public var description: String { "\(name) (\(id))".printable }
}

/// A page of the app's guide, with its read status.
///
/// Source: the table `instruction`, which is local to the app and never synchronized.
public struct InstructionPage: Identifiable, Sendable, Hashable, Codable {
  /// The number of the page.
  public var id: Int
  /// The name of the page, such as `welcome`; empty if there is none.
  public var name: String
  /// A Boolean value that indicates whether the page was read.
  public var isRead: Bool

  /// Creates a page.
  public init(id: Int, name: String, isRead: Bool = false) {
    self.id = id
    self.name = name
    self.isRead = isRead
  }
}
