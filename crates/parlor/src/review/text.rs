//! A review for people who read it on a terminal.

use wire::{Decision, Review, ReviewMark, SeatReview};

use crate::terminal::output::count;

/// How many mistakes are shown.
const MISTAKES: usize = 10;
/// A line of values is at most this long.
const WIDTH: usize = 60;

pub fn told(review: &Review) -> String {
    let Review { game, id, deals, .. } = review;
    let mut text = format!("{game} {id}, reviewed with {}\n\n", count(u64::from(*deals), "deal"));
    text += &players(review);
    text += &lines(review);
    text += &mistakes(review);
    text += "\nValues are shares of opponents beaten, played out by house bots; ± is one standard error.\n\
             Decisions are judged by what the player knew. The lines show the game with all cards open.";
    text
}

fn players(review: &Review) -> String {
    let wide = widest(review);
    let mut text = format!(
        "{:wide$}  result  decisions  regret          best fine slip mistake blunder   luck            own     others\n",
        "player"
    );
    for player in &review.players {
        let SeatReview { name, result, decisions, marks, .. } = player;
        text += &format!(
            "{name:wide$}  {:>6}  {decisions:>9}  {:<14}  {:>4} {:>4} {:>4} {:>7} {:>7}   {:<14}  {:>6}  {:>6}\n",
            percent(*result),
            format!("{} ± {}", percent(player.regret), percent(player.regret_error)),
            marks.best,
            marks.fine,
            marks.slip,
            marks.mistake,
            marks.blunder,
            format!("{} ± {}", signed(player.luck), percent(player.luck_error)),
            signed(player.own),
            signed(player.others),
        );
    }
    for player in review.players.iter().filter(|player| player.decisions > 0) {
        let kind = |kind: &wire::KindReview| {
            format!("{} {} ({})", kind.kind, percent(kind.regret), kind.decisions)
        };
        let kinds: Vec<String> = player.kinds.iter().map(kind).collect();
        text += &format!("{:wide$}  regret by kind: {}\n", player.name, kinds.join(", "));
    }
    text
}

/// The value of each seat over the game, as a line of blocks.
fn lines(review: &Review) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let (wide, points) = (widest(review), review.line.len());
    let shown = points.min(WIDTH);
    let mut text = "\n".to_owned();
    for player in &review.players {
        let block = |place: usize| {
            let at = if shown < 2 { 0 } else { place * (points - 1) / (shown - 1) };
            let value = review.line[at].values[player.seat.index()];
            BLOCKS[((value * 8.0) as usize).min(7)]
        };
        let line: String = (0..shown).map(block).collect();
        let (first, last) = (&review.line[0], &review.line[points - 1]);
        let of = |point: &wire::Point| percent(point.values[player.seat.index()]);
        text += &format!("{:wide$}  {:>5} {line} {}\n", player.name, of(first), of(last));
    }
    text
}

fn mistakes(review: &Review) -> String {
    let found = worst_first(review.decisions.iter());
    if found.is_empty() {
        return "\nNo decision was found to be a slip or worse.\n".to_owned();
    }
    let mut text = "\nThe costliest decisions:\n".to_owned();
    for decision in found.iter().take(MISTAKES) {
        let player = &review.players[decision.seat.index()].name;
        text += &format!("  turn {}, {player}: {}\n", decision.seq + 1, in_words(decision));
    }
    if found.len() > MISTAKES {
        text += &format!("  and {} more: --json lists them\n", found.len() - MISTAKES);
    }
    text
}

/// Slips and worse, the worst first.
pub fn worst_first<'a>(decisions: impl Iterator<Item = &'a Decision>) -> Vec<&'a Decision> {
    let mut found: Vec<_> =
        decisions.filter(|decision| decision.mark >= ReviewMark::Slip).collect();
    found.sort_by(|one, two| two.regret.total_cmp(&one.regret));
    found
}

/// What was chosen, and what was better.
pub fn in_words(decision: &Decision) -> String {
    let Decision { chosen, better, mark, .. } = decision;
    let choice = |choice: &wire::ReviewChoice| {
        format!("{}, {} ± {}", choice.words, percent(choice.value), percent(choice.error))
    };
    let better = better.as_ref().map_or(String::new(), |better| format!("; {}", choice(better)));
    format!("{} — {}{better}", mark.word(), choice(chosen))
}

pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn signed(share: f64) -> String {
    format!("{:+.1} %", 100.0 * share)
}

fn widest(review: &Review) -> usize {
    let names = review.players.iter().map(|player| player.name.chars().count());
    names.max().unwrap_or(0).max("player".len())
}
