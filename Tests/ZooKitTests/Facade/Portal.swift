import FieldCore
import FieldFakes
import Foundation
import ZooKit

/// Datasets of the zoo for the fake portal.
enum Portal {
  static let animalID = TaipeiDataset.zooAnimals.resources[0].rawValue
  static let areaID = TaipeiDataset.zooAreas.resources[0].rawValue
  static let plantID = TaipeiDataset.zooPlants.resources[0].rawValue

  /// So many animals.
  static func animals(count: Int) -> FakeTaipeiOpenData.Dataset {
    FakeTaipeiOpenData.Dataset(
      animalID,
      rows: (0..<count).map { index in
        [
          "a_name_ch": "動物\(index)", "a_name_en": "Animal \(index)", "a_class": "哺乳綱",
          "a_pic01_url": "http://www.zoo.gov.tw/animal \(index).jpg",
          "a_longitude": "121.58\(10 + index % 80)", "a_latitude": "24.99\(10 + index % 80)",
        ]
      }, importedAt: Samples.noon)
  }

  /// So many areas.
  static func areas(count: Int) -> FakeTaipeiOpenData.Dataset {
    FakeTaipeiOpenData.Dataset(
      areaID,
      rows: (0..<count).map { index in
        ["e_no": "\(index + 1)", "e_name": "館區\(index)", "e_category": "戶外區"]
      }, importedAt: Samples.noon)
  }

  /// One plant.
  static let plants = FakeTaipeiOpenData.Dataset(
    plantID, rows: [["F_Name_Ch": "九芎", "F_Name_Latin": "Lagerstroemia subcostata"]])
}
