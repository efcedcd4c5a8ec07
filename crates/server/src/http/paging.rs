//! Lists, a page at a time. A page goes through the games in order, and through each one's list.

use std::fmt::Write as _;

use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::{ApiError, AppState};
use crate::hosting::HostedGame;

/// What a page is asked for by.
#[derive(Debug)]
pub struct Paging {
    pub game: Option<String>,
    /// The `next` of the page before.
    pub after: Option<String>,
    pub limit: Option<usize>,
}

/// A page of a list: its entries as text, and where the next page begins.
pub struct Page {
    name: &'static str,
    entries: Vec<std::sync::Arc<str>>,
    next: Option<String>,
}

const USUAL: usize = 100;
const MOST: usize = 1000;

impl Paging {
    /// The page of all games' lists that is asked for. `list` gives at most so many entries of one
    /// game's list, with their numbers, from the one after a number.
    pub fn page(
        &self,
        app: &AppState,
        name: &'static str,
        list: impl Fn(&HostedGame, u64, usize) -> Vec<(u64, std::sync::Arc<str>)>,
    ) -> Result<Page, ApiError> {
        if let Some(game) = &self.game {
            app.hosted(game)?;
        }
        let (first, mut after) = self.begins_after()?;
        let limit = self.limit.unwrap_or(USUAL).clamp(1, MOST);
        let mut page = Page { name, entries: Vec::new(), next: None };
        let mut last = None;
        for (game, hosted) in app.hosted.range(first..) {
            let is_wanted = self.game.as_deref().is_none_or(|wanted| wanted == *game);
            let number = std::mem::take(&mut after).filter(|_| *game == first).unwrap_or(0);
            if !is_wanted {
                continue;
            }
            // One more tells whether another page follows.
            for (number, text) in list(hosted, number, limit + 1 - page.entries.len()) {
                if page.entries.len() == limit {
                    page.next = last;
                    return Ok(page);
                }
                page.entries.push(text);
                last = Some(format!("{game}:{number}"));
            }
        }
        Ok(page)
    }

    /// The game, and the number in its list, after which the page begins.
    fn begins_after(&self) -> Result<(&str, Option<u64>), ApiError> {
        let Some(after) = &self.after else { return Ok(("", None)) };
        let place = after
            .split_once(':')
            .and_then(|(game, number)| Some((game, Some(number.parse().ok()?))));
        place.ok_or_else(|| {
            ApiError::bad_request(format!("after is the 'next' of the page before, not '{after}'"))
        })
    }
}

impl Page {
    /// The page as JSON.
    pub fn text(self) -> String {
        let size: usize = self.entries.iter().map(|entry| entry.len() + 1).sum();
        let mut text = String::with_capacity(size + 64);
        write!(text, "{{\"{}\":[", self.name).expect("writing to a string");
        for (place, entry) in self.entries.iter().enumerate() {
            if place > 0 {
                text.push(',');
            }
            text.push_str(entry);
        }
        let next = serde_json::to_string(&self.next).expect("plain data");
        write!(text, "],\"next\":{next}}}").expect("writing to a string");
        text
    }
}

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        json(self.text())
    }
}

/// A text that is JSON already.
pub fn json(text: impl IntoResponse) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}
