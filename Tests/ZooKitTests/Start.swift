import Testing
@testable import ZooKit
