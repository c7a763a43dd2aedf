/// Rows of the shape of Socrata's, for a machine that has no capture of the real ones.
enum SyntheticRows {
  static func ndjson(count: Int) -> [UInt8] {
    let places = [
      "Yamato", "Northwest Africa", "Queen Alexandra Range", "Dhofar", "Österplana",
      "Mount Mountain",
    ]
    let classes = ["L6", "H5", "L5", "H4", "LL5", "Iron, IIIAB", "CM2", "Eucrite"]
    var state: UInt64 = 20_131_105
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    var text = ""
    for id in 1...count {
      let latitude = Double(random(1_800_000) - 900_000) / 10_000
      let longitude = Double(random(3_600_000) - 1_800_000) / 10_000
      text += """
        {"name":"\(places[random(places.count)]) \(id)","id":"\(id)","nametype":"Valid",\
        "recclass":"\(classes[random(classes.count)])","mass":"\(Double(random(1_000_000)) / 10)",\
        "fall":"Found","year":"\(1900 + random(113))-01-01T00:00:00.000","reclat":"\(latitude)",\
        "reclong":"\(longitude)","geolocation":{"type":"Point",\
        "coordinates":[\(longitude),\(latitude)]},":id":"row-abcd-efgh_ijkm",\
        ":created_at":"2015-10-29T18:35:34.000Z",":updated_at":"2015-10-29T18:35:34.000Z"}\n
        """
    }
    return Array(text.utf8)
  }
}
