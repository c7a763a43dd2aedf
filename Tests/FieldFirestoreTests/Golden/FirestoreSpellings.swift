import FieldCore
import FieldFirestore

/// What servers may write instead of the usual spelling, and what they mustn't; each with what the client
/// makes of it.
enum FirestoreSpellings {
  /// The contents of values, by kind.
  private static let values: [String: [String]] = [
    "nullValue": ["null", #""NULL_VALUE""#, "0", "1", "false", #""null""#],
    "booleanValue": ["true", #""true""#, "1", "null"],
    "integerValue": [
      "7", #""7""#, "-0", #""-0""#, #""007""#, "9223372036854775807", "9223372036854775808", "1.5",
      #""1.5""#, #""1e3""#, #""""#, #""+7""#, #""7 ""#, #"" 5""#, #""9223372036854775808""#,
      #""٧""#, "true", "null",
    ],
    "doubleValue": [
      "3", "-0", "-0.0", #""-0""#, #""1.5""#, "1E+2", "1.0E300", #""1e2""#, "4.9e-324", "1e-400",
      #""Infinity""#, #""-Infinity""#, #""NaN""#, #""inf""#, #""nan""#, #""+Infinity""#, #""0x10""#,
      #""""#,
      #"" 1""#, "1e400", "-1e309", #""1e309""#, "null",
    ],
    "timestampValue": [
      #""2020-01-02T03:04:05Z""#, #""2020-01-02T03:04:05.1Z""#, #""2020-01-02T03:04:05.1200Z""#,
      #""2020-01-02T03:04:05.000000Z""#, #""2020-01-02T03:04:05.0000000019Z""#,
      #""2020-01-02T03:04:05+00:00""#, #""2020-01-01T00:30:00+09:00""#,
      #""2020-01-01T23:30:00.5-01:30""#, #""2020-01-02t03:04:05z""#,
      #""0001-01-01T00:00:00+00:01""#,
      #""9999-12-31T23:59:59-00:01""#, #""2020-01-02 03:04:05Z""#, #""2020-01-02T03:04:05""#,
      #""2020-01-02T03:04:05+0900""#, #""2020-01-02T03:04:60Z""#, #""2021-02-29T00:00:00Z""#,
      #""2020-01-02T03:04:05,5Z""#, "1577934245", #"{"seconds":"1"}"#, "null",
    ],
    "stringValue": [#""\u00e9\ud83d\ude00\/""#, "7", "null"],
    "bytesValue": [
      #""""#, #""+/8=""#, #""+/8""#, #""-_8=""#, #""-_8""#, #""+_8""#, #""AA==""#, #""AA""#,
      #""A""#, #""A===""#, #""AA=A""#, #""AA=""#, #""AAAA==""#, #""=""#, #""%""#, #""+/8\n""#,
      "[0]", "null",
    ],
    "referenceValue": [#""projects/p/databases/d/documents/a/b%20c""#, "null"],
    "geoPointValue": [
      "{}", #"{"latitude":1}"#, #"{"longitude":-0.0}"#, #"{"latitude":"1.5","longitude":2}"#,
      #"{"latitude":"north"}"#, "[1,2]", "null",
    ],
    "arrayValue": [
      "{}", #"{"values":null}"#, #"{"values":{}}"#, #"{"values":[]}"#,
      #"{"values":[{"nullValue":null}]}"#,
      #"{"values":[null]}"#, #"{"values":[{}]}"#, #"{"values":[1]}"#, "[]", "null",
    ],
    "mapValue": [
      "{}", #"{"fields":null}"#, #"{"fields":{}}"#, #"{"fields":{"a":{"nullValue":null}}}"#,
      #"{"fields":{"a":null}}"#, #"{"fields":{"a":1}}"#, #"{"fields":[]}"#, "null",
    ],
  ]

  private static let root = "projects/p/databases/(default)/documents"
  private static let documents = [
    #"{"name":"\#(root)/a/b"}"#, #"{"name":"\#(root)/a/b","fields":null,"createTime":null}"#,
    #"{"name":"\#(root)/a/b","fields":{},"updateTime":"2020-01-01T09:00:00.10+09:00","new":1}"#,
    #"{"name":"\#(root)/a/b%20c"}"#, #"{"name":"\#(root)/a/b c"}"#, #"{"name":"\#(root)/a"}"#,
    #"{"name":"projects/p/databases/%28default%29/documents/a/b"}"#,
    #"{"name":"\#(root)/a/b","updateTime":7}"#, #"{"fields":{}}"#,
  ]
  private static let others = [
    #"{"stringValue":"x","newValue":1}"#, #"{"integerValue":"1","stringValue":"x"}"#,
    #"{"newValue":1,"newerValue":2}"#, "{}", "[]",
  ]
  private static let paths = ["`a`.b", #"`\a`"#, "`강`"]

  static func lines() throws -> [String] {
    let database = FirestoreDatabase(project: "p")
    let values = values.sorted { $0.key < $1.key }.flatMap { kind, contents in
      contents.map { #"{"\#(kind)":\#($0)}"# }
    }
    return try (values + others).map { text in
      let value = try JSONDocument.value(Array(text.utf8))
      return line(text) { try FirestoreValue(json: value).description }
    }
      + documents.map { text in
        let value = try JSONDocument.value(Array(text.utf8))
        return line(text) {
          try FirestoreDocument(json: value, in: database).json(in: database).canonicalText
        }
      }
      + paths.map { text in
        line(text) { try FirestoreFieldPath(text).segments.joined(separator: " | ") }
      }
  }

  private static func line(_ text: String, _ read: () throws -> String) -> String {
    do { return "\(text) => \(try read())" } catch { return "\(text) => refused" }
  }
}
