//! The two wires of one hall: the memo's, on which players call, and the course's, on which they
//! are called. What they share is here, and what it means that both may sit at one table.

mod course;
mod memo;

use hall::{Chair, Refusal};

use super::rules::{Color, Config};

pub use course::course;
pub use memo::memo;

/// How the memo's players join. Their names are their colours.
const MEMO: &str = "memo";

/// What is played by those who sit down.
///
/// "A table with only course players uses reverse-join order and the course's round rule for
/// all-passed; with any memo player, join order and the memo's latest-turn rule. Course players
/// get unused colours." House bots and players of the house wire play by anybody's rules.
pub fn settle(config: &Config, chairs: &[Chair]) -> Config {
    let settled = Config { colors: colors(config, chairs), ..config.clone() };
    let course = |chair: &Chair| !chair.house && chair.joined_via.is_none();
    if chairs.iter().any(course) && !chairs.iter().any(is_memo) {
        settled.for_course()
    } else {
        settled
    }
}

fn is_memo(chair: &Chair) -> bool {
    chair.joined_via.as_deref() == Some(MEMO)
}

/// The memo's players have chosen. The organiser's colours are for the others, unless somebody
/// has taken them.
fn colors(config: &Config, chairs: &[Chair]) -> Vec<String> {
    let choice = |chair: &Chair| {
        let color = is_memo(chair).then(|| Color::parse(&chair.name)).flatten();
        color.map(|color| color.to_string())
    };
    let chosen: Vec<String> = chairs.iter().filter_map(choice).collect();
    if chosen.is_empty() {
        return config.colors.clone();
    }
    let given = |seat| config.colors.get(seat).filter(|given| !chosen.contains(given)).cloned();
    let color = |(seat, chair)| choice(chair).or_else(|| given(seat)).unwrap_or_default();
    chairs.iter().enumerate().map(color).collect()
}

/// What a player did wrong whose move was refused. None, if the game only went on without it:
/// what happened instead has been told, or is about to be.
fn offence(refusal: Refusal) -> Option<String> {
    match refusal {
        Refusal::Illegal(why) => Some(why),
        Refusal::Stale
        | Refusal::NoTurnYet(_)
        | Refusal::NotYourTurn
        | Refusal::AlreadyMoved
        | Refusal::AlreadyOver
        | Refusal::NotSeated => None,
        Refusal::NoSuchTable
        | Refusal::UnknownCredential
        | Refusal::AlreadySeated
        | Refusal::NotStarted
        | Refusal::AlreadyStarted
        | Refusal::NotOver
        | Refusal::TableFull
        | Refusal::HallFull
        | Refusal::Draining
        | Refusal::DiskFull
        | Refusal::TooMany
        | Refusal::TooSoon
        | Refusal::NameTaken(_)
        | Refusal::NameEntered { .. }
        | Refusal::IdTaken
        | Refusal::NotEntered
        | Refusal::TooFewPlayers
        | Refusal::NeedsKey(_)
        | Refusal::KeyRequired(_)
        | Refusal::WrongKey(_)
        | Refusal::BannedName(_)
        | Refusal::BannedKey
        | Refusal::BadTable(_) => Some(format!("not a move: {}", refusal.cause())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::{Passes, Scoring, TurnOrder};
    use super::*;

    fn chair(name: &str, joined_via: Option<&str>, bot: Option<&str>) -> Chair {
        Chair {
            name: name.into(),
            token: None,
            bot: bot.map(Into::into),
            house: bot.is_some(),
            joined_via: joined_via.map(Into::into),
            person: false,
            version: None,
            ready: false,
            retired: false,
            timeouts: 0,
            strikes: 0,
            used: Default::default(),
            arrival: 0,
            away_since: None,
        }
    }

    fn settled(chairs: &[Chair], colors: &[&str]) -> Config {
        let colors = colors.iter().map(|&color| color.to_owned()).collect();
        settle(&Config { colors, ..Config::default() }, chairs)
    }

    #[test]
    fn only_a_table_of_the_course_plays_by_its_rules() {
        let [red, blue] = ["red", "blue"].map(|color| chair(color, Some(MEMO), None));
        let [oli, red_too] = ["oli", "red"].map(|name| chair(name, None, None));
        let bot = chair("euclid1", None, Some("euclid"));
        let rules = |chairs: &[&Chair]| {
            let chairs: Vec<Chair> = chairs.iter().copied().cloned().collect();
            let config = settled(&chairs, &[]);
            (config.turn_order, config.passes, config.scoring)
        };
        let memo = (TurnOrder::Join, Passes::LatestTurn, Scoring::Memo);
        let course = (TurnOrder::ReverseJoin, Passes::Round, Scoring::Course);
        assert_eq!(rules(&[&red, &blue]), memo);
        assert_eq!(rules(&[&red, &bot]), memo);
        assert_eq!(rules(&[&oli, &red]), memo);
        assert_eq!(rules(&[&bot, &bot]), memo);
        assert_eq!(rules(&[&oli, &red_too]), course);
        assert_eq!(rules(&[&bot, &oli]), course);
        let ann = chair("ann", Some(hall::HOUSE_WIRE), None);
        assert_eq!(rules(&[&ann, &bot]), memo);
        assert_eq!(rules(&[&ann, &red]), memo);
        assert_eq!(rules(&[&ann, &oli]), course);
    }

    #[test]
    fn the_memos_players_have_the_colours_they_chose() {
        let red = chair("red", Some(MEMO), None);
        let odd = chair("p1", Some(MEMO), None);
        let called_red = chair("red", None, None);
        let bot = chair("euclid1", None, Some("euclid"));
        let table = [called_red, red, bot, odd];
        assert_eq!(settled(&table, &[]).colors, ["", "red", "", ""]);
        let given = ["red", "blue", "green"];
        assert_eq!(settled(&table, &given).colors, ["", "red", "green", ""]);
    }
}
