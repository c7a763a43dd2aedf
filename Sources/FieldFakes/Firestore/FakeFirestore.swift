public import FieldCore
public import FieldFirestore
internal import FieldFoundation

/// A Firestore database in memory, stricter than Google's emulator.
///
/// ```swift
/// let fake = FakeFirestore()
/// fake["Pets/mesh"] = ["name": "mesh"]
/// let lossy = FaultTransport(fake, .first(1, .lostAnswer()))
/// let client = FirestoreClient(fake.configuration, transport: lossy, clock: ImmediateClock())
/// try await client.commit([.update("Pets/mesh", ["walks": .increment(1)])], receipt: UUID())
/// ```
///
/// It answers the REST interface on any host: get, list, `batchGet`, `runQuery`, `runAggregationQuery`,
/// `beginTransaction`, `commit`, and `rollback`. Commits are atomic and ordered, with preconditions, masks, and
/// the server's arithmetic. What the emulator lets pass is refused: queries without their index, documents
/// over 1 MiB, requests over 10 MiB, and unknown members.
///
/// A transaction that read what another commit has changed meanwhile ends with ABORTED; locks aren't
/// simulated. Reading as of an earlier time works back to the last commit.
public final class FakeFirestore: Transport {
  /// The database.
  public let database: FirestoreDatabase
  /// The clock that times of documents go by.
  public let clock: any FieldClock

  let state: Lock<State>

  /// Creates an empty database.
  ///
  /// - Parameters:
  ///   - project: The ID of the project. Defaults to `demo`.
  ///   - clock: The clock that times of documents go by. Defaults to one that stands still.
  ///   - options: How the database behaves.
  public init(
    project: String = "demo", clock: any FieldClock = ManualClock(), options: Options = Options()
  ) {
    database = FirestoreDatabase(project: project)
    self.clock = clock
    state = Lock(State(database: database, options: options))
  }

  /// A configuration for clients of this database.
  public var configuration: FirestoreConfiguration {
    FirestoreConfiguration(
      project: database.project, tokens: .owner,
      endpoint: URL(literal: "https://firestore.example"))
  }

  /// How the database behaves.
  public var options: Options {
    get { state.withLock(\.options) }
    set { state.withLock { $0.options = newValue } }
  }

  /// The fields of a document; `nil` if it doesn't exist.
  public subscript(path: FirestorePath) -> FirestoreFields? {
    get { state.withLock { $0.documents[path]?.fields } }
    set {
      state.withLock { state in
        let time = state.nextTime(clock.now)
        state.documents[path] = newValue.map {
          FirestoreDocument(
            path, $0, createTime: state.documents[path]?.createTime ?? time, updateTime: time)
        }
      }
    }
  }

  /// All documents, in the order of their paths.
  public var documents: [FirestoreDocument] {
    state.withLock { $0.documents.values.sorted { $0.path < $1.path } }
  }

  /// The number of commits that have been applied.
  public var commitCount: Int { state.withLock(\.commitCount) }

  /// The requests that have arrived, in order.
  public var requests: [TransportRequest] { state.withLock(\.requests) }

  /// Answers a request.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Task.checkCancellation()
    let exchange = try FakeFirestoreRequest(request)
    let now = clock.now
    return try state.withLock { state in
      state.requests.append(request)
      return state.answer(exchange, now: now)
    }.delivered(for: request)
  }
}
