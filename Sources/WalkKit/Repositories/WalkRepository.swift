public import FieldCore

/// The store in which a diary keeps its pets, walks, places, and settings: any `RecordStore` of
/// ``WalkRecord``.
///
/// By default, it is the store `walks` of a `Storage`. To use your own database, implement
/// `RecordStore` with ``WalkRecord`` as its `Record`, and verify it with `RecordStoreConformance`; see
/// <doc:Keeping-walks-in-your-own-store>.
public typealias WalkRepository = RecordStore<WalkRecord>
