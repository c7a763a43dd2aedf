/// Rows for a machine that has no capture of the real ones, the same in each run.
enum Synthetic {
  /// A generator whose numbers are the same in each run.
  struct Random {
    private var state: UInt64 = 20_131_105

    mutating func next(below bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
  }

  /// Rows of the shape of Socrata's. Those of Dhofar are close to one another, like the real ones.
  static func ndjson(count: Int) -> [UInt8] {
    let places = [
      "Yamato", "Northwest Africa", "Queen Alexandra Range", "Dhofar", "Österplana",
      "Mount Mountain",
    ]
    let classes = ["L6", "H5", "L5", "H4", "LL5", "Iron, IIIAB", "CM2", "Eucrite"]
    var random = Random()
    var text = ""
    for id in 1...count {
      let place = places[random.next(below: places.count)]
      let isNear = place == "Dhofar"
      let latitude =
        isNear
        ? Double(180_000 + random.next(below: 40_000)) / 10_000
        : Double(random.next(below: 1_800_000) - 900_000) / 10_000
      let longitude =
        isNear
        ? Double(530_000 + random.next(below: 40_000)) / 10_000
        : Double(random.next(below: 3_600_000) - 1_800_000) / 10_000
      text += """
        {"name":"\(place) \(id)","id":"\(id)","nametype":"Valid",\
        "recclass":"\(classes[random.next(below: classes.count)])",\
        "mass":"\(Double(random.next(below: 1_000_000)) / 10)",\
        "fall":"Found","year":"\(1900 + random.next(below: 113))-01-01T00:00:00.000",\
        "reclat":"\(latitude)","reclong":"\(longitude)","geolocation":{"type":"Point",\
        "coordinates":[\(longitude),\(latitude)]},":id":"row-abcd-efgh_ijkm",\
        ":created_at":"2015-10-29T18:35:34.000Z",":updated_at":"2015-10-29T18:35:34.000Z"}\n
        """
    }
    return Array(text.utf8)
  }

  /// A feed whose items have Chinese texts of about 700 bytes.
  static func feed(count: Int) -> String {
    var random = Random()
    let words = ["臺南市政府", "社會局", "公告", "活動", "報名", "民眾", "服務", "市民", "時間", "地點"]
    let items = (0..<count).map { number in
      let description = (0..<60).map { _ in words[random.next(below: words.count)] }.joined()
      let time = "\(10 + number / 60 % 14):\(10 + number % 50):\(10 + number % 49)"
      return """
        <item><title>公告第\(number)號 &amp; 說明</title>\
        <link>https://www.tainan.gov.tw/News_Content.aspx?n=13370&amp;s=\(number)</link>\
        <guid>\(number)</guid><pubDate>\(10 + number % 18) Sep 2026 \(time) GMT</pubDate>\
        <description><![CDATA[<p>\(description)</p>]]></description></item>
        """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss version="2.0"><channel><title>臺南市政府</title><link>https://www.tainan.gov.tw</link>\
      <description>news</description>\(items.joined(separator: "\n"))</channel></rss>
      """
  }
}
