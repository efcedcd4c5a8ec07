//! Open tables of another release that this one cannot read do not stop others from playing.

use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;
use server::{Port, Server, Settings, Storage};
use store::memory::Memory;
use store::{Batch, Cause, Journal, Mark, Row, Topic, Writing};

use crate::kit::House;
use wire::Games;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_cannot_be_read_is_closed_void_and_stays_listed() {
    let mut memory = Memory::default();
    let records = [
        r#"{"opened":{"id":"strange","version":1,"at":5,"terms":"of another house"}}"#,
        r#"{"seated":{"seat":0,"name":"Ann"}}"#,
        r#"{"seated":{"seat":1,"name":"Bob"}}"#,
        r#"{"started":{"order":[1,0]}}"#,
    ];
    let epoch = memory.load("sushi-go").expect("it loads").epoch;
    let row = |(number, record): (usize, &&str)| {
        let mark = if number == 0 { Mark::Opens } else { Mark::Continues };
        let record = RawValue::from_string((*record).to_owned()).expect("JSON");
        let record: Arc<dyn Writing> = Arc::new(record);
        Row { topic: Topic::Table(3), at: 5, cause: Cause::Clock, record, mark }
    };
    let rows = records.iter().enumerate().map(row).collect();
    let batch = Batch { stream: "sushi-go".into(), epoch, rows };
    memory.append(vec![batch]).expect("it is written");
    let mut settings = Settings { data: None, ..Settings::default() };
    let mut roster = Games::default();
    games::each(&mut roster);
    for name in roster.ports() {
        settings.ports.insert(name.to_owned(), Port::Number(0));
    }
    let storage = Storage {
        journal: Box::new(memory.clone()),
        archive: Arc::new(memory.clone()),
        memory: Some(memory),
        house: None,
    };
    let server = Server::start_with(&roster, settings, storage).await.expect("it starts");
    let house = House { server };
    let (status, body) = house.http("GET", "/api/v1/results/sushi-go/strange", "").await;
    assert_eq!(status, 200, "{body}");
    let game: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(game["status"], "void");
    assert_eq!(game["players"], serde_json::json!(["Bob", "Ann"]));
    let why = game["closing"]["void"].as_str().expect("a reason");
    assert!(why.starts_with("this release cannot read its records"), "{why}");
    house.table("t", 2).await;
    house.close().await;
}
