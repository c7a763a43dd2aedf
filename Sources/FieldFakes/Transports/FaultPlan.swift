public import FieldCore

/// A plan that determines which requests of a ``FaultTransport`` fail with a ``Fault``.
///
/// A plan depends on the number of the request, from 1, among those that it applies to, so it
/// behaves the same in every run in which requests are in the same order.
///
/// ```swift
/// .first(2, .drop())                                  // the third gets through
/// .every(3, .status(503))
/// .script([.drop(), nil, .cutBody(after: 10)])        // one each, then none
/// .seeded(7, rate: 0.2, [.drop(.timeout), .latency(.seconds(2))])
/// .every(2, .drop()).on("zoo.animals.page")           // counts and meets only these requests
/// ```
public struct FaultPlan: Sendable {
  let faultFor: @Sendable (_ number: Int) -> Fault?
  var isConcerned: @Sendable (TransportRequest) -> Bool = { _ in true }

  /// Returns a plan by which every request has the fault.
  public static func always(_ fault: Fault) -> FaultPlan { FaultPlan { _ in fault } }

  /// Returns a plan by which the first requests have the fault.
  public static func first(_ count: Int, _ fault: Fault) -> FaultPlan {
    FaultPlan { $0 <= count ? fault : nil }
  }

  /// Returns a plan by which every nth request has the fault: with 3, the third, the sixth, and so
  /// on.
  public static func every(_ count: Int, _ fault: Fault) -> FaultPlan {
    FaultPlan { count > 0 && $0 % count == 0 ? fault : nil }
  }

  /// Returns a plan with the fault of each request, where `nil` is none.
  ///
  /// Requests after the last one have no fault.
  public static func script(_ faults: [Fault?]) -> FaultPlan {
    FaultPlan { $0 <= faults.count ? faults[$0 - 1] : nil }
  }

  /// Returns a plan by which requests have one of the faults with a probability from 0 through 1.
  ///
  /// The faults depend only on the seed and the number of the request.
  public static func seeded(_ seed: UInt64, rate: Double, _ faults: [Fault]) -> FaultPlan {
    FaultPlan { number in
      let draw = (seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15).mixed
      guard !faults.isEmpty, Double(draw >> 11) * 0x1p-53 < rate else { return nil }
      return faults[Int(draw.mixed % UInt64(faults.count))]
    }
  }

  /// Returns this plan, limited to the requests of one operation.
  public func on(_ operation: String) -> FaultPlan { when { $0.operation == operation } }

  /// Returns this plan, limited to the requests that a closure selects.
  public func when(_ isConcerned: @escaping @Sendable (TransportRequest) -> Bool) -> FaultPlan {
    var plan = self
    plan.isConcerned = { [isConcernedToo = self.isConcerned] in
      isConcernedToo($0) && isConcerned($0)
    }
    return plan
  }
}

extension UInt64 {
  /// The result of SplitMix64's finalizer, in which every bit of the input affects every bit of the
  /// output.
  var mixed: UInt64 {
    var mixed = (self ^ (self >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
