//! Handles that strangers make up.

use std::future::{Future, pending};
use std::pin::pin;
use std::task::{Context, Waker};

use super::*;
use crate::TableCard;
use crate::line::AgentEnd;

/// A server that never completes a join.
struct Busy;

impl House for Busy {
    fn games(&self) -> Vec<&'static str> {
        vec!["gamba"]
    }

    fn guide(&self, game: &str) -> Option<Guide> {
        let guide = Guide { hello: Value::Null, rules: String::new(), options: Vec::new() };
        (game == "gamba").then_some(guide)
    }

    fn tables(&self, _game: &str) -> Vec<TableCard> {
        Vec::new()
    }

    async fn connect(&self, _game: &str, _caller: &Parts) -> Result<AgentEnd, String> {
        pending().await
    }

    async fn tournament(&self, _game: &str, _id: &str, _caller: &Parts) -> Result<Value, String> {
        pending().await
    }

    fn action_words(&self, _: &str, _: &Value, _: &[Value]) -> Option<Vec<String>> {
        None
    }

    fn examples(&self, _game: &str, _view: &Value) -> Vec<Value> {
        Vec::new()
    }

    fn choice_words(&self, _game: &str, _view: &Value) -> Option<String> {
        None
    }

    async fn story(
        &self,
        _game: &str,
        _table: &str,
        _caller: &Parts,
    ) -> Result<Vec<String>, String> {
        pending().await
    }

    async fn review(&self, _game: &str, _table: &str, _caller: &Parts) -> Result<Value, String> {
        pending().await
    }
}

fn caller() -> Parts {
    http::Request::new(()).into_parts().0
}

/// Each call that was hung up on left sixty kilobytes for a quarter of an hour.
#[test]
fn a_call_that_is_hung_up_on_leaves_nothing() {
    let (seats, caller) = (Seats::new(Arc::new(Busy)), caller());
    let mut cx = Context::from_waker(Waker::noop());
    {
        let (mut one, mut other) =
            (pin!(seats.find("gamba:abc", &caller)), pin!(seats.find("gamba:abc", &caller)));
        assert!(
            one.as_mut().poll(&mut cx).is_pending() && other.as_mut().poll(&mut cx).is_pending()
        );
        assert_eq!(seats.known().len(), 1);
    }
    assert_eq!(seats.known().len(), 0);
}

#[test]
fn no_handle_is_longer_than_those_that_are_given_out() {
    let (seats, caller) = (Seats::new(Arc::new(Busy)), caller());
    let handle = format!("gamba:{}", "x".repeat(59));
    let mut cx = Context::from_waker(Waker::noop());
    let found = pin!(seats.find(&handle, &caller)).as_mut().poll(&mut cx);
    assert!(matches!(found, std::task::Poll::Ready(Err(_))));
    assert_eq!(seats.known().len(), 0);
}
