//! A few threads on which house bots think, for all games of a server, so that a bot that takes its time
//! delays no table but its own.

use std::sync::{Arc, Mutex};

use hall::{TableNo, Thinking};
use tokio::sync::mpsc;

use super::{HallHandle, HallMessage};

type Job = Box<dyn FnOnce() + Send>;

/// So many questions may wait; whoever asks beyond that is told at once that nobody has time.
const WAITING: usize = 256;

#[derive(Clone, Debug)]
pub struct Thinkers(mpsc::Sender<Job>);

impl Thinkers {
    /// Starts the threads, which end with the last of those who ask.
    pub fn start() -> std::io::Result<Thinkers> {
        let (jobs, waiting) = mpsc::channel::<Job>(WAITING);
        let waiting = Arc::new(Mutex::new(waiting));
        let count = std::thread::available_parallelism().map_or(2, |cores| cores.get().max(2));
        for number in 0..count {
            let waiting = waiting.clone();
            let work = move || {
                loop {
                    let next = waiting.lock().expect("nobody panics here").blocking_recv();
                    let Some(job) = next else { return };
                    job();
                }
            };
            std::thread::Builder::new().name(format!("thinker-{number}")).spawn(work)?;
        }
        Ok(Thinkers(jobs))
    }

    /// Lets the bots of a table think and its hall hear what they have thought. The question comes
    /// back if nobody has time for it.
    pub fn ask(
        &self,
        hall: &HallHandle,
        table: TableNo,
        thinking: Box<Thinking>,
    ) -> Result<(), Box<Thinking>> {
        let Ok(place) = self.0.try_reserve() else { return Err(thinking) };
        let hall = hall.clone();
        place.send(Box::new(move || {
            hall.send_blocking(HallMessage::Thought(table, Box::new(thinking.think())));
        }));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use games::sushi_go::SushiGo;
    use hall::{Hall, Input, Name, NewTable, Output, Policy, Request, Terms, Time};
    use rules::{Bot, BotKind, Game, Grade, Seed};
    use wire::Playable;

    use super::*;

    /// What the slow ones wait for.
    static GATE: Mutex<Option<Receiver<()>>> = Mutex::new(None);

    const KINDS: &[BotKind<SushiGo>] = &[
        BotKind {
            name: "quick",
            about: "",
            grade: Grade::Beginner,
            make: || (SushiGo::bots()[0].make)(),
        },
        BotKind { name: "slow", about: "", grade: Grade::Strong, make: slow },
    ];

    fn slow() -> Box<dyn Bot<SushiGo>> {
        let mut quick = (SushiGo::bots()[0].make)();
        Box::new(move |view: &<SushiGo as Game>::View, dice: &mut rules::Dice| {
            if let Some(gate) = GATE.lock().expect("nobody panics").take() {
                gate.recv().expect("the test opens it");
            }
            quick.choose(view, dice)
        })
    }

    #[test]
    fn a_bot_that_takes_its_time_delays_no_other_table() {
        let (open_gate, gate) = channel();
        *GATE.lock().expect("nobody panics") = Some(gate);
        let terms = SushiGo::terms(&Default::default()).expect("the defaults are valid");
        let mut hall = Hall::new(terms.clone(), KINDS, 10, Seed::from_number(1));
        hall.think_elsewhere();
        let thinkers = Thinkers::start().expect("threads");
        let (handle, mut messages) = HallHandle::new();
        let mut asked = Vec::new();
        for strategy in ["slow", "quick"] {
            let house_bots = vec![strategy.to_owned(); 2];
            let policy = Policy { seats: 2, house_bots, ..terms.policy.clone() };
            let terms = Terms { policy, config: terms.config.clone() };
            let id = Some(Name::from(strategy));
            let new = NewTable { terms, id, reserved: Vec::new(), seed: None, bots_at_once: true };
            let mut outputs = Vec::new();
            let open = Input::Asked(1, Request::Open(Box::new(new)));
            hall.handle(Time(1000), open, &mut outputs);
            hall.handle(Time(1000), Input::Tick, &mut outputs);
            for output in outputs {
                if let Output::Think(table, thinking) = output {
                    thinkers.ask(&handle, table, thinking).expect("there is time");
                    asked.push(table);
                }
            }
        }
        assert_eq!(asked.len(), 2);
        let mut next = || match messages.blocking_recv() {
            Some(HallMessage::Thought(table, _)) => table,
            _ => panic!("no thought"),
        };
        assert_eq!(next(), asked[1]);
        open_gate.send(()).expect("somebody waits");
        assert_eq!(next(), asked[0]);
    }
}
