//! Who sits at a table is told a gateway once, and not with every turn.

use std::collections::HashMap;
use std::sync::Arc;

use hall::{Company, Event, Name};

/// Companies that a gateway was told, by their tables: as its owner knows it, and as it knows it itself.
#[derive(Debug, Default)]
pub struct Companies(HashMap<Name, Arc<Company>>);

impl Companies {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Who sits at a table.
    pub fn get(&self, table: &Name) -> Option<&Arc<Company>> {
        self.0.get(table)
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether it is news.
    pub fn learn(&mut self, company: &Arc<Company>) -> bool {
        let known = self.0.get(&company.table);
        if known.is_some_and(|known| Arc::ptr_eq(known, company) || known == company) {
            return false;
        }
        self.0.insert(company.table.clone(), company.clone());
        true
    }

    /// An event that has come without the company, with it. None: nobody knows it any more.
    pub fn complete(&self, mut event: Event) -> Option<Event> {
        if let Event::Update(update) = &mut event
            && update.company.seats.is_empty()
        {
            let update = Arc::get_mut(update)?;
            update.company = self.0.get(&update.company.table)?.clone();
        }
        Some(event)
    }
}
