internal import FieldCore

/// Watches whether rows come with the fields that order them, and in that order.
struct SODAOrder {
  private(set) var tokens: [UInt64] = []
  private(set) var lastID: String?
  private(set) var lastStamp: String?
  private var isWithout = false
  private var disorder: (before: String, after: String)?
  private let checksStamps: Bool
  private let needsStamps: Bool

  /// - Parameter request: What was asked for; nil when rows come without times.
  init(_ request: PageRequest?) {
    switch request?.order {
    case .byChange?:
      checksStamps = true
      lastStamp = request?.position?.stamp
    default:
      checksStamps = false
    }
    needsStamps = request != nil
  }

  mutating func note(id: String?, stamp: String?) {
    guard let id, stamp != nil || !needsStamps else {
      isWithout = true
      return
    }
    tokens.append(Self.hash(id))
    lastID = id
    guard let stamp else { return }
    // Texts of one form are in the order of their times; another form is not worth an error.
    if checksStamps, let lastStamp, stamp < lastStamp,
      stamp.utf8.count == lastStamp.utf8.count, disorder == nil
    {
      disorder = (lastStamp, stamp)
    }
    lastStamp = stamp
  }

  func check() throws(FieldError) {
    if isWithout {
      throw FieldError(
        .sodaNoSystemFields,
        """
        the rows come without `:id` or `:updated_at`, by which a portal's rows are read page by page: \
        the address is a file or another server; read it whole instead
        """)
    }
    if let disorder {
      throw FieldError(
        .disordered,
        """
        a row that was changed at \(disorder.after) comes behind one of \(disorder.before): the server \
        does not look at the order or the position that it is asked for; the store is as it was
        """)
    }
  }

  /// FNV-1a: rows are told apart by it within a run, so it need not withstand anybody.
  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
