import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Percent encoding")
struct PercentEncodingTests {
  @Test("percent encoding leaves only unreserved characters of a component unescaped")
  func component() {
    for scalar in UInt8.min...127 {
      let character = String(UnicodeScalar(scalar))
      let isBare = character.wholeMatch(of: /[A-Za-z0-9\-._~]/) != nil
      let digits = String(scalar, radix: 16, uppercase: true)
      let escape = "%" + (digits.count < 2 ? "0" : "") + digits
      #expect(PercentEncoding.component(character) == (isBare ? character : escape))
    }
    #expect(PercentEncoding.component("石虎 100%") == "%E7%9F%B3%E8%99%8E%20100%25")
    #expect(PercentEncoding.component("") == "")
  }

  @Test("percent encoding is undone by decoding, for any text", arguments: [1, 2, 3] as [UInt64])
  func roundTrip(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let text = String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 0...20, using: &random)).map { _ in
            Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &random)) ?? "?"
          }))
      let encoded = PercentEncoding.component(text)
      #expect(PercentEncoding.decoded(encoded) == text, "seed \(seed)")
      #expect(encoded.removingPercentEncoding == text, "seed \(seed)")
    }
  }

  @Test("percent encoding keeps the order of query items and empty values")
  func query() {
    let items = [
      ("$where", "mass > 1 AND fall='Fell'"), ("$order", ":id"), ("b", ""), ("a", "+&;"),
    ]
    let query = PercentEncoding.query(items.map { (name: $0.0, value: $0.1) })
    #expect(
      query == "%24where=mass%20%3E%201%20AND%20fall%3D%27Fell%27&%24order=%3Aid&b=&a=%2B%26%3B")
  }

  @Test(
    "percent encoding adds a query to a URL, after its own and before a fragment",
    arguments: [
      ("http://a.test", "http://a.test?x=1%202"),
      ("http://a.test/p?", "http://a.test/p?x=1%202"),
      ("http://a.test/p?y=%2B", "http://a.test/p?y=%2B&x=1%202"),
      ("http://a.test/p?y=1&#end", "http://a.test/p?y=1&x=1%202#end"),
      ("http://a.test/p#e#f", "http://a.test/p?x=1%202#e%23f"),
    ])
  func addingQuery(base: String, expected: String) throws {
    let url = try #require(URL(string: base))
    #expect(try PercentEncoding.url(url, adding: [("x", "1 2")]).absoluteString == expected)
    #expect(try PercentEncoding.url(url, adding: []) == url)
  }

  @Test(
    "percent encoding makes a URL from a source's text, without encoding twice",
    arguments: [
      ("http://a.test/Ateles fusciceps_Pic01.jpg", "http://a.test/Ateles%20fusciceps_Pic01.jpg"),
      ("http://a.test/Ateles%20fusciceps 2.jpg", "http://a.test/Ateles%20fusciceps%202.jpg"),
      ("http://a.test//x//y/ z", "http://a.test//x//y/%20z"),
      ("https://a.test/石虎.jpg", "https://a.test/%E7%9F%B3%E8%99%8E.jpg"),
      ("http://a.test/100%.jpg", "http://a.test/100%25.jpg"),
      ("http://a.test/100%2", "http://a.test/100%252"),
      ("http://a.test/%zz%e7", "http://a.test/%25zz%e7"),
      ("http://a.test/[1]{2}|\\^`\"<>", "http://a.test/%5B1%5D%7B2%7D%7C%5C%5E%60%22%3C%3E"),
      ("http://a.test/p?q=a b?c#d e#f", "http://a.test/p?q=a%20b?c#d%20e%23f"),
      (" \u{FEFF}\u{3000}http://a.test/p \r\n", "http://a.test/p"),
      ("http://a.test/a\nb", "http://a.test/ab"),
      ("HTTP://A.test/P", "HTTP://A.test/P"),
      ("http://u:p@a.test:81/p", "http://u:p@a.test:81/p"),
      ("http://[::1]:81/p", "http://[::1]:81/p"),
      ("http://a.test", "http://a.test"),
      ("https://a.test?x", "https://a.test?x"),
    ])
  func webAddress(text: String, expected: String) {
    #expect(PercentEncoding.webAddress(text)?.absoluteString == expected)
  }

  @Test(
    "percent encoding makes no URL from an invalid one",
    arguments: [
      "", " ", "null", "無", "www.zoo.gov.tw/a.jpg", "/a.jpg", "ftp://a.test/x",
      "file:///etc/passwd",
      "http://", "http:///a.jpg", "http://?q", "http://:80/", "http://u@/x", "http://a b.test/x",
      "http://[]/x", "http://u:p@[]:8",
      "javascript:alert(1)", "httpss://a.test", "http:/a.test",
    ])
  func noAddress(text: String) {
    #expect(PercentEncoding.webAddress(text) == nil)
  }

  @Test("percent encoding returns a valid URL unchanged")
  func idempotent() throws {
    for text in ["http://a.test/a b%20c/石?x=[1]#y z", "https://a.test/%", "http://a.test/a%2Fb"] {
      let once = try #require(PercentEncoding.webAddress(text)).absoluteString
      #expect(PercentEncoding.webAddress(once)?.absoluteString == once)
    }
  }

  @Test(
    "percent encoding agrees with Python on every URL of the zoo",
    .enabled(if: SharedData.isThere && Tool.isThere("python3"), "no captures or no Python"))
  func zoo() throws {
    let captures = [
      "animals-esedoi.json", "animals-iamoscarliang.json", "animals-v1-2026-full.json",
    ].map { SharedData.url("zoo/\($0)").path }
    let script = """
      import json, re, sys, urllib.parse
      for path in sys.argv[1:]:
          text = open(path, encoding="utf-8-sig").read()
          for value in re.findall(r'"((?:[^"\\\\]|\\\\.)*)"', text):
              value = json.loads('"' + value + '"', strict=False)
              if value.strip().lower().startswith(("http://", "https://")):
                  clean = re.sub(r"[\\t-\\r]", "", value).strip(" \\u3000\\u00a0\\ufeff")
                  clean = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", clean)
                  print(json.dumps([value, urllib.parse.quote(clean, safe="%:/?#@!$&'()*+,;=~")]))
      """
    let output = try Tool.run("python3", "-c", script, captures[0], captures[1], captures[2])
    let lines = output.split(separator: UInt8(ascii: "\n"))
    var encoded = 0
    for line in lines {
      let pair = try JSONDecoder().decode([String].self, from: line)
      #expect(PercentEncoding.webAddress(pair[0])?.absoluteString == pair[1])
      if pair[0] != pair[1] { encoded += 1 }
    }
    #expect(lines.count > 1_000)
    #expect(encoded > 10)
  }
}
