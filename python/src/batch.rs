//! Many games, in memory that numpy owns.

use std::sync::{Mutex, MutexGuard, PoisonError};

use gym::{AnyBatch, Rows};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::wrong;

#[pyclass(frozen, subclass)]
pub struct RawBatch {
    batch: Mutex<Box<dyn AnyBatch>>,
    obs: Py<PyArray2<f32>>,
    mask: Py<PyArray2<u8>>,
    to_play: Py<PyArray1<i32>>,
    rewards: Py<PyArray2<f32>>,
    done: Py<PyArray1<u8>>,
}

impl RawBatch {
    fn batch(&self) -> MutexGuard<'_, Box<dyn AnyBatch>> {
        self.batch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn around(py: Python<'_>, batch: Box<dyn AnyBatch>) -> PyResult<RawBatch> {
        let (spec, games) = (batch.spec(), batch.games());
        let seats = spec.seats;
        let raw = RawBatch {
            obs: PyArray2::zeros(py, [games, spec.observation], false).unbind(),
            mask: PyArray2::zeros(py, [games, spec.actions], false).unbind(),
            to_play: PyArray1::zeros(py, games, false).unbind(),
            rewards: PyArray2::zeros(py, [games, seats], false).unbind(),
            done: PyArray1::zeros(py, games, false).unbind(),
            batch: Mutex::new(batch),
        };
        raw.with_rows(py, |batch, rows| batch.tell(rows))?;
        Ok(raw)
    }

    /// Borrows the arrays, lets go of the interpreter and works.
    fn with_rows(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyBatch, &mut Rows<'_>) -> Result<(), gym::Error> + Send,
    ) -> PyResult<()> {
        let in_use = |_| PyValueError::new_err("the arrays of this batch are being written to");
        let odd = |_| PyValueError::new_err("the arrays of a batch are in one piece");
        let mut obs = self.obs.bind(py).try_readwrite().map_err(in_use)?;
        let mut mask = self.mask.bind(py).try_readwrite().map_err(in_use)?;
        let mut to_play = self.to_play.bind(py).try_readwrite().map_err(in_use)?;
        let mut rewards = self.rewards.bind(py).try_readwrite().map_err(in_use)?;
        let mut done = self.done.bind(py).try_readwrite().map_err(in_use)?;
        let mut rows = Rows {
            obs: obs.as_slice_mut().map_err(odd)?,
            mask: mask.as_slice_mut().map_err(odd)?,
            to_play: to_play.as_slice_mut().map_err(odd)?,
            rewards: rewards.as_slice_mut().map_err(odd)?,
            done: done.as_slice_mut().map_err(odd)?,
        };
        py.detach(|| work(&mut **self.batch(), &mut rows)).map_err(wrong)
    }
}

#[pymethods]
impl RawBatch {
    #[new]
    fn new(
        py: Python<'_>,
        game: &str,
        config: &str,
        seats: usize,
        games: usize,
        seed: u64,
    ) -> PyResult<RawBatch> {
        RawBatch::around(py, gym::batch(game, config, seats, games, seed).map_err(wrong)?)
    }

    #[staticmethod]
    fn load(py: Python<'_>, game: &str, text: &str) -> PyResult<RawBatch> {
        RawBatch::around(py, gym::load_batch(game, text).map_err(wrong)?)
    }

    #[getter]
    fn obs(&self, py: Python<'_>) -> Py<PyArray2<f32>> {
        self.obs.clone_ref(py)
    }

    #[getter]
    fn mask(&self, py: Python<'_>) -> Py<PyArray2<u8>> {
        self.mask.clone_ref(py)
    }

    #[getter]
    fn to_play(&self, py: Python<'_>) -> Py<PyArray1<i32>> {
        self.to_play.clone_ref(py)
    }

    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyArray2<f32>> {
        self.rewards.clone_ref(py)
    }

    #[getter]
    fn done(&self, py: Python<'_>) -> Py<PyArray1<u8>> {
        self.done.clone_ref(py)
    }

    fn step(&self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let odd = |_| PyValueError::new_err("the actions are not in one piece");
        let codes = actions.as_slice().map_err(odd)?;
        self.with_rows(py, |batch, rows| batch.step(codes, rows))
    }

    /// Plays every game to its end by chance; the rewards are those of that end, and all else is of
    /// the games that begin then.
    fn playout(&self, py: Python<'_>) -> PyResult<u64> {
        let mut actions = 0;
        self.with_rows(py, |batch, rows| {
            let mut rewards = vec![0.0; rows.rewards.len()];
            actions = batch.playout(&mut rewards)?;
            batch.tell(rows)?;
            rows.rewards.copy_from_slice(&rewards);
            rows.done.fill(1);
            Ok(())
        })?;
        Ok(actions)
    }

    fn serialize(&self) -> PyResult<String> {
        self.batch().save().map_err(wrong)
    }

    /// A random legal code for each game.
    fn sample(&self, py: Python<'_>, seed: u64) -> PyResult<Py<PyArray1<i64>>> {
        let mut codes = Vec::new();
        self.with_rows(py, |batch, rows| {
            codes = batch.sample(rows.mask, seed);
            Ok(())
        })?;
        Ok(PyArray1::from_vec(py, codes).unbind())
    }
}
