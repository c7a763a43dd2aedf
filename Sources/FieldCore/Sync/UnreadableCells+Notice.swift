extension UnreadableCells {
  /// The notice about them; `nil` if there are none.
  package var notice: RefreshReport.Notice? {
    guard let first else { return nil }
    let names = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key.prefix(100)) (\($0.value))" }
    return RefreshReport.Notice(
      .unreadableValues,
      "\(count) values can't be read, so their records lack them: \(RowSchema.list(names)). "
        + "The first: \(first)")
  }
}
