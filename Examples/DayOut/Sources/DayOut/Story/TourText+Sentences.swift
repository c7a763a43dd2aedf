extension TourText {
  static let title = Self(
    "A day out with FieldKit", "帶著 FieldKit 出門的一天", "FieldKit과 함께하는 하루")
  static let opening = Self(
    "A Saturday in Taipei, on data that ships with the example. Every request is real HTTP to a server on this machine, and every number is checked.",
    "台北的一個星期六，資料隨範例附上。每個請求都是真正的 HTTP，送往這台電腦上的伺服器；每個數字都經過檢查。",
    "타이베이의 어느 토요일, 예제에 들어 있는 데이터로 보냅니다. 모든 요청은 이 컴퓨터의 서버로 가는 실제 HTTP이고, 모든 숫자를 확인합니다.")
  static let naive = Self("A simple app shows {0}.", "一般的程式顯示：{0}。", "단순한 앱이 보여 주는 것: {0}.")
  static let fieldKit = Self("FieldKit shows {0}.", "FieldKit 顯示：{0}。", "FieldKit이 보여 주는 것: {0}.")
  static let comparison = Self(
    "What arrived, and what becomes of it", "收到的內容與結果", "도착한 것과 그 결과")
  static let arrived = Self("What arrived", "收到的內容", "도착한 것")
  static let naiveShows = Self("A simple app shows", "一般的程式顯示", "단순한 앱이 보여 주는 것")
  static let fieldKitShows = Self("FieldKit shows", "FieldKit 顯示", "FieldKit이 보여 주는 것")
  static let and = Self(" and ", "、", ", ")

  // MARK: Leaving home

  static let leaving = Self(
    "Leaving home without a network", "沒有網路，照樣出門", "네트워크 없이 집을 나서다")
  static let leavingSentence = Self(
    "Stations, routes, and your own notes are on the phone, so none of them needs a connection.",
    "車站、路線和自己的紀錄都在手機裡，不需要連線。",
    "역, 경로, 내 기록이 모두 휴대전화에 있으므로 연결이 필요 없습니다.")
  static let fetchingTrains = Self("Fetching trains: {0}", "取得列車資料：{0}", "열차 정보 가져오기: {0}")
  static let route = Self(
    "{0} to {1}: about {2} minutes, {3} stations, change at {4}.",
    "{0} 到 {1}：約 {2} 分鐘，{3} 站，轉乘：{4}。",
    "{0}에서 {1}까지: 약 {2}분, {3}개 역, 환승: {4}.")
  static let metroMap = Self("Map of Taipei's metro", "台北捷運路線圖", "타이베이 지하철 노선도")
  static let routeCaption = Self(
    "Taipei's metro, with the stations at their real coordinates. The route from {0} to {1} is thick.",
    "台北捷運，車站位於實際座標。粗線是從 {0} 到 {1} 的路線。",
    "타이베이 지하철. 역은 실제 좌표에 있고, {0}에서 {1}까지의 경로는 굵은 선입니다.")
  static let sightingStored = Self(
    "Your sighting of a Taiwan blue magpie {0} is stored with its photo.",
    "你看到的{0}已連同照片存好。",
    "타이완푸른까치 {0} 관찰 기록을 사진과 함께 저장했습니다.")
  static let refused = Self(
    "Nothing: the connection was refused", "什麼都沒有：連線被拒絕", "아무것도 없음: 연결이 거부됨")
  static let spinner = Self("a spinner, then an error", "轉圈圈，然後是錯誤", "로딩 표시, 그다음 오류")
  static let routeAndSighting = Self(
    "the route, and the sighting that you just added", "路線，以及剛才新增的紀錄", "경로와 방금 추가한 관찰 기록")

  // MARK: The metro

  static let ghosts = Self("Two ghost trains", "兩班幽靈列車", "유령 열차 두 대")
  static let ghostsSentence = Self(
    "The network is back, and two of the trains that the feed lists don't exist.",
    "網路恢復了，但資料裡有兩班列車並不存在。",
    "네트워크가 돌아왔지만, 피드에 있는 열차 중 두 대는 존재하지 않습니다.")
  static let train = Self("{0}, to {1}", "{0}，往 {1}", "{0}, {1} 방면")
  static let moreTrains = Self("… and {0} more", "……還有 {0} 班", "… 외 {0}대")
  static let oldTime = Self(
    "The feed says that it is entering now, but its time is {0} days old.",
    "資料說它正在進站，時間卻是 {0} 天前的。",
    "피드에는 지금 들어온다고 되어 있지만, 시각은 {0}일 전 것입니다.")
  static let sameTime = Self(
    "Its time has stayed the same in {0} updates in a row, while other trains came and went.",
    "連續 {0} 次更新，它的時間都沒變，其他列車卻來了又走。",
    "다른 열차들이 오가는 동안, 시각이 {0}번 연속 그대로였습니다.")
  static let crossedOut = Self("Left out ({0}). {1}", "劃掉（{0}）。{1}", "취소선 ({0}). {1}")
  static let trains = Self("{0} trains", "{0} 班列車", "열차 {0}대")
  static let allTrains = Self("all {0} trains", "全部 {0} 班", "열차 {0}대 모두")
  static let freshTrains = Self(
    "{0}, and says why the other two are left out", "{0} 班，並說明另外兩班為什麼劃掉",
    "{0}대, 그리고 나머지 두 대를 지운 이유")
  static let entering = Self("Trains that are entering a station", "正在進站的列車", "역에 들어오는 열차")
  static let feedLists = Self("The feed lists", "資料列出", "피드에 있는 것")

  // MARK: The zoo

  static let zoo = Self("The zoo, with the network disconnected", "斷網逛動物園", "네트워크를 끊고 동물원으로")
  static let zooSentence = Self(
    "The animals are fetched at the gate; then the server is stopped.",
    "在門口取得動物資料，然後停掉伺服器。",
    "입구에서 동물 정보를 받은 다음, 서버를 멈춥니다.")
  static let fetched = Self(
    "Fetched {0} animals and {1} pictures, and rejected a picture that was really a web page.",
    "取得 {0} 種動物和 {1} 張圖片，並拒收一個冒充圖片的網頁。",
    "동물 {0}종과 사진 {1}장을 받았고, 사진 대신 온 웹페이지 하나는 거부했습니다.")
  static let refreshing = Self("Refreshing again: {0}", "再次更新：{0}", "다시 새로고침: {0}")
  static let pictures = Self(
    "{0} pictures load from the device.", "{0} 張圖片從裝置載入。", "사진 {0}장을 기기에서 불러옵니다.")
  static let noAnswer = Self(
    "No answer, and a web page instead of a picture", "沒有回應，還有一個冒充圖片的網頁",
    "응답 없음, 그리고 사진 대신 웹페이지")
  static let emptyList = Self(
    "an empty list, and a broken picture", "空白的清單和一張破圖", "빈 목록과 깨진 사진")
  static let wholeZoo = Self(
    "{0} animals, {1} pictures, and your own sighting", "{0} 種動物、{1} 張圖片，以及你自己的紀錄",
    "동물 {0}종, 사진 {1}장, 내 관찰 기록")
  static let found = Self("\"panda\" finds {0}.", "搜尋「panda」：{0}。", "‘panda’ 검색 결과: {0}.")
  static let nearest = Self("Nearest to the gate: {0}.", "離大門最近：{0}。", "입구에서 가장 가까운 동물: {0}.")
  static let zooMap = Self("Map of the zoo", "動物園地圖", "동물원 지도")
  static let here = Self("here", "所在位置", "현재 위치")
  static let zooCaption = Self(
    "{0} animals at the coordinates of the open data; the brown ones are nearest to the gate, which is the diamond.",
    "{0} 種動物，位置取自開放資料；棕色的離大門最近，大門是菱形。",
    "공개 데이터의 좌표에 놓은 동물 {0}종. 갈색은 마름모로 표시한 입구에서 가장 가까운 동물입니다.")
  static let animals = Self(
    "The animals, without a network", "沒有網路時的動物", "네트워크 없이 본 동물")
  static let name = Self("Name", "名稱", "이름")
  static let englishName = Self("In English", "英文名稱", "영어 이름")
  static let status = Self("Status", "保育狀況", "보전 상태")

  // MARK: The walk

  static let walk = Self("A walk, killed and restored", "中斷又還原的散步", "강제 종료되고 복원된 산책")
  static let walkSentence = Self(
    "Another process records a walk with Mochi, a corgi, and is killed in the middle of it.",
    "另一個程序記錄與柯基犬 Mochi 的散步，途中被強制終止。",
    "다른 프로세스가 웰시코기 Mochi의 산책을 기록하다가 도중에 강제 종료됩니다.")
  static let killed = Self(
    "Killed (SIGKILL) after {0} points: no warning, and no time to save.",
    "記錄 {0} 個點後收到 SIGKILL：沒有預警，也來不及儲存。",
    "{0}개 지점 뒤에 SIGKILL: 경고도, 저장할 시간도 없습니다.")
  static let restored = Self(
    "Two minutes later the app starts again and finds all {0} points.",
    "兩分鐘後 App 重新啟動，{0} 個點全都在。",
    "2분 뒤 앱이 다시 시작되고, {0}개 지점을 모두 찾습니다.")
  static let walkedOn = Self(
    "Mochi walks on to the end: {0}, {1}, {2} points in 2 segments.",
    "Mochi 走完全程：{0}，{1}，2 段共 {2} 個點。",
    "Mochi가 끝까지 걷습니다: {0}, {1}, 2개 구간에 {2}개 지점.")
  static let cutWalk = Self(
    "{0} points, then the process was killed", "{0} 個點，然後程序被終止", "{0}개 지점, 그다음 프로세스 종료")
  static let noWalk = Self("no walk", "沒有散步紀錄", "산책 기록 없음")
  static let wholeWalk = Self(
    "the whole walk, with a gap where nothing was recorded", "完整的散步，沒有記錄的地方留空",
    "산책 전체, 기록되지 않은 곳은 빈 채로")
  static let walkMap = Self("Map of the walk", "散步地圖", "산책 지도")
  static let walkCaption = Self(
    "The walk at its coordinates, {0} from the green dot. The line is interrupted where the process was killed.",
    "散步的實際座標，從綠點起 {0}。程序被終止的地方，線是斷開的。",
    "실제 좌표의 산책, 초록 점에서 {0}. 프로세스가 종료된 곳에서 선이 끊깁니다.")

  // MARK: The cloud and the sync

  static let cloud = Self(
    "Walks in the cloud, sent exactly once", "雲端的散步，每筆恰好送出一次", "클라우드의 산책, 정확히 한 번씩")
  static let cloudSentence = Self(
    "Three walks with their photos go to Firestore, and to a second phone from there.",
    "三次散步連同照片送到 Firestore，再從那裡送到另一支手機。",
    "산책 세 번이 사진과 함께 Firestore로, 거기에서 두 번째 휴대전화로 갑니다.")
  static let cloudKilled = Self(
    "The first phone is killed (SIGKILL) while it sends, and {0} responses never arrive.",
    "第一支手機傳送時收到 SIGKILL，另有 {0} 個回應沒有送達。",
    "첫 번째 휴대전화가 보내는 동안 SIGKILL, 그리고 응답 {0}개가 도착하지 않습니다.")
  static let inCloud = Self(
    "The walks are in the cloud: sent {0}, received {1} with their routes and photos, {2} pending, {3} doubled, {4} lost.",
    "散步都在雲端：送出 {0}，收到 {1}（含路線與照片），待送 {2}，重複 {3}，遺失 {4}。",
    "산책이 클라우드에 있습니다: 보냄 {0}, 경로와 사진까지 받음 {1}, 대기 {2}, 중복 {3}, 유실 {4}.")
  static let sync = Self(
    "A sync, interrupted halfway and resumed", "同步到一半中斷，再接著做", "도중에 끊겼다가 이어진 동기화")
  static let syncSentence = Self(
    "At home, a catalog of {0} meteorites is fetched in pages of 500 rows.",
    "在家裡分頁取得 {0} 顆隕石的目錄，每頁 500 筆。",
    "집에서 운석 {0}개의 목록을 500행씩 받습니다.")
  static let stopped = Self(
    "Stopped at {0} of {1}: {2}", "停在 {0} / {1} 筆：{2}", "{1}행 중 {0}행에서 멈춤: {2}")
  static let resumed = Self(
    "Resumed after the last page: {0} rows fetched, {1} stored, none twice.",
    "從最後一頁之後繼續：取得 {0} 筆，共儲存 {1} 筆，沒有重複。",
    "마지막 페이지 다음부터 이어서 {0}행을 받아 {1}행을 저장했고, 중복은 없습니다.")
  static let cutRows = Self(
    "{0} rows, then the connection was cut", "{0} 筆，然後連線中斷", "{0}행, 그다음 연결 끊김")
  static let halfCatalog = Self(
    "half a catalog as if it were all, or starts again from the first row",
    "把半份目錄當成全部，或是從第一筆重來",
    "절반의 목록을 전부인 것처럼, 또는 첫 행부터 다시")
  static let wholeCatalog = Self(
    "all {0}, and fetched each row once", "全部 {0} 筆，每筆只取得一次", "{0}행 모두, 각 행은 한 번만 받음")

  // MARK: The end

  static let end = Self("Nothing was lost", "什麼都沒有遺失", "잃은 것이 없습니다")
  static let endSentence = Self(
    "Every store is opened again from the disk, without a network.",
    "在沒有網路的情況下，從磁碟重新開啟所有資料。",
    "네트워크 없이 모든 저장소를 디스크에서 다시 엽니다.")
  static let zooStored = Self(
    "{0} of {0} animals, and your sighting with its photo", "動物 {0} / {0} 種，以及你的紀錄與照片",
    "동물 {0}/{0}종, 그리고 내 관찰 기록과 사진")
  static let walkStored = Self(
    "{0} of {0} points of the walk", "散步的 {0} / {0} 個點", "산책 지점 {0}/{0}개")
  static let stonesStored = Self("{0} of {1} meteorites", "隕石 {0} / {1} 顆", "운석 {0}/{1}개")
  static let page = Self(
    "The maps, and what a simple app would have shown, are in {0}.",
    "地圖，以及一般的程式會顯示什麼，都在 {0} 裡。",
    "지도와 단순한 앱이 보여 줬을 것은 {0}에 있습니다.")
  static let commands = Self(
    "'day-out --all' prints every chapter in full; 'day-out help' lists the commands.",
    "「day-out --all」完整印出每一章；「day-out help」列出所有指令。",
    "'day-out --all'은 모든 장을 자세히 출력하고, 'day-out help'는 명령을 나열합니다.")
}
