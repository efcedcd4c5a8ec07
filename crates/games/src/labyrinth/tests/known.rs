//! Known answers: every question of the text files, asked through one `check`.

use rules::{Exit, Game, Illegal, Move, Outcome, Scene, Seat, Seed, Step, Viewer};

use super::super::exercises::{self, Answer, Failure, GameFlags};
use super::super::json::{self, Defined};
use super::super::{
    Action, Choice, Config, Connector, Coordinate, Degree, Labyrinth, Phase, Slide, State,
    TurnOrder, View,
};
use super::known_text::write_place;
use super::known_text::{Case, KnownLine, cases, degree, draw_maze, draw_players, place, slide};

#[test]
fn connectors() {
    check(include_str!("known/connectors.txt"));
}

#[test]
fn reach() {
    check(include_str!("known/reach.txt"));
}

#[test]
fn slides() {
    check(include_str!("known/slides.txt"));
}

#[test]
fn turns() {
    check(include_str!("known/turns.txt"));
}

#[test]
fn endings() {
    check(include_str!("known/endings.txt"));
}

#[test]
fn games() {
    check(include_str!("known/games.txt"));
}

fn check(text: &str) {
    for case in cases(text) {
        let mut script = Script::default();
        let mut answer = String::new();
        let mut expectations = 0;
        for line in &case.lines {
            match line {
                KnownLine::Ask(question) => answer = ask(&case, &mut script, question),
                KnownLine::Expect(expected) => {
                    expectations += 1;
                    let close = expected.strip_prefix("illegal: ").is_some_and(|fragment| {
                        answer.starts_with("illegal: ") && answer.contains(fragment)
                    });
                    let title = &case.title;
                    assert!(
                        answer == *expected || close,
                        "\n{title}\n---- expected\n{expected}\n---- found\n{answer}\n----"
                    );
                }
            }
        }
        assert!(expectations > 0, "{:?} expects nothing", case.title);
    }
}

/// A game that a case plays move by move, and the configuration it begins with.
#[derive(Default)]
struct Script {
    config: Config,
    game: Option<Labyrinth>,
}

fn ask(case: &Case, script: &mut Script, question: &str) -> String {
    let words: Vec<&str> = question.split(' ').collect();
    match words[..] {
        ["turned", glyph] => {
            let connector = Connector::from_glyph(glyph.chars().next().unwrap()).unwrap();
            Degree::ALL.map(|degree| connector.turned(degree).glyph()).iter().collect()
        }
        ["push", index, direction, turn] => push(case, slide(index, direction), degree(turn)),
        ["reach", from] => {
            let maze = case.maze();
            places(exercises::reach(&stream(&[json_of(&*maze.board), json_of(&place(from))])))
        }
        ["slide", index, direction, degree] => {
            let direction = format!("{direction:?}");
            let input = [state(case), index.to_owned(), direction, degree.to_owned()];
            places(exercises::slide(&stream(&input)))
        }
        ["choose", strategy, goal] => {
            let input = [format!("{strategy:?}"), state(case), json_of(&place(goal))];
            told(exercises::choose(&stream(&input)), |output| {
                match Action::read(&json::parse(output).unwrap()).unwrap() {
                    Action::Play(choice) => write_choice(&choice),
                    other => format!("{other:?}").to_uppercase(),
                }
            })
        }
        ["turn", ..] => turn(case, &words[1..]),
        ["game", players] => game(case, players, GameFlags::default()),
        ["winners", players] => {
            game(case, players, GameFlags { winners_only: true, ..GameFlags::default() })
        }
        ["remote", players] => {
            game(case, players, GameFlags { remote: true, ..GameFlags::default() })
        }
        ["warned", players] => {
            let input = stream(&[players.to_owned(), state(case)]);
            exercises::game(&input, GameFlags::default()).unwrap().warnings.join("; ")
        }
        _ => script.step(case, &words),
    }
}

fn push(case: &Case, slide: Slide, degree: Degree) -> String {
    let State { mut maze, mut players, .. } = case.state();
    if let Err(why) = maze.check_slide(slide) {
        return format!("illegal: {why}");
    }
    maze.rotate(degree);
    maze.slide(slide, players.iter_mut().map(|player| &mut player.current));
    assert_eq!(maze.last, Some(slide));
    draw_maze(&maze) + &draw_players(&players)
}

fn turn(case: &Case, words: &[&str]) -> String {
    let action = match *words {
        ["PASS"] => Action::Pass,
        [index, direction, turned, to] => Action::Play(Choice {
            slide: slide(index, direction),
            degree: degree(turned),
            to: place(to),
        }),
        _ => panic!("{words:?} is no turn"),
    };
    told(exercises::turn(&stream(&[state(case), json_of(&action)])), |output| {
        let next = State::read(&json::parse(output).unwrap()).unwrap();
        let last = next.maze.last.map(|slide| (slide.index, slide.direction.name()));
        let last = last.map_or(String::new(), |(index, name)| format!(" last {index} {name}"));
        draw_maze(&next.maze) + &last + &draw_players(&next.players)
    })
}

fn game(case: &Case, players: &str, flags: GameFlags) -> String {
    told(exercises::game(&stream(&[players.to_owned(), state(case)]), flags), str::to_owned)
}

fn places(answer: Result<Answer, Failure>) -> String {
    told(answer, |output| {
        let value = json::parse(output).unwrap();
        let places = value.as_array().unwrap().iter();
        let places: Vec<Coordinate> = places.map(|at| Coordinate::read(at).unwrap()).collect();
        places.into_iter().map(write_place).collect::<Vec<_>>().join(" ")
    })
}

fn told(answer: Result<Answer, Failure>, tell: impl Fn(&str) -> String) -> String {
    match answer {
        Ok(answer) => tell(&answer.output),
        Err(failure) => failure.to_string(),
    }
}

fn write_choice(choice: &Choice) -> String {
    let Choice { slide, degree, to } = choice;
    let (index, direction) = (slide.index, slide.direction.name());
    format!("{index} {direction} {} {}", degree.number(), write_place(*to))
}

fn json_of(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

fn state(case: &Case) -> String {
    json_of(&case.state())
}

fn stream(values: &[String]) -> String {
    values.join("\n ")
}

impl Script {
    /// `rules`, `max_rounds` and `turn_order` come before the first move.
    fn step(&mut self, case: &Case, words: &[&str]) -> String {
        match *words {
            ["rules", "memo"] => {}
            ["rules", "course"] => {
                self.config =
                    Config { turn_order: TurnOrder::Join, ..self.config.clone().for_course() }
            }
            ["max_rounds", rounds] => self.config.max_rounds = rounds.parse().unwrap(),
            ["turn_order", "reverse-join"] => self.config.turn_order = TurnOrder::ReverseJoin,
            ["-", "acknowledge"] => self.acknowledge(case, None),
            ["-", "acknowledge", "but", color] => self.acknowledge(case, Some(color)),
            ["-", color, "gone"] => self.leave(case, color),
            ["-", color, "pass"] => self.act(case, color, Action::Pass).unwrap(),
            ["-", color, to] => {
                let slide = slide("0", "LEFT");
                let choice = Choice { slide, degree: Degree::D0, to: place(to) };
                if let Err(why) = self.act(case, color, Action::Play(choice)) {
                    return format!("illegal: {why}");
                }
            }
            _ => panic!("{words:?} is no question"),
        }
        self.game.as_ref().map_or(String::new(), |game| status(case, game))
    }

    fn game(&mut self, case: &Case) -> &mut Labyrinth {
        let config = Config { state: Some(case.state()), ..self.config.clone() };
        let seats = case.state().players.len();
        self.game
            .get_or_insert_with(|| Labyrinth::setup(&config, seats, Seed::from_number(0)).unwrap())
    }

    fn act(&mut self, case: &Case, color: &str, action: Action) -> Result<(), Illegal> {
        let game = self.game(case);
        let seat = seat_of(game, color);
        assert_eq!(game.to_act().first(), Some(seat), "{}: not {color}'s turn", case.title);
        game.check(seat, &action)?;
        game.advance(Step::Turn(&[(seat, Move::Act(action))]));
        Ok(())
    }

    fn leave(&mut self, case: &Case, color: &str) {
        let game = self.game(case);
        let seat = seat_of(game, color);
        if game.to_act().iter().eq([seat]) {
            game.advance(Step::Turn(&[(seat, Move::Retire(Exit::Left))]));
        } else {
            game.advance(Step::Departure(&[(seat, Exit::Left)]));
        }
    }

    fn acknowledge(&mut self, case: &Case, but: Option<&str>) {
        let game = self.game(case);
        let failing = but.map(|color| seat_of(game, color));
        let answer = |seat| match failing == Some(seat) {
            true => (seat, Move::Retire(Exit::TimedOut)),
            false => (seat, Move::Act(Action::Acknowledge)),
        };
        let answers: Vec<_> = game.to_act().iter().map(answer).collect();
        game.advance(Step::Turn(&answers));
    }
}

fn seat_of(game: &Labyrinth, color: &str) -> Seat {
    let view = game.view(Viewer::Public);
    let seats = Seat::all(view.seats.len());
    seats.into_iter().find(|&seat| view.avatar(seat).color.as_str() == color).unwrap()
}

fn status(case: &Case, game: &Labyrinth) -> String {
    let view = game.view(Viewer::Public);
    let colors = |seats: &[Seat]| {
        let names: Vec<&str> = seats.iter().map(|&s| view.avatar(s).color.as_str()).collect();
        if names.is_empty() { "nobody".to_owned() } else { names.join(" ") }
    };
    let set = |seats: rules::SeatSet| colors(&seats.iter().collect::<Vec<_>>());
    match (view.phase, game.outcome()) {
        (Phase::Playing, _) if view.leaving.is_empty() => {
            format!("playing: {}", colors(&view.order))
        }
        (Phase::Playing, _) => {
            format!("playing: {}, leaving {}", colors(&view.order), set(view.leaving))
        }
        (Phase::Closing, _) => format!("closing: {}; in {}", result(&view), colors(&view.order)),
        (Phase::Over, outcome) => {
            let figures = figures(case, game, outcome.unwrap());
            format!("over: {}; {figures}", result(&view))
        }
    }
}

fn result(view: &View) -> String {
    let colors: Vec<String> = view.seats.iter().map(|seat| seat.avatar.color.to_string()).collect();
    let colors: Vec<&str> = colors.iter().map(String::as_str).collect();
    let told = Labyrinth::picture(&Scene::of(view, &colors));
    let headline = told.lines().next().unwrap().replace("winners: ", "winners ");
    headline.replace(", ", " ").replace(" and ", " ")
}

/// Places and points in the order in which the case lists its players.
fn figures(case: &Case, game: &Labyrinth, outcome: &Outcome) -> String {
    let each = |figure: &dyn Fn(Seat) -> i64| -> String {
        let colors = case.state().players.into_iter().map(|player| player.color.to_string());
        colors.map(|color| format!(" {color} {}", figure(seat_of(game, &color)))).collect()
    };
    let standing = |seat: Seat| &outcome.standings[seat.index()];
    let places = each(&|seat| standing(seat).place.into());
    let points = each(&|seat| standing(seat).points);
    format!("places{places}; points{points}")
}
