import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Receiving a response")
struct ResponseReceiverTests {
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url.appending(path: "photo.jpg")
  }

  private func start(
    _ fields: HTTPHeaderFields = [:], status: Int = 200, limit: Int = 10,
    to destination: TransportRequest.Destination? = nil
  ) throws -> ResponseReceiver {
    let url = try #require(URL(string: "https://a.example/photo.jpg"))
    let request = TransportRequest(
      url: url, responseLimit: limit, destination: destination ?? .file(file), operation: "test")
    return try ResponseReceiver(
      TransportResponse.Head(status: status, fields: fields), for: request)
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  @Test("a body arrives in memory or in a file, whatever collection its parts are")
  func parts() throws {
    for destination in [TransportRequest.Destination.memory, .file(file)] {
      var receiver = try start(["Content-Length": "6"], to: destination)
      try receiver.append(Data("ab".utf8))
      try receiver.append([UInt8]("xcdx".utf8)[1...2])
      try receiver.append("ef".utf8.lazy.map { $0 })
      #expect(try receiver.finish().body.bytes() == Array("abcdef".utf8))
    }
    #expect(try names == ["photo.jpg"])
  }

  @Test("a file is replaced by a complete body only")
  func incomplete() throws {
    try Data("old".utf8).write(to: file)
    do {
      var receiver = try start(["Content-Length": "6"])
      try receiver.append([1, 2, 3])
      #expect(try names.count == 2)
      let error = #expect(throws: FieldError.self) { try receiver.finish() }
      #expect(error?.code == .bodyCut)
      receiver.discard()
      #expect(try names == ["photo.jpg"])
      receiver.discard()
    }
    do {
      // Without `discard()`, the end of the receiver removes the file.
      var receiver = try start()
      try receiver.append([1, 2, 3])
    }
    #expect(try names == ["photo.jpg"])
    #expect(try Data(contentsOf: file) == Data("old".utf8))

    let finished = try start()
    _ = try finished.finish()
    finished.discard()
    #expect(try Data(contentsOf: file).isEmpty)
  }

  @Test("the limit of a response holds for the stated length and for the bytes")
  func limit() throws {
    let stated = #expect(throws: FieldError.self) { try start(["Content-Length": "11"]) }
    #expect(stated?.code == .responseTooLarge)
    var receiver = try start(["Content-Length": "10"])
    try receiver.append([UInt8](repeating: 0, count: 10))
    let error = #expect(throws: FieldError.self) { try receiver.append([0]) }
    #expect(error?.code == .responseTooLarge)
    receiver.discard()
    #expect(try names.isEmpty)
  }

  @Test("a response that isn't a success stays in memory, and may end early")
  func redirect() throws {
    var receiver = try start(["Content-Length": "6"], status: 302)
    try receiver.append([1])
    #expect(try receiver.finish(early: true).body == .bytes([1]))
    #expect(try names.isEmpty)
  }
}
