import Testing
@testable import FieldXML
