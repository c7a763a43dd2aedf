import FieldKit
import Foundation

let diary = WalkDiary(
  storage: .directory(URL(filePath: "diary")), transport: URLSessionTransport(),
  rules: PetRules(required: []))
