internal import CCallgrind
internal import Foundation

/// Feeds each public entry hostile texts of growing length, for `Scripts/Checks/growth.py`.
///
///     Growth list                                the names of all entries
///     Growth measure SIZES PART/PARTS [ENTRY…]   under callgrind, whose log gets a line `@entry TAB shape TAB size`
///                                                before each run, and a line `@end` after it
@main enum Growth {
  static func main() {
    var arguments = CommandLine.arguments.dropFirst()
    switch arguments.popFirst() {
    case "list":
      for entry in Entry.all { print(entry.names.joined(separator: "\t")) }
    case "measure" where callgrind_runs() != 0:
      guard let sizes = arguments.popFirst(), let share = arguments.popFirst().flatMap(Share.init)
      else { exit(2) }
      measure(sizes.split(separator: ",").compactMap { Int($0) }, share, Array(arguments))
    default:
      print("usage: Growth list | measure SIZES PART/PARTS [ENTRY...]")
      exit(2)
    }
  }

  private static func measure(_ sizes: [Int], _ share: Share, _ only: [String]) {
    var number = 0
    for entry in Entry.all where only.isEmpty || only.contains(where: entry.title.contains) {
      for shape in Shape.all {
        number += 1
        guard share.contains(number) else { continue }
        // What is built only once, such as a table, isn't counted.
        entry.run(entry.prepared(shape.text(64)))
        for size in sizes {
          let text = entry.prepared(shape.text(size))
          let start = clock()
          callgrind_note("\(entry.title)\t\(shape.name)\t\(size)")
          entry.run(text)
          callgrind_note("end")
          // Enough is known of what takes so long.
          if clock() - start > 4 * CLOCKS_PER_SEC { break }
        }
      }
    }
  }
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
