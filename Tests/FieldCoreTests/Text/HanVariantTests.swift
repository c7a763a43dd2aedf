import FieldCore
import Testing

@Suite("Variants of a Han character")
struct HanVariantTests {
  /// The pairs of OpenCC's table for Taiwan, with 樑 and 麼 as it has them.
  static let taiwan = """
    僞偽 啓啟 喫吃 嫺嫻 嬀媯 峯峰 幺么 樑梁 棱稜 檐簷 汙污 泄洩 潙溈 潨潀 爲為 牀床 痹痺 癡痴 皁皂 着著 睾睪 祕秘 竈灶 糉粽
    繮韁 纔才 羣群 脣唇 蔘參 蔿蒍 衆眾 裏裡 覈核 踊踴 鉢缽 鍼針 鮎鯰 麪麵 么麼 齶顎
    """
  /// Those of its table for Hong Kong that the one for Taiwan does not have.
  static let hongKong = """
    兌兑 叄叁 囪囱 妝粧 媼媪 悅悦 慍愠 戶户 挩捝 搵揾 敓敚 敘敍 柺枴 梲棁 榲榅 檯枱 氳氲 涗涚 溫温 溼濕 煙烟 熅煴 稅税 糭粽
    線綫 縕緼 脫脱 膃腽 臥卧 臺台 菸煙 蒕蒀 蔥葱 蘊藴 蛻蜕 衛衞 說説 轀輼 醞醖 鉤鈎 銳鋭 閱閲 鰮鰛
    """
  /// What the data of Taiwan's cities mix.
  static let usage = """
    溼濕 豔艷 跡蹟 佔占 沉沈 祕秘 韮韭 僱雇 衆眾 着著 周週 臺台 佈布 遊游 迴回 捲卷 註注 昇升 莊庄 誌志 巖岩 貍狸 蝎蠍 鷀鶿
    焰燄 氾泛 証證 閑閒 岳嶽 杯盃 舖鋪 炮砲 菓果 ㄧ一
    """

  static let pairs = [taiwan, hongKong, usage].flatMap { text in
    text.split { $0 == " " || $0 == "\n" }.map { Array($0) }
  }

  @Test("variants of a Han character fold to one, and folding twice changes nothing")
  func equal() {
    #expect(Self.pairs.count == 117)
    for pair in Self.pairs {
      let key = TextFolding.fold(String(pair[0]))
      #expect(pair.count == 2 && key == TextFolding.fold(String(pair[1])), "\(pair)")
      #expect(key.unicodeScalars.count == 1 && TextFolding.fold(key) == key, "\(pair)")
    }
  }

  @Test("variants of a Han character find each other, and are shown at their position")
  func found() {
    for pair in Self.pairs {
      for (text, query) in [(pair[0], pair[1]), (pair[1], pair[0])] {
        let text = "甲\(text)乙"
        #expect(SubstringIndex([text]).matches(String(query)) == [0], "\(pair)")
        let ranges = TextFolding.ranges(of: "甲\(query)", in: text)
        #expect(ranges.map { text[$0] } == [text.prefix(2)], "\(pair)")
      }
    }
  }

  @Test(
    "variants of a Han character are equal through a third",
    arguments: ["么麼幺", "煙菸烟", "粽糉糭", "參蔘叄叁", "跡蹟迹", "秘祕", "眾衆", "升昇陞", "岩巖嵒"])
  func transitive(forms: String) {
    #expect(Set(forms.map { TextFolding.fold(String($0)) }).count == 1)
  }

  @Test(
    "variants of a Han character leave the names in stored keys unchanged",
    arguments: [
      "帝王蠍", "大艷紅赫蕉", "緬甸岩蟒", "加拿大河狸", "蘭嶼土沉香", "水韭", "杯狀蓋骨碎補", "砲彈樹", "白面捲尾猴",
    ])
  func keys(name: String) {
    #expect(TextFolding.fold(name) == name)
  }

  @Test(
    "variants of a Han character that are simplified, or Japanese new forms, stay separate",
    arguments: ["灣湾", "國国", "學学", "體体", "廣広"])
  func apart(forms: String) {
    #expect(Set(forms.map { TextFolding.fold(String($0)) }).count == 2)
  }
}
