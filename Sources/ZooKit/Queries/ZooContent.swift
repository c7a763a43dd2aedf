/// What a view shows.
struct ZooContent: Sendable {
  var animals: [Animal]
  var areas: [ZooArea]
  var plants: [Plant]
  var events: [ZooEvent]
  var aliases: [String: String]
}
