//! What a name looks like: whether people can see it, and which other names they would confuse it
//! with.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::skeleton;

use crate::is_control;

/// Whether a letter leaves no ink: Unicode calls such letters default ignorable. Two names that differ
/// only by them look the same.
pub fn is_invisible(letter: char) -> bool {
    let mut bytes = [0; 4];
    skeleton(letter.encode_utf8(&mut bytes)).next().is_none()
}

/// Whether people can read a text as a name: something of it is seen, nothing in it is hidden, and
/// nothing does anything to the text around it.
pub fn is_legible(text: &str) -> bool {
    // The empty pattern of braille has ink in no font, and yet Unicode counts it among the symbols.
    let has_ink = |c: char| !c.is_whitespace() && !is_combining_mark(c) && c != '\u{2800}';
    text.chars().any(has_ink) && !text.contains(|c| is_control(c) || is_invisible(c))
}

/// The forms by which names are compared: people confuse two names if any of these are equal. Case,
/// width, look-alike letters of other scripts, and spaces make no difference. The first form is of
/// the name as written, the second of the lower-case name, because `I` looks like `l` and `i`
/// doesn't.
pub fn looks(name: &str) -> [String; 2] {
    let plain: String = name.nfkc().filter(|c| !c.is_whitespace()).collect();
    let look = |text: &str| skeleton(text).collect::<String>().to_lowercase();
    [look(&plain), look(&plain.to_lowercase())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(one: &str, other: &str) -> bool {
        let other = looks(other);
        looks(one).iter().any(|look| other.contains(look))
    }

    #[test]
    fn what_nobody_sees_is_no_part_of_a_name() {
        for hidden in [
            '\u{200b}',
            '\u{feff}',
            '\u{2060}',
            '\u{ad}',
            '\u{3164}',
            '\u{115f}',
            '\u{200d}',
            '\u{fe0f}',
            '\u{e0041}',
            '\u{e0100}',
        ] {
            assert!(is_invisible(hidden), "{hidden:?}");
            assert!(!is_legible(&format!("ann{hidden}")), "{hidden:?}");
        }
        for blank in ["", " ", "\u{3000}", "\u{2800}", "\u{a0} ", "\u{301}", "\u{200b}"] {
            assert!(!is_legible(blank), "{blank:?}");
        }
        for name in ["ann", "Ann's bot", "Zoë", "חנה", "عمر", "安", "🦊", "a b"] {
            assert!(is_legible(name), "{name}");
        }
        assert!(!is_legible("an\nn") && !is_legible("\u{202e}nna"));
    }

    #[test]
    fn names_that_people_take_for_each_other_look_alike() {
        for other in ["ANN", "аnn", "аոո", "ａｎｎ", "ann\u{200b}", "𝐚𝐧𝐧", " a nn ", "ａｎｎ"]
        {
            assert!(alike("ann", other), "{other:?}");
        }
        assert!(alike("bill", "BiII") && alike("bill", "bi1l") && alike("b0b", "bob"));
        for other in ["anna", "an", "ahn", "bob", "änn"] {
            assert!(!alike("ann", other), "{other:?}");
        }
        let numbered: Vec<String> = (0..200).map(|number| format!("bot{number}")).collect();
        for (place, one) in numbered.iter().enumerate() {
            assert!(numbered[..place].iter().all(|other| !alike(one, other)), "{one}");
        }
    }
}
