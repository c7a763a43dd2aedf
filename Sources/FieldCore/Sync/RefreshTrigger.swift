/// Why a refresh is asked for.
public enum RefreshTrigger: Sendable, Hashable {
  /// Refresh when the policy of the kit says that it is time; else nothing is sent.
  case ifDue
  /// Refresh in any case, as when a person pulls a list down.
  case now
}
