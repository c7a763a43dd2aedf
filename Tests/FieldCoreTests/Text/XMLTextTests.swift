import FieldCore
import Testing

@Suite("Text for XML")
struct XMLTextTests {
  @Test(
    "text for XML is escaped where necessary, and has no character that XML can't contain",
    arguments: [
      ("plain 臺北 🐾", "plain 臺北 🐾"), ("", ""), ("a & b < c > d", "a &amp; b &lt; c &gt; d"),
      ("\"x\"", "&quot;x&quot;"), ("&amp;", "&amp;amp;"), ("a\tb\r\nc", "a&#9;b&#13;&#10;c"),
      ("a\u{0}b\u{1B}c\u{FFFF}", "abc"),
    ])
  func escaped(text: String, xml: String) {
    #expect(XMLText.escaped(text) == xml)
  }
}
