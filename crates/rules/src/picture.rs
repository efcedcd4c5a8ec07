//! The input for a game's text pictures, and the words they share.

use std::fmt::Write;

use crate::Seat;

/// The widest line of a picture.
pub const WIDTH: usize = 100;

/// Longer names are cut.
const LONGEST_NAME: usize = 24;

/// A moment of a game as one viewer may see it. It contains views only, so a picture can't show
/// more than they do.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a, V> {
    pub view: &'a V,
    /// For those who may see everything: each seat's view of the same moment. Else empty.
    pub seat_views: &'a [V],
    /// The players' names, seat by seat.
    pub names: &'a [&'a str],
}

impl<'a, V> Scene<'a, V> {
    /// What one viewer sees, and no more.
    pub fn of(view: &'a V, names: &'a [&'a str]) -> Scene<'a, V> {
        Scene { view, seat_views: &[], names }
    }

    pub fn name(&self, seat: Seat) -> &'a str {
        let name = self.names.get(seat.index()).copied().unwrap_or("?");
        name.char_indices().nth(LONGEST_NAME).map_or(name, |(end, _)| &name[..end])
    }

    /// The names of some seats, such as `Ann and Bob`.
    pub fn list(&self, seats: impl IntoIterator<Item = Seat>) -> String {
        listed(&seats.into_iter().map(|seat| self.name(seat)).collect::<Vec<_>>())
    }

    /// The name filled up with blanks to the length of the longest.
    pub fn padded(&self, seat: Seat) -> String {
        let length = |seat: Seat| self.name(seat).chars().count();
        let longest = Seat::all(self.names.len()).map(length).max().unwrap_or(0);
        format!("{:longest$}", self.name(seat))
    }

    /// What this seat sees: its own view if all are shown, otherwise the one there is.
    pub fn seen_by(&self, seat: Seat) -> &'a V {
        self.seat_views.get(seat.index()).unwrap_or(self.view)
    }
}

/// `1 card`, `2 cards`.
pub fn counted(number: impl Into<i128>, thing: &str) -> String {
    let number = number.into();
    let plural = if number.abs() == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// `Ann`, `Ann and Bob`, `Ann, Bob and Cid`.
pub fn listed(words: &[&str]) -> String {
    match words {
        [] => "nobody".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A heading and words after it, on as many lines as they need; further lines begin below the
/// first word. Ends with a line break.
pub fn wrapped(heading: &str, words: impl IntoIterator<Item = String>, separator: &str) -> String {
    let indent = heading.chars().count();
    let mut text = heading.to_owned();
    let (mut column, mut first) = (indent, true);
    let mut words = words.into_iter().peekable();
    while let Some(mut word) = words.next() {
        if words.peek().is_some() {
            word += separator.trim_end();
        }
        let width = word.chars().count();
        if !first && column + 1 + width > WIDTH {
            write!(text, "\n{:indent$}", "").expect("writing to a string");
            column = indent;
        } else if !first {
            text.push(' ');
            column += 1;
        }
        text += &word;
        column += width;
        first = false;
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_of_one_is_singular() {
        assert_eq!(counted(1, "pudding"), "1 pudding");
        assert_eq!(counted(0, "pudding"), "0 puddings");
        assert_eq!(counted(-1, "point"), "-1 point");
        assert_eq!(listed(&["Ann"]), "Ann");
        assert_eq!(listed(&["Ann", "Bob", "Cid"]), "Ann, Bob and Cid");
    }

    #[test]
    fn long_lists_go_on_below_their_first_word() {
        let words = |count: usize| (0..count).map(|_| "Squid Nigiri".to_owned());
        assert_eq!(wrapped("hand  ", words(2), ", "), "hand  Squid Nigiri, Squid Nigiri\n");
        assert_eq!(wrapped("hand  ", words(0), ", "), "hand\n");
        let long = wrapped("hand  ", words(10), ", ");
        assert_eq!(long.lines().count(), 2, "{long}");
        assert!(long.lines().all(|line| line.chars().count() <= WIDTH), "{long}");
        assert!(long.lines().nth(1).unwrap().starts_with("      Squid"), "{long}");
    }
}
