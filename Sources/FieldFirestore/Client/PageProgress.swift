/// What shows that the pages of a list aren't repeated.
///
/// No document is at the start of two pages, whatever the order, so a server that repeats pages is
/// found out even if it invents tokens.
struct PageProgress {
  /// The number of pages without a document that may follow each other.
  private static let maximumEmptyPageCount = 100

  private var tokens: Set<String> = []
  private var starts: Set<String> = []
  private var emptyPageCount = 0

  /// Returns `false` if the page is a repetition, or leads to one.
  mutating func accepts(_ page: FirestoreResults) -> Bool {
    let start = [page.documents.first?.path.text, page.failures.first?.key].compactMap(\.self)
    if start.isEmpty { emptyPageCount += 1 } else { emptyPageCount = 0 }
    return page.nextPageToken.map { tokens.insert($0).inserted } ?? true
      && emptyPageCount <= Self.maximumEmptyPageCount
      && start.allSatisfy { starts.insert($0).inserted }
  }
}
