// Čeština.

const plural = new Intl.PluralRules("cs");

/** 1 hra, 2 hry, 5 her. @param {number} n @param {string} one @param {string} few @param {string} many */
function form(n, one, few, many) {
  const which = plural.select(n);
  return which === "one" ? one : which === "few" ? few : many;
}

/** @param {number} n @param {string} one @param {string} few @param {string} many */
const count = (n, one, few, many) => `${n} ${form(n, one, few, many)}`;

const joined = new Intl.ListFormat("cs", { type: "conjunction" });

/** @param {string[]} names */
const list = (names) => joined.format(names);

const minutes = (/** @type {number} */ n) => `${n} min`;

/** @param {number} n */
const seconds = (n) => count(n, "sekunda", "sekundy", "sekund");

export default {
  causes: {
    finished: "",
    "timed out": "vypršel čas",
    left: "odešel ze hry",
    lost: "ztratil spojení",
    crashed: "spadl",
    disqualified: "diskvalifikován",
    "never came": "nepřišel",
  },
  words: {
    justNow: "právě teď",
    minutes,
    hours: (/** @type {number} */ n) => `${n} h`,
    days: (/** @type {number} */ n) => count(n, "den", "dny", "dní"),
    turns: (/** @type {number} */ n) => count(n, "tah", "tahy", "tahů"),
    tables: (/** @type {number} */ n) => count(n, "stůl", "stoly", "stolů"),
    list,
    games: "Hry",
    players: "Hráči",
    everywhere: "Všechny stránky",
    tournaments: "Turnaje",
    connectBot: "Připojit bota",
    docs: "Návody",
    documentation: "Dokumentace",
    starters: "Boti do začátku",
    theme: { light: "Přepnout na světlý vzhled", dark: "Přepnout na tmavý vzhled" },
    skip: "Přejít k obsahu",
    home: {
      title: "Pět her, jeden salon.",
      lead: "Hraj hned, s přáteli nebo proti domácím botům. Nic se neinstaluje, účet není třeba.",
      playing: (/** @type {number} */ n) => form(n, "stůl ve hře", "stoly ve hře", "stolů ve hře"),
      bots: (/** @type {number} */ n) => form(n, "bot je tu", "boti jsou tu", "botů je tu"),
      people: (/** @type {number} */ n) => form(n, "člověk", "lidé", "lidí"),
      playNow: "Hrát hned",
      watch: "Sledovat",
      floor: "Právě se hraje",
      last: "Poslední hra",
      bring: "Přiveď vlastního bota",
      nothing: "Zrovna nikdo nehraje. Začni jako první.",
      backTitle: (/** @type {string} */ title) => `Tvoje hra ${title} možná ještě běží.`,
      back: "Zpět do hry",
      anyLanguage: "V jakémkoli jazyce, který umí otevřít socket. Tyhle dva řádky hrají Gambu:",
      wires: "Jeden protokol JSON přes WebSocket hraje všechny hry:",
    },
    daily: {
      title: "Hra dne",
      same: "stejné karty a boti pro všechny",
      play: "Zahrát si",
      line: (
        /** @type {string} */ title,
        /** @type {number} */ points,
        /** @type {number} */ rank,
        /** @type {number} */ of,
      ) =>
        `Parlor dne · ${title} · ${count(points, "bod", "body", "bodů")} · ${rank}. místo z ${of}`,
    },
    lobby: {
      tables: "Stoly",
      inPlay: "Hraje se",
      inPlayNow: (/** @type {number} */ n) => `${count(n, "stůl", "stoly", "stolů")} ve hře`,
      noTables: "Zatím žádné stoly",
      noTablesHint: "Začni jako první. Přisedne si k tobě domácí bot.",
      newTable: "Nový stůl",
      sitDown: "Posadit se",
      watch: "Sledovat",
      allTournaments: "Všechny turnaje",
      leaderboard: "Žebříček",
      columns: ["", "Hráč", "Hodnocení", "", "Hry"],
      ranked: "Hodnocení je levý konec pruhu: tolik víme jistě.",
      recent: "Poslední hry",
      matches: "Poslední turnajové hry",
      connect: "Připoj svého bota",
      steps: {
        starter: "Stáhni si bota do začátku, spusť ho a změň funkci, která vybírá tahy:",
        more: "Všichni boti do začátku",
        protocol: "Protokol, zprávu po zprávě",
        house: "Nebo mluv JSON přes WebSocket, pro všechny hry stejně:",
        bot: "Nebo nech hrát domácího bota ze svého počítače:",
        model: "Hrát umí i jazykový model. Jeho klient (MCP) se připojuje sem:",
      },
      free: (/** @type {number} */ n) =>
        n === 1
          ? "Jedno volné místo. Začne se, jakmile se obsadí."
          : `${count(n, "volné místo", "volná místa", "volných míst")}.`,
      brief: "Pravidla ve zkratce",
      allRules: "Celá pravidla",
      noGames: "Zatím žádné hry. První odehraná se objeví tady.",
      noRatings: "Zatím nikdo nemá hodnocení. Počítají se jen hry v turnajích a žebříčcích.",
    },
    replay: {
      seenBy: "Pohled",
      public: "Diváci",
      all: "Všichni",
      moves: "Tahy",
      download: "Stáhnout",
      frames: "Každá pozice (JSON Lines)",
      file: "Soubor se záznamem",
      share: "Zkopírovat odkaz na tento tah",
      copied: "Zkopírováno",
      play: "Přehrát",
      stop: "Zastavit",
      first: "První tah",
      back: "O tah zpět",
      on: "O tah dál",
      last: "Poslední tah",
      speed: "Rychlost",
      turn: "Tah",
      notShown: (/** @type {string} */ name, /** @type {string} */ why) =>
        `${name} nelze zobrazit: ${why}`,
      drop: "Přetáhni soubor se záznamem kamkoli na tuto stránku a uvidíš ho.",
      open: "Otevřít soubor se záznamem",
      openHint:
        "Záznam, který sis tady stáhl nebo který zapsal parlor play --replays či tournament run --out.",
      choose: "Vybrat soubor",
      noReplay: "Tohle není záznam hry.",
      whichGame: "Samotné pozice neříkají, ze které jsou hry. Přetáhni je na záznam té hry.",
    },
    review: {
      title: "Rozbor",
      ask: "Rozebrat tuto hru",
      next: "Další chyba",
      making: (/** @type {number} */ done, /** @type {number} */ all) =>
        all > 0 ? `Rozebírá se tah ${done} z ${all}` : "Čeká se na rozbor",
      broken: "Rozbor se nedokončil. Zkus to později.",
      chance: "Šance na výhru",
      chanceNote: "podíl poražených soupeřů v procentech, se všemi kartami odkrytými",
      player: "Hráč",
      regret: "Ztráta na rozhodnutí",
      luck: "Štěstí",
      none: "Žádné rozhodnutí nebylo nepřesné ani horší.",
      better: (/** @type {string} */ what, /** @type {string} */ value) =>
        `${what} by bylo ${value}`,
      judge: (/** @type {number} */ deals) =>
        `Každé rozhodnutí se zkoušelo v ${deals} rozdáních toho, co hráč nemohl vidět. Rozhodují domácí boti: každé rozdání dohrají do konce.`,
      /** @type {Record<string, string>} */
      kinds: {
        best: "Nejlepší",
        fine: "Dobré",
        slip: "Nepřesnost",
        mistake: "Chyba",
        blunder: "Hrubá chyba",
      },
    },
    live: {
      live: "Živě",
      replay: "Záznam",
      watch: "Sledovat živě",
      over: "Konec",
      resigned: "Hru jsi vzdal",
      out: "Jsi venku",
      spectators: (/** @type {number} */ n) => count(n, "divák", "diváci", "diváků"),
      behind: (/** @type {string} */ turns) => `zpoždění ${turns}`,
      catchUp: "Dohnat",
      away: (/** @type {string} */ at) =>
        `Bez spojení. Deska ukazuje stav z ${at}. Zkoušíme to znovu.`,
      retry: "Zkusit hned",
      waiting: "Čeká se na hráče",
      delayed: "Hraje se, ukáže se po skončení",
      delayedHint:
        "Potom tahle stránka přehraje celou hru s odkrytými kartami. Do té doby nikdo z diváků nemůže hráči radit.",
      shows: "Vidíš, co ví každý z hráčů.",
      full: "Vidíš živě karty všech.",
      fullHint: "Tento stůl ukazuje karty všech každému, kdo má token pořadatele.",
      showFull: "Ukázat karty všech",
      free: "volno",
      fromStart: "Přehrát od začátku",
    },
    copy: "Kopírovat",
    rules: {
      contents: "Obsah",
      title: (/** @type {string} */ game) => `Pravidla hry ${game}`,
    },
    play: {
      title: "Hrát",
      name: "Tvoje jméno",
      settings: "Vybrat soupeře a čas",
      claimedAs: "Hraješ pod svým chráněným jménem ",
      notYou: "Změnit v nastavení",
      against: "Hrát proti",
      kinds: {
        bots: { title: "Domácím botům", hint: "Hra začne hned." },
        link: { title: "Příteli", hint: "Dostaneš odkaz, který mu pošleš." },
        anybody: {
          title: "Komukoli",
          hint: "Posaď se k otevřenému stolu. Přidat se mohou lidé i boti.",
        },
      },
      terms: (/** @type {number | null} */ limit, /** @type {string[]} */ bots) => {
        const each =
          limit === null
            ? "Bez časového limitu."
            : `Na každý tah: ${limit < 60 ? seconds(limit) : minutes(Math.round(limit / 60))}.`;
        return bots.length > 0 ? `${each} Když nikdo nepřijde, hraješ proti: ${list(bots)}.` : each;
      },
      strategy: (/** @type {string} */ name, /** @type {string} */ level) =>
        `${name} (bot, ${level})`,
      go: { bots: "Hrát hned", link: "Otevřít stůl", anybody: "Posadit se" },
      bots: "Domácí boti",
      bot: (/** @type {number} */ n) => `Bot ${n}`,
      level: (/** @type {number} */ level) => ["Začátečník", "Slušný", "Silný"][level - 1],
      ofFive: (/** @type {string} */ name, /** @type {number} */ level) =>
        `${name}, úroveň ${level} z 5`,
      otherBots: "Ostatní boti",
      time: "Čas na každý tah",
      seconds: (/** @type {number} */ s) =>
        s < 60 ? seconds(s) : count(s / 60, "minuta", "minuty", "minut"),
      resigned: "Hru jsi vzdal.",
      outOfTime: "Vypršel ti čas, takže jsi venku.",
      invitationOver: "Ten stůl už není otevřený. Tady můžeš otevřít nový.",
      hurry: (/** @type {string} */ left) => `Na tah ti zbývá ${left}`,
      orOut: "jinak jsi venku",
      hurryOut: (/** @type {string} */ left) => `Zbývá ${left}. Bez tahu jsi venku.`,
      left: "Odešel jsi ze hry, která možná ještě běží.",
      goBack: "Zpět na moje místo",
      watchOn: "Dívat se dál",
      more: "O jednoho víc",
      fewer: "O jednoho míň",
      players: (/** @type {number} */ n) => count(n, "hráč", "hráči", "hráčů"),
      invited: (/** @type {string[]} */ names, /** @type {string} */ title) =>
        names.length > 0
          ? `${list(names)} ${form(names.length, "tě zve", "tě zvou", "tě zve")} na hru ${title}.`
          : `Máš pozvánku na hru ${title}.`,
      share: "Pošli tento odkaz příteli",
      qr: "QR kód odkazu",
      onlyHere:
        "Tento odkaz otevře jen tento počítač. Chceš-li hrát i s jinými zařízeními, spusť server s --bind 0.0.0.0 a použij adresu, kterou vypíše.",
      begins: (/** @type {string} */ when) => `Začátek hry: ${when}.`,
      leave: "Odejít od stolu",
      resign: "Vzdát",
      really: "Opravdu tuto hru vzdát?",
      yes: "Vzdát",
      no: "Hrát dál",
      yourMove: "Jsi na tahu",
      theirMove: "Čeká se na ostatní",
      again: "Hrát znovu",
      newGame: "Nová hra",
      toLobby: "Zpět ke stolům",
      void: "Hra nemá výsledek.",
      won: "Vítězství!",
      shared: "Společné vítězství!",
    },
    help: {
      title: "Pravidla a nápověda",
      protocol: "Protokol",
      step: (/** @type {number} */ n, /** @type {number} */ of) => `${n} z ${of}`,
      skip: "Přeskočit",
      next: "Dál",
      done: "Rozumím",
    },
    settings: {
      title: "Nastavení",
      close: "Zavřít",
      nameHint:
        "Jakákoli písmena. Chráněné jméno má svůj klíč, třeba carla:pk_…; zeptáme se na něj jen jednou.",
      keyFile: "Nebo otevři soubor chráněného jména",
      look: "Vzhled",
      dark: "Tmavý",
      language: "Jazyk",
      attention: "Když jsem na tahu",
      switches: {
        sound: "Přehrát zvuk",
        notify: "Upozornit, když mám otevřenou jinou kartu",
        vibrate: "Vibrovat",
      },
      playsAs: "Hraješ jako ",
      claimedHint:
        "Klíč je uložen v tomto prohlížeči. Odkaz i soubor ho přenesou do jiného zařízení: nikomu je neukazuj.",
      moveLink: "Zkopírovat odkaz pro jiné zařízení",
      moveFile: "Uložit do souboru",
      forget: "Tady zapomenout",
    },
    end: {
      lost: "Tentokrát prohra.",
      placed: (/** @type {number} */ place, /** @type {number} */ of) =>
        place === of ? `Poslední místo z ${of}.` : `${place}. místo z ${of}.`,
      you: (/** @type {string} */ name) => `${name} (ty)`,
      own: (/** @type {number} */ wins) => `ty ${wins}`,
      series: (/** @type {number} */ own, /** @type {number} */ other) =>
        own === other
          ? `Stav je ${own} : ${other}.`
          : own > other
            ? `Vedeš ${own} : ${other}.`
            : `Prohráváš ${own} : ${other}.`,
      wins: (/** @type {number} */ games, /** @type {string} */ wins) =>
        `Výhry po ${count(games, "hře", "hrách", "hrách")}: ${wins}.`,
      review: "Rozbor",
      share: "Sdílet",
      shareText: (/** @type {string} */ headline) => `${headline} Podívej se na hru:`,
      look: "Prohlédnout desku",
      result: "Výsledek",
      nextRound: "Dál",
      round: (/** @type {number} */ n) => `${n}. kolo skončilo`,
    },
    reactions: {
      react: "Reagovat",
      hello: "Ahoj!",
      nice: "Pěkně!",
      wow: "Páni!",
      oops: "Jejda!",
      thanks: "Díky!",
      "good-game": "Dobrá hra!",
    },
    rematch: {
      ask: "Odveta",
      cancel: "Zrušit",
      yes: "Hrát",
      no: "Ne",
      wants: (/** @type {string} */ names, /** @type {number} */ n) =>
        `${names} ${form(n, "chce", "chtějí", "chce")} odvetu.`,
      waits: (/** @type {string} */ names) => `Čeká se na souhlas: ${names}.`,
      left: (/** @type {string} */ names, /** @type {number} */ n) =>
        `${names} ${form(n, "už tu není", "už tu nejsou", "už tu není")}.`,
    },
    result: {
      won: "Výhra",
      shared: "Společná výhra",
      lost: (/** @type {number | undefined} */ place, /** @type {number} */ of) =>
        place === undefined ? "Bez výsledku" : of > 2 ? `${place}. místo z ${of}` : "Prohra",
      against: "proti",
      is: (/** @type {string} */ who, /** @type {string} */ what) => `${who}: ${what}`,
    },
    errors: {
      title: "To se nepovedlo",
      noPage: "Taková stránka neexistuje",
      noPageHint: "Možná je v adrese překlep. Hry najdeš na úvodní stránce.",
      noBoard: "Tahle hra zatím nemá desku. parlor watch a parlor replay ji ukážou jako text.",
      toGames: "Všechny hry",
      network: "Server neodpovídá. Možná se teprve spouští; stránka to zkouší dál.",
    },
  },
  playerWords: {
    everybodyLead: "Všichni, kdo dohráli hodnocenou hru, od nejsilnějších.",
    more: "Ukázat další",
    nobody: "Takový hráč tu není",
    plays: (/** @type {string} */ games) => `Hraje ${games}.`,
    last: (/** @type {string} */ ago) =>
      ago === "právě teď" ? "Poslední hra právě teď." : `Poslední hra před: ${ago}.`,
    ratingNow: "hodnocení",
    ratedGames: "hodnocené hry",
    openGames: "volné hry",
    wonShare: (/** @type {number} */ percent) => `${percent} % vyhráno`,
    usually: "na tah, obvykle",
    rated: (/** @type {string} */ sure) => `hodnocení ${sure}`,
    rank: (/** @type {number} */ rank) => `${rank}. místo`,
    unrated: "bez hodnocení",
    unratedHint: "Zatím žádná hodnocená hra. Počítají se jen hry v turnajích a žebříčcích.",
    rating: (/** @type {string} */ game) => `Hodnocení ve hře ${game}`,
    band: "V tomto pásmu podle nás je. S každou hrou se zužuje.",
    plot: (/** @type {string} */ mean, /** @type {string} */ off, /** @type {number} */ games) =>
      `Vývoj hodnocení: teď ${mean}, plus minus ${off}, po ${count(games, "hodnocené hře", "hodnocených hrách", "hodnocených hrách")}.`,
    span: "Jak daleko zpět",
    month: "Měsíc",
    all: "Vše",
    met: "Vzájemná bilance",
    wonLost: "výhry, prohry",
    ofLatest: (/** @type {number} */ games) => `výhry a prohry, posledních her: ${games}`,
    allMet: (/** @type {number} */ n) => `Všech ${n}`,
    timeAMove: "Čas na tah",
    inMoves: (/** @type {number} */ moves, /** @type {number} */ games) =>
      `${count(moves, "tah", "tahy", "tahů")} v ${count(games, "hře", "hrách", "hrách")}`,
    noMoves: "Zatím nebyl změřen žádný tah.",
    half: "Polovina trvá nejvýš",
    hundredth: "Jeden ze sta je pomalejší než",
    slowest: "Nejpomalejší",
    limit: (/** @type {string} */ time) => `limit ${time}`,
    wrong: "Co se nepovedlo",
    inGames: (/** @type {number} */ games) => `v ${count(games, "hře", "hrách", "hrách")}`,
    refusedMoves: "Odmítnuté tahy",
    byClock: "Tahy zahrané hodinami",
    fine: "Nic.",
    causeWords: {
      "timed out": "Vypršel čas",
      lost: "Ztracené spojení",
      crashed: "Spadl",
      left: "Odešel ze hry",
      disqualified: "Diskvalifikován",
      "never came": "Nepřišel",
    },
    versions: "Verze",
    since: (/** @type {string} */ day) => `od ${day}`,
    columns: ["Verze", "Poprvé", "Hry", "Výhry", "Elo"],
    elo: "Elo",
    eloBand: (/** @type {number} */ low, /** @type {number} */ high) => `Elo ${low} až ${high}`,
    placements: "Turnaje",
    place: (/** @type {number} */ place, /** @type {number} */ entrants) =>
      `${place}. místo z ${entrants}`,
    ended: (/** @type {string} */ ago) => (ago === "právě teď" ? ago : `před: ${ago}`),
    latestTournament: "Poslední turnajové hry",
    latestOpen: "Poslední volné hry",
  },
  /** What games say of themselves. */
  games: {
    "sushi-go": {
      tagline: "Jednu kartu si nech, zbytek pošli dál a doufej v sashimi.",
      facts: "2 až 5 míst, tři kola",
      guide: [
        "Vyber si kartu z ruky a stiskni tlačítko. Všichni odkryjí své karty současně.",
        "Ruce putují dál: co necháš, dostane další hráč, a k tobě přijdou jiné karty. Nejvíc bodů dávají sady stejných karet.",
        "Po třech kolech vyhrává nejvyšší součet. Pravidla najdeš pod ? nahoře a každá karta prozradí, kolik za ni je.",
      ],
      brief: {
        words:
          "Všichni si tajně vyberou kartu, společně je odkryjí a ruku pošlou dalšímu. Kdo má po třech kolech nejvíc bodů, vyhrává.",
        list: [
          ["Tempura", "5 za každou dvojici"],
          ["Sashimi", "10 za každou trojici"],
          ["Dumpling", "1, 3, 6, 10, 15"],
          ["Maki rolls", "nejvíc 6, druhý nejvíc 3"],
          ["Nigiri", "1, 2 nebo 3"],
          ["Wasabi", "příští nigiri počítá třikrát"],
          ["Chopsticks", "dvě karty v pozdějším tahu"],
          ["Pudding", "nejvíc +6, nejmíň −6"],
        ],
      },
    },
    "tiger-dragon": {
      tagline: "Odpověz na kámen, nebo nech útok projít.",
      facts: "2 až 5 míst, hraje se do deseti",
      guide: [
        "Zaútoč kamenem: vyber ho a stiskni tlačítko. Odpovídá se stejným číslem.",
        "Kdo odpoví, útočí příště. Když neodpoví nikdo, útočník odloží jeden kámen rubem nahoru jako bonus a útočí znovu.",
        "Kdo se zbaví všech kamenů, získá tolik, kolik má jeho poslední kámen na tomto bojišti cenu. Pravidla najdeš pod ? nahoře.",
      ],
      brief: {
        words:
          "Zaútoč libovolným kamenem. Kdo první odpoví stejným číslem, útočí příště. Když to nikdo neudělá, útočník odloží kámen rubem nahoru a útočí znovu. Body získá ten, kdo první vyprázdní ruku.",
        list: [
          ["1 až 8", "od každého čísla tolik kamenů, kolik ukazuje"],
          ["Tygr", "odpovídá na sudá čísla a ona na něj"],
          ["Drak", "odpovídá na lichá čísla a ona na něj"],
          ["Odložené kameny", "za každý bod navíc"],
        ],
      },
    },
    labyrinth: {
      tagline: "Posuň řadu, otevři cestu, seber klenot.",
      facts: "2 až 9 míst, jedno bludiště",
      guide: [
        "Zasuň volný dílek: vyber šipku na okraji. Hned uvidíš, kam bys mohl dojít.",
        "Pak jdi na rozsvícené pole. Tajný poklad ukazuje, kam nejdřív; potom se vrať domů.",
        "Dokud nestiskneš tlačítko, nic neplatí. Vracej a zkoušej šipky, jak často chceš.",
      ],
      brief: {
        words:
          "Posuň řádek nebo sloupec tím, že do něj zasuneš volný dílek, a pak projdi otevřenými chodbami. Kdo první dojde k pokladu a potom domů, vyhrává.",
        list: [
          ["Posun", "řádky a sloupce se sudým číslem"],
          ["Volný dílek", "libovolně otočený"],
          ["Chůze", "jak daleko chceš, ale pohnout se musíš"],
          ["Není dovoleno", "vrátit poslední posun"],
        ],
      },
    },
    subsim: {
      tagline: "Lov se sonarem. Všichni táhnou najednou.",
      facts: "2 až 64 lodí, jedno moře",
      guide: [
        "Vidíš jen svou loď. Každý tah dostane jeden rozkaz: plout a cestou něco dobít.",
        "Dobij sonar a vyšli ping, ať najdeš ostatní. Dobij torpédo a vystřel na to, co jsi našel.",
        "Torpédo zasáhne všechno kolem svého pole, tebe taky. Pravidla najdeš pod ? nahoře.",
      ],
      brief: {
        words:
          "Všechny ponorky dostanou v každém tahu jeden rozkaz a splní ho současně. Za plavby dobíjej vybavení, sonarem hledej ostatní a zasahuj je torpédy a minami.",
        list: [
          ["Plavba", "jedno pole, jedno dobití"],
          ["Spánek", "zůstat stát, dvě dobití"],
          ["Sonar", "najde lodě a prozradí jim to"],
          ["Torpédo", "zásah za 2, na okolních polích za 1"],
          ["Mina", "čeká vedle tebe"],
          ["Sprint", "až 4 pole, slyší ho všichni poblíž"],
          ["Vynoření", "opraví štít, trvá 3 tahy"],
        ],
      },
    },
    gamba: {
      tagline: "Zbav se karet. Sedmičce nikdy nevěř.",
      facts: "2 místa, asi dvě minuty",
      guide: [
        "Zbav se jako první všech karet. Hraj kartu stejně vysokou jako hromádka, nebo vyšší; rozsvícené hodnoty smíš zahrát.",
        "Karty stejné hodnoty se hrají najednou. Desítka vyřadí celou hromádku ze hry; po sedmičce jdou jen nízké karty.",
        "Když žádná karta nejde, vezmi si hromádku. Nakonec hraješ skryté zálohy, jednu po druhé. Pravidla najdeš pod ? nahoře.",
      ],
      brief: {
        words:
          "Dva hráči, každý má tři karty v ruce a tři skryté zálohy. Hraj stejně vysoko jako vrchní karta nebo výš, jinak si vezmi hromádku. Kdo se první zbaví všech karet, vyhrává.",
        list: [
          ["2", "jde na všechno a všechno jde na ni"],
          ["7", "jde na všechno, potom jen 7 a nižší"],
          ["10", "spálí hromádku"],
          ["Zálohy", "hrají se poslepu, když je ruka prázdná"],
        ],
      },
    },
  },
};
