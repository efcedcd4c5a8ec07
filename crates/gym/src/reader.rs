//! The numbers of views that came from elsewhere: over a wire, or out of an archive.

use rules::Seat;

use crate::{Encode, Error, Spec};

/// One seat's eyes: it is shown every view the seat gets, and says what the last one is in numbers.
#[derive(Clone, Debug)]
pub struct Reader<G: Encode> {
    spec: Spec,
    memory: G::Memory,
    view: Option<G::View>,
}

impl<G: Encode> Reader<G> {
    pub fn new(config: G::Config, seats: usize) -> Reader<G> {
        let spec = G::spec(&G::seated(config, seats), seats);
        Reader { spec, memory: G::Memory::default(), view: None }
    }

    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The next view, as JSON.
    pub fn see(&mut self, view: &str) -> Result<(), Error> {
        let view = serde_json::from_str(view).map_err(|why| Error::Unreadable(why.to_string()))?;
        G::remember(&mut self.memory, &view);
        self.view = Some(view);
        Ok(())
    }

    /// Number of codes that make up the action to choose now.
    pub fn parts(&self) -> Result<usize, Error> {
        self.view().map(G::parts)
    }

    pub fn observe(&self, draft: &[usize], out: &mut [f32]) -> Result<(), Error> {
        out.fill(0.0);
        G::observe(self.view()?, &self.memory, draft, out);
        Ok(())
    }

    /// The legal choices of a viewer whose move is expected.
    pub fn mask(&self, draft: &[usize], out: &mut [u8]) -> Result<(), Error> {
        out.fill(0);
        G::mask(self.view()?, draft, out);
        Ok(())
    }

    /// The action of these codes, as JSON.
    pub fn action(&self, codes: &[usize]) -> Result<String, Error> {
        let action = G::decode(self.view()?, codes).ok_or_else(|| Error::Illegal {
            code: codes.last().map_or(-1, |&code| code as i64),
            name: format!("{codes:?}"),
            seat: Seat(0),
            game: None,
        })?;
        serde_json::to_string(&action).map_err(|why| Error::Unreadable(why.to_string()))
    }

    /// The codes of an action, which is JSON, in the position of the last view.
    pub fn codes(&self, action: &str) -> Result<Vec<usize>, Error> {
        let view = self.view()?;
        let read = serde_json::from_str(action);
        let action = read.map_err(|why| Error::NotAnAction(why.to_string()))?;
        G::encode(view, &action).ok_or_else(|| Error::NotAnAction("it has no code".to_owned()))
    }

    fn view(&self) -> Result<&G::View, Error> {
        self.view.as_ref().ok_or(Error::NothingSeen)
    }
}
