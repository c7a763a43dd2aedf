extension SyncFormatsTests {
  static let plainCSV = """
    name,id,nametype,recclass,mass (g),fall,year,reclat,reclong,GeoLocation
    Aachen,1,Valid,L5,21,Fell,1880,50.775,6.08333,"(50.775, 6.08333)"
    Österplana 009,44852,Relict,Relict OC,,Found,1998,58.58333,13.43333,"(58.58333, 13.43333)"
    "A ""b"", c ",7,Valid,Unknown,78.400000000000006,Found,0860,,,

    """

  static let filesOfCSV: [(name: String, text: String)] = [
    ("as it is", plainCSV),
    ("a byte-order mark", "\u{FEFF}" + plainCSV),
    ("CRLF", plainCSV.replacing("\n", with: "\r\n")),
    ("a byte-order mark and CRLF", "\u{FEFF}" + plainCSV.replacing("\n", with: "\r\n")),
    ("no final newline", String(plainCSV.dropLast())),
    ("no final newline after CRLF", String(plainCSV.dropLast().replacing("\n", with: "\r\n"))),
    ("blank lines at the end", plainCSV + "\n\n"),
    (
      "all quoted",
      """
      "name","id","nametype","recclass","mass (g)","fall","year","reclat","reclong","GeoLocation"
      "Aachen","1","Valid","L5","21","Fell","1880","50.775","6.08333","(50.775, 6.08333)"
      "Österplana 009","44852","Relict","Relict OC","","Found","1998","58.58333","13.43333",""
      "A ""b"", c ","7","Valid","Unknown","78.400000000000006","Found","0860","","",""

      """
    ),
    (
      "semicolons",
      """
      name;id;nametype;recclass;mass (g);fall;year;reclat;reclong
      Aachen;1;Valid;L5;21;Fell;1880;50.775;6.08333
      Österplana 009;44852;Relict;Relict OC;;Found;1998;58.58333;13.43333
      "A ""b"", c ";7;Valid;Unknown;78.400000000000006;Found;0860;;

      """
    ),
    (
      "an extra column, others reordered and renamed",
      """
      ID,States,Name,Year,Mass_g,LAT,Lon,class,Fall,name type
      1,,Aachen,1880,21,50.775,6.08333,L5,Fell,Valid
      44852,12,Österplana 009,1998,,58.58333,13.43333,Relict OC,Found,Relict
      7,,"A ""b"", c ",0860,78.400000000000006,,,Unknown,Found,Valid

      """
    ),
  ]
}
