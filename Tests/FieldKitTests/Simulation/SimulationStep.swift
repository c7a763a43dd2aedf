import Foundation
import TestSupport

/// A step of a simulation, which means the same whichever steps are left out before it.
struct SimulationStep: Sendable, CustomStringConvertible {
  /// What a user or the world does.
  enum Action: String, Sendable, CaseIterable {
    case register, changePet, deletePet
    case start, record, note, photo, pause, suspend, finish, discard, recover
    case annotate, deleteWalk, refreshWalks
    case addSighting, editSighting, removeSighting, refreshZoo, picture
    case refreshStones, changeStones, changeAnimals
    case wait, waitLong, setClock, kill, cutPower, endUploads

    /// How often it happens.
    fileprivate var weight: Int {
      switch self {
      case .record: 8
      case .refreshWalks, .start, .finish, .annotate: 5
      case .note, .photo, .recover, .wait, .addSighting, .register: 3
      case .deletePet, .discard, .deleteWalk, .endUploads, .setClock, .suspend: 1
      default: 2
      }
    }
  }

  /// What goes wrong meanwhile.
  enum Mishap: Sendable, Hashable {
    case files(ProcessFiles.Mishap, after: Int)
    case fullDisk
    case failingSync
    case cancel(after: Duration)
  }

  /// The process that does it.
  var process: Int
  var action: Action
  var mishap: Mishap?
  /// Whether the next step begins before this one has ended.
  var isAlongside: Bool
  /// Whether requests fail at random.
  var isFaulty: Bool
  /// What decides everything else.
  var draw: UInt64

  var description: String {
    let mishap = mishap.map { " with \($0)" } ?? ""
    return "process \(process): \(action)\(mishap)\(isFaulty ? ", bad network" : "")"
      + "\(isAlongside ? ", alongside" : "") [\(draw)]"
  }

  /// Returns the steps of a seed.
  static func steps(_ count: Int, seed: UInt64) -> [SimulationStep] {
    var chance = SeededGenerator(seed: seed)
    let bag = Action.allCases.flatMap { Array(repeating: $0, count: $0.weight) }
    return (0..<count).map { _ in
      let action = bag[Int.random(in: bag.indices, using: &chance)]
      return SimulationStep(
        process: .random(in: 0..<3, using: &chance), action: action,
        mishap: mishap(&chance), isAlongside: Int.random(in: 0..<5, using: &chance) == 0,
        isFaulty: Int.random(in: 0..<3, using: &chance) == 0,
        draw: .random(in: 0..<1_000_000, using: &chance))
    }
  }

  private static func mishap(_ chance: inout SeededGenerator) -> Mishap? {
    let calls = Int.random(in: 0..<(Bool.random(using: &chance) ? 20 : 120), using: &chance)
    switch Int.random(in: 0..<24, using: &chance) {
    case 0: return .files(.kill, after: calls)
    case 1: return .files(.powerCut, after: calls)
    case 2: return .files(.failure(EIO), after: calls)
    case 3: return .files(.partialFailure(ENOSPC), after: calls)
    case 4: return .fullDisk
    case 5: return .failingSync
    case 6: return .cancel(after: .milliseconds(calls * 20))
    default: return nil
    }
  }
}

/// Returns a short part of a list that still fails, by removing parts of it while it does.
func shrunk<Element>(_ list: [Element], while fails: ([Element]) throws -> Bool) rethrows
  -> [Element]
{
  var list = list
  var size = list.count / 2
  while size > 0 {
    var start = 0
    while start < list.count {
      var shorter = list
      shorter.removeSubrange(start..<min(start + size, list.count))
      if try fails(shorter) { list = shorter } else { start += size }
    }
    size /= 2
  }
  return list
}
