import FieldCore
import Testing

@Suite("Header fields")
struct HTTPHeaderFieldsTests {
  @Test("header fields are found regardless of case, and several with one name are joined")
  func lookUp() {
    var fields: HTTPHeaderFields = ["ETag": "\"a\""]
    fields.add("x", to: "Set-Thing")
    fields.add("y", to: "set-thing")
    #expect(fields["etag"] == "\"a\"")
    #expect(fields["SET-THING"] == "x, y")
    #expect(fields.values(of: "set-thing") == ["x", "y"])
  }

  @Test("header fields are replaced in place, all of one name by one, and removed by nil")
  func replace() {
    var fields: HTTPHeaderFields = ["A": "1", "B": "2", "a": "3"]
    fields["a"] = "4"
    #expect(fields.map(\.name) == ["a", "B"])
    #expect(fields["A"] == "4")
    fields["A"] = nil
    #expect(fields.map(\.name) == ["B"])
  }
}
