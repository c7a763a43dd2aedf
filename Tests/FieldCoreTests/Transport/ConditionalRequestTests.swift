import FieldCore
import Foundation
import Testing

@Suite("A conditional request")
struct ConditionalRequestTests {
  static let known = HTTPValidators(entityTag: "\"one\"", lastModified: "yesterday")

  /// Fields of a 304, and what is known after it.
  static let answers: [(HTTPHeaderFields, HTTPValidators)] = [
    ([:], known),
    (["ETag": "\"two\""], HTTPValidators(entityTag: "\"two\"", lastModified: "yesterday")),
    (["Last-Modified": "today"], HTTPValidators(entityTag: "\"one\"", lastModified: "today")),
  ]

  func request(known: HTTPValidators?) -> ConditionalRequest {
    ConditionalRequest(.test(), known: known)
  }

  @Test("a conditional request has the known validators, unchanged")
  func condition() {
    let fields = request(known: Self.known).request.fields
    #expect(fields["If-None-Match"] == "\"one\"")
    #expect(fields["If-Modified-Since"] == "yesterday")
  }

  @Test(
    "a conditional request has no condition if nothing is known, and requests the full response")
  func withoutCondition() {
    let fields = request(known: nil).request.fields
    #expect(fields["If-None-Match"] == nil)
    #expect(fields["If-Modified-Since"] == nil)
  }

  @Test("a conditional request treats a success as new, with only its own validators")
  func success() throws {
    let response = TransportResponse(status: 200, fields: ["ETag": "\"two\""])
    let answer = try request(known: Self.known).answer(of: response)
    #expect(answer.isNew)
    #expect(answer.validators == HTTPValidators(entityTag: "\"two\""))
  }

  @Test("a conditional request forgets the validators if a success has none")
  func successWithoutValidators() throws {
    let answer = try request(known: Self.known).answer(of: TransportResponse(status: 200))
    #expect(answer.validators == nil)
  }

  @Test(
    "a conditional request updates the validators from a 304, and keeps the others",
    arguments: answers)
  func notModified(fields: HTTPHeaderFields, validators: HTTPValidators) throws {
    let response = TransportResponse(status: 304, fields: fields)
    let answer = try request(known: Self.known).answer(of: response)
    #expect(!answer.isNew)
    #expect(answer.validators == validators)
  }

  @Test("a conditional request rejects a 304 that it didn't ask for")
  func unasked() {
    let error = #expect(throws: FieldError.self) {
      try request(known: nil).answer(of: TransportResponse(status: 304))
    }
    #expect(error?.code == .status)
    #expect(error?.response?.status == 304)
    #expect(error?.operation == TransportRequest.test().operation)
  }

  @Test("a conditional request throws the error of an unsuccessful status")
  func failure() {
    let error = #expect(throws: FieldError.self) {
      try request(known: Self.known).answer(of: TransportResponse(status: 404))
    }
    #expect(error?.code == .notFound)
  }
}
