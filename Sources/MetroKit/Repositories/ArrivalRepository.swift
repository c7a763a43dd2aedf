public import FieldCore

/// The store in which a metro keeps its last board: any `RecordStore` of boards, with a single
/// record.
///
/// By default, it is the store `metro` of a `Storage`. Because new boards arrive all the time, a
/// storage with `deferred` durability is enough: a power failure can only restore an older board,
/// which its age reveals.
public typealias ArrivalRepository = RecordStore<ArrivalBoard>
