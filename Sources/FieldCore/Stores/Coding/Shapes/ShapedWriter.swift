/// A writer of records in the default coding, for one batch.
///
/// The first record of a type determines a shape. A record that doesn't fit it determines a wider one, up to a limit,
/// after which such records are self-described. What is written depends on nothing but the records of the batch.
final class ShapedWriter {
  /// The largest number of shapes of a type.
  private static let shapeLimit = 64

  /// The shape into which the records of a type have fitted so far.
  private final class Form {
    var id: ShapeKind
    var root: ShapeKind
    /// The field of the record that contains the ID.
    var idField: Int?
    var shape: RecordShape?
    var shapeCount = 0
    /// The places at which texts may repeat, by child of the shape.
    var texts: [RepeatedText] = []
    /// The number of the shape's text among the strings of the batch.
    var number = -1

    init(id: ShapeKind, root: ShapeKind, idField: Int?) {
      (self.id, self.root, self.idField) = (id, root, idField)
      findShape()
    }

    func findShape() {
      var text = ""
      id.append(to: &text)
      root.append(to: &text, idField: idField)
      shape = try? RecordShape.shape(text)
      shapeCount += 1
      texts = Array(repeating: RepeatedText(), count: shape?.children.count ?? 0)
      number = -1
    }
  }

  private let encoding = TreeEncoding()
  private var forms: [ObjectIdentifier: Form] = [:]
  private let undescribed = Form(id: .plain(.any), root: .plain(.any), idField: nil)
  /// The texts that have been written once.
  private var seen: Set<String> = []

  /// Writes a record, as JSON if its values are nested more deeply than this coding allows.
  func write<Record: StoredRecord>(_ record: Record, to writer: inout RecordWriter) throws {
    encoding.tree.removeAll()
    let id = try encoding.encodeRoot(record.id)
    let root = try encoding.encodeRoot(record)
    guard !encoding.tree.isTooDeep else { return try writer.encode(record) }
    let form = forms[ObjectIdentifier(Record.self)]
    if let form, write(id, root, as: form, to: &writer) { return }
    if let form = widened(form, for: id, root) {
      forms[ObjectIdentifier(Record.self)] = form
      if write(id, root, as: form, to: &writer) { return }
    }
    if !write(id, root, as: undescribed, to: &writer) { try writer.encode(record) }
  }

  /// Returns the form of the records so far and of one more, or `nil` if there are too many.
  private func widened(_ form: Form?, for id: Int, _ root: Int) -> Form? {
    let tree = encoding.tree
    guard form.map({ $0.shapeCount < Self.shapeLimit }) != false else { return nil }
    let (idKind, kind) = (tree.shapeKind(of: id), tree.shapeKind(of: root))
    let fields = tree.kind(root) == .record ? tree.children(of: root) : []
    let idField = fields.firstIndex { tree.isSame($0, id) }
    guard let form else { return Form(id: idKind, root: kind, idField: idField) }
    (form.id, form.root) = (form.id.merged(with: idKind), form.root.merged(with: kind))
    // With more fields, the one with the ID may have another place.
    if form.idField != idField || form.root.fieldCount != fields.count { form.idField = nil }
    form.findShape()
    return form
  }

  /// Writes a record, or returns `false` and writes nothing if it doesn't have this form.
  private func write(_ id: Int, _ root: Int, as form: Form, to writer: inout RecordWriter) -> Bool {
    guard let shape = form.shape else { return false }
    form.number = writer.number(of: shape.text, guess: form.number)
    // Moved, not copied, so that what they contain isn't copied when it changes.
    var pass = ShapePass(tree: encoding.tree, shape: shape, id: id)
    swap(&pass.out, &writer)
    swap(&pass.texts, &form.texts)
    swap(&pass.seen, &seen)
    defer {
      swap(&pass.out, &writer)
      swap(&pass.texts, &form.texts)
      swap(&pass.seen, &seen)
    }
    return pass.write(root, shapeNumber: form.number)
  }
}
