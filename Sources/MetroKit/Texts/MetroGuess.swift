public import FieldCore

/// What came of a guess where a train goes: the old app's little game.
///
/// ```swift
/// let guess = metro.check(guess: "淡水", for: arrival)
/// print(guess.isRight, guess.title.string(in: .traditionalChinese))   // true 你好聰明，竟然答對了！
/// ```
///
/// A wrong guess does not give the destination away.
public struct MetroGuess: Sendable, Hashable, Codable {
  /// What was guessed, as it was written.
  public let guess: String
  /// Whether the train goes there.
  public let isRight: Bool
  /// The title to show: `你好聰明，竟然答對了！` when the guess is right.
  public let title: FieldText
  /// The text to show: `真的是淡水站耶!`, with the destination as the feed has it.
  public let text: FieldText
  /// The button to show: `當然當然`.
  public let button: FieldText

  /// Checks a guess where the train of an arrival goes.
  public init(_ guess: String, for arrival: Arrival, in network: MetroNetwork = .taipei) {
    self.guess = guess
    let isRight = Place(guess, in: network)
      .matches(arrival.destination, named: arrival.destinationName)
    self.isRight = isRight
    title = MetroTexts.guessTitle(isRight: isRight)
    text = MetroTexts.guessText(
      isRight: isRight, name: isRight ? arrival.destinationName : guess)
    button = MetroTexts.guessButton(isRight: isRight)
  }
}

extension MetroGuess: CustomStringConvertible {
  /// The title and the text, in Chinese.
  public var description: String {
    "\(title.string(in: .traditionalChinese)) \(text.string(in: .traditionalChinese))"
  }
}
