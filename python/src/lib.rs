//! The extension module: states and batches with numpy's memory, and nothing decided here.

mod batch;
mod reader;
mod state;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What the numbers of a game mean, as JSON.
#[pyfunction]
fn spec(game: &str, config: &str, seats: usize) -> PyResult<String> {
    let spec = gym::spec(game, config, seats).map_err(wrong)?;
    serde_json::to_string(&spec).map_err(|why| PyValueError::new_err(why.to_string()))
}

/// The review of a replay file's text, as JSON; other threads continue meanwhile.
#[pyfunction]
#[pyo3(signature = (text, seat, deals))]
fn review(py: Python<'_>, text: &str, seat: Option<u8>, deals: Option<u32>) -> PyResult<String> {
    let seat = seat.map(rules::Seat);
    let review = py.detach(|| gym::review(text, seat, deals)).map_err(wrong)?;
    serde_json::to_string(&review).map_err(|why| PyValueError::new_err(why.to_string()))
}

fn wrong(why: gym::Error) -> PyErr {
    PyValueError::new_err(why.to_string())
}

#[pymodule(gil_used = false)]
fn _parlor(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("WAIT", gym::WAIT)?;
    module.add("GAMES", gym::NAMES)?;
    module.add_function(wrap_pyfunction!(spec, module)?)?;
    module.add_function(wrap_pyfunction!(review, module)?)?;
    module.add_class::<reader::RawReader>()?;
    module.add_class::<state::RawState>()?;
    module.add_class::<batch::RawBatch>()
}
