//! Show errors to users, and decide what to retry.

// snippet.hide
import FieldKit

@MainActor
final class Screen {
  var alert: FieldError.Localized?
  var canRetry = false

  func refresh(_ zoo: Zoo, language: TextLanguage) async throws {
    // snippet.show
    // snippet.alert
    do {
      try await zoo.refresh(.now)
    } catch let error as FieldError {
      alert = error.localized(in: language)
      canRetry = error.isRetryable
    }
    // snippet.end
    // snippet.hide
  }

  func symbol(for error: FieldError) -> String {
    // snippet.show
    // snippet.groups
    switch error.code.guidance.group {
    case .network: "wifi.slash"
    case .source: "server.rack"
    case .device: "internaldrive"
    case .caller: "pencil"
    }
    // snippet.end
    // snippet.hide
  }
}
// snippet.show

// snippet.codes
extension FieldError.Code {
  /// The tree was felled.
  static var treeFelled: Self { Self(rawValue: "trees.felled") { treeGuidance } }
}

let treeGuidance: [FieldError.Code: FieldError.Guidance] = [
  .treeFelled: FieldError.Guidance(
    for: .treeFelled, group: .source, isRetryable: false,
    title: [.english: "Tree Felled", .korean: "벌채된 나무"],
    reason: [.english: "The tree is no longer there.", .korean: "나무가 더 이상 없습니다."],
    advice: [.english: "Choose another tree.", .korean: "다른 나무를 선택해 주세요."])
]
// snippet.end
