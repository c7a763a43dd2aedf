/// The condition under which a refresh runs.
public enum RefreshTrigger: Sendable, Hashable {
  /// Refresh if it is due according to the kit's policy; otherwise, send no request.
  case ifDue
  /// Refresh even if it isn't due, such as when the user pulls down a list.
  case now
}
