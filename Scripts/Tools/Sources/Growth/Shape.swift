/// A kind of hostile text, of any length.
struct Shape: Sendable {
  let name: String
  let text: @Sendable (_ byteCount: Int) -> String

  /// Repeats a part, between a beginning and an end.
  private init(_ name: String, _ part: String, after start: String = "", before end: String = "") {
    self.name = name
    text = { count in
      start + String(repeating: part, count: max(1, count / part.utf8.count)) + end
    }
  }

  /// Opens something that is closed again, or isn't.
  private init(_ name: String, nesting open: String, _ close: String) {
    self.name = name
    text = { count in
      let depth = max(1, count / (open.utf8.count + close.utf8.count))
      return String(repeating: open, count: depth) + String(repeating: close, count: depth)
    }
  }

  static let all: [Shape] = [
    // Runs of each class of characters
    Shape("letters", "a"), Shape("capitals", "Ab"), Shape("digits", "1"),
    Shape("zeros", "0", before: "x"),
    Shape("spaces", " "), Shape("blanks between", "a "), Shape("wide blanks", "\u{3000}"),
    Shape("line ends", "\n"), Shape("CRLF", "\r\n"), Shape("tabs", "a\t"),
    Shape("zero bytes", "\0"), Shape("byte-order marks", "\u{FEFF}"), Shape("exponents", "1e1"),
    Shape("fraction", "3", after: "0."),
    Shape("Han", "臺北"), Shape("kana", "が"), Shape("Hangul", "각"), Shape("full width", "１Ａ"),
    Shape("marks", "\u{35A}\u{345}", after: "e"), Shape("marked letters", "e\u{301}\u{316}"),
    Shape("joiners", "👩\u{200D}"), Shape("flags", "🇹🇼"), Shape("jamo", "\u{1100}"),
    Shape("dates", "115年", after: "民國"), Shape("numbers", "1,000.5 "), Shape("signs", "-"),
    // Separators
    Shape("commas", "a,"), Shape("semicolons", "a;"), Shape("points", "."), Shape("colons", "1:"),
    Shape("slashes", "/"), Shape("double slashes", "//a@"), Shape("backslashes", "\\"),
    Shape("hyphens", "a-"), Shape("underscores", "a_"), Shape("pipes", "|a"),
    Shape("at signs", "a@"),
    Shape("ideographic commas", "甲、"), Shape("hashes", "#8492 "), Shape("ampersands", "&"),
    Shape("equal signs", "="), Shape("plus signs", "+a"), Shape("tildes", "9:00~"),
    // Quotes and escapes
    Shape("quotes", "\""), Shape("quoted", "\"a\","), Shape("apostrophes", "'"),
    Shape("backticks", "`"),
    Shape("escapes", "\\u00e9"), Shape("lone surrogates", "\\ud800"), Shape("percents", "%25"),
    Shape("broken percents", "%"), Shape("entities", "&amp;"), Shape("open entities", "&a"),
    // Nesting
    Shape("brackets", nesting: "[", "]"), Shape("open brackets", "["),
    Shape("braces", nesting: "{\"a\":", "}"),
    Shape("parentheses", nesting: "(", ")"), Shape("open parentheses", "("),
    Shape("elements", nesting: "<a>", "</a>"), Shape("open elements", "<b>"),
    Shape("closing tags", "</a>"),
    Shape("open comments", "<!--"), Shape("open CDATA", "<![CDATA["),
    Shape("attributes", " a=''", after: "<p", before: ">"),
    Shape("raw texts", "<script>"), Shape("less-than signs", "<"),
    // Equal keys, and addresses
    Shape("equal keys", "\"a\":1,", after: "{", before: "\"a\":1}"),
    Shape("numbers in an array", "1,", after: "[", before: "1]"),
    Shape("pairs", "&a=1", after: "https://h.example/?key=a"),
    Shape("secret pairs", "&key=a", after: "https://h.example/?key=a"),
    Shape("question marks", "?key=a", after: "https://h.example/"),
    Shape("fragments", "#token=a", after: "https://h.example/"),
    Shape("nested addresses", "https://h.example/?u=", before: "a"),
    Shape(
      "encoded addresses", "https%3A%2F%2Fh%3Fkey%3D", after: "https://h.example/?u=", before: "a"),
    Shape("addresses", "http://a@b/?key=c "),
    Shape("folders", "../a/", after: "https://h.example/"),
  ]
}
