// The part of Foundation that the sources need, for a platform without it.
public struct Date: Hashable, Comparable, Sendable {
  public var timeIntervalSinceReferenceDate: Double
  public init(timeIntervalSinceReferenceDate seconds: Double) { timeIntervalSinceReferenceDate = seconds }
  public init(timeIntervalSince1970 seconds: Double) { timeIntervalSinceReferenceDate = seconds - 978_307_200 }
  public var timeIntervalSince1970: Double { timeIntervalSinceReferenceDate + 978_307_200 }
  public static func < (left: Date, right: Date) -> Bool {
    left.timeIntervalSinceReferenceDate < right.timeIntervalSinceReferenceDate
  }
}
