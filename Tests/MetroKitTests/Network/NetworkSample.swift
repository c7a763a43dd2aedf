import MetroKit

/// A small network of three lines, in the compact form.
enum NetworkSample {
  /// X runs X1 to X4, with a branch from X3; Y crosses it at Middle; Z has no times.
  static let text = """
    metro 1|2030-01-01
    line X|AAA|#00ff7F|甲線|Line X||
    line Y|BBB|#000000|乙線|Line Y|-|-
    line Z|CCC|#ffffff|丙線|Line Z||
    stop X|X01|25.000000|121.500000|東|East||
    stop X|X02|25.010000|121.500000|中|Middle|-|-
    stop X|X03|25.020000|121.500000|西|West|Nishi|서
    stop X|X04|25.030000|121.500000|南站|South Gate||
    stop X|X03A|25.020000|121.510000|小西|Little West||
    stop Y|Y01|25.010000|121.490000|北|North||
    stop Y|Y02|25.010100|121.500000|中|Middle||
    stop Z|Z01|25.100000|121.600000|遠|Far||
    stop Z|Z02|25.110000|121.600000|更遠|Farther||
    service X|X-1|X01 60 X02:20 70 X03:30 80 X04
    service X|X-2|X03A 90 X03
    service Y|Y-1|Y01 50 Y02
    walk Y01|X04
    alias X04|Gate
    exits X02|1 25.01 121.5|2A 25.011 121.501|- 25.012 121.502
    trains X02|X01 06:00 00:10|X04 06:05 23:59
    end 20

    """

  static func bytes(replacing old: String = "", with new: String = "") -> [UInt8] {
    Array((old.isEmpty ? text : text.replacing(old, with: new)).utf8)
  }
}
