import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("A store's parts that were set aside")
struct SetAsideTests {
  private let fileSystem = MemoryFileSystem()
  private let path = "/\(UUID().uuidString)/notes.store"

  private func store(_ access: StoreAccess = .readWrite) -> FileStore<Note> {
    FileStore(unsharedPath: path, access: access, fileSystem: fileSystem)
  }

  private func damage() throws {
    var bytes = try #require(fileSystem[path])
    bytes[bytes.count - 1] ^= 1
    fileSystem[path] = bytes
  }

  private func fill() async throws {
    let store = store()
    for number in 1...3 {
      try await store.commit(
        Changes([Note(number)]), checkpoint: nil, expecting: nil)
    }
    try await store.close()
    try damage()
  }

  @Test("parts of a store that were set aside are named by every opening until they are removed")
  func reported() async throws {
    try await fill()
    let first = try await store().open()
    #expect(first.cuts.count == 1)
    #expect(first.setAside == first.cuts.compactMap(\.savedAs))
    let second = try await store().open()
    #expect(second.isClean)
    #expect(second.setAside == first.setAside)
    #expect(second.hasUnreadParts)
    #expect(try await store(.readOnly).open().setAside == first.setAside)
    fileSystem[path + ".damaged-1"] = nil
    #expect(try await store().open().setAside.isEmpty)
  }

  @Test("parts that were set aside are named by a store that was open when another process did it")
  func setAsideByAnother() async throws {
    try await fill()
    fileSystem[path] = nil
    let one = store()
    try await one.commit(Changes([Note(1)]), checkpoint: nil, expecting: nil)
    #expect(try await one.open().setAside.isEmpty)
    let bytes = try #require(fileSystem[path])
    fileSystem[path] = bytes + [1, 2, 3]
    #expect(try await store().open().setAside.count == 1)
    #expect(try await one.open().setAside.count == 1)
  }

  @Test(
    "parts of a store that were set aside are found damaged by a reader before they are set aside")
  func unsaved() async throws {
    try await fill()
    let report = try await store(.readOnly).open()
    #expect(report.setAside.isEmpty)
    #expect(report.hasUnreadParts)
  }

  @Test("parts of a store that were set aside stay if an unreadable store is set aside as a whole")
  func setAsideAsAWhole() async throws {
    let foreign = Array("this isn't a store".utf8)
    fileSystem[path] = foreign
    fileSystem[path + ".damaged-1"] = [1]
    let store = store()
    try await store.eraseAll()
    #expect(fileSystem[path + ".damaged-1"] == [1])
    #expect(fileSystem[path + ".damaged-2"] == foreign)
    #expect(try await store.snapshot().isEmpty)
  }

  @Test(
    "parts of a store that were set aside are deleted when they are removed, and nothing else is")
  func removed() async throws {
    try await fill()
    let other = path + ".damaged-report"
    fileSystem[other] = [1]
    fileSystem[path + "d.damaged-1"] = [1]
    let store = store()
    try await store.open()
    try await store.removeSetAside()
    #expect(try await store.open().setAside.isEmpty)
    #expect(try await !store.open().hasUnreadParts)
    #expect(fileSystem[path + ".damaged-1"] == nil)
    #expect(fileSystem[other] == [1])
    #expect(fileSystem[path + "d.damaged-1"] == [1])
    #expect(try await store.snapshot().count == 2)
    let error = await #expect(throws: FieldError.self) {
      try await self.store(.readOnly).removeSetAside()
    }
    #expect(error?.code == .readOnly)
  }
}
