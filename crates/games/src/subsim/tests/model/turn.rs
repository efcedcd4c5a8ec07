//! How the model resolves a turn, step by step.

use super::*;

const STEPS: [char; 8] = ['S', 'M', 'R', 'D', 'F', '!', 'U', 'P'];

/// The letter of a command, which is also its step.
fn letter(command: Command) -> char {
    match command {
        Command::Move(..) => 'M',
        Command::Sleep(..) => 'S',
        Command::Ping => 'P',
        Command::Fire(..) => 'F',
        Command::Mine(..) => 'D',
        Command::Sprint(..) => 'R',
        Command::Surface => 'U',
    }
}

impl Model {
    pub(super) fn resolve(&mut self, orders: &[(usize, Order)]) {
        self.turn += 1;
        self.note("a turn");
        let already: Vec<usize> = self.told.iter().map(Vec::len).collect();
        for step in STEPS {
            let mut acts = Vec::new();
            for i in self.all(What::Boat) {
                for &(player, Order { sub, command }) in orders {
                    let boat = &self.things[i];
                    let own = boat.owner == Some(player) && boat.id == sub;
                    if own && letter(command) == step && boat.dead {
                        self.note("the dead do not act");
                    } else if own && letter(command) == step {
                        acts.push((i, command));
                    }
                }
            }
            match step {
                'S' => self.sleep(&acts),
                'M' => self.moves(&acts),
                'R' => self.sprints(&acts),
                'D' => acts.iter().for_each(|&(i, command)| self.lay(i, command)),
                'F' => acts.iter().for_each(|&(i, command)| self.fire(i, command)),
                '!' => self.explosions(),
                'U' => self.surface(&acts),
                _ => self.pings(&acts),
            }
        }
        self.tell_state();
        // The messages of a turn come sorted by their kinds; within a kind as they happened.
        for (told, already) in self.told.iter_mut().zip(already) {
            told[already..].sort_by_key(|line| "DSROTMIH".find(&line[..1]));
        }
        for thing in &mut self.things {
            thing.gone |= thing.dead;
        }
        let limit = i64::from(self.config.max_turns);
        self.test_end(limit > 0 && self.turn >= limit);
    }

    fn charge(&mut self, i: usize, equipment: Equipment) {
        let boat = &mut self.things[i];
        let which = match equipment {
            Equipment::Sonar => Some(SONAR),
            Equipment::Torpedo => Some(TORPEDO),
            Equipment::Mine => Some(MINE),
            Equipment::Sprint => Some(SPRINT),
            Equipment::None => None,
        };
        match which {
            Some(which) if boat.charge[which] < boat.most[which] => boat.charge[which] += 1,
            _ => {
                boat.reactor += 1;
                boat.doomed |= boat.reactor >= boat.most_reactor;
                self.note_if(which.is_some(), "charging beyond the maximum");
                self.note_if(which.is_none(), "charging nothing");
            }
        }
    }

    fn sleep(&mut self, acts: &[(usize, Command)]) {
        for &(i, command) in acts {
            let Command::Sleep(first, second) = command else { unreachable!() };
            self.charge(i, first);
            self.charge(i, second);
        }
    }

    fn moves(&mut self, acts: &[(usize, Command)]) {
        for &(i, command) in acts {
            let Command::Move(direction, equipment) = command else { unreachable!() };
            self.charge(i, equipment);
            self.things[i].at = toward(self.things[i].at, direction, 1);
        }
        for &(i, _) in acts {
            if self.trip(i) {
                self.note("a move onto a mine");
            }
        }
    }

    /// A mine where the boat is goes off, if there is one.
    fn trip(&mut self, boat: usize) -> bool {
        let at = self.things[boat].at;
        let mine = self.all(What::Mine).into_iter().find(|&m| self.things[m].at == at);
        if let Some(mine) = mine {
            self.go_off(mine);
        }
        mine.is_some()
    }

    fn sprints(&mut self, acts: &[(usize, Command)]) {
        let mut noises = Vec::new();
        for &(i, command) in acts {
            let Command::Sprint(direction, distance) = command else { unreachable!() };
            let distance = i64::from(distance);
            let range = self.things[i].range(SPRINT);
            self.things[i].charge[SPRINT] = 0;
            if distance > range {
                self.note("a sprint too far");
                continue;
            }
            self.note("a sprint");
            self.note_if(self.things[i].dead, "a sprint of the dead");
            let boat = &mut self.things[i];
            if boat.reactor + distance >= boat.most_reactor {
                boat.reactor += distance;
                boat.doomed = true;
                self.note("a sprint breaks the reactor");
            }
            let near_start = self.distances(self.things[i].at);
            for _ in 0..distance {
                self.things[i].at = toward(self.things[i].at, direction, 1);
                if self.trip(i) {
                    self.note("a sprint onto a mine");
                    break;
                }
            }
            noises.push((i, near_start));
        }
        let mut heard: BTreeMap<usize, i64> = BTreeMap::new();
        for (i, mut near_start) in noises {
            let mut near_end = self.distances(self.things[i].at);
            for listener in self.all(What::Boat) {
                let it = &self.things[listener];
                let (first, second) = (*near_start.to(it.at) <= 4, *near_end.to(it.at) <= 4);
                if it.owner == self.things[i].owner || !(first || second) {
                    continue;
                }
                let (dead, up) = (it.dead, it.up > 0);
                *heard.entry(listener).or_default() += 1;
                self.note_if(dead, "a sprint heard by the dead");
                self.note_if(up, "a sprint heard on the surface");
                self.note_if(first && second, "a sprint heard at both ends");
                self.note_if(first && !second, "a sprint heard only at its start");
                self.note_if(second && !first, "a sprint heard only at its end");
            }
        }
        for (listener, count) in heard {
            let Some(owner) = self.things[listener].owner else { unreachable!() };
            self.note_if(count > 1, "several sprints heard");
            self.tell(owner, format!("R|{}|{}|{count}", self.turn, self.things[listener].id));
        }
    }

    fn lay(&mut self, i: usize, command: Command) {
        let Command::Mine(direction) = command else { unreachable!() };
        let boat = &mut self.things[i];
        let ready = boat.charge[MINE] >= boat.most[MINE];
        boat.charge[MINE] = 0;
        if boat.mines == Some(0) {
            self.note("no mine left");
            return;
        }
        boat.mines = boat.mines.map(|left| left - 1);
        let (at, owner, dead) = (toward(boat.at, direction, 1), boat.owner, boat.dead);
        self.note_if(dead && ready, "a mine laid by the dead");
        if !ready {
            self.note("a mine sinks");
        } else if self.is_occupied(at) {
            let on = |what: What| self.all(what).iter().any(|&other| self.things[other].at == at);
            let (on_mine, on_boat) = (on(What::Mine), on(What::Boat));
            self.note_if(on_mine, "a mine is laid on a mine");
            self.note_if(on_boat, "a mine is laid on a boat");
            self.detonate(at, owner, 'M');
        } else {
            self.note("a mine is laid");
            self.things.push(Thing::new(What::Mine, at, owner, 10));
        }
    }

    fn fire(&mut self, i: usize, command: Command) {
        let Command::Fire(target) = command else { unreachable!() };
        let range = self.things[i].range(TORPEDO);
        let boat = &mut self.things[i];
        boat.charge[TORPEDO] = 0;
        if boat.torpedoes == Some(0) {
            self.note("no torpedo left");
            return;
        }
        boat.torpedoes = boat.torpedoes.map(|left| left - 1);
        let (dead, (from, target)) = (boat.dead, (boat.at, place(target)));
        let straight = (from.0 - target.0).abs() + (from.1 - target.1).abs();
        if range < 1 {
            self.note("a torpedo is a dud");
            return;
        }
        if *self.distances(from).to(target) > range {
            self.note("a torpedo does not reach its target");
            self.note_if(straight <= range, "a torpedo finds its way blocked");
            return;
        }
        self.note_if(dead, "a torpedo of the dead");
        self.note_if(from == target, "a torpedo on the own square");
        let mined = self.all(What::Mine).iter().any(|&mine| self.things[mine].at == target);
        self.note_if(mined, "a torpedo on a mine");
        self.detonate(target, self.things[i].owner, 'T');
    }

    fn go_off(&mut self, mine: usize) {
        let Thing { at, owner, .. } = self.things[mine];
        self.note_if(owner.is_none(), "a mine of one who left goes off");
        self.detonate(at, owner, 'M');
    }

    /// A torpedo or mine goes off, and then the mines around it, the nearest links of the chain
    /// first.
    fn detonate(&mut self, at: Point, owner: Option<usize>, kind: char) {
        let mut waiting = VecDeque::from([(at, owner, kind)]);
        while let Some((at, owner, kind)) = waiting.pop_front() {
            let (x, y) = at;
            self.note(if kind == 'T' { "a torpedo goes off" } else { "a mine goes off" });
            self.tell_all(&format!("D|{}|{x}|{y}|1", self.turn));
            for mine in self.all(What::Mine) {
                self.things[mine].gone |= self.things[mine].at == at;
            }
            let mut damage = 0;
            for boat in self.all(What::Boat) {
                let points = (2 - apart(at, self.things[boat].at)).max(0);
                if points > 0 {
                    self.hit(boat, points);
                    let enemy = self.things[boat].owner != owner;
                    damage += if enemy { points } else { 0 };
                    self.note_if(!enemy, "damage to own boats");
                }
            }
            if let Some(owner) = owner.filter(|_| damage > 0) {
                self.scores[owner] += damage;
                let line = format!("{kind}|{}|{x}|{y}|{damage}", self.turn);
                self.note_if(self.told[owner].contains(&line), "the same hit twice");
                self.note(if kind == 'T' { "a torpedo scores" } else { "a mine scores" });
                self.tell(owner, line);
            }
            for mine in self.all(What::Mine) {
                if apart(at, self.things[mine].at) == 1 {
                    self.note("a chain of mines");
                    self.things[mine].gone = true;
                    waiting.push_back((self.things[mine].at, self.things[mine].owner, 'M'));
                }
            }
        }
    }

    fn hit(&mut self, i: usize, points: i64) {
        self.note_if(self.things[i].dead, "the dead are hit again");
        self.note_if(self.things[i].up > 0, "a hit on the surface");
        let boat = &mut self.things[i];
        if points > boat.shields {
            boat.shields = 0;
            boat.dead = true;
        } else {
            boat.shields -= points;
        }
    }

    fn explosions(&mut self) {
        let mut doomed = self.all(What::Boat);
        doomed.retain(|&i| self.things[i].doomed);
        let saved = doomed.iter().filter(|&&i| self.things[i].dead).count();
        self.note_if(saved > 0, "the doomed are killed before they explode");
        doomed.retain(|&i| !self.things[i].dead);
        self.note_if(doomed.len() > 1, "several reactors explode");
        for i in doomed {
            let (x, y) = self.things[i].at;
            self.note("a reactor explodes");
            self.note_if(self.things[i].dead, "a reactor explodes though reached by another");
            self.tell_all(&format!("D|{}|{x}|{y}|2", self.turn));
            for other in 0..self.things.len() {
                let it = &mut self.things[other];
                if it.gone || it.at != (x, y) {
                    continue;
                }
                it.gone = true;
                if it.what == What::Boat {
                    it.dead = true;
                    it.shields = 0;
                    self.note_if(other != i, "a reactor takes another boat with it");
                }
            }
            for mine in self.all(What::Mine) {
                if apart(self.things[mine].at, (x, y)) <= 2 && !self.things[mine].gone {
                    self.note("a reactor sets off a mine");
                    self.go_off(mine);
                }
            }
            for boat in self.all(What::Boat) {
                match apart(self.things[boat].at, (x, y)) {
                    1 => self.hit(boat, 2),
                    2 => self.hit(boat, 1),
                    _ => {}
                }
            }
        }
    }

    fn surface(&mut self, acts: &[(usize, Command)]) {
        for &(i, _) in acts {
            self.things[i].up = self.things[i].up_turns;
            self.note_if(self.things[i].up == 0, "surfacing for no turn");
            self.note_if(self.things[i].up == 1, "surfacing for one turn");
            self.note_if(self.things[i].up > 1, "surfacing for several turns");
        }
        for i in self.all(What::Boat) {
            let boat = &mut self.things[i];
            if boat.dead || boat.up == 0 {
                continue;
            }
            boat.up -= 1;
            if boat.up == 0 {
                let below = boat.shields < boat.most_shields;
                boat.shields += i64::from(below);
                self.note(if below { "a repair" } else { "a repair of nothing" });
            }
        }
    }

    fn pings(&mut self, acts: &[(usize, Command)]) {
        // What each player's pings found, by player, row and column.
        let mut found: BTreeMap<(usize, i64, i64), i64> = BTreeMap::new();
        // Which boats were seen, by owner and ID, and from how far.
        let mut seen: Vec<(usize, u8, i64)> = Vec::new();
        for &(i, _) in acts {
            let Some(player) = self.things[i].owner else { unreachable!() };
            let range = self.things[i].range(SONAR);
            self.things[i].charge[SONAR] = 0;
            self.note(if range > 0 { "a ping" } else { "a ping without charge" });
            let mut distances = self.distances(self.things[i].at);
            for thing in self.things.clone() {
                let distance = *distances.to(thing.at);
                if thing.gone || distance < 1 || distance > range {
                    continue;
                }
                if thing.up > 0 {
                    self.note("a ping does not see the surface");
                    continue;
                }
                let (x, y) = thing.at;
                let again = found.insert((player, y, x), self.size_at(thing.at));
                self.note_if(again.is_some(), "a square is found twice");
                self.note_if(thing.what == What::Rock, "a ping sees a rock");
                self.note_if(thing.what == What::Mine, "a ping sees a mine");
                let Some(owner) = thing.owner.filter(|_| thing.what == What::Boat) else {
                    continue;
                };
                if owner == player {
                    self.note("a ping sees an own boat");
                } else {
                    self.note("a ping sees an enemy");
                    self.note_if(thing.dead, "a ping sees the dead");
                    seen.push((owner, thing.id, distance));
                }
            }
        }
        seen.sort_unstable();
        for (owner, id, distance) in seen {
            self.tell(owner, format!("S|{}|{id}|{distance}", self.turn));
        }
        for ((player, y, x), size) in found {
            self.tell(player, format!("O|{}|{x}|{y}|{size}", self.turn));
        }
    }

    /// What sonar says of a square.
    fn size_at(&self, at: Point) -> i64 {
        let seen = |it: &&Thing| it.at == at && !it.gone && it.up == 0;
        self.things.iter().filter(seen).map(|it| it.size).sum()
    }
}
