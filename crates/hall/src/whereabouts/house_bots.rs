//! House bots come to tables: what they are called, and where they sit.

use table::{BotSeat, Name, Phase, TableInput, TableNo};

use super::Whereabouts;
use crate::desk::Desk;
use crate::naming;

impl Whereabouts {
    /// Gives every seat that its table has for house bots to one.
    pub fn fill_with_bots(&mut self, desk: &mut Desk, no: TableNo) {
        let live = self.tables.live(no);
        if live.phase() != Phase::Gathering {
            return;
        }
        // Many tables may need an unused name at once, so each starts its search elsewhere.
        let mut numbers = if desk.premises.are_names_unique() { no.0 } else { 1 }..;
        let mut bots = Vec::new();
        let strategies = live.policy().house_bots.iter().cycle();
        for (seat, strategy) in live.seats_for_bots().into_iter().zip(strategies) {
            let strategy = Name::from(strategy.as_str());
            let name =
                numbers.find_map(|number| self.name_bot(desk, no, (&strategy, number), &bots));
            bots.extend(name.map(|name| BotSeat { seat, name, strategy }));
        }
        self.seat_bots(desk, no, bots);
        self.run(desk, no, TableInput::Gathered);
    }

    pub fn seat_bots(&mut self, desk: &mut Desk, no: TableNo, bots: Vec<BotSeat>) {
        if bots.is_empty() {
            return;
        }
        if desk.premises.are_names_unique() {
            let people = self.visitors.people_mut();
            bots.iter().for_each(|bot| people.enter_bot(bot.name.clone(), no));
        }
        self.take_followers_along(desk, no);
        self.run(desk, no, TableInput::BotsSat(bots));
    }

    /// A house bot's name: its strategy with this number, unless the name is taken.
    pub fn name_bot(
        &self,
        desk: &Desk,
        no: TableNo,
        (strategy, number): (&str, u64),
        others: &[BotSeat],
    ) -> Option<Name> {
        let name: Name = naming::bot_name(strategy, number).into();
        let live = self.tables.live(no);
        let names = live.policy().names;
        let same = |other: &Name| *other == name || names.clash(other, &name);
        let taken = live.table().seated().any(|(_, chair)| same(&chair.name))
            || others.iter().any(|other| same(&other.name))
            || desk.premises.taken_for(&name).is_some()
            || desk.premises.kept(&name).is_some()
            || self.visitors.people().is_known(&name);
        (!taken).then_some(name)
    }
}
