// Signposts exist on Apple platforms only. This file isn't compiled on Linux, where the package is
// tested.
#if canImport(os)
  public import FieldCore
  public import os

  extension FieldObserver {
    /// Returns an observer that marks operations as intervals in Instruments.
    public static func signposts(
      _ signposter: OSSignposter = OSSignposter(subsystem: "FieldKit", category: "Data")
    ) -> FieldObserver {
      let intervals = Operations<(name: StaticString, state: OSSignpostIntervalState)>()
      return FieldObserver { event in
        let text = "\(event)"
        switch event.step {
        case .began:
          let name = event.name.signpost
          let id = signposter.makeSignpostID()
          intervals.begin(
            event.operation,
            (name, signposter.beginInterval(name, id: id, "\(text, privacy: .public)")))
        case .occurred:
          signposter.emitEvent(event.name.signpost, "\(text, privacy: .public)")
        case .ended, .failed, .cancelled:
          guard let (name, state) = intervals.end(event.operation) else { return }
          signposter.endInterval(name, state, "\(text, privacy: .public)")
        }
      }
    }
  }

  extension FieldEvent.Name {
    /// The name as a literal, which signposts require.
    fileprivate var signpost: StaticString {
      switch self {
      case .kitOpen: "kit.open"
      case .kitErase: "kit.erase"
      case .refresh: "refresh"
      case .refreshPart: "refresh.part"
      case .refreshPage: "refresh.page"
      case .refreshRetry: "refresh.retry"
      case .refreshJoin: "refresh.join"
      case .storeOpen: "store.open"
      case .storeCommit: "store.commit"
      case .storeCompaction: "store.compaction"
      case .storeSetAside: "store.setAside"
      case .storeSyncFailure: "store.syncFailure"
      case .storeLockWait: "store.lockWait"
      default: "other"
      }
    }
  }
#endif
