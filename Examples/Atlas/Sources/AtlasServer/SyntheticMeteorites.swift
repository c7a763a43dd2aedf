import Foundation

/// Made-up meteorites in the form and the number of the real table, with its peculiarities.
///
/// The rows are the same in every run: 45,716 of them, 6,214 at 0/0, one on Mars, and 7,315 without a
/// position, which leaves 32,186 plausible positions.
enum SyntheticMeteorites {
  static let total = 45_716

  /// A field of finds: a center, a spread in degrees, a weight, and names.
  private struct Strewn {
    let name: String
    let latitude: Double
    let longitude: Double
    let spread: Double
    let weight: Int
  }

  private static let fields: [Strewn] = [
    Strewn(name: "Queen Ridge", latitude: -84.4, longitude: 166, spread: 1.1, weight: 240),
    Strewn(name: "Elephant Shelf", latitude: -76.3, longitude: 157, spread: 0.8, weight: 90),
    Strewn(name: "Yama Ice", latitude: -71.9, longitude: 35.5, spread: 0.9, weight: 170),
    Strewn(name: "Grove Crest", latitude: -73, longitude: 75.2, spread: 0.8, weight: 60),
    Strewn(name: "Miller Slope", latitude: -83.3, longitude: 156, spread: 1.2, weight: 60),
    Strewn(name: "La Plata Ice", latitude: -86.3, longitude: -70, spread: 1.3, weight: 50),
    Strewn(name: "Erg Tazal", latitude: 27.4, longitude: 16.2, spread: 1.7, weight: 34),
    Strewn(name: "Hamada Zegd", latitude: 29.1, longitude: 4.1, spread: 2.4, weight: 22),
    Strewn(name: "Tindal", latitude: 28.6, longitude: -7.6, spread: 2.2, weight: 26),
    Strewn(name: "Jiddat Sayh", latitude: 20.1, longitude: 55.9, spread: 1.1, weight: 90),
    Strewn(name: "Nullar Plain", latitude: -30.6, longitude: 127.4, spread: 2.1, weight: 26),
    Strewn(name: "Salar Vaq", latitude: -24.2, longitude: -69.2, spread: 0.9, weight: 26),
    Strewn(name: "Mesa Caliche", latitude: 34.2, longitude: -102.6, spread: 3.1, weight: 30),
    Strewn(name: "Dry Lake", latitude: 36.4, longitude: -115.6, spread: 2.2, weight: 24),
    Strewn(name: "Prairie Fork", latitude: 40.1, longitude: -97.5, spread: 4.6, weight: 20),
    Strewn(name: "Pampa Alta", latitude: -32.6, longitude: -63.4, spread: 3.1, weight: 7),
    Strewn(name: "Sertao", latitude: -12.5, longitude: -45, spread: 4.5, weight: 6),
    Strewn(name: "Auberive", latitude: 47.2, longitude: 3.4, spread: 2.3, weight: 9),
    Strewn(name: "Mitterwald", latitude: 50.3, longitude: 14.8, spread: 3.4, weight: 11),
    Strewn(name: "Stepnoye", latitude: 53, longitude: 45, spread: 6, weight: 9),
    Strewn(name: "Taiga Run", latitude: 58, longitude: 92, spread: 7, weight: 4),
    Strewn(name: "Doabpur", latitude: 25.6, longitude: 78.6, spread: 3.4, weight: 11),
    Strewn(name: "Loess Gate", latitude: 34.6, longitude: 110.2, spread: 4.2, weight: 8),
    Strewn(name: "Gobi Well", latitude: 43.2, longitude: 102.5, spread: 3.8, weight: 5),
    Strewn(name: "Mikawa", latitude: 35.7, longitude: 138.1, spread: 0.9, weight: 4),
    Strewn(name: "Karoo Kop", latitude: -29.2, longitude: 24.1, spread: 2.7, weight: 7),
    Strewn(name: "Rift Boma", latitude: -3.4, longitude: 34.4, spread: 3.6, weight: 5),
    Strewn(name: "Sudd", latitude: 13.5, longitude: 29.5, spread: 3.6, weight: 4),
    Strewn(name: "Murchis Creek", latitude: -27.5, longitude: 144.2, spread: 4.2, weight: 7),
    Strewn(name: "Lut Kavir", latitude: 31.5, longitude: 57.4, spread: 1.8, weight: 6),
  ]

  private static let classes = [
    "L6", "L6", "L6", "H5", "H5", "H5", "H4", "L5", "L5", "H6", "LL5", "LL6", "L4", "H4/5", "CM2",
    "CO3", "CV3", "Iron, IIIAB", "Iron, IAB-MG", "Ureilite", "Eucrite", "Diogenite", "Howardite",
    "Pallasite, PMG", "Mesosiderite", "EH3", "E4", "R4", "Lunar", "Martian (shergottite)",
  ]

  /// Returns the rows as a JSON array in the form of Socrata's API.
  static func json(count: Int = total) -> [UInt8] {
    var random = SplitMix(state: 0x4154_4C41_53)
    let weights = fields.map(\.weight).reduce(0, +)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * 230)
    for number in 0..<count {
      bytes.append(contentsOf: number == 0 ? "[".utf8 : ",\n".utf8)
      var draw = Int(random.next() % UInt64(weights))
      var field = fields[0]
      for candidate in fields {
        field = candidate
        draw -= candidate.weight
        if draw < 0 { break }
      }
      // 7,315 rows in 45,716 have no position, and 6,214 are at 0/0, evenly spread over the table.
      let place = number * 7_919 % total
      let isNowhere = place < 7_315
      let isNullIsland = place >= 7_315 && place < 13_529
      let isMartian = place == 13_529
      let fell = field.weight < 12 && random.next() % 3 == 0
      let age = random.unit() * random.unit()
      let year = fell || field.weight < 20 ? 2013 - Int(age * 190) : 2013 - Int(age * 70)
      let mass = exp(random.normal() * 2.1 + (fell ? 7.2 : field.latitude < -60 ? 2.9 : 5.3))
      let isHuge = number % 4_571 == 17
      let grams = isHuge ? mass * 40_000 + 2_000_000 : mass
      let kind = classes[Int(random.next() % UInt64(classes.count))]
      let latitude = max(-89.5, field.latitude + random.normal() * field.spread)
      let longitude = field.longitude + random.normal() * field.spread * 1.4
      var row = "{\"name\":\"\(field.name) \(10_000 + number)\",\"id\":\"\(number + 1)\""
      row += ",\"nametype\":\"\(number % 611 == 0 ? "Relict" : "Valid")\",\"recclass\":\"\(kind)\""
      if number % 350 != 0 { row += ",\"mass\":\"\((min(grams, 6e7) * 10).rounded() / 10)\"" }
      row += ",\"fall\":\"\(fell ? "Fell" : "Found")\""
      if number % 157 != 0 {
        row += ",\"year\":\"\(number == 4_242 ? 2101 : year)-01-01T00:00:00.000\""
      }
      if !isNowhere {
        let lat = isNullIsland ? 0 : isMartian ? -1.95 : (latitude * 1e4).rounded() / 1e4
        let lon = isNullIsland ? 0 : isMartian ? 354.47 : (longitude * 1e4).rounded() / 1e4
        row += ",\"reclat\":\"\(lat)\",\"reclong\":\"\(lon)\""
        row += ",\"geolocation\":{\"latitude\":\"\(lat)\",\"longitude\":\"\(lon)\"}"
      }
      bytes.append(contentsOf: (row + "}").utf8)
    }
    bytes.append(contentsOf: "]\n".utf8)
    return bytes
  }
}

/// A small random number generator whose numbers depend on its seed alone.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

  mutating func normal() -> Double {
    let radius = (-2 * log(max(unit(), 1e-12))).squareRoot()
    return radius * cos(2 * .pi * unit())
  }
}
