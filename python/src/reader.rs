//! The numbers of views that came from a server.

use std::sync::{Mutex, MutexGuard, PoisonError};

use gym::AnyReader;
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::wrong;

#[pyclass(frozen)]
pub struct RawReader {
    reader: Mutex<Box<dyn AnyReader>>,
}

impl RawReader {
    fn reader(&self) -> MutexGuard<'_, Box<dyn AnyReader>> {
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl RawReader {
    #[new]
    fn new(game: &str, config: &str, seats: usize) -> PyResult<RawReader> {
        let reader = gym::reader(game, config, seats).map_err(wrong)?;
        Ok(RawReader { reader: Mutex::new(reader) })
    }

    fn see(&self, view: &str) -> PyResult<()> {
        self.reader().see(view).map_err(wrong)
    }

    fn parts(&self) -> PyResult<usize> {
        self.reader().parts().map_err(wrong)
    }

    fn observation<'py>(
        &self,
        py: Python<'py>,
        draft: Vec<usize>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let reader = self.reader();
        let mut out = vec![0.0; reader.spec().observation];
        reader.observe(&draft, &mut out).map_err(wrong)?;
        Ok(PyArray1::from_vec(py, out))
    }

    fn mask<'py>(&self, py: Python<'py>, draft: Vec<usize>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let reader = self.reader();
        let mut mask = vec![0; reader.spec().actions];
        reader.mask(&draft, &mut mask).map_err(wrong)?;
        Ok(PyArray1::from_iter(py, mask.into_iter().map(|legal| legal as i8)))
    }

    fn action(&self, codes: Vec<usize>) -> PyResult<String> {
        self.reader().action(&codes).map_err(wrong)
    }

    fn codes(&self, action: &str) -> PyResult<Vec<usize>> {
        self.reader().codes(action).map_err(wrong)
    }
}
