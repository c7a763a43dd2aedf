internal import CCallgrind
internal import Foundation

/// Feeds each public entry hostile texts of growing length, for `Scripts/Checks/growth.py`.
///
///     Growth list                                the names of all entries
///     Growth measure SIZES PART/PARTS [ENTRY…]   under callgrind, whose log gets a line `@entry TAB shape TAB size`
///                                                before each run, and a line `@end` after it
///     Growth time SIZES PART/PARTS [ENTRY…]      a quick look without callgrind: prints the processor's microseconds
///                                                of each run, which say little on a busy machine
@main enum Growth {
  static func main() {
    var arguments = CommandLine.arguments.dropFirst()
    switch arguments.popFirst() {
    case "list":
      for entry in Entry.all { print(entry.names.joined(separator: "\t")) }
    case let mode? where mode == "time" || mode == "measure" && callgrind_runs() != 0:
      guard let sizes = arguments.popFirst(), let share = arguments.popFirst().flatMap(Share.init)
      else { exit(2) }
      let work = Work(
        sizes: sizes.split(separator: ",").compactMap { Int($0) }, isTimed: mode == "time")
      measure(work, share, Array(arguments))
    default:
      print(
        "usage: Growth list | measure SIZES PART/PARTS [ENTRY...] | time SIZES PART/PARTS [ENTRY...]"
      )
      exit(2)
    }
  }

  private static func measure(_ work: Work, _ share: Share, _ only: [String]) {
    var number = 0
    for entry in Entry.all {
      for shape in Shape.all {
        number += 1
        let pair = "\(entry.title)\t\(shape.name)"
        guard share.contains(number), only.isEmpty || only.contains(where: pair.contains) else {
          continue
        }
        // What is built only once, such as a table, isn't counted.
        entry.run(entry.prepared(shape.text(64)))
        for size in work.sizes {
          let text = entry.prepared(shape.text(size))
          let start = clock()
          callgrind_note("\(pair)\t\(size)")
          entry.run(text)
          callgrind_note("end")
          if work.isTimed {
            let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
            print(pair, size, Int(seconds * 1e6), separator: "\t")
          }
          // Two lengths tell enough of what takes so long.
          if size != work.sizes.first, clock() - start > 4 * CLOCKS_PER_SEC { break }
        }
      }
    }
  }
}

/// The lengths to try, and whether to print times.
private struct Work {
  let sizes: [Int]
  let isTimed: Bool
}

/// One of several equal parts of the work.
private struct Share {
  let part: Int
  let parts: Int

  init?(_ text: String) {
    let numbers = text.split(separator: "/").compactMap { Int($0) }
    guard numbers.count == 2, numbers[1] > 0 else { return nil }
    (part, parts) = (numbers[0] % numbers[1], numbers[1])
  }

  func contains(_ number: Int) -> Bool { number % parts == part }
}
