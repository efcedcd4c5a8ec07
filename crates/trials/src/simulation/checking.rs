//! What must hold for every answer and every event.

use hall::{Answer, Command, ConnId, Event, Output, Recall, Recorded, TableRecord};
use rules::Viewer;

use super::Simulation;

impl Simulation {
    /// A client receives exactly what the rules let it see.
    pub(super) fn check_view(&self, conn: ConnId, event: &Event) {
        let (Event::Update(update), Some(client)) = (event, self.clients.get(&conn)) else {
            return;
        };
        let viewer = client.seat.map_or(Viewer::Public, Viewer::Seat);
        let id = &update.company.table;
        let mut tables = self.hall.tables();
        let (no, table) =
            tables.find(|(_, table)| table.opened().id == *id).expect("an update has a table");
        if self.hall.inspection().is_held(no) {
            // The game is ahead of what may be sent.
            assert!(update.seq < table.seq(), "{viewer:?} was shown a turn before its time");
            return;
        }
        let game = table.game().expect("an update has a game");
        assert_eq!(update.view, game.view(viewer), "{viewer:?} was shown another view");
    }

    /// Earlier turns sent later are in the records, and all of them were public before.
    pub(super) fn check_recalled(&self, recall: &Recall) {
        let records = self.journal.records[&recall.table].clone();
        let (answer, told) = recall.answer(Some(&Recorded::written_at(self.now, records)));
        let (Answer::Accepted, Some(Event::History(page))) = (&answer, told) else {
            panic!("{recall:?} is answered with {answer:?}");
        };
        let table = self.hall.table(recall.table).expect("it is not over");
        let shown = table.seq() - u64::from(self.hall.inspection().is_held(recall.table));
        let seqs: Vec<u64> = page.updates.iter().map(|update| update.seq).collect();
        assert!(seqs.is_sorted(), "{seqs:?}");
        let mut wrong = seqs.iter().filter(|seq| !(recall.from..=shown).contains(seq));
        assert_eq!(wrong.next(), None, "{recall:?} tells {seqs:?}, and turn {shown} is shown");
    }

    /// An accepted move is recorded in the batch that accepts it; or it was before, and is only said
    /// again.
    pub(super) fn check_recorded(&self, conn: ConnId, command: &Command, outputs: &[Output]) {
        let Command::Act { seq, action } = command else { return };
        let accepted = |output: &Output| output.answer() == Some((conn, Answer::Accepted));
        if !outputs.iter().any(accepted) {
            return;
        }
        let is_it = |record: &TableRecord| matches!(record, TableRecord::Moved { seq: s, action: a, .. } if s == seq && a == action);
        let recorded = outputs.iter().any(|output| match output {
            Output::TableRecord(entry) => is_it(&entry.record),
            _ => false,
        });
        let said_again = || self.journal.records.values().flatten().any(is_it);
        assert!(recorded || said_again(), "{action:?} was accepted but not recorded");
    }
}

pub(super) fn check_answer(conn: ConnId, command: &Command, outputs: &[Output]) {
    let to_asker = |output: &&Output| match output {
        Output::Recall(recall) => recall.conn == conn,
        output => {
            output.answer().is_some_and(|(to, _)| to == conn)
                || output.events().iter().any(|(to, _)| *to == conn)
        }
    };
    let heard: Vec<_> = outputs.iter().filter(to_asker).collect();
    // Every promised answer arrived.
    let is_answer =
        |output: &&Output| output.answer().is_some() || matches!(output, Output::Recall(_));
    let answers = heard.iter().copied().filter(is_answer).count();
    assert_eq!(answers, 1, "{command:?} has {answers} answers");
    assert!(is_answer(&heard[0]), "{command:?} has consequences before its answer");
    let total = outputs.iter().filter(is_answer).count();
    assert_eq!(total, 1, "somebody who asked nothing was answered");
}
