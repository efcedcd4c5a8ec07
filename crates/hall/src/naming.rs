//! Names the hall makes up: tokens, ids of tables, and names of house bots.

use rules::Dice;

const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const SMALL_LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";

/// 32 random letters and digits.
pub fn token(dice: &mut Dice) -> String {
    (0..32).map(|_| char::from(*dice.pick(LETTERS))).collect()
}

/// An id people can say aloud, such as `spicy-salmon`.
pub fn title(dice: &mut Dice) -> String {
    const TASTES: [&str; 12] = [
        "tasty", "spicy", "sweet", "salty", "crispy", "smoky", "tangy", "fresh", "golden", "happy",
        "lucky", "zesty",
    ];
    const DISHES: [&str; 12] = [
        "tuna", "salmon", "nori", "maki", "prawn", "ginger", "sesame", "mochi", "ramen", "tofu",
        "unagi", "miso",
    ];
    format!("{}-{}", dice.pick(&TASTES), dice.pick(&DISHES))
}

/// What a house bot is called: its strategy with a number, such as `greedy2`. Letters and digits are
/// in a name by every protocol.
pub fn bot_name(strategy: &str, number: u64) -> String {
    format!("{strategy}{number}")
}

/// One of very many such ids, such as `tasty-tuna-1491j57j`.
pub fn words(dice: &mut Dice) -> String {
    let tail: String = (0..8).map(|_| char::from(*dice.pick(SMALL_LETTERS))).collect();
    format!("{}-{tail}", title(dice))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Seed;

    #[test]
    fn tokens_are_long_and_alphanumeric() {
        let mut dice = Dice::new(&Seed::from_number(1), "tokens", 0);
        let (one, two) = (token(&mut dice), token(&mut dice));
        assert_ne!(one, two);
        assert!(one.len() == 32 && one.bytes().all(|b| b.is_ascii_alphanumeric()));
    }
}
