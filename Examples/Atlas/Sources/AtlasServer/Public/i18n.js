// The page's words. Words about the data itself come from the kits.
const words = {
  skip: ["Skip to content", "跳到內容", "본문으로"],
  views: ["Views", "檢視", "보기"],
  metro: ["Metro", "捷運", "지하철"],
  meteorites: ["Meteorites", "隕石", "운석"],
  zoo: ["Zoo", "動物園", "동물원"],
  walks: ["Walks", "散步", "산책"],
  city: ["City", "市府", "시청"],
  language: ["Language", "語言", "언어"],
  theme: ["Light or dark", "淺色或深色", "밝게 또는 어둡게"],
  network: ["Network", "網路", "네트워크"],
  offline: ["Offline", "離線", "오프라인"],
  badServer: ["Server", "伺服器", "서버"],
  refresh: ["Refresh", "更新", "새로고침"],
  kill: ["Kill −9", "強制終止 −9", "강제 종료 −9"],
  code: ["Swift", "Swift", "Swift"],
  codeTitle: ["Swift code", "Swift 程式碼", "Swift 코드"],
  codeLead: ["Read from the running server's sources.", "取自執行中伺服器的原始碼。", "실행 중인 서버의 소스에서 읽었습니다."],
  close: ["Close", "關閉", "닫기"],
  modeNormal: ["Server: good", "伺服器：正常", "서버: 정상"],
  modeHtml: ["Server: HTML", "伺服器：回傳網頁", "서버: HTML"],
  modeTruncated: ["Server: half a file", "伺服器：資料截斷", "서버: 잘린 파일"],
  modeEmpty: ["Server: empty", "伺服器：空白", "서버: 빈 응답"],
  modeError500: ["Server: 500", "伺服器：500", "서버: 500"],
  modeSlow: ["Server: slow", "伺服器：緩慢", "서버: 느림"],
  modeLying: ["Server: lying", "伺服器：筆數不實", "서버: 거짓 개수"],
  live: ["Live", "連線中", "연결됨"],
  lost: ["Connection lost. The supervisor is restarting the server…", "連線中斷，監督程式正在重新啟動伺服器…", "연결이 끊겼습니다. 감독 프로세스가 서버를 다시 시작합니다…"],
  process: ["process {0}, restarted {1}×", "程序 {0}，重啟 {1} 次", "프로세스 {0}, 재시작 {1}회"],
  kept: ["Nothing was lost: what was stored is still shown.", "資料沒有遺失：已儲存的內容仍在。", "잃은 것이 없습니다. 저장된 데이터를 계속 보여 줍니다."],
  refreshed: ["Refreshed in {0} ms: {1} rows, {2} added, {3} updated, {4} removed.", "更新完成（{0} 毫秒）：{1} 筆，新增 {2}、修改 {3}、移除 {4}。", "{0} ms 만에 새로고침: {1}행, 추가 {2}, 변경 {3}, 삭제 {4}."],
  refreshing: ["Refreshing…", "更新中…", "새로고침 중…"],
  failed: ["The refresh failed.", "更新失敗。", "새로고침에 실패했습니다."],
  noFetch: ["Walks are recorded on this machine; there is nothing to fetch.", "散步紀錄只存在本機，不需要更新。", "산책은 이 기기에 기록되므로 가져올 것이 없습니다."],
  killed: ["SIGKILL sent to process {0}.", "已對程序 {0} 送出 SIGKILL。", "프로세스 {0}에 SIGKILL을 보냈습니다."],
  restored: ["Process {0} was killed. Process {1} opened its stores in {2} ms, and nothing is missing.", "程序 {0} 已被終止；程序 {1} 以 {2} 毫秒開啟資料，沒有任何遺失。", "프로세스 {0}이(가) 종료되었고, 프로세스 {1}이(가) {2} ms 만에 저장소를 열었습니다. 잃은 것이 없습니다."],
  missing: ["Process {1} replaced process {0}, but these differ:", "程序 {1} 取代了 {0}，但以下不同：", "프로세스 {1}이(가) {0}을(를) 대신했지만 다음이 다릅니다:"],
  "walk under way": ["walk under way", "進行中的散步", "진행 중인 산책"],
  same: ["same", "相同", "동일"],
  metroLead: ["Trains entering a station right now. Rows that stopped moving are ghosts: they are shown with their age, not believed.", "正在進站的列車。停滯不動的資料是幽靈列車：標示其時間，但不採信。", "지금 역에 들어오는 열차입니다. 멈춘 행은 유령 열차로, 나이와 함께 표시하되 믿지 않습니다."],
  fresh: ["fresh", "即時", "최신"],
  ghosts: ["ghosts", "幽靈列車", "유령"],
  boardAge: ["board age", "資料時間", "정보 나이"],
  route: ["Route", "路線", "경로"],
  routeHint: ["Choose two stations, on the map or here.", "請在圖上或此處選擇兩站。", "지도나 여기에서 두 역을 고르세요."],
  from: ["From", "起站", "출발"],
  to: ["To", "迄站", "도착"],
  choose: ["Choose…", "請選擇…", "선택…"],
  minutes: ["{0} min", "{0} 分鐘", "{0}분"],
  changes: ["{0} changes, {1} stations, found in {2} µs", "轉乘 {0} 次，{1} 站，查詢 {2} 微秒", "환승 {0}회, {1}개 역, {2} µs 만에 찾음"],
  onFoot: ["on foot", "步行", "도보"],
  toward: ["toward {0}", "往{0}", "{0} 방면"],
  play: ["Play", "播放", "재생"],
  pause: ["Pause", "暫停", "일시정지"],
  day: ["A day of trains", "列車的一天", "열차의 하루"],
  liveNow: ["Live", "即時", "실시간"],
  lineMap: ["Map of the metro lines", "捷運路線圖", "지하철 노선도"],
  arrivals: ["Entering now", "進站列車", "들어오는 열차"],
  meteoritesLead: ["{0} meteorites in one file, {1} of them at plausible positions. Click the map for the ten nearest.", "一個檔案中有 {0} 顆隕石，其中 {1} 顆位置可信。點地圖可查最近的十顆。", "파일 하나에 운석 {0}개, 그중 {1}개는 위치가 타당합니다. 지도를 누르면 가장 가까운 열 개를 찾습니다."],
  worldMap: ["World map of meteorites", "隕石世界地圖", "운석 세계 지도"],
  search: ["Search", "搜尋", "검색"],
  searchNames: ["Search names", "搜尋名稱", "이름 검색"],
  years: ["Years", "年份", "연도"],
  yearFrom: ["From year", "起始年", "시작 연도"],
  yearTo: ["To year", "結束年", "끝 연도"],
  mass: ["At least", "質量至少", "최소 질량"],
  found: ["{0} found in {1} µs", "找到 {0} 筆，{1} 微秒", "{0}개, {1} µs"],
  nearest: ["Ten nearest to {0}", "距 {0} 最近的十顆", "{0}에서 가장 가까운 열 개"],
  heaviest: ["Heaviest", "最重", "가장 무거운 것"],
  query: ["query {0} µs", "查詢 {0} 微秒", "조회 {0} µs"],
  socrata: ["Any dataset of a Socrata portal", "Socrata 平台的任何資料集", "Socrata 포털의 모든 데이터셋"],
  socrataLead: ["Each page is stored with the position after it. Interrupt the sync, or kill the server, and resume.", "每頁連同其後的位置一併儲存。可中斷同步或終止伺服器，再繼續。", "각 페이지는 다음 위치와 함께 저장됩니다. 동기화를 중단하거나 서버를 종료한 뒤 이어 가세요."],
  dataset: ["Dataset ID", "資料集代碼", "데이터셋 ID"],
  sync: ["Sync", "同步", "동기화"],
  resume: ["Resume", "繼續", "이어서"],
  interrupt: ["Interrupt", "中斷", "중단"],
  stored: ["{0} rows stored, {1} of them received in this run.", "已儲存 {0} 筆，本次取得 {1} 筆。", "{0}행 저장됨, 이번에 받은 것은 {1}행."],
  interrupted: ["Interrupted. {0} rows are kept.", "已中斷，保留 {0} 筆。", "중단됨. {0}행이 남아 있습니다."],
  complete: ["Complete: {0} rows, {1} of them received in this run.", "完成：共 {0} 筆，本次取得 {1} 筆。", "완료: {0}행, 이번에 받은 것은 {1}행."],
  fell: ["seen falling", "目擊墜落", "낙하 목격"],
  foundLater: ["found", "發現", "발견"],
  drawn: ["{0} drawn", "繪出 {0} 點", "{0}개 표시"],
  zooLead: ["Pictures come from the cache: switch the network off and reload. Names are found in Chinese, English, and Latin.", "圖片來自快取：關閉網路再重新載入也看得到。可用中文、英文、學名搜尋。", "사진은 캐시에서 나옵니다. 네트워크를 끄고 다시 불러와 보세요. 중국어, 영어, 라틴어로 찾을 수 있습니다."],
  searchAnimals: ["熊貓, panda, Ailuropoda…", "熊貓、panda、Ailuropoda…", "熊貓, panda, Ailuropoda…"],
  addSighting: ["Add a sighting", "新增我的紀錄", "관찰 추가"],
  name: ["Name", "名稱", "이름"],
  photo: ["Photo", "照片", "사진"],
  save: ["Save", "儲存", "저장"],
  saved: ["Stored as number {0}: photo, name, and number in one step.", "已存為第 {0} 號：照片、名稱、編號一次寫入。", "{0}번으로 저장했습니다. 사진, 이름, 번호를 한 번에 기록했습니다."],
  mine: ["mine", "我的", "내 관찰"],
  removeMine: ["Delete my sightings", "刪除我的紀錄", "내 관찰 삭제"],
  map: ["Map", "地圖", "지도"],
  zooMap: ["Map of the zoo", "動物園地圖", "동물원 지도"],
  walksLead: ["A recorded round over a hill with {0}. Start it, kill the server halfway, and go on.", "與{0}的一段山路。開始後在半途終止伺服器，再繼續走。", "{0}와 함께한 언덕 산책입니다. 시작하고, 도중에 서버를 종료한 뒤 이어 가세요."],
  start: ["Start the walk", "開始散步", "산책 시작"],
  goOn: ["Go on", "繼續", "계속"],
  finish: ["Finish", "結束", "끝내기"],
  distance: ["distance", "距離", "거리"],
  time: ["time", "時間", "시간"],
  climb: ["climb", "爬升", "오르막"],
  points: ["points", "點數", "지점"],
  splits: ["Splits", "分段", "구간"],
  split: ["km", "公里", "km"],
  refused: ["Rejected fixes", "剔除的定位", "거부된 위치"],
  refusedNone: ["None yet.", "目前沒有。", "아직 없습니다."],
  restoredWalk: ["Restored from the journal: {0} points. Press “Go on”.", "已從日誌還原 {0} 個點。請按「繼續」。", "저널에서 {0}개 지점을 복원했습니다. ‘계속’을 누르세요."],
  calendar: ["Calendar", "日曆", "달력"],
  badges: ["Badges", "徽章", "배지"],
  streak: ["{0} days in a row; longest {1}", "連續 {0} 天；最長 {1} 天", "{0}일 연속, 최장 {1}일"],
  walkMap: ["Map of the walk", "散步地圖", "산책 지도"],
  profile: ["Elevation", "高度", "고도"],
  recent: ["Recent walks", "最近的散步", "최근 산책"],
  walkCount: ["walks", "次散步", "산책"],
  cityLead: ["A city hall’s directory on this machine: two spellings of Taiwan find the same units, and every hit says what to highlight.", "市府目錄存在本機：輸入「台」也找得到「臺」，並標示符合之處。", "시청 안내가 이 기기에 있습니다. 台로 臺를 찾고, 맞은 곳을 표시합니다."],
  searchCity: ["社會, 停車, 敬老卡…", "社會、停車、敬老卡…", "社會, 停車, 敬老卡…"],
  departments: ["Departments", "局處", "부서"],
  services: ["Services", "便民服務", "서비스"],
  facilities: ["Facilities", "市府設施", "시설"],
  news: ["News and activities", "新聞與活動", "소식과 행사"],
  feeds: ["Feeds", "新聞來源", "피드"],
  healthy: ["healthy", "正常", "정상"],
  failing: ["failed {0}×", "連續失敗 {0} 次", "{0}회 실패"],
  items: ["{0} items", "{0} 則", "{0}건"],
  history: ["Searched before", "搜尋紀錄", "검색 기록"],
  nothing: ["Nothing found.", "沒有結果。", "결과가 없습니다."],
  ago: ["{0} ago", "{0}前", "{0} 전"],
  attribution: ["Fonts and scripts come from this server only. Land: Natural Earth (public domain).", "字型與程式皆來自本伺服器。陸地輪廓：Natural Earth（公眾領域）。", "글꼴과 스크립트는 모두 이 서버에서 옵니다. 육지: Natural Earth(퍼블릭 도메인)."],
  demo: ["Example data served on this machine in the form of these sources:", "本機提供的範例資料，格式同下列來源：", "이 기기에서 제공하는 예제 데이터이며, 형식은 다음 출처를 따릅니다:"],
};
const columns = { en: 0, "zh-Hant": 1, ko: 2 };

export const state = { language: "en" };

export function t(key, ...values) {
  const text = words[key]?.[columns[state.language] ?? 0] ?? key;
  return text.replace(/\{(\d)\}/g, (_, index) => values[index] ?? "");
}

export const number = (value, digits = 0) =>
  new Intl.NumberFormat(state.language, { maximumFractionDigits: digits, minimumFractionDigits: digits }).format(value);

export function meters(value) {
  return value < 1000 ? `${number(value)} m` : `${number(value / 1000, 2)} km`;
}

export function clock(seconds) {
  const rest = String(Math.round(seconds) % 60).padStart(2, "0");
  return `${Math.floor(Math.round(seconds) / 60)}:${rest}`;
}

/** A length of time in the largest unit that fits. */
export function age(seconds, unitDisplay = "long") {
  const units = [["year", 31557600], ["month", 2629800], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? units[5];
  return new Intl.NumberFormat(state.language, { style: "unit", unit, unitDisplay, maximumFractionDigits: 0 }).format(Math.floor(seconds / size));
}

export const grams = (value) =>
  value === undefined || value === null ? "—" : value >= 1e6 ? `${number(value / 1e6, 1)} t` : value >= 1000 ? `${number(value / 1000, 1)} kg` : `${number(value, value < 10 ? 1 : 0)} g`;
