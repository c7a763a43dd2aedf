internal import FieldCore
internal import FieldFoundation

/// A writer that rebuilds a page from content that is known to be safe.
struct SafeHTMLWriter {
  private let base: URL?
  private var html = ""
  private var open: [String] = []

  /// The permitted elements, each with its permitted attributes.
  static let elements: [String: Set<String>] = [
    "a": ["href", "title"], "abbr": ["title"], "b": [], "blockquote": [], "br": [], "caption": [],
    "cite": [], "code": [], "dd": [], "del": [], "div": [], "dl": [], "dt": [], "em": [],
    "figcaption": [], "figure": [], "h1": [], "h2": [], "h3": [], "h4": [], "h5": [], "h6": [],
    "hr": [], "i": [], "img": ["src", "alt", "title", "width", "height"], "ins": [], "kbd": [],
    "li": [], "mark": [], "ol": ["start"], "p": [], "pre": [], "q": [], "rp": [], "rt": [],
    "ruby": [], "s": [], "samp": [], "small": [], "span": [], "strong": [], "sub": [], "sup": [],
    "table": [], "tbody": [], "td": ["colspan", "rowspan"], "tfoot": [],
    "th": ["colspan", "rowspan"], "thead": [], "tr": [], "u": [], "ul": [], "wbr": [],
  ]

  static let void: Set<String> = ["br", "hr", "img", "wbr"]
  private static let numbers: Set<String> = ["width", "height", "start", "colspan", "rowspan"]
  /// The maximum depth of nesting; elements nested deeper lose their tags, but not their text.
  private static let deepest = 100

  static func html(_ tokens: [HTMLToken], base: URL?) -> String {
    var writer = SafeHTMLWriter(base: base)
    for token in tokens { writer.add(token) }
    while let name = writer.open.popLast() { writer.html += "</\(name)>" }
    return writer.html.streamSafe
  }

  private init(base: URL?) { self.base = base }

  private mutating func add(_ token: HTMLToken) {
    switch token {
    case .text(let text): html += Self.escaped(text)
    case .start(let name, let attributes): start(name, attributes)
    case .end(let name): end(name)
    }
  }

  private mutating func start(_ name: String, _ attributes: [HTMLAttribute]) {
    guard let allowed = Self.elements[name] else { return }
    var tag = "<\(name)"
    var hasSource = false
    for attribute in attributes where allowed.contains(attribute.name) {
      guard let value = Self.value(of: attribute, base: base) else { continue }
      tag += " \(attribute.name)=\"\(Self.escaped(value))\""
      if attribute.name == "href" { tag += " rel=\"noopener noreferrer\"" }
      if attribute.name == "src" { hasSource = true }
    }
    if name == "img" && !hasSource { return }
    if Self.void.contains(name) {
      html += tag + ">"
    } else if open.count < Self.deepest {
      html += tag + ">"
      open.append(name)
    }
  }

  private mutating func end(_ name: String) {
    guard Self.elements[name] != nil, !Self.void.contains(name),
      let place = open.lastIndex(of: name)
    else { return }
    while open.count > place, let inner = open.popLast() { html += "</\(inner)>" }
  }

  private static func value(of attribute: HTMLAttribute, base: URL?) -> String? {
    switch attribute.name {
    case "href": SafeAddress.link(attribute.value, base: base)
    case "src": SafeAddress.web(attribute.value, base: base)
    case let name where numbers.contains(name):
      Int(attribute.value).flatMap { (0...10_000).contains($0) ? String($0) : nil }
    default: attribute.value
    }
  }

  /// Returns the text with the five special characters of HTML escaped, and without control
  /// characters.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count + 16)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\t", "\n", "\r": escaped.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": break
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
