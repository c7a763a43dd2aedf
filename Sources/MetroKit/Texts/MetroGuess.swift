public import FieldCore

/// The result of a guess at a train's destination: the old app's little game.
///
/// ```swift
/// let guess = metro.check(guess: "淡水", for: arrival)
/// print(guess.isRight, guess.title.string(in: .traditionalChinese))   // true 你好聰明，竟然答對了！
/// ```
///
/// A wrong guess doesn't reveal the destination.
public struct MetroGuess: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The guess, as it was written.
  public let guess: String
  /// A Boolean value that indicates whether the guess is the train's destination.
  public let isRight: Bool
  /// The title to show: `你好聰明，竟然答對了！` if the guess is right.
  public let title: FieldText
  /// The text to show: `真的是淡水站耶!`, with the destination in the feed's spelling.
  public let text: FieldText
  /// The label of the button to show: `當然當然`.
  public let button: FieldText

  /// Creates a result by checking a guess against an arrival's destination.
  public init(_ guess: String, for arrival: Arrival, in network: MetroNetwork = .taipei) {
    self.guess = guess
    isRight = Place(guess, in: network).matches(arrival.destination, named: arrival.destinationName)
    (title, text, button) = MetroTexts.guess(
      isRight: isRight, name: isRight ? arrival.destinationName : guess)
  }

  /// A description with the title and the text, in Chinese.
  public var description: String {
    "\(title.string(in: .traditionalChinese)) \(text.string(in: .traditionalChinese))"
  }
}
