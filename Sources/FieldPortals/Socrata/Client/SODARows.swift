public import FieldCore

/// A sequence of a query's rows one by one, read one page at a time.
///
/// A row that can't be read is skipped; use ``SODAClient/pages(_:size:after:)`` to see such rows.
public typealias SODARows = FieldSequence<SODARow, any Error>

/// A sequence of a query's rows one by one, each decoded into a type, read one page at a time.
///
/// A row that can't be read is skipped; use ``SODAClient/pages(_:as:size:after:)`` to see such
/// rows.
public typealias SODATypedRows<Row: Decodable & Sendable> = FieldSequence<Row, any Error>
