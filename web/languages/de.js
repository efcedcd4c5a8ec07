// Deutsch.

const plural = new Intl.PluralRules("de");

/** @param {number} n @param {string} one @param {string} other */
const form = (n, one, other) => (plural.select(n) === "one" ? one : other);

/** @param {number} n @param {string} one @param {string} other */
const count = (n, one, other) => `${n} ${form(n, one, other)}`;

const joined = new Intl.ListFormat("de", { type: "conjunction" });

/** @param {string[]} names */
const list = (names) => joined.format(names);

const minutes = (/** @type {number} */ n) => `${n} Min.`;

/** @param {number} seconds */
const time = (seconds) =>
  seconds < 60 ? `${seconds} Sekunden` : minutes(Math.round(seconds / 60));

export default {
  causes: {
    finished: "",
    "timed out": "Zeit abgelaufen",
    left: "gegangen",
    lost: "Verbindung verloren",
    crashed: "abgestürzt",
    disqualified: "disqualifiziert",
    "never came": "nie erschienen",
  },
  words: {
    justNow: "gerade eben",
    minutes,
    hours: (/** @type {number} */ n) => `${n} Std.`,
    days: (/** @type {number} */ n) => count(n, "Tag", "Tage"),
    turns: (/** @type {number} */ n) => count(n, "Zug", "Züge"),
    tables: (/** @type {number} */ n) => count(n, "Tisch", "Tische"),
    list,
    games: "Spiele",
    players: "Spieler",
    everywhere: "Alle Seiten",
    tournaments: "Turniere",
    connectBot: "Bot anschließen",
    docs: "Doku",
    documentation: "Dokumentation",
    starters: "Bots zum Anfangen",
    theme: { light: "Hell anzeigen", dark: "Dunkel anzeigen" },
    skip: "Zum Inhalt springen",
    home: {
      title: "Fünf Spiele, ein Salon.",
      lead: "Spiel sofort los, gegen Freunde oder Hausbots. Ohne Installation, ohne Konto.",
      playing: (/** @type {number} */ n) => form(n, "laufender Tisch", "laufende Tische"),
      bots: (/** @type {number} */ n) => form(n, "Bot hier", "Bots hier"),
      people: (/** @type {number} */ n) => form(n, "Mensch", "Menschen"),
      playNow: "Sofort spielen",
      watch: "Zuschauen",
      floor: "Läuft gerade",
      last: "Das letzte Spiel",
      bring: "Eigenen Bot mitbringen",
      nothing: "Gerade spielt niemand. Mach den Anfang.",
      backTitle: (/** @type {string} */ title) => `Dein Spiel ${title} läuft vielleicht noch.`,
      back: "Zurück ins Spiel",
      anyLanguage: "Jede Sprache, die einen Socket öffnen kann. Diese zwei Zeilen spielen Gamba:",
      wires: "Ein JSON-Protokoll über WebSocket spielt jedes Spiel:",
    },
    daily: {
      title: "Spiel des Tages",
      same: "dieselben Karten und Bots für alle",
      play: "Heute spielen",
      line: (
        /** @type {string} */ title,
        /** @type {number} */ points,
        /** @type {number} */ rank,
        /** @type {number} */ of,
      ) =>
        `Parlor täglich · ${title} · ${count(points, "Punkt", "Punkte")} · Platz ${rank} von ${of}`,
    },
    lobby: {
      tables: "Tische",
      inPlay: "Im Spiel",
      inPlayNow: (/** @type {number} */ n) => `${count(n, "Tisch", "Tische")} im Spiel`,
      noTables: "Noch keine Tische",
      noTablesHint: "Mach den Anfang. Ein Hausbot setzt sich zu dir.",
      newTable: "Neuer Tisch",
      sitDown: "Hinsetzen",
      watch: "Zuschauen",
      allTournaments: "Alle Turniere",
      leaderboard: "Rangliste",
      columns: ["", "Spieler", "Wertung", "", "Spiele"],
      ranked: "Die Wertung ist das linke Ende des Balkens: so viel ist sicher.",
      recent: "Letzte Spiele",
      matches: "Letzte Turnierspiele",
      connect: "Schließ deinen Bot an",
      steps: {
        starter:
          "Lade einen Bot zum Anfangen, starte ihn und ändere die Funktion, die den Zug wählt:",
        more: "Alle Bots zum Anfangen",
        protocol: "Das Protokoll, Nachricht für Nachricht",
        house: "Oder sprich JSON über WebSocket, für jedes Spiel gleich:",
        bot: "Oder lass einen Hausbot von deinem Rechner aus spielen:",
        model: "Auch ein Sprachmodell kann mitspielen. Sein Client (MCP) verbindet sich hier:",
      },
      free: (/** @type {number} */ n) =>
        n === 1 ? "Ein Platz frei. Es geht los, sobald er besetzt ist." : `${n} Plätze frei.`,
      brief: "Regeln in Kürze",
      allRules: "Alle Regeln",
      noGames: "Noch keine Spiele. Das erste steht dann hier.",
      noRatings:
        "Noch hat niemand eine Wertung. Gewertet werden nur Turniere und Ranglistenspiele.",
    },
    replay: {
      seenBy: "Gesehen von",
      public: "Publikum",
      all: "Alle",
      moves: "Züge",
      download: "Herunterladen",
      frames: "Jede Stellung (JSON Lines)",
      file: "Aufzeichnung",
      share: "Link zu diesem Zug kopieren",
      copied: "Kopiert",
      play: "Abspielen",
      stop: "Anhalten",
      first: "Erster Zug",
      back: "Einen Zug zurück",
      on: "Einen Zug weiter",
      last: "Letzter Zug",
      speed: "Tempo",
      turn: "Zug",
      notShown: (/** @type {string} */ name, /** @type {string} */ why) =>
        `${name} kann nicht gezeigt werden: ${why}`,
      drop: "Zieh eine Aufzeichnung auf diese Seite, um sie anzusehen.",
      open: "Aufzeichnung öffnen",
      openHint:
        "Eine Aufzeichnung, die du hier heruntergeladen hast oder die parlor play --replays oder tournament run --out geschrieben hat.",
      choose: "Datei wählen",
      noReplay: "Das ist keine Aufzeichnung eines Spiels.",
      whichGame:
        "Einzelne Stellungen sagen nicht, zu welchem Spiel sie gehören. Zieh sie auf eine Aufzeichnung dieses Spiels.",
    },
    review: {
      title: "Analyse",
      ask: "Dieses Spiel analysieren",
      next: "Nächster Fehler",
      making: (/** @type {number} */ done, /** @type {number} */ all) =>
        all > 0 ? `Zug ${done} von ${all} wird analysiert` : "Warten auf die Analyse",
      broken: "Die Analyse wurde nicht fertig. Versuch es später noch einmal.",
      chance: "Siegchance",
      chanceNote: "Anteil der geschlagenen Gegner in Prozent, alle Karten offen",
      player: "Spieler",
      regret: "Verlust pro Entscheidung",
      luck: "Glück",
      none: "Keine Entscheidung war eine Ungenauigkeit oder schlimmer.",
      better: (/** @type {string} */ what, /** @type {string} */ value) => `${what} wäre ${value}`,
      judge: (/** @type {number} */ deals) =>
        `Jede Entscheidung wurde in ${deals} Verteilungen der Karten erprobt, die der Spieler nicht sehen konnte. Hausbots urteilen: Sie spielen jede Verteilung zu Ende.`,
      /** @type {Record<string, string>} */
      kinds: {
        best: "Bester Zug",
        fine: "Gut",
        slip: "Ungenau",
        mistake: "Fehler",
        blunder: "Grober Fehler",
      },
    },
    live: {
      live: "Live",
      replay: "Aufzeichnung",
      watch: "Live zuschauen",
      over: "Vorbei",
      resigned: "Du hast aufgegeben",
      out: "Du bist ausgeschieden",
      spectators: (/** @type {number} */ n) => `${count(n, "Zuschauer", "Zuschauer")}`,
      behind: (/** @type {string} */ turns) => `${turns} zurück`,
      catchUp: "Aufholen",
      away: (/** @type {string} */ at) =>
        `Keine Verbindung. Das Brett zeigt den Stand von ${at}. Neuer Versuch läuft.`,
      retry: "Jetzt versuchen",
      waiting: "Wartet auf Spieler",
      delayed: "Läuft noch und wird danach gezeigt",
      delayedHint:
        "Danach spielt diese Seite die ganze Partie mit offenen Karten ab. Bis dahin kann niemand, der zuschaut, einem Spieler helfen.",
      shows: "Du siehst, was jeder Spieler weiß.",
      full: "Du siehst live jede Hand.",
      fullHint: "Dieser Tisch zeigt allen mit einem Token der Turnierleitung jede Hand.",
      showFull: "Jede Hand zeigen",
      free: "frei",
      fromStart: "Von Anfang an ansehen",
    },
    copy: "Kopieren",
    rules: {
      contents: "Inhalt",
      title: (/** @type {string} */ game) => `Regeln von ${game}`,
    },
    play: {
      title: "Spielen",
      name: "Dein Name",
      settings: "Gegner und Zeit wählen",
      claimedAs: "Du spielst unter deinem geschützten Namen ",
      notYou: "In den Einstellungen ändern",
      against: "Spielen gegen",
      kinds: {
        bots: { title: "Hausbots", hint: "Das Spiel beginnt sofort." },
        link: { title: "Einen Freund", hint: "Du bekommst einen Link zum Weitergeben." },
        anybody: {
          title: "Irgendwen",
          hint: "Setz dich an den offenen Tisch. Menschen und Bots können dazukommen.",
        },
      },
      terms: (/** @type {number | null} */ seconds, /** @type {string[]} */ bots) => {
        const limit = seconds === null ? "Ohne Zeitlimit." : `${time(seconds)} für jeden Zug.`;
        return bots.length > 0 ? `${limit} Kommt niemand, spielst du gegen ${list(bots)}.` : limit;
      },
      strategy: (/** @type {string} */ name, /** @type {string} */ level) =>
        `${name} (Bot, ${level})`,
      go: { bots: "Sofort spielen", link: "Tisch öffnen", anybody: "Hinsetzen" },
      bots: "Hausbots",
      bot: (/** @type {number} */ n) => `Bot ${n}`,
      level: (/** @type {number} */ level) => ["Anfänger", "Ordentlich", "Stark"][level - 1],
      ofFive: (/** @type {string} */ name, /** @type {number} */ level) =>
        `${name}, Stufe ${level} von 5`,
      otherBots: "Andere Bots",
      time: "Zeit für jeden Zug",
      seconds: (/** @type {number} */ s) =>
        s < 60 ? `${s} Sekunden` : count(s / 60, "Minute", "Minuten"),
      resigned: "Du hast aufgegeben.",
      outOfTime: "Deine Zeit ist abgelaufen, du bist ausgeschieden.",
      invitationOver: "Dieser Tisch ist nicht mehr offen. Hier kannst du einen neuen öffnen.",
      hurry: (/** @type {string} */ left) => `Noch ${left} für deinen Zug`,
      orOut: "sonst scheidest du aus",
      hurryOut: (/** @type {string} */ left) => `Noch ${left}. Ohne Zug scheidest du aus.`,
      left: "Du hast ein Spiel verlassen, das vielleicht noch läuft.",
      goBack: "Zurück an meinen Platz",
      watchOn: "Den Rest ansehen",
      more: "Einer mehr",
      fewer: "Einer weniger",
      players: (/** @type {number} */ n) => `${n} Spieler`,
      invited: (/** @type {string[]} */ names, /** @type {string} */ title) =>
        names.length > 0
          ? `${list(names)} ${form(names.length, "lädt", "laden")} dich zu ${title} ein.`
          : `Du bist zu ${title} eingeladen.`,
      share: "Schick diesen Link deinem Freund",
      qr: "QR-Code des Links",
      onlyHere:
        "Diesen Link kann nur dieser Rechner öffnen. Um mit anderen Geräten zu spielen, starte den Server mit --bind 0.0.0.0 und nimm die Adresse, die er ausgibt.",
      begins: (/** @type {string} */ when) => `Das Spiel beginnt ${when}.`,
      leave: "Tisch verlassen",
      resign: "Aufgeben",
      really: "Dieses Spiel aufgeben?",
      yes: "Aufgeben",
      no: "Weiterspielen",
      yourMove: "Du bist am Zug",
      theirMove: "Die anderen sind am Zug",
      again: "Noch einmal",
      newGame: "Neues Spiel",
      toLobby: "Zurück zu den Tischen",
      void: "Es gibt kein Ergebnis.",
      won: "Gewonnen!",
      shared: "Gemeinsam gewonnen!",
    },
    help: {
      title: "Regeln und Hilfe",
      protocol: "Protokoll",
      step: (/** @type {number} */ n, /** @type {number} */ of) => `${n} von ${of}`,
      skip: "Überspringen",
      next: "Weiter",
      done: "Verstanden",
    },
    settings: {
      title: "Einstellungen",
      close: "Schließen",
      nameHint:
        "Alle Buchstaben gehen. Ein geschützter Name kommt mit seinem Schlüssel, wie carla:pk_…; danach wird einmal gefragt.",
      keyFile: "Oder öffne die Datei eines geschützten Namens",
      look: "Aussehen",
      dark: "Dunkel",
      language: "Sprache",
      attention: "Wenn ich am Zug bin",
      switches: {
        sound: "Töne abspielen",
        notify: "Benachrichtigen, wenn ich in einem anderen Tab bin",
        vibrate: "Vibrieren",
      },
      playsAs: "Du spielst als ",
      claimedHint:
        "Der Schlüssel liegt in diesem Browser. Link und Datei bringen ihn auf ein anderes Gerät: Zeig sie niemandem.",
      moveLink: "Link für ein anderes Gerät kopieren",
      moveFile: "Als Datei sichern",
      forget: "Hier vergessen",
    },
    end: {
      lost: "Diesmal verloren.",
      placed: (/** @type {number} */ place, /** @type {number} */ of) =>
        place === of ? `Du bist Letzter von ${of}.` : `Du bist ${place}. von ${of}.`,
      you: (/** @type {string} */ name) => `${name} (du)`,
      own: (/** @type {number} */ wins) => `du ${wins}`,
      series: (/** @type {number} */ own, /** @type {number} */ other) =>
        own === other
          ? `Es steht ${own} : ${other}.`
          : own > other
            ? `Du führst ${own} : ${other}.`
            : `Du liegst ${own} : ${other} zurück.`,
      wins: (/** @type {number} */ games, /** @type {string} */ wins) =>
        `Siege in ${count(games, "Spiel", "Spielen")}: ${wins}.`,
      review: "Nachspielen",
      share: "Teilen",
      shareText: (/** @type {string} */ headline) => `${headline} Das Spiel:`,
      look: "Brett ansehen",
      result: "Ergebnis",
      nextRound: "Weiter",
      round: (/** @type {number} */ n) => `Runde ${n} ist vorbei`,
    },
    reactions: {
      react: "Reagieren",
      hello: "Hallo!",
      nice: "Schön!",
      wow: "Wow!",
      oops: "Hoppla!",
      thanks: "Danke!",
      "good-game": "Gutes Spiel!",
    },
    rematch: {
      ask: "Revanche",
      cancel: "Abbrechen",
      yes: "Spielen",
      no: "Nein",
      wants: (/** @type {string} */ names, /** @type {number} */ n) =>
        `${names} ${form(n, "möchte", "möchten")} eine Revanche.`,
      waits: (/** @type {string} */ names) => `Warten, ob ${names} zustimmt.`,
      left: (/** @type {string} */ names, /** @type {number} */ n) =>
        `${names} ${form(n, "ist", "sind")} gegangen.`,
    },
    result: {
      won: "Gewonnen",
      shared: "Gemeinsam gewonnen",
      lost: (/** @type {number | undefined} */ place, /** @type {number} */ of) =>
        place === undefined ? "Kein Ergebnis" : of > 2 ? `Platz ${place} von ${of}` : "Verloren",
      against: "gegen",
      is: (/** @type {string} */ who, /** @type {string} */ what) => `${who}: ${what}`,
    },
    errors: {
      title: "Das hat nicht geklappt",
      noPage: "Diese Seite gibt es nicht",
      noPageHint: "Vielleicht ist die Adresse vertippt. Die Spiele stehen auf der Startseite.",
      noBoard:
        "Dieses Spiel hat noch kein Brett. parlor watch und parlor replay zeigen es als Text.",
      toGames: "Alle Spiele",
      network:
        "Der Server antwortet nicht. Vielleicht startet er gerade; diese Seite versucht es weiter.",
    },
  },
  playerWords: {
    everybodyLead: "Alle, die ein gewertetes Spiel beendet haben, die Stärksten zuerst.",
    more: "Mehr zeigen",
    nobody: "Diesen Spieler gibt es nicht",
    plays: (/** @type {string} */ games) => `Spielt ${games}.`,
    last: (/** @type {string} */ ago) =>
      ago === "gerade eben" ? "Letztes Spiel gerade eben." : `Letztes Spiel vor ${ago}`,
    ratingNow: "Wertung",
    ratedGames: "gewertete Spiele",
    openGames: "freie Spiele",
    wonShare: (/** @type {number} */ percent) => `${percent} % gewonnen`,
    usually: "pro Zug, meistens",
    rated: (/** @type {string} */ sure) => `Wertung ${sure}`,
    rank: (/** @type {number} */ rank) => `Platz ${rank}`,
    unrated: "ohne Wertung",
    unratedHint: "Noch kein gewertetes Spiel. Gewertet werden nur Turniere und Ranglistenspiele.",
    rating: (/** @type {string} */ game) => `Wertung in ${game}`,
    band: "Im Band vermuten wir die Stärke. Es wird mit jedem Spiel schmaler.",
    plot: (/** @type {string} */ mean, /** @type {string} */ off, /** @type {number} */ games) =>
      `Wertung im Lauf der Zeit: jetzt ${mean}, plus oder minus ${off}, nach ${count(games, "gewerteten Spiel", "gewerteten Spielen")}.`,
    span: "Wie weit zurück",
    month: "Monat",
    all: "Alles",
    met: "Direkter Vergleich",
    wonLost: "gewonnen, verloren",
    ofLatest: (/** @type {number} */ games) => `gewonnen, verloren in den letzten ${games} Spielen`,
    allMet: (/** @type {number} */ n) => `Alle ${n}`,
    timeAMove: "Zeit pro Zug",
    inMoves: (/** @type {number} */ moves, /** @type {number} */ games) =>
      `${count(moves, "Zug", "Züge")} in ${count(games, "Spiel", "Spielen")}`,
    noMoves: "Noch wurde kein Zug gemessen.",
    half: "Die Hälfte braucht höchstens",
    hundredth: "Einer von hundert braucht mehr als",
    slowest: "Der langsamste",
    limit: (/** @type {string} */ limit) => `Limit ${limit}`,
    wrong: "Was schiefging",
    inGames: (/** @type {number} */ games) => `in ${count(games, "Spiel", "Spielen")}`,
    refusedMoves: "Abgelehnte Züge",
    byClock: "Von der Uhr gespielte Züge",
    fine: "Nichts.",
    causeWords: {
      "timed out": "Zeit abgelaufen",
      lost: "Verbindung verloren",
      crashed: "Abgestürzt",
      left: "Spiel verlassen",
      disqualified: "Disqualifiziert",
      "never came": "Nie erschienen",
    },
    versions: "Versionen",
    since: (/** @type {string} */ day) => `seit ${day}`,
    columns: ["Version", "Zuerst gesehen", "Spiele", "Gewonnen", "Elo"],
    elo: "Elo",
    eloBand: (/** @type {number} */ low, /** @type {number} */ high) => `Elo ${low} bis ${high}`,
    placements: "Turniere",
    place: (/** @type {number} */ place, /** @type {number} */ entrants) =>
      `Platz ${place} von ${entrants}`,
    ended: (/** @type {string} */ ago) => (ago === "gerade eben" ? ago : `vor ${ago}`),
    latestTournament: "Letzte Turnierspiele",
    latestOpen: "Letzte freie Spiele",
  },
  /** What games say of themselves. */
  games: {
    "sushi-go": {
      tagline: "Eine Karte behalten, den Rest weitergeben, auf Sashimi hoffen.",
      facts: "2 bis 5 Plätze, drei Runden",
      guide: [
        "Wähle eine Karte aus deiner Hand und drücke den Knopf. Alle decken ihre Karten gleichzeitig auf.",
        "Die Hände wandern weiter: Was du übrig lässt, bekommt der nächste Spieler, und du bekommst andere Karten. Am meisten zählen Sätze gleicher Karten.",
        "Nach drei Runden gewinnt die höchste Summe. Das ? oben zeigt die Regeln, und jede Karte sagt, was sie wert ist.",
      ],
      brief: {
        words:
          "Alle wählen heimlich eine Karte, decken sie zusammen auf und geben ihre Hand an den nächsten Platz weiter. Wer nach drei Runden die meisten Punkte hat, gewinnt.",
        list: [
          ["Tempura", "5 für jedes Paar"],
          ["Sashimi", "10 für je drei"],
          ["Dumpling", "1, 3, 6, 10, 15"],
          ["Maki rolls", "die meisten 6, die zweitmeisten 3"],
          ["Nigiri", "1, 2 oder 3"],
          ["Wasabi", "das nächste Nigiri zählt dreifach"],
          ["Chopsticks", "zwei Karten in einem späteren Zug"],
          ["Pudding", "die meisten +6, die wenigsten −6"],
        ],
      },
    },
    "tiger-dragon": {
      tagline: "Antworte auf den Stein, oder lass den Angriff durch.",
      facts: "2 bis 5 Plätze, wer zuerst zehn hat",
      guide: [
        "Greif mit einem Stein an: Wähle ihn und drücke den Knopf. Geantwortet wird mit derselben Zahl.",
        "Wer antworten kann, greift als Nächster an. Antwortet niemand, legt der Angreifer einen Stein verdeckt als Bonus ab und greift noch einmal an.",
        "Wer alle Steine los ist, bekommt so viel, wie sein letzter Stein auf diesem Schlachtfeld wert ist. Das ? oben zeigt die Regeln.",
      ],
      brief: {
        words:
          "Greif mit einem beliebigen Stein an. Wer als Erster mit derselben Zahl antwortet, greift als Nächster an. Antwortet niemand, legt der Angreifer einen Stein verdeckt ab und greift noch einmal an. Wer zuerst keine Steine mehr hat, bekommt Punkte.",
        list: [
          ["1 bis 8", "von jeder Zahl so viele Steine, wie sie sagt"],
          ["Tiger", "antwortet auf gerade Zahlen, und sie antworten auf ihn"],
          ["Drache", "antwortet auf ungerade Zahlen, und sie antworten auf ihn"],
          ["Verdeckte Steine", "je ein Punkt extra"],
        ],
      },
    },
    labyrinth: {
      tagline: "Schieb eine Reihe, öffne einen Weg, hol das Juwel.",
      facts: "2 bis 9 Plätze, ein Labyrinth",
      guide: [
        "Schieb das freie Teil hinein: Wähle einen Pfeil am Rand. Du siehst sofort, wohin du gehen könntest.",
        "Dann geh auf ein helles Feld. Dein geheimer Schatz zeigt, wohin zuerst; danach geht es nach Hause.",
        "Vor dem Knopf ist nichts endgültig. Nimm zurück und probier andere Pfeile, so oft du willst.",
      ],
      brief: {
        words:
          "Verschiebe eine Zeile oder Spalte, indem du das freie Teil hineinschiebst, und geh dann durch offene Gänge. Wer zuerst seinen Schatz und danach sein Zuhause erreicht, gewinnt.",
        list: [
          ["Schieben", "Zeilen und Spalten mit gerader Nummer"],
          ["Freies Teil", "beliebig gedreht"],
          ["Gehen", "beliebig weit, aber bewegen musst du dich"],
          ["Nicht erlaubt", "den letzten Schub rückgängig machen"],
        ],
      },
    },
    subsim: {
      tagline: "Jagd mit Sonar. Alle ziehen gleichzeitig.",
      facts: "2 bis 64 Boote, ein Meer",
      guide: [
        "Du siehst nur dein eigenes Boot. In jedem Zug bekommt es einen Befehl: fahren und dabei etwas aufladen.",
        "Lade das Sonar und sende einen Ping, um andere zu finden. Lade den Torpedo und schieß auf das, was du gefunden hast.",
        "Ein Torpedo trifft alles rund um sein Feld, auch dich. Das ? oben zeigt die Regeln.",
      ],
      brief: {
        words:
          "Alle U-Boote bekommen je Zug einen Befehl und führen ihn gleichzeitig aus. Lade deine Geräte, während du fährst, finde die anderen mit dem Sonar und triff sie mit Torpedos und Minen.",
        list: [
          ["Fahren", "ein Feld, eine Ladung"],
          ["Schlafen", "stehen bleiben, zwei Ladungen"],
          ["Sonar", "findet Boote und verrät es ihnen"],
          ["Torpedo", "2 Schaden, 1 auf den Feldern ringsum"],
          ["Mine", "wartet neben dir"],
          ["Sprint", "bis zu 4 Felder, alle in der Nähe hören es"],
          ["Auftauchen", "repariert einen Schild, dauert 3 Züge"],
        ],
      },
    },
    gamba: {
      tagline: "Werde deine Karten los. Trau keiner Sieben.",
      facts: "2 Plätze, etwa zwei Minuten",
      guide: [
        "Werde als Erster alle Karten los. Leg eine Karte, die so hoch ist wie der Stapel oder höher; die hellen Werte dürfen gelegt werden.",
        "Karten eines Werts gehen zusammen. Eine 10 nimmt den ganzen Stapel aus dem Spiel; nach einer 7 gehen nur niedrige Karten.",
        "Passt keine Karte, nimm den Stapel auf. Zuletzt spielst du deine verdeckten Reserven, eine nach der anderen. Das ? oben zeigt die Regeln.",
      ],
      brief: {
        words:
          "Zwei Spieler mit je drei Handkarten und drei verdeckten Reserven. Leg so hoch wie die oberste Karte oder höher, oder nimm den Stapel auf. Wer zuerst alle Karten los ist, gewinnt.",
        list: [
          ["2", "geht auf alles, und alles geht auf sie"],
          ["7", "geht auf alles, danach nur 7 oder niedriger"],
          ["10", "verbrennt den Stapel"],
          ["Reserven", "ungesehen gespielt, wenn die Hand leer ist"],
        ],
      },
    },
  },
};
