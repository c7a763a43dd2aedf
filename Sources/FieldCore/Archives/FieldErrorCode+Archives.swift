extension FieldError.Code {
  /// The file of an archive is encrypted.
  public static var archiveEncrypted: Self {
    Self(rawValue: "archive.encrypted") { ArchiveGuidance.table }
  }
  /// The file of an archive is larger than allowed, or than its compressed bytes can be.
  public static var archiveLimit: Self {
    Self(rawValue: "archive.limit") { ArchiveGuidance.table }
  }
  /// The archive names a file outside the folder to which it is extracted, such as `../x`.
  public static var archivePath: Self { Self(rawValue: "archive.path") { ArchiveGuidance.table } }
}

/// Guidance for the error codes of archives.
package enum ArchiveGuidance {
  package static let table = GuidanceRow.table([
    .init(
      .archiveEncrypted, in: .source, .file,
      en: ("Encrypted Archive", "The archive is protected with a password."),
      zh: ("壓縮檔已加密", "壓縮檔設有密碼保護。"),
      ko: ("암호화된 압축 파일", "압축 파일이 암호로 보호되어 있습니다.")),
    .init(
      .archiveLimit, in: .source, .report,
      en: ("Archive Too Large", "The archive contains more data than the app accepts."),
      zh: ("壓縮檔過大", "壓縮檔的內容超過 App 可接受的大小。"),
      ko: ("압축 파일이 너무 큼", "압축 파일에 앱에서 허용하는 것보다 많은 데이터가 들어 있습니다.")),
    .init(
      .archivePath, in: .source, .report,
      en: ("Unsafe Archive", "The archive names files outside its own folder."),
      zh: ("壓縮檔不安全", "壓縮檔中的檔案路徑指向資料夾之外。"),
      ko: ("안전하지 않은 압축 파일", "압축 파일에 폴더 밖을 가리키는 파일 경로가 있습니다.")),
  ])
}
