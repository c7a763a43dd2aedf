import Testing
@testable import WalkKit
