import Foundation
import MeteorKit
import Testing

@Suite("SoQL is printed")
struct SoQLPrintingTests {
  static let mass = SoQL.column("mass")
  static let fall = SoQL.column("fall")
  static let year = SoQL.column("year")
  static let place = SoQL.column("geolocation")

  @Test(
    "conditions as the parser reads them",
    arguments: [
      (mass >= 1000 && fall == "Fell", "mass >= 1000 AND fall = 'Fell'"),
      (mass < 0.01 || mass > 1e20, "mass < 0.01 OR mass > 1e+20"),
      (
        (mass == 1 || mass == 2) && !(fall == "Fell"),
        "(mass = 1 OR mass = 2) AND NOT (fall = 'Fell')"
      ),
      (mass == 1 || mass == 2 && fall != "Fell", "mass = 1 OR mass = 2 AND fall != 'Fell'"),
      (mass.between(1, and: 2.5), "mass BETWEEN 1 AND 2.5"),
      (mass.notBetween(-1, and: 2), "mass NOT BETWEEN -1 AND 2"),
      (fall.isIn(["Fell", "Found"]), "fall IN ('Fell', 'Found')"),
      (fall.isNotIn(["Fell"]), "fall NOT IN ('Fell')"),
      (fall.isIn([]), "1 = 0"),
      (fall.isNotIn([]), "1 = 1"),
      (mass > 1 && fall.isIn([]), "1 = 0"),
      (mass.isNull || year.isNotNull, "mass IS NULL OR year IS NOT NULL"),
      (!mass.isNull, "NOT (mass IS NULL)"),
      (fall.starts(with: "F"), "starts_with(fall, 'F')"),
      (fall.uppercased.contains("EL"), "contains(upper(fall), 'EL')"),
      (fall.like("%ll") && fall.notLike("_x"), "fall LIKE '%ll' AND fall NOT LIKE '_x'"),
      (mass + 1 > mass * 2 - 3, "mass + 1 > mass * 2 - 3"),
      ((mass + 1) * 2 == (mass - (mass - 1)), "(mass + 1) * 2 = mass - (mass - 1)"),
      (mass - -1 == -mass, "mass - (-1) = -mass"),
      (.isTrue(SoQL.column("valid")), "valid"),
      (.always, "1 = 1"),
      (fall == "L'Aigle", "fall = 'L''Aigle'"),
      (SoQL.column(.updatedAt) > .fixedTimestamp(verbatim: "x"), ":updated_at > 'x'"),
      (
        SoQL.column(.updatedAt) > .fixedTimestamp(Date(timeIntervalSince1970: 1_446_143_734)),
        ":updated_at > '2015-10-29T18:35:34.000Z'"
      ),
      (SoQL.column("order") == true, "`order` = true"),
    ])
  func conditions(condition: SoQL.Condition, text: String) {
    #expect(condition.description == text)
  }
}
