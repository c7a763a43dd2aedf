//! Reading and writing a Firestore database.

// snippet.hide
import FieldFirestore
import FieldURLSession
import Foundation

func firestoreBasics(refreshToken: String, apiKey: String, operation: UUID) async throws {
  // snippet.show
  // snippet.client
  let transport = URLSessionTransport()
  let client = FirestoreClient(
    FirestoreConfiguration(
      project: "walks",
      tokens: SecureTokenProvider(
        apiKey: apiKey, refreshToken: refreshToken, transport: transport)),
    transport: transport)
  try await client.commit([.create("Pets/mesh", ["name": "mesh", "born": .serverTimestamp])])
  let long = FirestoreQuery("Pets/mesh/Walks")
    .where("minutes", .greaterThan, 30)
    .order(by: "minutes", .descending)
  for walk in try await client.run(long).documents {
    print(walk.path.id, walk["minutes"]?.integer ?? 0)
  }
  // snippet.end

  // snippet.receipt
  let commit = try await client.commit(
    [.update("Pets/mesh", ["walks": .increment(1)])], receipt: operation)
  print(commit.applied)  // now, or earlier
  // snippet.end
}
