import FieldKit
import Foundation

let zoo = Zoo(storage: .application("tropical-house"), transport: URLSessionTransport())
