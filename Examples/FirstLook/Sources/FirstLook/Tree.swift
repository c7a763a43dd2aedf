import FieldCore
import Foundation

/// A tree of a made-up park in Taipei, in the columns of a city's table.
struct Tree: CatalogRecord {
  let id: Int
  let species: String
  let height: Double?
  let planted: CalendarDay?
  let coordinate: Coordinate?

  enum CodingKeys: String, CodingKey {
    case id = "tree_no"
    case species = "樹種"
    case height = "height_m"
    case planted = "planting_date"
    case coordinate
  }
  static let indexes: [RecordIndex<Tree>] = [.text(\.species), .order(\.height)]
}

/// The table of the park, as cities publish theirs.
enum Park {
  static let pond = (latitude: 25.0296, longitude: 121.5357)

  /// The rows as CSV, a few of which are dirty.
  static var table: String {
    let species = ["臺灣欒樹", "榕樹", "樟樹", "Ginkgo biloba 銀杏", "大王椰子"]
    var lines = ["Tree_No,樹種,Height_m,Planting_Date,Latitude,Longitude"]
    for number in 1...60 {
      // An oval path around the pond, with a grove in the north.
      let turn = Double(number) * 0.618 * 2 * .pi
      let (x, y) =
        number % 3 == 0 ? (0.4 * turn / 120, 0.9) : (cos(turn), sin(turn))
      let place = "\(rounded(pond.latitude + 0.0020 * y)),\(rounded(pond.longitude + 0.0032 * x))"
      let height = "\(4 + number * 7 % 23).\(number % 10)"
      lines.append("\(number),\(species[number % 5]),\(height),20\(10 + number % 14)/3/12,\(place)")
    }
    // A comma where other rows have a point, and a year of the Republic.
    lines[7] = "7,榕樹,\"12,5\",民國104年3月12日,25.0311,121.5342"
    // Full-width digits, and a unit.
    lines[12] = "１２,樟樹,9.1 m,2015.03.12,25.0285,121.5371"
    lines[20] = "20,樟樹,unknown,2016-03-12T00:00:00+08:00,\"25.0279 N\",121.5345"
    // No number, and one that another row has.
    lines[33] = ",榕樹,8.0,2011/3/12,25.03,121.53"
    lines[48] = "47,銀杏,5.5,2012/3/12,25.0302,121.5368"
    return lines.joined(separator: "\n") + "\n"
  }

  private static func rounded(_ degrees: Double) -> Double {
    (degrees * 100_000).rounded() / 100_000
  }
}
