//! The framer of JSON values against serde's reader, and against any way of cutting a stream.

use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};

const MAX: usize = 64;

fn cut_at(max: usize, pieces: &[&[u8]]) -> Vec<String> {
    let mut values = JsonValues::new(max);
    let mut frames = Vec::new();
    for piece in pieces {
        values.feed(piece);
        while let Some(frame) = values.next() {
            frames.push(match frame {
                Frame::Text(text) => text.to_owned(),
                Frame::Garbage(garbage, _) => format!("<{garbage:?}>"),
            });
        }
    }
    frames
}

fn cut(pieces: &[&[u8]]) -> Vec<String> {
    cut_at(MAX, pieces)
}

fn check(stream: &str, frames: &[&str]) {
    assert_eq!(cut(&[stream.as_bytes()]), frames, "{stream:?}");
}

#[test]
fn part_of_a_value_one_value_and_more_than_one() {
    assert_eq!(cut(&[b"[1,"]), Vec::<String>::new());
    assert_eq!(cut(&[b"[1,", b"2]"]), ["[1,2]"]);
    assert_eq!(cut(&[b"[1]{}\"a\"", b"null[", b"]"]), ["[1]", "{}", "\"a\"", "null", "[]"]);
}

#[test]
fn any_white_space_or_none_stands_between_values() {
    check(" \r\n\t[ 1 ]\n\n{\n  \"a\": true\n}", &["[ 1 ]", "{\n  \"a\": true\n}"]);
    check("truefalse\"a\"\"b\"", &["true", "false", "\"a\"", "\"b\""]);
    check("\"brackets ]}\\\"[{\" []", &["\"brackets ]}\\\"[{\"", "[]"]);
}

#[test]
fn a_number_that_stands_alone_ends_with_what_follows() {
    check("12 -0.5e+7\n0", &["12", "-0.5e+7"]);
    check("12[3]", &["12", "[3]"]);
    check("01 ", &["0", "1"]);
}

#[test]
fn what_is_no_json_ends_the_stream() {
    for wrong in [
        "hello",
        "]",
        "[1,]",
        "{1:2}",
        "{\"a\"}",
        "{\"a\":1,}",
        "[1}",
        "{\"a\":1]",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\n\"",
        "nul ",
        "tru[",
        "- ",
        "1. ",
        "1e ",
        "+1",
        "[,]",
        "\u{feff}[]",
        "[1 2]",
        "NaN",
        "'a'",
        "//",
    ] {
        check(&format!("{wrong}\n[]"), &["<NotJson>"]);
    }
    check("[] x []", &["[]", "<NotJson>"]);
}

#[test]
fn a_value_may_be_as_long_as_the_limit_and_no_longer() {
    let text = |length: usize| format!("\"{}\"", "x".repeat(length - 2));
    check(&text(MAX), &[&text(MAX)]);
    check(&(text(MAX + 1) + "[]"), &["<TooLong>"]);
    let endless = "x".repeat(MAX);
    assert_eq!(cut(&[b"\"", endless.as_bytes(), b"more and more"]), ["<TooLong>"]);
    let space = " ".repeat(10 * MAX);
    check(&format!("{space}[]{space}[]"), &["[]", "[]"]);
}

#[test]
fn thirty_two_levels_are_deep_enough() {
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    assert_eq!(cut_at(1000, &[deep(32).as_bytes()]), [deep(32)]);
    assert_eq!(cut_at(1000, &[deep(33).as_bytes()]), ["<TooLong>"]);
    let mixed = "{\"a\":[".repeat(16) + &"]}".repeat(16);
    assert_eq!(cut_at(1000, &[mixed.as_bytes()]), [mixed.as_str()]);
    assert_eq!(cut_at(1000, &[format!("[{mixed}]").as_bytes()]), ["<TooLong>"]);
}

#[test]
fn a_text_that_is_not_utf8_ends_the_stream() {
    assert_eq!(cut(&[b"\"a\xff\"", b"[]"]), ["<NotUtf8>"]);
    assert_eq!(cut(&["\"│\"".as_bytes()]), ["\"│\""]);
}

/// However a long value arrives, every byte of it is looked at once.
#[test]
fn byte_by_byte_costs_linear_time() {
    let value = format!("[{}]", vec!["\"┼\""; 10_000].join(","));
    let mut values = JsonValues::new(value.len());
    let (before, last) = value.as_bytes().split_at(value.len() - 1);
    for (fed, byte) in before.iter().enumerate() {
        values.feed(&[*byte]);
        assert_eq!(values.next(), None);
        assert_eq!((values.start, values.scanned), (0, fed + 1));
    }
    values.feed(last);
    assert_eq!(values.next(), Some(Frame::Text(&value)));
    assert_eq!(values.next(), None);
    assert_eq!(values.buffer.capacity(), 0);
}

#[test]
fn endless_input_costs_no_memory() {
    for input in [&b"                "[..], b"[][][][][][][][]", b"[[[[[[[[[[[[[[[["] {
        let mut values = JsonValues::new(1024);
        for _ in 0..1000 {
            values.feed(input);
            while values.next().is_some() {}
            assert!(values.buffer.capacity() <= 4096);
        }
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Text that is often nearly JSON.
fn nearly_json() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        "[", "]", "{", "}", ",", ":", "\"", "\\", "\"a\"", "\\u00e9", "true", "null", "fals", "-",
        "0", "12", ".5", "e+1", " ", "\n", "│",
    ]);
    let piece = prop_oneof![
        9 => piece.prop_map(|text| text.as_bytes().to_vec()),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn every_value_comes_out_as_it_went_in(values in prop::collection::vec(any_value(), 0..5)) {
        for pretty in [false, true] {
            let written: Vec<String> = values
                .iter()
                .map(|value| if pretty { format!("{value:#}") } else { value.to_string() })
                .collect();
            let stream = written.join("\n") + "\n";
            prop_assert_eq!(cut_at(1 << 20, &[stream.as_bytes()]), written);
        }
    }

    #[test]
    fn splits_do_not_matter(bytes in nearly_json(), cuts: Vec<prop::sample::Index>) {
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.sort_unstable();
        let mut pieces = Vec::new();
        let mut from = 0;
        for cut in cuts {
            pieces.push(&bytes[from..cut]);
            from = cut;
        }
        pieces.push(&bytes[from..]);
        prop_assert_eq!(cut(&pieces), cut(&[&bytes]));
    }

    #[test]
    fn a_split_at_any_one_offset_does_not_matter(bytes in nearly_json()) {
        let whole = cut(&[&bytes]);
        for offset in 0..=bytes.len() {
            prop_assert_eq!(cut(&[&bytes[..offset], &bytes[offset..]]), whole.clone());
        }
    }

    /// The values match what serde's reader accepts; where the framer gives up, so does serde.
    #[test]
    fn agrees_with_serde(bytes in nearly_json()) {
        let frames = cut_at(1 << 20, &[&bytes]);
        let garbage = frames.iter().any(|frame| frame.starts_with('<'));
        let texts = frames.iter().filter(|frame| !frame.starts_with('<'));
        for text in texts {
            let read = serde_json::from_str::<serde::de::IgnoredAny>(text);
            prop_assert!(read.is_ok(), "{text}");
        }
        let rest = std::str::from_utf8(&bytes).ok().map(|text| {
            let mut stream =
                serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
            let failed = stream.find_map(Result::err);
            failed.is_some_and(|error| !error.is_eof())
        });
        if garbage {
            prop_assert_ne!(rest, Some(false), "{:?}", String::from_utf8_lossy(&bytes));
        }
    }
}
