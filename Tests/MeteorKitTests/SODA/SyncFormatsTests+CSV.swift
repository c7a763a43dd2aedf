extension SyncFormatsTests {
  static let plainCSV = """
    name,id,nametype,recclass,mass (g),fall,year,reclat,reclong,GeoLocation
    Aachen,1,Valid,L5,21,Fell,1880,50.775,6.08333,"(50.775, 6.08333)"
    Österplana 009,44852,Relict,Relict OC,,Found,1998,58.58333,13.43333,"(58.58333, 13.43333)"
    "A ""b"", c ",7,Valid,Unknown,78.400000000000006,Found,0860,,,

    """

  static let semicolonCSV = """
    name;id;nametype;recclass;mass (g);fall;year;reclat;reclong
    Aachen;1;Valid;L5;21;Fell;1880;50.775;6.08333
    Österplana 009;44852;Relict;Relict OC;;Found;1998;58.58333;13.43333
    "A ""b"", c ";7;Valid;Unknown;78.400000000000006;Found;0860;;

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
    ("semicolons", semicolonCSV),
    ("semicolons, which Excel names in a first line", "sep=;\r\n" + semicolonCSV),
    ("bars", semicolonCSV.replacing(";", with: "|")),
    ("an extra separator in the header", semicolonCSV.replacing("reclong\n", with: "reclong;\n")),
    ("no trailing cells where they are empty", semicolonCSV.replacing("0860;;", with: "0860")),
    (
      "neither trailing cells nor a line break at the end",
      semicolonCSV.replacing("0860;;\n", with: "0860")
    ),
    ("a Ctrl-Z at the end", semicolonCSV + "\u{1A}"),
    ("a Ctrl-Z in place of the last line break", semicolonCSV.dropLast() + "\u{1A}"),
    (
      "words for missing values",
      semicolonCSV.replacing("OC;;", with: "OC;NULL;").replacing("0860;;", with: "0860;N/A;-")
    ),
    (
      "IDs that pandas made decimal numbers of",
      semicolonCSV.replacing(";1;", with: ";1.0;").replacing(";44852;", with: ";44852.0;")
        .replacing(";7;", with: ";7.0;")
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
