//! What a game's numbers mean: every code and every plane has a name.

use serde::Serialize;

/// The shape of one table's actions and observations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spec {
    pub game: &'static str,
    pub seats: usize,
    /// Raised whenever a code or a plane changes its meaning.
    pub version: u32,
    /// Several seats may be to move at once.
    pub simultaneous: bool,
    /// How many codes there are.
    pub actions: usize,
    /// The codes are these runs, one after the other.
    pub codes: Vec<Codes>,
    /// How many numbers an observation has.
    pub observation: usize,
    /// The observation is these planes, one after the other.
    pub planes: Vec<Plane>,
}

/// Codes that belong together: as many as the product of their axes, the last axis running fastest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Codes {
    pub name: &'static str,
    pub first: usize,
    /// The names along each axis; no axis at all is a single code.
    pub axes: Vec<Vec<String>>,
}

/// Numbers of an observation that belong together, the last axis running fastest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plane {
    pub name: &'static str,
    /// What a number here means.
    pub about: &'static str,
    pub first: usize,
    pub shape: Vec<usize>,
}

impl Spec {
    pub(crate) fn new(game: &'static str, seats: usize) -> Spec {
        Spec {
            game,
            seats,
            version: 0,
            simultaneous: false,
            actions: 0,
            codes: Vec::new(),
            observation: 0,
            planes: Vec::new(),
        }
    }

    pub(crate) fn simultaneous(mut self) -> Spec {
        self.simultaneous = true;
        self
    }

    /// Appends codes.
    pub(crate) fn codes(mut self, name: &'static str, axes: Vec<Vec<String>>) -> Spec {
        let codes = Codes { name, first: self.actions, axes };
        self.actions += codes.count();
        self.codes.push(codes);
        self
    }

    /// Appends a plane.
    pub(crate) fn plane(
        mut self,
        name: &'static str,
        shape: &[usize],
        about: &'static str,
    ) -> Spec {
        let plane = Plane { name, about, first: self.observation, shape: shape.to_vec() };
        self.observation += plane.size();
        self.planes.push(plane);
        self
    }

    /// The environment's name: the game's and the version of its numbers.
    pub fn id(&self) -> String {
        format!("{}-v{}", self.game, self.version)
    }

    /// The meaning of a code, such as `play Tempura`.
    pub fn action_name(&self, code: usize) -> Option<String> {
        self.codes.iter().find_map(|codes| codes.name_of(code.checked_sub(codes.first)?))
    }

    /// The meaning of a number in the observation, such as `hand[3]`.
    pub fn number_name(&self, index: usize) -> Option<String> {
        self.planes.iter().find_map(|plane| plane.name_of(index.checked_sub(plane.first)?))
    }
}

impl Codes {
    pub fn count(&self) -> usize {
        self.axes.iter().map(Vec::len).product()
    }

    fn name_of(&self, within: usize) -> Option<String> {
        let mut rest = (within < self.count()).then_some(within)?;
        let mut words = Vec::new();
        for axis in self.axes.iter().rev() {
            words.push(axis[rest % axis.len()].as_str());
            rest /= axis.len();
        }
        words.push(self.name);
        words.reverse();
        Some(words.join(" "))
    }
}

impl Plane {
    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }

    fn name_of(&self, within: usize) -> Option<String> {
        let mut rest = (within < self.size()).then_some(within)?;
        let mut places = Vec::new();
        for axis in self.shape.iter().rev() {
            places.push(format!("[{}]", rest % axis));
            rest /= axis;
        }
        places.push(self.name.to_owned());
        places.reverse();
        Some(places.concat())
    }
}

/// The codes that a mask allows.
pub fn legal_codes(mask: &[u8], codes: &mut Vec<usize>) {
    codes.clear();
    codes.reserve(mask.iter().map(|&legal| usize::from(legal)).sum());
    let (eights, rest) = mask.as_chunks::<8>();
    for (first, eight) in (0..).step_by(8).zip(eights) {
        // Most masks are nearly empty: eight codes are passed over at once.
        let mut legal = u64::from_le_bytes(*eight);
        while legal != 0 {
            codes.push(first + legal.trailing_zeros() as usize / 8);
            legal &= legal - 1;
        }
    }
    let first = 8 * eights.len();
    codes.extend((0..rest.len()).filter(|&code| rest[code] == 1).map(|code| first + code));
}

/// The names along an axis.
pub(crate) fn axis<T: ToString>(names: impl IntoIterator<Item = T>) -> Vec<String> {
    names.into_iter().map(|name| name.to_string()).collect()
}
