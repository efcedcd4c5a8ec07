//! Texts that are rendered once for any number of receivers.

use std::sync::{Arc, OnceLock};

/// The texts rendered from one value, one cell per kind of text. They aren't part of the value.
#[derive(Debug, Default)]
pub struct Rendering(OnceLock<Box<Made>>);

#[derive(Debug)]
struct Made {
    kind: &'static str,
    text: Arc<str>,
    others: Rendering,
}

impl Rendering {
    /// The text of this kind, made by the first who asks for it.
    pub fn get(&self, kind: &'static str, make: impl FnOnce() -> String) -> Arc<str> {
        let mut make = Some(make);
        let mut cell = self;
        loop {
            let made = cell.0.get_or_init(|| {
                let make = make.take().expect("only one cell is filled by a call");
                Box::new(Made { kind, text: make().into(), others: Rendering::default() })
            });
            if made.kind == kind {
                return made.text.clone();
            }
            cell = &made.others;
        }
    }
}

/// A copy may be changed, so its texts are rendered again.
impl Clone for Rendering {
    fn clone(&self) -> Rendering {
        Rendering::default()
    }
}

impl PartialEq for Rendering {
    fn eq(&self, _: &Rendering) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_text_is_rendered_once() {
        let rendering = Rendering::default();
        let mut made = 0;
        for _ in 0..3 {
            for kind in ["a", "b", "c", "d", "e"] {
                let text = rendering.get(kind, || {
                    made += 1;
                    kind.to_owned()
                });
                assert_eq!(&*text, kind);
            }
        }
        assert_eq!(made, 5);
    }
}
