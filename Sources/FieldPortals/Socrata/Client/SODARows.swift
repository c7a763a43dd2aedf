public import FieldCore

/// A sequence of a query's rows one by one, read one page at a time.
///
/// A row that can't be read is skipped; use ``SODAClient/pages(_:size:after:)`` to see such rows.
public typealias SODARows = FieldSequence<SODARow, any Error>

/// A sequence of a query's rows one by one, each as a value of a type, read one page at a time.
///
/// A row that can't be read is skipped; read pages to see such rows.
public typealias SODATypedRows<Row: Sendable> = FieldSequence<Row, any Error>
