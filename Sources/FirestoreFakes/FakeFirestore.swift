public import FieldCore
public import FieldFakes
public import FieldFirestore
internal import FieldFoundation

/// A Firestore database in memory that is stricter than Google's emulator.
///
/// ```swift
/// let fake = FakeFirestore()
/// fake["Pets/mesh"] = ["name": "mesh"]
/// let lossy = FaultTransport(fake, .first(1, .lostResponse()))
/// let client = FirestoreClient(fake.configuration, transport: lossy, clock: ImmediateClock())
/// try await client.commit([.update("Pets/mesh", ["walks": .increment(1)])], receipt: UUID())
/// ```
///
/// It responds to the REST interface on any host: get, list, `batchGet`, `runQuery`,
/// `runAggregationQuery`, `beginTransaction`, `commit`, and `rollback`. Commits are atomic and
/// ordered, with preconditions, masks, and the server's arithmetic. Unlike the emulator, it rejects
/// queries without their index, documents over 1 MiB, requests over 10 MiB, and unknown members.
///
/// A transaction ends with ABORTED if another commit has changed what it read; locks aren't
/// simulated. Reading at an earlier time works back to the last commit.
public final class FakeFirestore: Transport {
  /// The database.
  public let database: FirestoreDatabase
  /// The clock that determines the times of documents.
  public let clock: any FieldClock

  let state: Lock<State>

  /// Creates an empty database.
  ///
  /// - Parameters:
  ///   - project: The ID of the project. Defaults to `demo`.
  ///   - clock: The clock that determines the times of documents. By default, it stands still.
  ///   - options: The behavior of the database.
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

  /// The behavior of the database.
  public var options: Options {
    get { state.withLock(\.options) }
    set { state.withLock { $0.options = newValue } }
  }

  /// The fields of a document, or `nil` if it doesn't exist.
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

  /// All documents, sorted by path.
  public var documents: [FirestoreDocument] {
    state.withLock { $0.documents.values.sorted { $0.path < $1.path } }
  }

  /// The number of applied commits.
  public var commitCount: Int { state.withLock(\.commitCount) }

  /// The received requests, in order.
  public var requests: [TransportRequest] { state.withLock(\.requests) }

  /// Responds to a request.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Task.checkCancellation()
    let received = try FakeFirestoreRequest(request)
    let now = clock.now
    return try state.withLock { state in
      state.requests.append(request)
      return state.response(received, now: now)
    }.delivered(for: request)
  }
}
