//! A game of SubSim, drawn for people: a chart of the waters with what is known, the players and
//! their submarines, and what the last turn told.

use ::rules::Seat;
use ::rules::picture::{Scene, WIDTH, counted, wrapped};

use super::chart::{Chart, OBSTACLE_SIZE, Square};
use super::news::{Hit, Report};
use super::sub::Sub;
use super::view::{Phase, View};

/// The most rows of a chart; on a larger map each sign stands for several squares.
const ROWS: u16 = 30;

pub fn draw(scene: &Scene<'_, View>) -> String {
    let view = scene.view;
    let known = Known::of(scene);
    let mut text = headline(view);
    if view.phase != Phase::Placing {
        text += &known.chart(&view.chart);
        for player in &known.players {
            text += &player.line(scene);
        }
    }
    text + &news(scene)
}

fn headline(view: &View) -> String {
    match (view.phase, view.news.len()) {
        (Phase::Placing, _) => "the players choose where to start\n".to_owned(),
        (Phase::Over, _) => format!("the game is over after {}\n", counted(view.executed, "turn")),
        (Phase::Playing, 0 | 1) => String::new(),
        (Phase::Playing, turns) => {
            format!("{turns} turns went by, for nobody was under water to give orders\n")
        }
    }
}

/// What there is to draw.
struct Known<'a> {
    players: Vec<KnownFleet<'a>>,
    mines: Vec<Square>,
    contacts: Vec<Square>,
    detonations: Vec<Square>,
}

/// A player whose submarines are known.
struct KnownFleet<'a> {
    seat: Seat,
    points: i64,
    subs: &'a [Sub],
}

impl<'a> Known<'a> {
    fn of(scene: &Scene<'a, View>) -> Known<'a> {
        let view = scene.view;
        let mut known = Known {
            players: Vec::new(),
            mines: Vec::new(),
            contacts: Vec::new(),
            detonations: view.news.iter().flat_map(detonations).collect(),
        };
        if let Some(end) = &view.end {
            let fleets = Seat::all(end.fleets.len()).zip(&end.fleets);
            known.players = fleets
                .zip(&end.outcome.standings)
                .map(|((seat, subs), standing)| KnownFleet { seat, points: standing.points, subs })
                .collect();
            known.mines = end.mines.iter().map(|mine| mine.square).collect();
            return known;
        }
        for (seat, view) in eyes(scene) {
            known.players.push(KnownFleet { seat, points: view.score.into(), subs: &view.subs });
            known.mines.extend(&view.mines);
            // Where every fleet is shown, sonar adds nothing.
            if scene.seat_views.is_empty() {
                let objects = view.news.iter().flat_map(|report| &report.objects);
                let afloat = objects.filter(|contact| contact.size < OBSTACLE_SIZE);
                known.contacts.extend(afloat.map(|contact| contact.square));
            }
        }
        known
    }

    /// `A`, `B`: a seat's submarines, with their numbers where each has several, `&` where
    /// several are; `+` mine, `?` found by sonar, `*` detonation, `#` obstacle, `.` nothing known.
    fn chart(&self, chart: &Chart) -> String {
        let afloat = self.players.iter().any(|player| player.subs.iter().any(|sub| !sub.dead));
        if !afloat
            && self.mines.is_empty()
            && self.contacts.is_empty()
            && self.detonations.is_empty()
        {
            return "nothing to be seen\n".to_owned();
        }
        let several = chart.kinds().len() > 1;
        let width = if several { 3 } else { 2 };
        let columns = (WIDTH - 4) as u16 / width as u16;
        let scale = chart.width().div_ceil(columns).max(chart.height().div_ceil(ROWS));
        let across = usize::from(chart.width().div_ceil(scale));
        let down = usize::from(chart.height().div_ceil(scale));
        let cell = |square: Square| {
            usize::from((square.y - 1) / scale) * across + usize::from((square.x - 1) / scale)
        };
        let mut signs = vec![".".to_owned(); across * down];
        let obstacles = chart.config().obstacles.iter().map(|&square| Square::from(square));
        let mut put = |square: Square, sign: &str| signs[cell(square)] = sign.to_owned();
        obstacles.for_each(|square| put(square, "#"));
        self.detonations.iter().for_each(|square| put(*square, "*"));
        self.contacts.iter().for_each(|square| put(*square, "?"));
        self.mines.iter().for_each(|square| put(*square, "+"));
        let mut taken = vec![false; signs.len()];
        for player in &self.players {
            for (id, sub) in player.subs.iter().enumerate().filter(|(_, sub)| !sub.dead) {
                let at = cell(sub.square);
                let sign = player.sign(id);
                signs[at] = if taken[at] { "&".to_owned() } else { sign };
                taken[at] = true;
            }
        }
        let mut text = " ".repeat(4);
        for column in 0..across {
            let labelled = column == 0 || (column + 1) % 5 == 0;
            // A label may reach over the cells after it.
            let place = 4 + column * width;
            if labelled && text.len() <= place {
                text += &" ".repeat(place - text.len());
                text += &(column * usize::from(scale) + 1).to_string();
            }
        }
        for (row, signs) in signs.chunks(across).enumerate() {
            let cells: String = signs.iter().map(|sign| format!("{sign:<width$}")).collect();
            let line = format!("{:>3} {cells}", row * usize::from(scale) + 1);
            text += &format!("\n{}", line.trim_end());
        }
        if scale > 1 {
            text += &format!("\neach sign stands for {scale} by {scale} squares");
        }
        text + "\n"
    }
}

fn detonations(report: &Report) -> impl Iterator<Item = Square> {
    report.detonations.iter().map(|detonation| detonation.square)
}

/// The seats whose views are here.
fn eyes<'a>(scene: &Scene<'a, View>) -> impl Iterator<Item = (Seat, &'a View)> {
    let own = scene.view.viewer.seat().map(|seat| (seat, scene.view));
    Seat::all(scene.seat_views.len()).zip(scene.seat_views).chain(own)
}

impl KnownFleet<'_> {
    fn line(&self, scene: &Scene<'_, View>) -> String {
        let heading = format!(
            "{} {}, {}",
            letter(self.seat),
            scene.name(self.seat),
            counted(self.points, "point")
        );
        match self.subs {
            [sub] => wrapped(&(heading + ": "), condition(sub), ", "),
            subs if subs.iter().all(|sub| sub.dead) => {
                wrapped(&(heading + ": "), ["destroyed".to_owned()], ", ")
            }
            subs => {
                let line =
                    |(id, sub)| wrapped(&format!("  {} ", self.sign(id)), condition(sub), ", ");
                heading + "\n" + &subs.iter().enumerate().map(line).collect::<String>()
            }
        }
    }

    /// How its submarine is drawn.
    fn sign(&self, id: usize) -> String {
        match self.subs.len() {
            1 => letter(self.seat).to_string(),
            _ => format!("{}{id}", letter(self.seat)),
        }
    }
}

/// There are as many letters as there can be seats.
fn letter(seat: Seat) -> char {
    let mut all = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['@', '$']);
    all.nth(seat.index()).unwrap_or('$')
}

/// A submarine in words; what is nought is not mentioned.
fn condition(sub: &Sub) -> Vec<String> {
    if sub.dead {
        return vec!["destroyed".to_owned()];
    }
    let mut words = vec![format!("at {}", sub.square), counted(sub.shields, "shield")];
    for (name, value) in [
        ("sonar", sub.sonar_charge),
        ("torpedo", sub.torpedo_charge),
        ("mine", sub.mine_charge),
        ("sprint", sub.sprint_charge),
        ("reactor damage", sub.reactor_damage),
    ] {
        if value > 0 {
            words.push(format!("{name} {value}"));
        }
    }
    if sub.surface_remain > 0 {
        words.push(format!("at the surface for {}", counted(sub.surface_remain, "more turn")));
    }
    words
}

/// What happened, as far as these viewers were told.
fn news(scene: &Scene<'_, View>) -> String {
    let mut text = String::new();
    for (radius, heading) in [(1, "detonations at "), (2, "reactors exploded at ")] {
        let all = scene.view.news.iter().flat_map(|report| &report.detonations);
        let squares: Vec<String> = all
            .filter(|blast| blast.radius == radius)
            .map(|blast| blast.square.to_string())
            .collect();
        if !squares.is_empty() {
            text += &wrapped(heading, squares, ", ");
        }
    }
    for (seat, view) in eyes(scene) {
        for report in &view.news {
            text += &told(scene.name(seat), report, view.chart.kinds().len() > 1);
        }
    }
    text
}

fn told(name: &str, report: &Report, several: bool) -> String {
    let which = |id: u8| if several { format!("submarine {id}") } else { "submarine".to_owned() };
    let mut text = String::new();
    // The chart has shown where the obstacles are.
    let found = report.objects.iter().filter(|contact| contact.size < OBSTACLE_SIZE);
    let found: Vec<String> =
        found.map(|contact| format!("size {} at {}", contact.size, contact.square)).collect();
    if !found.is_empty() {
        text += &wrapped(&format!("{name}'s sonar found "), found, ", ");
    }
    for detected in &report.detected {
        let (sub, far) = (which(detected.sub), counted(detected.distance, "square"));
        text += &format!("{name}'s {sub} was found by sonar from {far} away\n");
    }
    for heard in &report.heard {
        let (sub, count) = (which(heard.sub), counted(heard.count, "sprint"));
        text += &format!("{name}'s {sub} heard {count} nearby\n");
    }
    for (weapon, hits) in [("torpedo", &report.torpedo_hits), ("mine", &report.mine_hits)] {
        for Hit { square, damage } in hits {
            text += &format!("{name}'s {weapon} at {square} did {damage} damage\n");
        }
    }
    text
}
