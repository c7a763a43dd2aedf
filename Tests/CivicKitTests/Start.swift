import Testing
@testable import CivicKit
