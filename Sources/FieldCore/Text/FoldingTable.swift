/// The folded form of each Unicode scalar, unpacked once from ``runs`` and ``variants`` for fast
/// look-up.
final class FoldingTable: Sendable {
  static let shared = FoldingTable()

  /// The folded byte of each ASCII character; 0x20 stands for every blank and control character.
  let ascii: [UInt8]

  /// The start of a page of 64 cells for each 64 scalars; page 0 is all unchanged.
  private let pages: [UInt16]
  private let cells: [Cell]
  /// The bytes of the folded forms that are too long for a cell.
  let pool: [UInt8]

  /// Returns the folded form of a scalar.
  @inline(__always)
  func cell(of scalar: UInt32) -> Cell {
    if scalar < Self.limit {
      return cells[Int(pages[Int(scalar >> 6)]) + Int(scalar & 63)]
    }
    // Tags and the second block of variation selectors are invisible.
    return scalar >> 12 == 0xE0 ? .dropped : .unchanged
  }

  /// The first scalar beyond the table.
  private static let limit: UInt32 = 0x30000

  /// The folded form of one scalar: the top byte is the kind, the others are the bytes or their
  /// location.
  struct Cell: Equatable, Sendable {
    var bits: UInt32

    /// The number of bytes in the low three bytes, the first lowest; 0 for another kind.
    var inlineCount: Int { bits < 0x0400_0000 ? Int(bits >> 24) : 0 }
    /// The range of the bytes in the pool, if the kind says so.
    var poolRange: Range<Int>? {
      guard bits >> 24 == 0x20 else { return nil }
      let start = Int(bits & 0xFFFF)
      return start..<start + Int(bits >> 16 & 0xFF)
    }

    static let unchanged = Cell(bits: 0)
    static let dropped = Cell(bits: 0x1000_0000)
    static let blank = Cell(bits: 0x1100_0000)
    /// A mark or jamo that may join the preceding letter.
    static let joining = Cell(bits: 0x1200_0000)
  }

  private init() {
    var builder = Builder()
    builder.read(Self.runs)
    builder.readGroups(Self.variants)
    for scalar: UInt32 in [0x3099, 0x309A, 0xFF9E, 0xFF9F] { builder.set(.joining, at: scalar) }
    for scalar: UInt32 in 0x1161...0x1175 { builder.set(.joining, at: scalar) }
    for scalar: UInt32 in 0x11A8...0x11C2 { builder.set(.joining, at: scalar) }
    ascii = (0..<128).map { byte in
      let cell = builder.cells[Int(builder.pages[byte >> 6]) + byte & 63]
      if cell == .blank { return 0x20 }
      return cell == .unchanged ? UInt8(byte) : UInt8(cell.bits & 0xFF)
    }
    (pages, cells, pool) = (builder.pages, builder.cells, builder.pool)
  }

  /// The table while it is being unpacked.
  private struct Builder {
    var pages = [UInt16](repeating: 0, count: Int(FoldingTable.limit >> 6))
    var cells = [Cell](repeating: .unchanged, count: 64)
    var pool: [UInt8] = []
    /// The bytes of a folded form, reused for the next one.
    private var form: [UInt8] = []

    mutating func set(_ cell: Cell, at scalar: UInt32) {
      let page = Int(scalar >> 6)
      if pages[page] == 0 {
        pages[page] = UInt16(cells.count)
        cells.append(contentsOf: repeatElement(.unchanged, count: 64))
      }
      cells[Int(pages[page]) + Int(scalar & 63)] = cell
    }

    /// Returns the cell for a folded form.
    mutating func cell(for goal: [UInt32], plus offset: UInt32 = 0) -> Cell {
      if goal.isEmpty { return .dropped }
      if goal == [0x20] { return .blank }
      form.removeAll(keepingCapacity: true)
      for scalar in goal { UTF8Scalar.append(scalar + offset, to: &form) }
      if form.count <= 3 && !form.contains(0x20) {
        let bits = form.reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        return Cell(bits: bits | UInt32(form.count) << 24)
      }
      defer { pool.append(contentsOf: form) }
      return Cell(bits: 0x2000_0000 | UInt32(form.count) << 16 | UInt32(pool.count))
    }

    /// Reads groups of characters, each of which becomes the first.
    mutating func readGroups(_ groups: String) {
      var goal: Cell?
      for scalar in groups.unicodeScalars {
        if scalar.value <= 0x20 {
          goal = nil
        } else if let goal {
          set(goal, at: scalar.value)
        } else {
          goal = cell(for: [scalar.value])
        }
      }
    }

    /// Reads the runs, whose grammar ``FoldingTable/runs`` documents.
    mutating func read(_ runs: String) {
      var source: UInt32 = 0
      var last: UInt32?
      var sign: UInt8 = 0
      var goal: [UInt32] = []
      var number: UInt32?

      func isGrowing() -> Bool { sign == UInt8(ascii: "+") || sign == UInt8(ascii: "*") }

      for byte in [UInt8](runs.utf8) + [UInt8(ascii: " ")] {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
          number = (number ?? 0) << 4 | UInt32(byte - 0x30)
        case UInt8(ascii: "A")...UInt8(ascii: "F"):
          number = (number ?? 0) << 4 | UInt32(byte - 0x37)
        case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "*"):
          (source, number, sign) = (number ?? 0, nil, byte)
        case UInt8(ascii: "="):
          if sign == 0 { source = number ?? 0 } else { last = number }
          number = nil
        default:
          if let scalar = number { goal.append(scalar) }
          number = nil
          if byte == UInt8(ascii: ".") { continue }
          let stride: UInt32 = sign == UInt8(ascii: "*") ? 2 : 1
          let first = source
          let one = cell(for: goal)
          while source <= last ?? first {
            set(isGrowing() ? cell(for: goal, plus: source - first) : one, at: source)
            source += stride
          }
          goal.removeAll(keepingCapacity: true)
          if byte != UInt8(ascii: ",") { (last, sign) = (nil, 0) }
        }
      }
    }
  }
}

// Written by Scripts/Generators/folding-table.py, which names the sources; not to be edited by hand.

extension FoldingTable {
  /// The 375 groups of Han characters that are one to a reader, the form of a key first: 403
  /// characters become another.
  static let variants = """
    台臺 裡裏 峰峯 群羣 床牀 衛衞 麵麪麫 啟啓 線綫 污汙 鉤鈎 戶户戸 說説 為爲 溫温 銳鋭 稅税 悅悦 閱閲 脫脱 臥卧 兌兑 偽僞 吃喫 嫻嫺
    媯嬀 麼么幺 梁樑 稜棱 簷檐 洩泄 溈潙 潀潨 痺痹 痴癡 皂皁 著着 睪睾 秘祕 灶竈 粽糉糭 韁繮 才纔 唇脣 參蔘叄叁 蒍蔿 眾衆 核覈 踴踊 缽鉢
    針鍼 鯰鮎 顎齶 囪囱 粧妝 媼媪 慍愠 捝挩 搵揾 敚敓 敘敍 枴柺 梲棁 榲榅 檯枱 氳氲 涗涚 濕溼 煙菸烟 煴熅 縕緼 膃腽 蒀蒕 蔥葱 蘊藴
    蛻蜕 輼轀 醞醖 鰮鰛 一ㄧ 雞鷄鶏 周週 貓猫 豬猪 闊濶 腳脚 卻却 館舘 強强 教敎 青靑 清淸 內内 真眞 鎮鎭 冊册 錄録 綠緑 產産 研硏
    步歩 每毎 查査 別别 沒没 呂吕 宮宫 黃黄 虛虚 彥彦 既旣 即卽 鄉鄕 郎郞 吳呉 恆恒 鱷鰐 顏顔 填塡 慎愼 顛顚 概槪 艷豔 跡蹟迹 占佔
    沉沈 韭韮 雇僱 布佈 游遊 回迴廻 捲卷 注註 念唸 欲慾 托託 升昇陞 杯盃 岳嶽 岩巖嵒 贊讚 凶兇 砲炮礮 鋪舖 嘆歎 鑑鑒 蹤踪 傑杰 莊庄 證証
    閒閑 夠够 牆墻 廁厠 效効 鄰隣 遍徧 並竝 併幷 咒呪 吊弔 餵喂 採采 蝨虱 蠍蝎 鱔鱓 鱉鼈 鵝鵞 雁鴈 猿猨 蟆蟇 蟹蠏 狸貍 獐麞 鶿鷀
    鰲鼇 果菓 蕊蕋蘂 薯藷 蒂蔕 棕椶 柏栢 筍笋 焰燄 窗窻窓 窯窰 豎竪 罈壜罎 脅脇 幫幇 弦絃 剎刹 鬥鬪鬭 淒悽 泛氾汎 湧涌 犁犂 皋皐 碗椀盌 稚穉
    翻飜 輝煇 銜啣 雜襍 驗騐 麟麐 寶寳 幸倖 恥耻 扣釦 抬擡 搥捶 燻熏 瓶缾 礦鑛 崑崐 崙崘 坵丘 窪漥 嘗嚐 雕彫鵰 榨搾 皙晳 甕瓮 鏽銹
    鍊煉 鎚錘 堤隄 村邨 席蓆 志誌 佇竚 凳櫈 棋碁 姪侄 塚冢 詠咏 券劵 妊姙 胭臙 裙帬 褲袴 諡謚 譁嘩 贓賍 酬醻 鞍鞌 鞋鞵 飄飃 鶯鸎
    鴉鵶 麻痲蔴 畫畵 匯滙 劫刧 庵菴 廄廐 彝彞 慚慙 憑凴 拋抛 挽輓 攜携 撐撑 暱昵 桿杆 毀燬譭 浚濬 疊叠 癒愈 瞇眯 碰掽 粗麤 綿緜 羈羇
    罵駡 腌醃 膳饍 蓋葢 蘇蘓 裸臝躶 踏蹋 軟輭 乃迺 鑽鑚 霉黴 靭韌 頹穨 飢饑 餚肴 鹼鹻 麴麯 侶侣 姬姫 冰氷 舍舎 略畧 島嶋嶌 廳㕔 搖揺
    凜凛 娛娯 寧寜 塗凃 嚙囓齧 搜蒐 曬晒 灑洒 只衹祇 黏粘 藤籐 蝟猬 蝦鰕 羌羗 脈脉 滷鹵 姊姐 背揹 況况 沖冲 妒妬 哲喆 坤堃 冤寃 孽孼
    屆届 憩憇 戲戱 拿拏 暖煖 朵朶 洶汹 淚泪 炯烱 熔鎔 玩翫 璇璿 疏疎踈 皰疱 磚甎 穗穂 蓑簑 捆綑 彩綵 繃綳 膻羶 翅翄 翱翺 耽躭 胸胷
    莓苺 堇菫 蔭廕 蛇虵 蝶蜨 螂蜋 霸覇 宴讌醼 贗贋 躲躱 遁遯 槍鎗 暗闇 腮顋 駝駞 鬃騣 鬧閙 鰍鰌 鳧鳬 繡綉 燉炖 殭僵 鏟剷 棲栖 勳勛
    """
}
