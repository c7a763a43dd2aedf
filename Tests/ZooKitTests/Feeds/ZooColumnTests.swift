import Testing

@testable import ZooKit

@Suite("The columns of the zoo's tables")
struct ZooColumnTests {
  @Test("the columns of the zoo's tables have a name each, at their position")
  func names() {
    let names = ZooColumn.allCases.map { $0.name(in: .animals) }
    #expect(Set(names).count == names.count)
    #expect(ZooColumn.rowNumber.name(in: .plants) == "_id")
    #expect(ZooColumn.video.name(in: .animals) == "a_vedio_url")
    #expect(ZooColumn.uses.column(in: .plants).names.contains("f_function&application"))
    #expect(ZooColumn.picture4URL.name(in: .plants) == "f_pic04_url")
    #expect(ZooColumn.voice3URL.name(in: .animals) == "a_voice03_url")
    #expect(ZooColumn.site.name(in: .events) == "d_site")
  }
}
