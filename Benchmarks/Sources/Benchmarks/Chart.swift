import Foundation

/// A bar for each race on a logarithmic axis: to the right where FieldKit is ahead, to the left where the
/// baseline is. GitHub shows it in the reader's light or dark appearance.
struct Chart {
  let races: [Race]

  private let width = 1_000.0
  private let labels = 560.0
  private let rowHeight = 20.0
  private let top = 34.0

  /// The powers of ten that the axis shows, of which one is 1.
  private var powers: ClosedRange<Int> {
    let logarithms = races.map { log10($0.ratio) } + [-1, 1]
    return Int((logarithms.min() ?? -1).rounded(.down))...Int((logarithms.max() ?? 1).rounded(.up))
  }

  private func x(_ ratio: Double) -> Double {
    let step = (width - labels - 60) / Double(powers.count - 1)
    return labels + 10 + (log10(ratio) - Double(powers.lowerBound)) * step
  }

  var svg: String {
    let height = top + Double(races.count) * rowHeight + 8
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(text(width)) \(text(height))" role="img" \
      aria-label="How many times as fast or as small FieldKit is as each baseline">
      <style>
      text { font: 12px system-ui, sans-serif; fill: #1f2328 }
      .minor { fill: #59636e } .won { fill: #1a7f5a } .lost { fill: #c2571a }
      line { stroke: #d1d9e0 } .one { stroke: #59636e }
      @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 } .minor { fill: #9198a1 } .won { fill: #3fb98a } .lost { fill: #f0883e }
      line { stroke: #3d444d } .one { stroke: #9198a1 }
      }
      </style>
      """
    ]
    for power in powers {
      let place = text(x(pow(10, Double(power))))
      lines.append(
        """
        <line x1="\(place)" x2="\(place)" y1="\(text(top - 8))" y2="\(text(height - 4))"\
        \(power == 0 ? " class=\"one\"" : "")/>
        <text x="\(place)" y="16" text-anchor="middle" class="minor">\
        \(rounded(pow(10, Double(power)))) ×</text>
        """)
    }
    for (number, race) in races.enumerated() {
      let y = top + Double(number) * rowHeight
      let (start, end) = (min(x(race.ratio), x(1)), max(x(race.ratio), x(1)))
      let isWon = race.ratio >= 1
      lines.append(
        """
        <text x="\(text(labels))" y="\(text(y + 12))" text-anchor="end">\(escaped(race.name))\
        <tspan class="minor"> · \(escaped(race.against))</tspan></text>
        <rect x="\(text(start))" y="\(text(y + 2))" width="\(text(max(end - start, 1)))" height="13" \
        rx="2" class="\(isWon ? "won" : "lost")"/>
        <text x="\(text(isWon ? end + 5 : x(1) + 5))" y="\(text(y + 12))">\(rounded(race.ratio))</text>
        """)
    }
    return lines.joined(separator: "\n") + "\n</svg>\n"
  }

  private func text(_ number: Double) -> String {
    let tenths = (number * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }
}
