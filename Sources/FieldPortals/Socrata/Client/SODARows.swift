public import FieldCore

/// The rows of a query one by one, read a page at a time.
///
/// A row that can't be read is left out; read ``SODAClient/pages(_:size:after:)`` to see those.
public typealias SODARows = FieldSequence<SODARow, any Error>

/// The rows of a query one by one, each read into a type, a page at a time.
///
/// A row that can't be read is left out; read ``SODAClient/pages(_:as:size:after:)`` to see those.
public typealias SODATypedRows<Row: Decodable & Sendable> = FieldSequence<Row, any Error>
