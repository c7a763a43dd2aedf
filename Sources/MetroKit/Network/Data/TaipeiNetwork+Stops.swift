// Written by Scripts/Generators/metro-network.py from the facts of 2026-07-24; not to be edited by hand.

extension TaipeiNetwork {
  static let stops = """
    stop BL|BL01|24.959351|121.418744|頂埔|Dingpu||딩푸
    stop BL|BL02|24.966820|121.436130|永寧|Yongning||융닝
    stop BL|BL03|24.973130|121.444320|土城|Tucheng||투청
    stop BL|BL04|24.985348|121.448787|海山|Haishan||하이산
    stop BL|BL05|24.998280|121.452465|亞東醫院|Far Eastern Hospital|亜東病院|야둥 병원
    stop BL|BL06|25.008465|121.459276|府中|Fuzhong||푸중
    stop BL|BL07|25.014098|121.462671|板橋|Banqiao||반차오
    stop BL|BL08|25.023736|121.468363|新埔|Xinpu||신푸
    stop BL|BL09|25.030265|121.472570|江子翠|Jiangzicui||장쯔추이
    stop BL|BL10|25.035280|121.500325|龍山寺|Longshan Temple||용산사
    stop BL|BL11|25.042274|121.508511|西門|Ximen||시먼
    stop BL|BL12|25.046310|121.517415|台北車站|Taipei Main Station|台北駅|타이베이 역
    stop BL|BL13|25.044680|121.523885|善導寺|Shandao Temple||산다오사
    stop BL|BL14|25.042300|121.532800|忠孝新生|Zhongxiao Xinsheng||중샤오 신성
    stop BL|BL15|25.041633|121.543769|忠孝復興|Zhongxiao Fuxing||중샤오 푸싱
    stop BL|BL16|25.041505|121.550450|忠孝敦化|Zhongxiao Dunhua||중샤오 둔화
    stop BL|BL17|25.041370|121.557815|國父紀念館|Sun Yat-Sen Memorial Hall|国父紀念館|국부 기념관
    stop BL|BL18|25.041135|121.565685|市政府|Taipei City Hall|台北市政府|타이베이 시청
    stop BL|BL19|25.040855|121.576200|永春|Yongchun||융춘
    stop BL|BL20|25.044715|121.582270|後山埤|Houshanpi||허우산피
    stop BL|BL21|25.050459|121.593228|昆陽|Kunyang||쿤양
    stop BL|BL22|25.052035|121.606970|南港|Nangang||난강
    stop BL|BL23|25.054919|121.616861|南港展覽館|Taipei Nangang Exhibition Center|南港展覧館|난강 전람관
    stop BR|BR01|24.998205|121.579501|動物園|Taipei Zoo||동물원
    stop BR|BR02|24.998240|121.573127|木柵|Muzha||무자
    stop BR|BR03|24.998570|121.568088|萬芳社區|Wanfang Community|万芳コミュニティ|완팡 단지
    stop BR|BR04|24.999320|121.558092|萬芳醫院|Wanfang Hospital|万芳病院|완팡 병원
    stop BR|BR05|25.005455|121.557046|辛亥|Xinhai||신하이
    stop BR|BR06|25.018495|121.558834|麟光|Linguang||린광
    stop BR|BR07|25.023810|121.553020|六張犁|Liuzhangli||류장리
    stop BR|BR08|25.026120|121.543462|科技大樓|Technology Building|テクノロジービル|테크놀로지 빌딩
    stop BR|BR09|25.033311|121.542370|大安|Daan||다안
    stop BR|BR10|25.041104|121.543703|忠孝復興|Zhongxiao Fuxing||중샤오 푸싱
    stop BR|BR11|25.052044|121.544303|南京復興|Nanjing Fuxing||난징 푸싱
    stop BR|BR12|25.060850|121.544215|中山國中|Zhongshan Junior High School|中山中学校|중산 중학교
    stop BR|BR13|25.063111|121.551620|松山機場|Songshan Airport|松山空港|송산공항
    stop BR|BR14|25.079430|121.546790|大直|Dazhi||다즈
    stop BR|BR15|25.084830|121.555582|劍南路|Jiannan Rd.|剣南路|젠난루
    stop BR|BR16|25.082160|121.567227|西湖|Xihu||시후
    stop BR|BR17|25.080070|121.575160|港墘|Gangqian||강첸
    stop BR|BR18|25.078567|121.584973|文德|Wende|文徳|원더
    stop BR|BR19|25.083675|121.594363|內湖|Neihu|内湖|네이후
    stop BR|BR20|25.083805|121.602214|大湖公園|Dahu Park||다후 공원
    stop BR|BR21|25.072710|121.607146|葫洲|Huzhou||후저우
    stop BR|BR22|25.067455|121.611535|東湖|Donghu||둥후
    stop BR|BR23|25.059911|121.615860|南港軟體園區|Nangang Software Park|南港ソフトウェアパーク|난강 소프트웨어 단지
    stop BR|BR24|25.054919|121.616861|南港展覽館|Taipei Nangang Exhibition Center|南港展覧館|난강 전람관
    stop G|G01|24.958181|121.537700|新店|Xindian||신뎬
    stop G|G02|24.967440|121.541300|新店區公所|Xindian District Office|新店区役所|신뎬 구청
    stop G|G03|24.975036|121.543129|七張|Qizhang||치장
    stop G|G04|24.982720|121.541340|大坪林|Dapinglin||다핑린
    stop G|G05|24.992824|121.540697|景美|Jingmei||징메이
    stop G|G06|25.001978|121.539008|萬隆|Wanlong|万隆|완룽
    stop G|G07|25.014781|121.534358|公館|Gongguan||궁관
    stop G|G08|25.020733|121.528143|台電大樓|Taipower Building|台湾電力ビル|대만 전력공사 빌딩
    stop G|G09|25.026373|121.522868|古亭|Guting||구팅
    stop G|G10|25.032767|121.518273|中正紀念堂|Chiang Kai-Shek Memorial Hall||중정 기념당
    stop G|G11|25.035619|121.510798|小南門|Xiaonanmen||샤오난먼
    stop G|G12|25.042274|121.508511|西門|Ximen||시먼
    stop G|G13|25.049554|121.510184|北門|Beimen||베이먼
    stop G|G14|25.052621|121.520364|中山|Zhongshan||중산
    stop G|G15|25.052693|121.532850|松江南京|Songjiang Nanjing||송장 난징
    stop G|G16|25.052044|121.544303|南京復興|Nanjing Fuxing||난징 푸싱
    stop G|G17|25.051520|121.552549|台北小巨蛋|Taipei Arena|台北アリーナ|타이베이 아레나
    stop G|G18|25.051588|121.564710|南京三民|Nanjing Sanmin||난징 싼민
    stop G|G19|25.050118|121.577706|松山|Songshan||송산
    stop G|G03A|24.971880|121.530580|小碧潭|Xiaobitan||샤오비탄
    stop O|O01|24.990065|121.509237|南勢角|Nanshijiao||난스자오
    stop O|O02|24.993920|121.505114|景安|Jingan||징안
    stop O|O03|25.002895|121.511225|永安市場|Yongan Market||융안 시장
    stop O|O04|25.013080|121.515398|頂溪|Dingxi|頂渓|딩시
    stop O|O05|25.026373|121.522868|古亭|Guting||구팅
    stop O|O06|25.033894|121.528766|東門|Dongmen||둥먼
    stop O|O07|25.041797|121.532856|忠孝新生|Zhongxiao Xinsheng||중샤오 신성
    stop O|O08|25.052693|121.532850|松江南京|Songjiang Nanjing||송장 난징
    stop O|O09|25.059240|121.533150|行天宮|Xingtian Temple||싱톈궁
    stop O|O10|25.062665|121.526609|中山國小|Zhongshan Elementary School|中山小学校|중산 초등학교
    stop O|O11|25.062350|121.519585|民權西路|Minquan W. Rd.|民権西路|민취안시루
    stop O|O12|25.063220|121.513003|大橋頭|Daqiaotou||다차오터우
    stop O|O13|25.063075|121.500575|台北橋|Taipei Bridge||타이베이 대교
    stop O|O14|25.059808|121.491451|菜寮|Cailiao||차이랴오
    stop O|O15|25.055710|121.484220|三重|Sanchong||싼충
    stop O|O16|25.046320|121.471650|先嗇宮|Xianse Temple||셴써궁
    stop O|O17|25.039862|121.460479|頭前庄|Touqianzhuang||터우첸좡
    stop O|O18|25.036080|121.452180|新莊|Xinzhuang|新荘|신좡
    stop O|O19|25.032790|121.435735|輔大|Fu Jen University|輔仁大学|푸런 대학교
    stop O|O20|25.029073|121.422422|丹鳳|Danfeng||단펑
    stop O|O21|25.022107|121.411757|迴龍|Huilong||후이룽
    stop O|O50|25.070275|121.497010|三重國小|Sanchong Elementary School|三重小学校|싼충 초등학교
    stop O|O51|25.076794|121.486455|三和國中|Sanhe Junior High School|三和中学校|싼허 중학교
    stop O|O52|25.080485|121.479945|徐匯中學|St. Ignatius High School|徐匯高校|쉬후이 고등학교
    stop O|O53|25.085425|121.473365|三民高中|Sanmin Senior High School|三民高校|싼민 고등학교
    stop O|O54|25.091520|121.464710|蘆洲|Luzhou||루저우
    stop R|R02|25.032816|121.570080|象山|Xiangshan||샹산
    stop R|R03|25.033028|121.562755|台北101/世貿|Taipei 101/World Trade Center|台北101 / 世界貿易センター|\
    타이베이101/세계무역센터
    stop R|R04|25.033310|121.552650|信義安和|Xinyi Anhe||신이 안허
    stop R|R05|25.033311|121.542370|大安|Daan||다안
    stop R|R06|25.033225|121.536151|大安森林公園|Daan Park||다안 삼림 공원
    stop R|R07|25.033894|121.528766|東門|Dongmen||둥먼
    stop R|R08|25.032767|121.518273|中正紀念堂|Chiang Kai-Shek Memorial Hall||중정 기념당
    stop R|R09|25.041399|121.516020|台大醫院|NTU Hospital|台湾大学病院|대만 대학 병원
    stop R|R10|25.046310|121.517415|台北車站|Taipei Main Station|台北駅|타이베이 역
    stop R|R11|25.052621|121.520364|中山|Zhongshan||중산
    stop R|R12|25.057575|121.520685|雙連|Shuanglian|双連|솽롄
    stop R|R13|25.062350|121.519585|民權西路|Minquan W. Rd.|民権西路|민취안시루
    stop R|R14|25.071409|121.520074|圓山|Yuanshan||위안산
    stop R|R15|25.084201|121.524955|劍潭|Jiantan|剣潭|젠탄
    stop R|R16|25.093492|121.526230|士林|Shilin||스린
    stop R|R17|25.102718|121.522546|芝山|Zhishan||즈산
    stop R|R18|25.109815|121.518785|明德|Mingde|明徳|밍더
    stop R|R19|25.114455|121.515572|石牌|Shipai||스파이
    stop R|R20|25.120852|121.506234|唭哩岸|Qilian||치리안
    stop R|R21|25.125470|121.501140|奇岩|Qiyan||치옌
    stop R|R22|25.131819|121.498648|北投|Beitou||베이터우
    stop R|R23|25.137474|121.485457|復興崗|Fuxinggang||푸싱강
    stop R|R24|25.131041|121.473293|忠義|Zhongyi||중이
    stop R|R25|25.125630|121.467100|關渡|Guandu|関渡|관두
    stop R|R26|25.136900|121.459550|竹圍|Zhuwei|竹囲|주웨이
    stop R|R27|25.153990|121.458800|紅樹林|Hongshulin||훙수린
    stop R|R28|25.167745|121.445805|淡水|Tamsui||단수이
    stop R|R22A|25.136931|121.502595|新北投|Xinbeitou||신베이터우
    stop Y|Y07|24.982720|121.541340|大坪林|Dapinglin||다핑린
    stop Y|Y08|24.984333|121.527698|十四張|Shisizhang||스쓰장
    stop Y|Y09|24.990549|121.525051|秀朗橋|Xiulang Bridge||시우랑챠오
    stop Y|Y10|24.992143|121.516386|景平|Jingping||징핑
    stop Y|Y11|24.993920|121.505114|景安|Jingan||징안
    stop Y|Y12|25.002382|121.495978|中和|Zhonghe||중허
    stop Y|Y13|25.004413|121.490461|橋和|Qiaohe||챠오허
    stop Y|Y14|25.008410|121.484159|中原|Zhongyuan||중위엔
    stop Y|Y15|25.014436|121.472269|板新|Banxin||반신
    stop Y|Y16|25.015156|121.464825|板橋|Banqiao||반차오
    stop Y|Y17|25.026282|121.466831|新埔民生|Xinpu Minsheng||신푸민셩
    stop Y|Y18|25.039862|121.460479|頭前庄|Touqianzhuang||터우첸좡
    stop Y|Y19|25.049984|121.459980|幸福|Xingfu||씽푸
    stop Y|Y20|25.061548|121.459926|新北產業園區|New Taipei Industrial Park|新北産業園区|신베이 산업원 단지
    """
}
