//! One game: all bots are brought to the table, and its end is awaited, whatever happens.

use std::process::ExitStatus;
use std::time::Duration;

use anyhow::Result;
use rules::{Dice, Exit, Seed};
use tokio::task::JoinSet;
use tokio::time::Instant;
use wire::Account;

use super::house::{Feed, NewTable, News};
use super::lane::Match;
use super::reasons::Reason;
use super::worker::{self, Worker};
use crate::printed::Printed;

/// What one game has come to.
#[derive(Debug)]
pub struct Played {
    pub number: u64,
    pub table: String,
    pub seed: u64,
    /// None: it never began.
    pub account: Option<Account>,
    /// In the order of the bots.
    pub bots: Vec<BotPlayed>,
    /// What the commands among them printed on standard error.
    pub printed: Vec<Printed>,
    /// The game as `parlor replay` reads it.
    pub replay: Option<String>,
}

#[derive(Debug, Default)]
pub struct BotPlayed {
    pub name: String,
    pub seat: usize,
    /// The server's words, each time it refused something.
    pub refusals: Vec<String>,
    /// Why, where the server says more than that.
    pub reasons: Vec<Reason>,
    /// What went wrong with the program itself.
    pub troubles: Vec<String>,
    /// What it printed last, if something went wrong.
    pub last_words: Vec<String>,
    /// It was not there when the game should have begun.
    pub absent: bool,
    /// Its program ended in the middle of the game.
    pub deserted: bool,
}

/// Time that a bot which stays after a game has to join the next one, before it is started again.
const STAY: Duration = Duration::from_secs(3);

/// Less than this is no time at all between the end of a program and the end of its game.
const AT_ONCE: Duration = Duration::from_millis(500);

/// News that a player has sat down may arrive this much later than the end of its program.
const NEWS: Duration = Duration::from_millis(100);

/// What has been done to bring all bots to one game. It outlives the game's table, so that no chain
/// of new names and new tables continues forever.
pub struct Efforts {
    /// When the first or the last effort was made.
    since: Instant,
    /// The bots that did not come have been started again, once and all together.
    renewed: bool,
    /// Whose commands were started for this game.
    fresh: Vec<bool>,
}

impl Efforts {
    pub fn new(workers: usize) -> Efforts {
        Efforts { since: Instant::now(), renewed: false, fresh: vec![false; workers] }
    }
}

pub struct Game<'a> {
    shared: &'a Match,
    workers: &'a mut [Worker],
    number: u64,
    table: &'a NewTable,
    efforts: &'a mut Efforts,
    feed: Feed,
    begin: Instant,
    /// Who sits at the table.
    seated: Vec<String>,
    began: bool,
    ends: Vec<Ended>,
    bots: Vec<BotPlayed>,
}

/// The end of a bot's command.
struct Ended {
    bot: usize,
    at: Instant,
    status: ExitStatus,
    /// Whether the bot sat at the table.
    seated: bool,
    /// Whether it sat there and had not been sent the end of its game.
    early: bool,
    /// Whether the game is to do without it, and the server does not know yet.
    missed: bool,
}

/// How waiting for a game ended.
pub enum End {
    Played(Box<Played>),
    /// The commands of these bots do not run any more; their names are still taken.
    NamesSpent(Vec<usize>),
}

enum Step {
    GoOn,
    Over,
    NamesSpent(Vec<usize>),
}

impl<'a> Game<'a> {
    pub async fn begin(
        shared: &'a Match,
        workers: &'a mut [Worker],
        number: u64,
        table: &'a NewTable,
        efforts: &'a mut Efforts,
    ) -> Result<Game<'a>> {
        let feed = shared.house.watch(&table.id).await?;
        workers.iter().for_each(|worker| worker.refusals.begin());
        let seat = |worker: &Worker| table.names.iter().position(|name| *name == worker.name);
        let bots = workers.iter().map(|worker| BotPlayed {
            name: worker.name.clone(),
            seat: seat(worker).expect("everybody has a seat"),
            ..BotPlayed::default()
        });
        let bots = bots.collect();
        Ok(Game {
            shared,
            number,
            table,
            efforts,
            feed,
            begin: Instant::now(),
            seated: Vec::new(),
            began: false,
            ends: Vec::new(),
            workers,
            bots,
        })
    }

    pub async fn run(mut self) -> Result<End> {
        let mut clients = self.send_house_bots()?;
        self.start_commands(|worker, _| !worker.is_working())?;
        let spent = loop {
            let limit = self.limit();
            let step = tokio::select! {
                biased;
                news = self.feed.next() => self.note(news?),
                (index, status) = worker::ended(self.workers) => {
                    self.ended(index, status?)?
                }
                Some(done) = clients.join_next() => {
                    let (index, result): (usize, Result<()>) = done?;
                    if let Err(error) = result {
                        self.bots[index].troubles.push(format!("{error:#}"));
                    }
                    Step::GoOn
                }
                () = tokio::time::sleep_until(limit) => self.late().await?,
            };
            match step {
                Step::GoOn => {}
                Step::Over => break None,
                Step::NamesSpent(bots) => break Some(bots),
            }
        };
        clients.shutdown().await;
        match spent {
            Some(bots) => Ok(End::NamesSpent(bots)),
            None => Ok(End::Played(Box::new(self.count().await?))),
        }
    }

    fn send_house_bots(&self) -> Result<JoinSet<(usize, Result<()>)>> {
        let mut clients = JoinSet::new();
        for (index, worker) in self.workers.iter().enumerate() {
            let seed = Seed::from_number(self.shared.seed);
            let seed = Dice::new(&seed, &format!("bot {index}"), self.number).seed();
            let Match { wire, house, .. } = self.shared;
            if let Some(errand) = worker.errand(wire, house.address(), self.table, seed)? {
                clients.spawn(async move { (index, errand.await) });
            }
        }
        Ok(clients)
    }

    fn start_commands(&mut self, which: impl Fn(&Worker, bool) -> bool) -> Result<()> {
        for (worker, fresh) in self.workers.iter_mut().zip(&mut self.efforts.fresh) {
            let seated = self.seated.contains(&worker.name);
            if worker.program().is_some() && !*fresh && which(worker, seated) {
                worker.start(self.shared.wire.game, self.table)?;
                *fresh = true;
            }
        }
        Ok(())
    }

    /// Until when to wait for what is awaited now.
    fn limit(&self) -> Instant {
        let Match { join_timeout, game_timeout, .. } = self.shared;
        if let Some(deserted) = self.deserted() {
            return self.ends[deserted].at + AT_ONCE;
        }
        if let Some(last) = self.ends.last().filter(|_| self.is_hopeless()) {
            return last.at + NEWS;
        }
        match (self.began, self.efforts.renewed) {
            (true, _) => self.begin + *game_timeout,
            (false, false) => self.efforts.since + STAY.min(*join_timeout),
            (false, true) => self.efforts.since + *join_timeout,
        }
    }

    fn note(&mut self, news: News) -> Step {
        match news {
            News::Seated(names) => {
                self.seated = names;
                self.see_again();
            }
            News::Turn => self.began = true,
            News::Over => return Step::Over,
        }
        Step::GoOn
    }

    /// The news that a player has sat down may arrive after its program has ended.
    fn see_again(&mut self) {
        for ended in self.ends.iter_mut().filter(|ended| !ended.seated) {
            let worker = &self.workers[ended.bot];
            if !worker.is_working() && self.seated.contains(&worker.name) {
                (ended.seated, ended.early) = (true, !worker.refusals.is_done());
                ended.missed = ended.early;
            }
        }
    }

    /// Whether the game cannot begin: a player will not come, and no other is awaited.
    fn is_hopeless(&self) -> bool {
        let missing = |worker: &Worker| !self.seated.contains(&worker.name);
        let mut absent =
            self.workers.iter().zip(&self.efforts.fresh).filter(|(worker, _)| missing(worker));
        let lost = |(worker, fresh): (&Worker, &bool)| *fresh && !worker.is_working();
        !self.began && absent.clone().next().is_some() && absent.all(lost)
    }

    /// The end of a command in the middle of the game, of which the server does not know yet.
    fn deserted(&self) -> Option<usize> {
        let matters = self.began || self.shared.ends_with_commands;
        self.ends.iter().position(|ended| matters && ended.missed)
    }

    /// A command has ended.
    fn ended(&mut self, index: usize, status: ExitStatus) -> Result<Step> {
        let seated = self.seated.contains(&self.bots[index].name);
        let early = seated && !self.workers[index].refusals.is_done();
        let at = Instant::now();
        self.ends.push(Ended { bot: index, at, status, seated, early, missed: early });
        // One that was started for this game and has not come to it was perhaps not seen to come.
        if self.began || seated || self.efforts.fresh[index] {
            return Ok(Step::GoOn);
        }
        if self.shared.wire.keeps_names {
            return Ok(self.spend_names(|bot| bot == index));
        }
        // It has played its game and is done: once more, for this one.
        self.start_commands(|worker, _| !worker.is_working())?;
        Ok(Step::GoOn)
    }

    async fn late(&mut self) -> Result<Step> {
        if self.is_hopeless() {
            return self.give_up().await;
        }
        if let Some(deserted) = self.deserted() {
            if self.shared.ends_with_commands {
                self.shared.house.close(&self.table.id).await?;
                return Ok(Step::Over);
            }
            let ended = &mut self.ends[deserted];
            ended.missed = false;
            let seat = self.bots[ended.bot].seat;
            self.shared.house.report_crash(&self.table.id, seat).await?;
            return Ok(Step::GoOn);
        }
        if self.began {
            let limit = self.shared.game_timeout.as_secs();
            for bot in &mut self.bots {
                bot.troubles.push(format!("no end after {limit} s"));
            }
            self.shared.house.close(&self.table.id).await?;
            return Ok(Step::Over);
        }
        if self.efforts.renewed {
            return self.give_up().await;
        }
        self.efforts.renewed = true;
        self.efforts.since = Instant::now();
        let missing = |(worker, fresh): (&Worker, &bool)| {
            !fresh && !self.seated.contains(&worker.name) && worker.is_command()
        };
        let is_stale = self.workers.iter().zip(&self.efforts.fresh).any(missing);
        if !(is_stale && self.shared.wire.keeps_names) {
            self.start_commands(|_, seated| !seated)?;
            return Ok(Step::GoOn);
        }
        Ok(self.spend_names(|_| true))
    }

    /// Ends these commands, to be started again under other names. New names need a new table,
    /// which throws out the bots that sit at this one, and those may not find the new one by
    /// themselves: so all that were started for this game are started again.
    fn spend_names(&mut self, which: impl Fn(usize) -> bool) -> Step {
        let mut spent = Vec::new();
        for (index, (worker, fresh)) in
            self.workers.iter_mut().zip(&mut self.efforts.fresh).enumerate()
        {
            if let Some(program) = worker.program().filter(|_| which(index) || *fresh) {
                program.kill();
                *fresh = false;
                spent.push(index);
            }
        }
        Step::NamesSpent(spent)
    }

    /// The game does not begin: absent players have lost it.
    async fn give_up(&mut self) -> Result<Step> {
        let limit = self.shared.join_timeout.as_secs_f64();
        for (bot, worker) in self.bots.iter_mut().zip(&mut *self.workers) {
            bot.absent = !self.seated.contains(&bot.name);
            if bot.absent && worker.is_working() {
                bot.troubles.push(format!("did not join within {limit} s"));
            }
            if let Some(program) = worker.program().filter(|_| bot.absent) {
                program.kill();
            }
        }
        self.shared.house.close(&self.table.id).await?;
        Ok(Step::Over)
    }

    async fn count(mut self) -> Result<Played> {
        let replay = self.shared.house.replay(&self.table.id)?;
        let account =
            replay.as_ref().map(|replay| self.shared.house.account(replay)).transpose()?;
        for Ended { bot, status, early, .. } in &self.ends {
            let bot = &mut self.bots[*bot];
            let early = deserted_by(account.as_ref(), &bot.name, *early).unwrap_or(*early);
            bot.deserted |= early;
            if !status.success() || early || bot.absent {
                let when = if early { " in the middle of the game" } else { "" };
                bot.troubles.push(format!("the bot ended{when}: {status}"));
            }
        }
        let mut printed = Vec::new();
        for (bot, worker) in self.bots.iter_mut().zip(&mut *self.workers) {
            printed.extend(worker.program().iter().flat_map(|own| own.take_printed(&bot.name)));
            bot.refusals = worker.refusals.take();
            let is_out = is_out(account.as_ref(), &bot.name);
            if is_out || bot.absent || !bot.refusals.is_empty() {
                bot.reasons = worker.reasons(&self.shared.house).await?;
            }
            if let Some(program) = worker.program().filter(|_| !bot.troubles.is_empty()) {
                bot.last_words = program.complaints().await;
            }
        }
        Ok(Played {
            number: self.number,
            table: self.table.id.clone(),
            seed: self.table.seed,
            account,
            bots: self.bots,
            printed,
            replay: replay.map(|replay| replay.to_json_lines()),
        })
    }
}

/// Whether the record of a game says that this player was out of it before its end.
fn is_out(account: Option<&Account>, name: &str) -> bool {
    let seats = account.into_iter().flat_map(|account| &account.seats);
    let mut own = seats.filter(|seat| seat.name == name).filter_map(|seat| seat.standing.as_ref());
    own.any(|standing| standing.exit.is_some())
}

/// Whether the record of a game says that this player left before its end; none if the record has no
/// result. `early`: the player had not been sent the end. A program that ends after its last move did
/// its part, whatever was still on its way to it.
fn deserted_by(account: Option<&Account>, name: &str, early: bool) -> Option<bool> {
    let seat = account?.seats.iter().find(|seat| seat.name == name)?;
    let exit = seat.standing.as_ref()?.exit.as_ref();
    let is_gone = matches!(exit, Some(Exit::Lost | Exit::Crashed));
    Some(is_gone || (early && seat.timeouts > 0))
}
