public import FieldCore

extension MetroLine {
  /// The identifier of a line: the letters of its codes, such as `BL`.
  public typealias ID = RecordID<MetroLine>
}

extension RecordID where Subject == MetroLine {
  /// The Bannan line, 板南線.
  public static var bannan: Self { Self(rawValue: "BL") }
  /// The Wenhu line, 文湖線.
  public static var wenhu: Self { Self(rawValue: "BR") }
  /// The Songshan-Xindian line with its Xiaobitan branch, 松山新店線.
  public static var songshanXindian: Self { Self(rawValue: "G") }
  /// The Zhonghe-Xinlu line, 中和新蘆線.
  public static var zhongheXinlu: Self { Self(rawValue: "O") }
  /// The Tamsui-Xinyi line with its Xinbeitou branch, 淡水信義線.
  public static var tamsuiXinyi: Self { Self(rawValue: "R") }
  /// The Circular line of New Taipei, 環狀線.
  public static var circular: Self { Self(rawValue: "Y") }
}
