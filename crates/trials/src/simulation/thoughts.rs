//! House bots that think elsewhere: some answer late, some when the turn or the table is over, some
//! never, and some are refused because the queue is full.

use hall::{Input, Output, TableNo, Thinking};

use super::Simulation;

/// Questions to house bots that are still open.
#[derive(Default)]
pub struct Thoughts(Vec<(TableNo, Box<Thinking>)>);

impl Thoughts {
    /// Takes the questions from among a hall's outputs.
    pub fn take_from(&mut self, outputs: &mut Vec<Output>) {
        let is_question = |output: &mut Output| matches!(output, Output::Think(..));
        let questions = outputs.extract_if(.., is_question);
        self.0.extend(questions.filter_map(|output| match output {
            Output::Think(table, thinking) => Some((table, thinking)),
            _ => None,
        }));
    }
}

impl Simulation {
    /// Some of those who were asked answer, in whatever order.
    pub(super) fn answer_thoughts(&mut self) {
        let Some(Thoughts(asked)) = &mut self.thoughts else { return };
        if asked.is_empty() {
            return;
        }
        let (table, thinking) = asked.swap_remove(self.dice.below(asked.len()));
        let thought = match self.dice.below(8) {
            // This one never answers.
            0 => return,
            1 => thinking.decline(),
            _ => thinking.think(),
        };
        self.input(Input::Thought(table, Box::new(thought)));
    }

    /// Everything is over, and now the last ones answer.
    pub(super) fn answer_too_late(&mut self) {
        let Some(Thoughts(asked)) = self.thoughts.take() else { return };
        for (table, thinking) in asked {
            let mut outputs = Vec::new();
            let thought = Input::Thought(table, Box::new(thinking.think()));
            self.hall.handle(self.now, thought, &mut outputs);
            assert!(outputs.is_empty(), "after the end a bot of {table:?} has led to {outputs:?}");
        }
    }
}
