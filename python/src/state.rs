//! One game.

use std::sync::{Mutex, MutexGuard, PoisonError};

use gym::AnyState;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyList};
use rules::{Outcome, Seat, Seed, Viewer};

use crate::wrong;

#[pyclass(frozen, subclass)]
pub struct RawState {
    game: &'static str,
    seats: usize,
    actions: usize,
    observation: usize,
    state: Mutex<Box<dyn AnyState>>,
}

/// A small number, or the seed a server has shown when a game was over.
#[derive(FromPyObject)]
enum SeedGiven {
    Number(u64),
    Text(String),
}

impl SeedGiven {
    fn read(self) -> PyResult<Seed> {
        match self {
            SeedGiven::Number(number) => Ok(Seed::from_number(number)),
            SeedGiven::Text(text) => serde_json::from_value(text.into())
                .map_err(|why| PyValueError::new_err(format!("seed: {why}"))),
        }
    }
}

impl RawState {
    fn around(state: Box<dyn AnyState>) -> RawState {
        let spec = state.spec();
        let (game, seats) = (spec.game, spec.seats);
        let (actions, observation) = (spec.actions, spec.observation);
        RawState { game, seats, actions, observation, state: Mutex::new(state) }
    }

    /// A game in which a strategy panicked is as it was before that move.
    fn state(&self) -> MutexGuard<'_, Box<dyn AnyState>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn seat(&self, seat: usize) -> PyResult<Seat> {
        if seat < self.seats {
            return Ok(Seat(seat as u8));
        }
        let last = self.seats - 1;
        Err(PyIndexError::new_err(format!("seat {seat}: this game has seats 0 to {last}")))
    }

    fn viewer(&self, seat: Option<usize>) -> PyResult<Viewer> {
        seat.map_or(Ok(Viewer::Public), |seat| self.seat(seat).map(Viewer::Seat))
    }

    fn with_outcome<T>(&self, number: impl Fn(&Outcome) -> Vec<T>) -> Option<Vec<T>> {
        self.state().outcome().map(number)
    }
}

/// Python's numbers for the codes most games have: making one takes longer than sharing it.
static NUMBERS: PyOnceLock<Vec<Py<PyInt>>> = PyOnceLock::new();
const SHARED: usize = 4096;

fn list_of<'py>(py: Python<'py>, codes: &[usize]) -> PyResult<Bound<'py, PyList>> {
    let number = |code: usize| -> Bound<'py, PyInt> {
        let Ok(number) = code.into_pyobject(py);
        number
    };
    let shared =
        NUMBERS.get_or_init(py, || (0..SHARED).map(|code| number(code).unbind()).collect());
    let one = |&code: &usize| match shared.get(code) {
        Some(shared) => shared.bind(py).clone(),
        None => number(code),
    };
    PyList::new(py, codes.iter().map(one))
}

#[pymethods]
impl RawState {
    #[new]
    fn new(game: &str, config: &str, seats: usize, seed: SeedGiven) -> PyResult<RawState> {
        gym::state(game, config, seats, seed.read()?).map(RawState::around).map_err(wrong)
    }

    #[staticmethod]
    fn load(game: &str, text: &str) -> PyResult<RawState> {
        gym::load(game, text).map(RawState::around).map_err(wrong)
    }

    /// A game of a replay file's text, as it was before a turn.
    #[staticmethod]
    fn from_replay(text: &str, turn: u64) -> PyResult<RawState> {
        gym::from_replay(text, turn).map(RawState::around).map_err(wrong)
    }

    #[getter]
    fn game(&self) -> &'static str {
        self.game
    }

    #[getter]
    fn seats(&self) -> usize {
        self.seats
    }

    /// The seat to play, or None.
    fn to_play(&self) -> Option<u8> {
        self.state().to_play().map(|seat| seat.0)
    }

    fn waiting(&self) -> Vec<u32> {
        self.state().waiting().iter().map(|seat| seat.0.into()).collect()
    }

    fn is_terminal(&self) -> bool {
        self.state().outcome().is_some()
    }

    /// The codes of the seat to play, or of another that still has to choose.
    #[pyo3(signature = (seat=None))]
    fn legal_actions<'py>(
        &self,
        py: Python<'py>,
        seat: Option<usize>,
    ) -> PyResult<Bound<'py, PyList>> {
        let state = self.state();
        let seat = seat.map(|seat| self.seat(seat)).transpose()?.or_else(|| state.to_play());
        let codes = seat.map_or(Vec::new(), |seat| state.legal_codes(seat));
        list_of(py, &codes)
    }

    fn mask<'py>(&self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let seat = self.seat(seat)?;
        let mut mask = vec![0; self.actions];
        self.state().mask(seat, &mut mask);
        // Gymnasium's Discrete.sample wants masks of int8.
        Ok(PyArray1::from_iter(py, mask.into_iter().map(|legal| legal as i8)))
    }

    fn observation<'py>(
        &self,
        py: Python<'py>,
        seat: usize,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let seat = self.seat(seat)?;
        let out = PyArray1::<f32>::zeros(py, self.observation, false);
        let mut writing = out.readwrite();
        let row = writing.as_slice_mut().map_err(|why| PyRuntimeError::new_err(why.to_string()))?;
        self.state().observe(seat, row);
        drop(writing);
        Ok(out)
    }

    fn apply(&self, code: usize) -> PyResult<()> {
        self.state().apply(code).map_err(wrong)
    }

    /// An action as JSON, as the server takes it.
    fn act(&self, action: &str) -> PyResult<()> {
        self.state().act(action).map_err(wrong)
    }

    fn action(&self, codes: Vec<usize>) -> PyResult<String> {
        self.state().action(&codes).map_err(wrong)
    }

    fn codes(&self, action: &str) -> PyResult<Vec<usize>> {
        self.state().codes(action).map_err(wrong)
    }

    fn view(&self, seat: Option<usize>) -> PyResult<String> {
        let viewer = self.viewer(seat)?;
        self.state().view(viewer).map_err(wrong)
    }

    fn views(&self, seat: Option<usize>) -> PyResult<Vec<String>> {
        let viewer = self.viewer(seat)?;
        self.state().views(viewer).map_err(wrong)
    }

    fn legal(&self) -> PyResult<Option<String>> {
        self.state().legal().map_err(wrong)
    }

    /// Candidate actions as JSON, each with its value and error; other threads continue meanwhile.
    #[pyo3(signature = (deals, seed))]
    fn values(
        &self,
        py: Python<'_>,
        deals: Option<u32>,
        seed: u64,
    ) -> PyResult<Vec<(String, f64, f64)>> {
        let values = py.detach(|| self.state().values(deals, seed)).map_err(wrong)?;
        Ok(values.into_iter().map(|one| (one.action, one.value, one.error)).collect())
    }

    fn returns(&self) -> Vec<f32> {
        self.state().returns()
    }

    fn places(&self) -> Option<Vec<u32>> {
        self.with_outcome(|outcome| outcome.standings.iter().map(|own| own.place).collect())
    }

    fn points(&self) -> Option<Vec<i64>> {
        self.with_outcome(|outcome| outcome.standings.iter().map(|own| own.points).collect())
    }

    fn serialize(&self) -> PyResult<String> {
        self.state().save().map_err(wrong)
    }

    fn copy(&self) -> RawState {
        RawState::around(self.state().copy())
    }

    fn resample(&self, seat: usize, seed: u64) -> PyResult<()> {
        let seat = self.seat(seat)?;
        self.state().resample(seat, seed).map_err(wrong)
    }

    fn strategies(&self) -> Vec<&'static str> {
        self.state().strategies()
    }

    fn seat_bot(&self, seat: usize, strategy: &str) -> PyResult<()> {
        let seat = self.seat(seat)?;
        self.state().seat_bot(seat, strategy).map_err(wrong)
    }

    /// The strategy at the seat to play makes its move; other threads continue meanwhile.
    fn let_bot_move(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.state().let_bot_move()).map_err(wrong)
    }
}
