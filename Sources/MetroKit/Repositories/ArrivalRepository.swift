public import FieldCore

/// The store that a metro keeps its last board in: any `RecordStore` of boards, of which there is one.
///
/// The default is the store `metro` of a `Storage`. A board is fetched anew all the time, so a storage
/// whose durability is `deferred` suffices: a loss of power can only bring an older board back, and its age
/// tells.
public typealias ArrivalRepository = RecordStore<ArrivalBoard>
