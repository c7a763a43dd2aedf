import FieldCore
import FieldFakes
import Synchronization

/// The page of the server, which changes.
final class ServedPage: Transport {
  struct Content {
    var text: String
    var delivery = LoopbackServer.Delivery.whole
  }

  private let state: Mutex<Content>

  init(_ text: String) { state = Mutex(Content(text: text)) }

  var content: Content {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    TransportResponse(
      status: 200, fields: ["Content-Type": "text/csv"], body: .text(content.text))
  }
}
