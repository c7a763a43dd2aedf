internal import FieldCore
internal import FieldFirestore
public import FieldFoundation
public import WalkKit

/// An edit of this device that another device has overruled, in part or in whole, without having seen it.
///
/// The other edit is later, or removes the record. Whether this device's edit reached the server before or after it
/// doesn't matter. An edit that was made in knowledge of this device's edit is no conflict.
public struct WalkConflict: Identifiable, Codable, Hashable, Sendable {
  /// The ID of the conflict; that of the edit if the edit was overruled when it was sent.
  public let id: UUID
  /// The record.
  public let subject: WalkEdit.Subject
  /// The names of the fields whose values are those of the other device.
  public let fields: [String]
  /// The date of the edit.
  public let date: Date
}

// MARK: - Storage

// A conflict is stored in the commit that ends its edit, so writing one must not fail: the edit would be sent
// for ever. Every value, also of a date that isn't a number, has a text.

extension WalkConflict {
  private static let prefix = "conflict/"

  /// The conflict as it is stored beside the records.
  var record: WalkRecord {
    let (type, subject) = subject.names
    let values: FirestoreFields = [
      "type": .string(type), "id": .string(subject),
      "fields": .array(fields.map { .string($0) }),
      "date": .double(date.timeIntervalSinceReferenceDate),
    ]
    return .attachment(Self.prefix + id.uuidString, values.json.canonicalText)
  }

  /// Reads a conflict; `nil` if the record is none, or one in a form of a later version.
  init?(_ record: WalkRecord) {
    guard case .attachment(let key, let text) = record.content, key.hasPrefix(Self.prefix),
      let id = UUID(uuidString: String(key.dropFirst(Self.prefix.count))),
      let json = try? JSONDocument.value(Array(text.utf8)),
      let values = try? FirestoreFields(json: json),
      let subject = WalkEdit.Subject(type: values["type"]?.string, id: values["id"]?.string),
      let date = values["date"]?.number
    else { return nil }
    self.init(
      id: id, subject: subject, fields: (values["fields"]?.array ?? []).compactMap(\.string),
      date: Date(timeIntervalSinceReferenceDate: date))
  }
}
