//! Keeping a diary in Firestore.

// snippet.hide
import FieldURLSession
import Foundation
import WalkFirestore

func keepingWalks(apiKey: String, refreshToken: String, folder: URL) async throws {
  // snippet.show
  // snippet.diary
  let transport = URLSessionTransport()
  let tokens = SecureTokenProvider(
    apiKey: apiKey, refreshToken: refreshToken, transport: transport)
  let configuration = FirestoreConfiguration(project: "walks", tokens: tokens)
  let diary = WalkDiary(
    storage: .directory(folder), transport: transport, backend: .firestore(configuration))
  try await diary.refresh(.now)
  // snippet.end

  // snippet.cloud
  let place = WalkFirestoreConfiguration.firestore(
    configuration, photos: StorageConfiguration(bucket: "walks.appspot.com", tokens: tokens),
    root: "users/ada")
  let cloud = FirestoreWalks(place, storage: .directory(folder), transport: transport)
  let shared = WalkDiary(cloud)
  // snippet.end

  // snippet.pending
  for edit in try await cloud.pending().operations {
    print(edit.payload.subject, edit.payload.fields, edit.state, edit.lastError?.message ?? "")
  }
  for rejected in try await cloud.pending().rejected { try await cloud.discard(rejected.id) }
  // snippet.end

  // snippet.conflicts
  for conflict in try await cloud.conflicts() {
    print(conflict.subject, conflict.fields)
    try await cloud.dismiss(conflict)
  }
  // snippet.end

  // snippet.original
  try await shared.add(try await cloud.originalDiary())
  try await shared.refresh(.now)
  // snippet.end

  // snippet.mirror
  let long = FirestoreQuery("users/ada/diary").where("distance", .greaterThan, 5_000.0)
  for walk in try await cloud.mirror.documents(long) { print(walk.path.id) }
  print(try await cloud.lastRefresh as Any)
  // snippet.end
}
