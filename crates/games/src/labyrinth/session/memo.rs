//! The session of the memo's wire: the player calls, the referee announces.
//!
//! ```text
//! arriving ─JoinRequest─▶ (asking) ─"SUCCESS"─▶ lobby ─State, Treasure─▶ playing ─GameResult─▶ over
//!     │                      │                    │                        │
//!     │ anything else        │ "COLOR_TAKEN"      │ action, junk           │ a broken rule
//!     ▼                      ▼                    ▼                        ▼
//!  hung up                hung up              hung up                  ejected ─TurnResult─▶ hung up
//! ```
//!
//! The turn is told in pieces. They are a draft of this connection alone until the last one is
//! there: only then the hall hears of a move, so an ejection has nothing to take back.

use hall::{Answer, Closing, Command, Dismissal, Event, Name, Refusal, Role, Terms, Time};
use rules::{Exit, Illegal, Seat};
use wire::{Garbage, Session, Speech, UpdateOf};

use super::super::board::{Choice, Coordinate, Degree, Slide};
use super::super::lines;
use super::super::rules::{Action, Labyrinth, View};
use super::super::verb::{self, Query, Step, Verb};
use super::{MEMO, offence};

pub fn memo(_terms: &Terms) -> Box<dyn Session> {
    Box::new(MemoSession { stage: Progress::Arriving, asked: None })
}

/// "Too many queries (limit 100 per turn)."
const MAX_QUERIES: u32 = 100;

struct MemoSession {
    stage: Progress,
    /// What the hall has been asked and has not answered.
    asked: Option<Asked>,
}

enum Progress {
    Arriving,
    Lobby,
    Playing(Box<Place>),
    /// The result is told; the connection is closed as soon as the hall knows that.
    Over,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Join,
    Move,
    Part,
    /// Having parted, to hear how the turn ends.
    Watch,
    Acknowledge,
}

/// A seat in play, and what its player has been told.
struct Place {
    seat: Seat,
    update: UpdateOf<Labyrinth>,
    draft: Draft,
    /// Queries of this turn, while it is this player's.
    queries: u32,
    /// Why "the player is marked, not read any more": it waits for its last message.
    ejected: Option<String>,
}

/// A turn in the making: the game as it would be, and how it came to that.
struct Draft {
    view: View,
    degree: Option<Degree>,
    slide: Option<Slide>,
}

/// What a verb leads to.
enum Consequence {
    Silence,
    Say(String),
    Act(Action),
}

impl MemoSession {
    fn ask(&mut self, asked: Asked, command: Command, out: &mut Speech) {
        self.asked = Some(asked);
        out.ask(command);
    }

    fn join(&mut self, name: Name, out: &mut Speech) {
        let joined_via = Some(MEMO.into());
        self.ask(
            Asked::Join,
            Command::Join { table: None, name, role: Role::Player, joined_via },
            out,
        );
    }

    /// Takes a message that cannot be heeded: before the start it costs the place in the lobby,
    /// afterwards the game. "All reasons go to the log only."
    fn offended(&mut self, why: String, out: &mut Speech) {
        match &mut self.stage {
            Progress::Arriving | Progress::Lobby => out.hangup(why),
            Progress::Playing(place) if place.ejected.is_none() => {
                place.ejected = Some(why.clone());
                self.ask(Asked::Part, Command::Part(Exit::Disqualified(why)), out);
            }
            Progress::Playing(_) | Progress::Over => {}
        }
    }

    fn updated(&mut self, update: &UpdateOf<Labyrinth>, out: &mut Speech) {
        match &mut self.stage {
            Progress::Lobby => {
                let Some(place) = Place::new(update) else { return };
                place.announce_start(out);
                self.stage = Progress::Playing(Box::new(place));
            }
            Progress::Playing(place) => {
                let turn_over = place.update.seq != update.seq;
                place.update = update.clone();
                if turn_over {
                    place.begin_turn();
                    self.announce_turn(update, out);
                }
            }
            Progress::Arriving | Progress::Over => {}
        }
    }

    /// "The referee announces the end of a player's turn to all players with a TurnResult. If a
    /// player is being ejected, this is the last message they receive before the connection is
    /// closed."
    fn announce_turn(&mut self, update: &UpdateOf<Labyrinth>, out: &mut Speech) {
        let Progress::Playing(place) = &self.stage else { return };
        let view = update.view();
        let still_in = view.order.contains(&place.seat);
        out.text(update.render_for_all("labyrinth", || lines::turn_result(view)));
        match (view.ending, &place.ejected) {
            (Some(_), None) if still_in => {
                self.stage = Progress::Over;
                let command = Command::act::<Labyrinth>(update.seq, Action::Acknowledge);
                self.ask(Asked::Acknowledge, command, out);
            }
            (_, Some(why)) if !still_in => out.hangup(format!("ejected: {why}")),
            (_, None) if !still_in => out.hangup("ejected: the turn took too long"),
            (Some(_), _) => out.hangup("the game is over"),
            // Who is ejected but still in was marked too late for this turn: it goes with the next.
            (None, _) => {}
        }
    }
}

impl Place {
    /// The place of whoever an update is meant for.
    fn new(update: &UpdateOf<Labyrinth>) -> Option<Place> {
        let seat = update.view().viewer.seat()?;
        let draft = Draft::new(update.view());
        Some(Place { seat, update: update.clone(), draft, queries: 0, ejected: None })
    }

    fn announce_start(&self, out: &mut Speech) {
        let view = &self.update.view();
        out.text(lines::state(&view.state()));
        let quest = view.quest().expect("a player knows its own treasure");
        out.text(lines::treasure(quest.treasure));
    }

    fn begin_turn(&mut self) {
        self.draft = Draft::new(self.update.view());
        self.queries = 0;
    }

    /// What a verb means here and now. The error is an offence.
    fn heed(&mut self, verb: Verb) -> Result<Consequence, String> {
        let its_turn = self.update.view().is_to_move(self.seat);
        match verb {
            Verb::Join(..) => Err("it has joined already".to_owned()),
            Verb::Take(_) if !its_turn => Err("an action out of turn".to_owned()),
            Verb::Take(step) => match self.draft.take(step) {
                Ok(Some(action)) => Ok(Consequence::Act(action)),
                Ok(None) => Ok(Consequence::Silence),
                Err(Illegal(why)) => Err(why),
            },
            Verb::Ask(query) => {
                self.queries += u32::from(its_turn);
                if self.queries > MAX_QUERIES {
                    return Err(format!("more than {MAX_QUERIES} queries in one turn"));
                }
                Ok(Consequence::Say(self.answer(query, its_turn)))
            }
        }
    }

    fn answer(&self, query: Query, its_turn: bool) -> String {
        let draft = &self.draft;
        match query {
            Query::LegalShiftOps | Query::LegalMoveDestinations if !its_turn => {
                lines::not_your_turn(query)
            }
            Query::LegalShiftOps => lines::answer(query, &draft.shift_ops()),
            Query::LegalMoveDestinations => lines::answer(query, &draft.destinations()),
            Query::TreasureLocation => lines::answer(query, &draft.treasure_location()),
            Query::CurrentState => lines::answer(query, &draft.view.state()),
        }
    }
}

impl Draft {
    fn new(view: &View) -> Draft {
        Draft { view: view.clone(), degree: None, slide: None }
    }

    /// Takes the next piece of a turn; the last one makes it a move. "Exactly rotate, shift,
    /// move, each once; pass only as the first message of the turn."
    fn take(&mut self, step: Step) -> Result<Option<Action>, Illegal> {
        match (step, self.degree, self.slide) {
            (Step::Pass, None, _) => Ok(Some(Action::Pass)),
            (Step::Rotate(degree), None, _) => {
                self.view.draft_rotate(degree);
                self.degree = Some(degree);
                Ok(None)
            }
            (Step::Shift(slide), Some(_), None) => {
                self.view.draft_slide(slide)?;
                self.slide = Some(slide);
                Ok(None)
            }
            (Step::Move(to), Some(degree), Some(slide)) => {
                self.view.check_destination(to)?;
                Ok(Some(Action::Play(Choice { slide, degree, to })))
            }
            (Step::Pass | Step::Rotate(_) | Step::Shift(_) | Step::Move(_), _, _) => {
                Err(Illegal(format!("{} out of sequence", step.name())))
            }
        }
    }

    /// "`[]` once shifted this turn."
    fn shift_ops(&self) -> Vec<Slide> {
        if self.slide.is_some() { Vec::new() } else { self.view.maze.slides().collect() }
    }

    /// "`[]` before the shift."
    fn destinations(&self) -> Vec<Coordinate> {
        let cells = self.slide.map(|_| self.view.destinations()).unwrap_or_default();
        self.view.maze.board.coordinates_of(&cells)
    }

    /// "Coordinate of the tile with the asker's treasure", wherever a slide has brought it; none
    /// while it is the spare.
    fn treasure_location(&self) -> Option<Coordinate> {
        let quest = self.view.quest()?;
        let board = &self.view.maze.board;
        let lies = |at: &Coordinate| board.tile(*at).treasure.number() == quest.treasure.number();
        quest.place.filter(lies).or_else(|| board.coordinates().find(lies))
    }
}

impl Session for MemoSession {
    fn on_text(&mut self, _now: Time, text: &str, out: &mut Speech) {
        let verb = match verb::parse(text) {
            Ok(verb) => verb,
            Err(why) => return self.offended(why.to_string(), out),
        };
        match (&mut self.stage, verb) {
            (Progress::Arriving, Verb::Join(color, key)) => {
                if let Some(key) = key {
                    out.show_key(&key);
                }
                self.join(color.as_str().into(), out);
            }
            (Progress::Arriving, _) => out.hangup("no JoinRequest"),
            (Progress::Lobby, Verb::Ask(query)) => out.text(lines::not_started(query)),
            (Progress::Lobby, _) => out.hangup("only queries may come before the start"),
            (Progress::Playing(place), verb) if place.ejected.is_none() => match place.heed(verb) {
                Ok(Consequence::Silence) => {}
                Ok(Consequence::Say(text)) => out.text(text),
                Ok(Consequence::Act(action)) => {
                    let seq = place.update.seq;
                    self.ask(Asked::Move, Command::act::<Labyrinth>(seq, action), out);
                }
                Err(why) => self.offended(why, out),
            },
            (Progress::Playing(_) | Progress::Over, _) => {}
        }
    }

    fn on_garbage(&mut self, _now: Time, garbage: Garbage, out: &mut Speech) {
        self.offended(format!("no JSON value: {garbage:?}"), out);
    }

    fn on_answer(&mut self, _now: Time, answer: Answer, out: &mut Speech) {
        let asked = self.asked.take().expect("every answer has its question");
        match (asked, answer) {
            (Asked::Join, Answer::Joined(_) | Answer::Awaited) => {
                self.stage = Progress::Lobby;
                out.text(lines::SUCCESS);
            }
            (Asked::Join, Answer::Refused(Refusal::NameTaken(_) | Refusal::NameEntered { .. })) => {
                out.text(lines::COLOR_TAKEN);
                out.hangup("the colour is taken");
            }
            // JoinResponse has no word for it.
            (Asked::Join, Answer::Refused(refusal)) => {
                out.hangup(format!("cannot join: {}", refusal.cause()));
            }
            (Asked::Join, answer) => out.hangup(format!("cannot join: {answer:?}")),
            (Asked::Move, Answer::Refused(refusal)) => {
                if let Some(why) = offence(refusal) {
                    self.offended(why, out);
                }
            }
            (Asked::Move, _) => {}
            (Asked::Part, _) => {
                let Progress::Playing(place) = &self.stage else { return };
                let table = Some(place.update.company.table.clone());
                let (name, role) = ("".into(), Role::Spectator);
                let command = Command::Join { table, name, role, joined_via: None };
                self.ask(Asked::Watch, command, out);
            }
            (Asked::Watch, Answer::Joined(_)) => {}
            (Asked::Watch, _) => out.hangup("ejected"),
            (Asked::Acknowledge, _) => out.hangup("the game is over"),
        }
    }

    fn on_event(&mut self, _now: Time, event: &Event, out: &mut Speech) {
        match event {
            Event::Update(update) => {
                let Some(update) = UpdateOf::open(update, out) else { return };
                self.updated(&update, out);
            }
            Event::Over(over) => match &over.closing {
                // The result was said with the last update.
                Closing::Over(_) => out.hangup("the game is over"),
                Closing::Void(why) => out.hangup(why.as_str()),
            },
            Event::Dismissed(Dismissal::TableClosed(why)) => out.hangup(why.as_str()),
            Event::Dismissed(Dismissal::Replaced) => out.hangup("the seat was taken"),
            Event::Company(..) | Event::Waiting(_) | Event::Seated(_) => {}
            Event::History(_) | Event::Doubted(_) => {}
            // The protocol does not speak of tournaments.
            Event::Entered(_)
            | Event::Paired(_)
            | Event::Decided(_)
            | Event::Rematch(_)
            | Event::Reacted(..) => {}
        }
    }
}
