//! Settings from flags, files and the environment.

use super::*;

fn games() -> Games {
    games::list()
}

fn flags(port: &[&str], set: &[&str]) -> Flags {
    let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Flags { port: own(port), set: own(set), ..Flags::default() }
}

fn from_flags(port: &[&str], set: &[&str]) -> Result<Settings> {
    let mut settings = Settings::default();
    apply(&games(), &mut settings, flag_table(&flags(port, set))?)?;
    Ok(settings)
}

fn complaint(port: &[&str], set: &[&str]) -> String {
    format!("{:#}", from_flags(port, set).unwrap_err())
}

#[test]
fn ports_are_numbers_or_off() {
    let settings = from_flags(&["sushi-go=0", "http=off", "gamba=8081"], &[]).unwrap();
    assert_eq!(settings.ports["sushi-go"], Port::Number(0));
    assert_eq!(settings.ports["http"], Port::Off);
    assert_eq!(settings.ports["gamba"], Port::Number(8081));
    assert!(complaint(&["chess=1"], &[]).contains("there are sushi-go"));
    assert!(complaint(&["http=70000"], &[]).contains("0 to 65535"));
    assert!(complaint(&["http=on"], &[]).contains("or off"));
    assert!(complaint(&["http"], &[]).contains("NAME=PORT"));
}

#[test]
fn no_two_ports_are_the_same() {
    let check = |port: &[&str]| check_ports(&games(), &from_flags(port, &[]).unwrap());
    let said = check(&["sushi-go=9000", "subsim=9000"]).unwrap_err().to_string();
    assert!(said.starts_with("sushi-go and subsim have the same port, 9000"), "{said}");
    check(&[]).expect("the usual ports differ");
    check(&["sushi-go=0", "subsim=0", "http=8080", "gamba=off"]).expect("any, and one is off");
}

#[test]
fn every_game_and_port_of_the_design_is_accepted() {
    for game in games().names() {
        from_flags(&[], &[&format!("{game}.waiting_expire_s=60")]).unwrap();
    }
    for port in games().ports() {
        from_flags(&[&format!("{port}=off")], &[]).unwrap();
    }
}

#[test]
fn values_are_toml_and_bare_words_are_strings() {
    let set = [
        "sushi-go.pass_direction=alternate",
        "sushi-go.house_bots=[\"random\"]",
        "limits.tables=5",
    ];
    let settings = from_flags(&[], &set).unwrap();
    assert_eq!(settings.games["sushi-go"]["pass_direction"], "alternate");
    assert_eq!(settings.games["sushi-go"]["house_bots"][0], "random");
    assert_eq!(settings.limits.tables, 5);
}

#[test]
fn complaints_name_the_key_and_what_is_allowed() {
    let cases = [
        ("sushi-go.colour=red", "sushi-go has no option 'colour'; there are players"),
        ("sushi-go.players=9", "players = 9: Sushi Go takes 2 to 5"),
        ("sushi-go.players=many", "sushi-go.players = \"many\""),
        ("sushi-go.pass_direction=up", "`left` or `alternate`"),
        ("sushi-go.house_bots=[\"x\"]", "there are random, pip, mika, greedy"),
        ("limits.speed=9", "limits has no setting 'speed'; there are messages_per_s"),
        ("limits.tables=many", "limits.tables = \"many\""),
        ("chess.players=2", "no setting 'chess'"),
        ("players=2", "GAME.KEY=VALUE"),
    ];
    for (set, expected) in cases {
        let said = complaint(&[], &[set]);
        assert!(said.contains(expected), "{set}: {said}");
    }
}

/// `--set gamba.house_bots=thrifty` was refused: it wanted a list.
#[test]
fn list_options_take_one_word_or_a_comma_list_or_a_toml_list() {
    let strategies = |settings: &Settings| {
        let games = games();
        let game = games.find("sushi-go").unwrap();
        game.options(&settings.changes(game)).unwrap()["house_bots"].clone()
    };
    let cases = [
        ("greedy", serde_json::json!(["greedy"])),
        ("greedy,random", serde_json::json!(["greedy", "random"])),
        ("greedy, random", serde_json::json!(["greedy", "random"])),
        ("'greedy'", serde_json::json!(["greedy"])),
        ("['greedy']", serde_json::json!(["greedy"])),
        ("[\"greedy\", \"random\"]", serde_json::json!(["greedy", "random"])),
        ("[]", serde_json::json!([])),
    ];
    for (text, expected) in cases {
        let set = format!("sushi-go.house_bots={text}");
        assert_eq!(strategies(&from_flags(&[], &[&set]).unwrap()), expected, "{set}");
        let mut settings = Settings::default();
        apply(&games(), &mut settings, surroundings(&[("PARLOR_SET", &set)]).unwrap()).unwrap();
        assert_eq!(strategies(&settings), expected, "PARLOR_SET={set}");
    }
    let mut settings = Settings::default();
    apply(&games(), &mut settings, "[sushi-go]\nhouse_bots = 'greedy'".parse().unwrap()).unwrap();
    assert_eq!(strategies(&settings), serde_json::json!(["greedy"]), "in a file");
    let numbers = from_flags(&[], &["subsim.map_size=30,20"]).unwrap();
    let options = games().find("subsim").unwrap().options(&numbers.games["subsim"]).unwrap();
    assert_eq!(options["map_size"], serde_json::json!([30, 20]));
    assert!(
        complaint(&[], &["sushi-go.house_bots=x"]).contains("there are random, pip, mika, greedy")
    );
}

#[test]
fn house_bots_are_the_best_of_each_game_unless_its_options_say_who() {
    let mut settings = Settings::default();
    let flags = Flags { house_bots: true, ..flags(&[], &["gamba.house_bots=random"]) };
    apply(&games(), &mut settings, flag_table(&flags).unwrap()).unwrap();
    let options = |game: &'static dyn wire::AnyGame| game.options(&settings.changes(game)).unwrap();
    let mut found: Vec<Json> =
        games().iter().map(|game| options(game)["house_bots"].clone()).collect();
    let expected = [["gourmet"], ["captain"], ["random"], ["ariadne"], ["general"]];
    found.sort_by_key(ToString::to_string);
    let mut expected: Vec<Json> = expected.iter().map(|list| serde_json::json!(list)).collect();
    expected.sort_by_key(ToString::to_string);
    assert_eq!(found, expected);
    let from_elsewhere = surroundings(&[("PARLOR_HOUSE_BOTS", "1")]).unwrap();
    let mut settings = Settings::default();
    apply(&games(), &mut settings, from_elsewhere).unwrap();
    assert!(settings.house_bots);
}

fn surroundings(variables: &[(&str, &str)]) -> Result<Table> {
    environment(variables.iter().map(|(name, text)| (name.into(), text.into())).collect())
}

#[test]
fn a_variable_that_means_nothing_stops_no_server() {
    let from_elsewhere = [
        ("PARLOR_PROT", "http=1"),
        ("PARLOR_SERVICE_HOST", "10.0.0.7"),
        ("PARLOR_PORT_7878_TCP_ADDR", "10.0.0.7"),
        ("PARLOR_PORT", "tcp://10.0.0.7:7878"),
    ];
    assert!(surroundings(&from_elsewhere).expect("they are ignored").is_empty());
    for (name, said) in [
        ("PROT", "; did you mean PARLOR_PORT?"),
        ("HOUSEBOTS", "; did you mean PARLOR_HOUSE_BOTS?"),
        ("DATABSE", "; did you mean PARLOR_DATABASE?"),
        // These are like no setting, and the closest one would mislead.
        ("SERVICE_HOST", ""),
        ("PORT_7878_TCP_ADDR", ""),
        ("HOME", ""),
        ("X", ""),
    ] {
        let ignored = format!("parlor: PARLOR_{name} is not a setting and is ignored{said}");
        assert_eq!(not_a_setting(name), ignored);
    }
    for known in [
        "CA",
        "KEY",
        "LOG",
        "CONFIG",
        "TOKEN",
        "URL",
        "HOST",
        "NAME",
        "TABLE",
        "GAME",
        "TOURNAMENT",
    ] {
        let table = surroundings(&[(&format!("PARLOR_{known}"), "x")]).expect(known);
        assert!(table.is_empty(), "{known}");
    }
    assert!(surroundings(&[("PARLORS", "x"), ("PATH", "x")]).unwrap().is_empty());
}

#[test]
fn the_environment_mirrors_flags_and_later_layers_win() {
    let variables = [
        ("PARLOR_PORT", "sushi-go=1,http=off"),
        ("PARLOR_SET", "sushi-go.players=3;limits.tables=7"),
        ("PARLOR_EPHEMERAL", "1"),
        ("PARLOR_BIND", "0.0.0.0"),
    ];
    let mut settings = Settings::default();
    apply(&games(), &mut settings, "[sushi-go]\nplayers = 4\nmove_timeout_ms = 5".parse().unwrap())
        .unwrap();
    apply(&games(), &mut settings, surroundings(&variables).unwrap()).unwrap();
    apply(
        &games(),
        &mut settings,
        flag_table(&flags(&["sushi-go=2"], &["sushi-go.players=5"])).unwrap(),
    )
    .unwrap();
    assert_eq!(settings.ports["sushi-go"], Port::Number(2));
    assert_eq!(settings.ports["http"], Port::Off);
    assert_eq!(settings.games["sushi-go"]["players"], 5);
    assert_eq!(settings.games["sushi-go"]["move_timeout_ms"], 5);
    assert_eq!(settings.limits.tables, 7);
    assert_eq!(settings.data, None);
    assert_eq!(settings.bind.to_string(), "0.0.0.0");
}

#[test]
fn what_stands_before_the_server_is_named() {
    let own = |text: &str| vec![text.to_owned()];
    let flags = Flags {
        public_host: own("games.example.org"),
        proxy: own("10.0.0.0/8"),
        set: own("network.proxy_protocol=[\"gamba\", \"http-tls\"]"),
        tls_port: vec!["http=7843".to_owned(), "gamba=0".to_owned()],
        tls_cert: Some("cert.pem".into()),
        ..Flags::default()
    };
    let mut settings = Settings::default();
    apply(&games(), &mut settings, flag_table(&flags).unwrap()).unwrap();
    assert_eq!(settings.network.public_hosts, ["games.example.org"]);
    assert_eq!(settings.network.proxies, ["10.0.0.0/8".parse().unwrap()]);
    assert_eq!(settings.network.proxy_protocol, ["gamba", "http-tls"]);
    assert_eq!(settings.network.tls_ports["http"], 7843);
    assert_eq!(settings.network.tls_cert, Some("cert.pem".into()));
    assert!(complaint(&[], &["network.tls_ports.chess=1"]).contains("no port 'chess'"));
    let said = complaint(&[], &["network.proxies=[\"ten\"]"]);
    assert!(said.contains("'ten' is not an address. Use for example 10.0.0.7"), "{said}");
    let said = complaint(&[], &["network.proxy_protocol=[\"chess\"]"]);
    assert!(said.contains("no port 'chess'; there are sushi-go"), "{said}");
}

#[test]
fn a_server_that_a_command_starts_for_itself_slows_nobody_down() {
    let own = embedded(&games(), &flags(&[], &[])).expect("no setting").limits;
    assert_eq!((own.messages_per_s, own.bytes_per_s), (0, 0));
    let usual = Settings::default().limits;
    assert_eq!((usual.messages_per_s, usual.connections_per_address), (200, 256));
    assert_eq!((usual.seats_per_address, usual.tables_per_min_per_address), (128, 60));
}

/// A tunnel on the machine of a public server made strangers of the whole internet local programs.
#[test]
fn a_server_for_other_machines_trusts_no_address_of_its_own_by_default() {
    let settings = |bind: Option<&str>, set: &[&str]| {
        let bind = bind.map(str::to_owned);
        layers(&games(), &Flags { bind, ..flags(&[], set) }).expect("good settings")
    };
    let trusts = |settings: Settings| (settings.limits.exempt_loopback, settings.http.open_create);
    for (bind, trusted) in [
        (None, true),
        (Some("127.0.0.1"), true),
        (Some("::1"), true),
        (Some("0.0.0.0"), false),
        (Some("::"), false),
        (Some("192.0.2.7"), false),
    ] {
        assert_eq!(trusts(settings(bind, &[])), (trusted, trusted), "{bind:?}");
    }
    let set = ["limits.exempt_loopback=true", "http.open_create=true"];
    assert_eq!(trusts(settings(Some("0.0.0.0"), &set)), (true, true), "who says so has it");
}
