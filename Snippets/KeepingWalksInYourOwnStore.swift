//! Keeping a diary in your own store.

// snippet.hide
import FieldURLSession
import Foundation
import WalkKit

func keepingWalks(records: any WalkRepository, photos: any BlobStore, folder: URL) async throws {
  // snippet.show
  // snippet.use
  let diary = WalkDiary(
    repository: records, blobs: photos, storage: .directory(folder),
    transport: URLSessionTransport())
  let mesh = try await diary.register(PetRegistration(name: "mesh", breed: .welshCorgi))
  print(try await diary.walks(of: mesh.id).count)
  // snippet.end
}
