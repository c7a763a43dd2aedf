/// Where a document stops being well-formed, and how.
public struct XMLFault: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The line, from 1.
  public var line: Int
  /// The column, from 1; libxml2 names the place where it noticed.
  public var column: Int
  /// What is wrong there.
  public var message: String
  /// Whether the document ends too early, and nothing else is wrong with it.
  public var isCut: Bool

  /// Makes a fault.
  public init(line: Int, column: Int, message: String, isCut: Bool = false) {
    self.line = line
    self.column = column
    self.message = message
    self.isCut = isCut
  }

  /// The place and the message, on one line.
  public var description: String { "line \(line), column \(column): \(message)" }
}

extension XMLFault {
  /// The fault of a document that ends too early.
  init(cutAtLine line: Int, column: Int) {
    self.init(line: line, column: column, message: "the document ends in the middle", isCut: true)
  }

  /// What the numbers of libxml2 mean; Foundation passes on the number and nothing else.
  static func message(ofCode code: Int) -> String {
    switch code {
    case 4: "the document is empty"
    case 5: "there is content behind the end of the document"
    case 6, 7, 8: "a reference to a character has bad digits"
    case 9: "there is a character that XML does not allow, or bytes that are no UTF-8"
    case 23: "an ampersand is neither written as &amp; nor ends in a semicolon"
    case 26, 27: "an entity is used that is not one of XML's five"
    case 38: "an attribute has a < in its value"
    case 39, 40: "an attribute's value has no quotation marks"
    case 41: "an attribute has no value"
    case 42: "an attribute is there twice"
    case 45: "a comment does not end"
    case 47: "a processing instruction does not end"
    case 62: "the text has ]]>, which is the end of a CDATA section that has not begun"
    case 63: "a CDATA section does not end"
    case 64: "an XML declaration stands inside the document"
    case 65: "a blank is missing"
    case 68: "a < begins no tag, or an & no entity"
    case 73: "a tag has no end"
    case 76: "an end tag does not fit the element that is open"
    case 77: "an element has no end tag"
    default: "the document is not well-formed (libxml2's error \(code))"
    }
  }

  /// Whether a number is only about namespaces or a warning: the document can be read nonetheless, as
  /// many feeds use a prefix that they never declare.
  static func isHarmless(_ code: Int) -> Bool {
    switch code {
    // XML_WAR_… between the errors of the parser, and XML_NS_ERR_….
    case 96...100, 105...108, 200...205: true
    default: false
    }
  }
}
