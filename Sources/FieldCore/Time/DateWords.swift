/// The words of dates in several languages, for ``DateSpelling``.
enum DateWords {
  /// The words in East Asian scripts with their replacements, by their first character and longest
  /// first. Weekdays have no replacement.
  static let phrases: [Unicode.Scalar: [(phrase: [Unicode.Scalar], replacement: String?)]] = {
    let all = weekdayPhrases.map { ($0, nil) } + replacements + zones
    return Dictionary(
      grouping: all.map { (phrase: Array($0.unicodeScalars), replacement: $1) },
      by: { $0.phrase.first ?? " " }
    ).mapValues { $0.sorted { $0.phrase.count > $1.phrase.count } }
  }()

  /// The weekdays that may stand in parentheses alone.
  static let weekdayLetters = Set("一二三四五六日天月火水木金土월화수목금토일".unicodeScalars)

  /// Weekdays in lowercase.
  static let weekdays = Set(
    """
    mon tue wed thu fri sat sun tues weds thur thurs \
    monday tuesday wednesday thursday friday saturday sunday \
    mo di mi do fr sa so montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag \
    lun mar mer jeu ven sam dim lundi mardi mercredi jeudi vendredi samedi dimanche \
    mié mie jue vie sáb sab dom lunes martes miércoles miercoles jueves viernes sábado sabado domingo \
    gio lunedì martedì mercoledì giovedì venerdì sabato domenica \
    seg ter qua qui sex segunda terça quarta quinta sexta feira \
    ma wo za zo maandag dinsdag woensdag donderdag vrijdag zaterdag zondag \
    hétfő kedd szerda csütörtök péntek szombat vasárnap \
    δευ τρι τετ πεμ παρ σαβ κυρ δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή
    """.split(separator: " ").map(String.init))

  /// Months in lowercase with their English abbreviations.
  static let months: [String: String] = {
    var months: [String: String] = [:]
    for language in monthNames {
      for (index, names) in language.split(separator: " ").enumerated() {
        for name in names.split(separator: "/") { months[String(name)] = abbreviations[index] }
      }
    }
    return months
  }()

  /// Endings of ordinal numbers.
  static let ordinalEndings: Set<String> = ["st", "nd", "rd", "th", "er", "º", "ª"]
  /// Words between the parts of a date, in lowercase.
  static let fillers: Set<String> = [
    "at", "of", "on", "the", "de", "del", "den", "der", "le", "um", "à", "alle", "às", "om",
  ]

  /// The labels of the dates that say when something was published or changed, in lowercase and
  /// without blanks.
  static let labels: Set<String> = {
    let verbs = [
      "發布", "發佈", "公布", "公佈", "公告", "張貼", "刊登", "上架", "上稿", "建立", "新增", "更新", "修改", "最後更新",
      "发布", "最后更新",
    ]
    let nouns = ["", "日期", "時間", "日", "时间"]
    return Set(
      verbs.flatMap { verb in nouns.map { verb + $0 } } + [
        "日期", "時間", "时间", "公開日", "投稿日", "掲載日", "등록일", "작성일", "게시일", "수정일",
        "date", "time", "published", "publisheddate", "publicationdate", "publishedon", "pubdate",
        "posted", "postedon", "updated", "lastupdated", "lastmodified", "created", "modified",
      ])
  }()

  /// The French marks of hours, minutes, and seconds.
  static let timeMarks = ["h": "時", "min": "分", "s": "秒"]

  /// The abbreviations of the months in English.
  static let abbreviations = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The months of German, French, Spanish, Italian, Portuguese, Dutch, Hungarian, and Greek after
  /// English, with alternatives.
  private static let monthNames = [
    """
    jan/january feb/february mar/march apr/april may jun/june jul/july aug/august \
    sep/sept/september oct/october nov/november dec/december
    """,
    """
    januar/jänner februar mär/mrz/märz april mai juni juli august september okt/oktober november \
    dez/dezember
    """,
    """
    janv/janvier févr/fév/fevr/février mars avr/avril mai juin juil/juill/juillet août/aout \
    sept/septembre octobre novembre déc/décembre
    """,
    """
    ene/enero febrero marzo abr/abril mayo junio julio ago/agosto septiembre/setiembre octubre \
    noviembre dic/diciembre
    """,
    """
    gen/gennaio febbraio marzo aprile mag/maggio giu/giugno lug/luglio agosto set/settembre \
    ott/ottobre novembre dicembre
    """,
    """
    janeiro fev/fevereiro março abril mai/maio junho julho agosto set/setembro out/outubro \
    novembro dez/dezembro
    """,
    """
    januari februari mrt/maart april mei juni juli augustus september oktober november december
    """,
    """
    január febr/február/februári márc/március ápr/április máj/május jún/június júl/július \
    augusztus szept/szeptember október november december
    """,
    """
    ιαν/ιανουαρίου/ιανουάριος φεβ/φεβρουαρίου/φεβρουάριος μάρ/μαρ/μάώ/μαώ/μαρτίου/μάρτιος \
    απρ/απριλίου/απρίλιος μάι/μαϊ/μαι/μαΐ/μαΐου/μάιος ιούν/ιουν/ιον/ιουνίου/ιούνιος \
    ιούλ/ιουλ/ιολ/ιουλίου/ιούλιος αύγ/αυγ/αυγούστου/αύγουστος σεπ/σεπτ/σεπτεμβρίου/σεπτέμβριος \
    οκτ/οκτωβρίου/οκτώβριος νοέ/νοε/νοεμ/νοεμβρίου/νοέμβριος δεκ/δεκεμβρίου/δεκέμβριος
    """,
  ]

  private static let weekdayPhrases: [String] =
    ["星期", "週", "周", "禮拜", "礼拜"].flatMap { word in "一二三四五六日天".map { "\(word)\($0)" } }
    + "月火水木金土日".flatMap { ["\($0)曜日", "\($0)曜"] } + "월화수목금토일".map { "\($0)요일" }

  private static let replacements: [(String, String?)] = [
    ("년", "年"), ("월", "月"), ("일", "日"), ("시", "時"), ("분", "分"), ("초", "秒"),
    ("号", "日"), ("號", "日"), ("⽉", "月"), ("⽇", "日"), ("时", "時"), ("点", "時"), ("點", "時"),
    ("元年", "1年"), ("元月", "1月"), ("點鐘", "時"), ("点钟", "時"), ("點整", "時"), ("点整", "時"),
    ("點正", "時"), ("時整", "時"), ("时整", "時"), ("分整", "分"), ("點半", "時30分"), ("点半", "時30分"),
    ("時半", "時30分"), ("시반", "時30分"), ("點一刻", "時15分"), ("点一刻", "時15分"), ("點三刻", "時45分"),
    ("点三刻", "時45分"),
    ("至", "~"), ("到", "~"), ("起至", "~"), ("起到", "~"), ("迄", "~"), ("から", "~"), ("부터", "~"),
    ("中华民国", "民國"), ("民国", "民國"), ("西历", "西元"), ("西曆", "西元"), ("公曆", "西元"), ("公历", "西元"),
    ("㍾", "明治"), ("㍽", "大正"), ("㍼", "昭和"), ("㍻", "平成"), ("㋿", "令和"),
    ("오전", "上午"), ("오후", "下午"), ("새벽", "凌晨"), ("아침", "早上"), ("정오", "正午"), ("저녁", "傍晚"),
    ("밤", "晚上"), ("낮", "中午"),
    ("대한민국 표준시", " GMT+9 "), ("한국 표준시", " GMT+9 "), ("협정 세계시", " GMT "),
    ("協調世界時", " GMT "), ("协调世界时", " GMT "),
  ]

  /// The names of zones in Chinese and Japanese, such as `台北標準時間`.
  private static let zones: [(String, String?)] = [
    ("台北", "+8"), ("臺北", "+8"), ("台灣", "+8"), ("中國", "+8"), ("中国", "+8"), ("北京", "+8"),
    ("香港", "+8"), ("新加坡", "+8"), ("日本", "+9"), ("韓國", "+9"), ("韩国", "+9"),
    ("格林威治", ""), ("格林尼治", ""), ("世界", ""),
  ].flatMap { place, offset in
    ["標準時間", "标准时间", "時間", "时间", "標準時"].map { ("\(place)\($0)", " GMT\(offset) ") }
  }
}
