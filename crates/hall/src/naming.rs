//! Names the hall makes up: tokens, ids of tables, and names of house bots.

use std::borrow::Cow;

use rules::Dice;

const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const SMALL_LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";

const TOKEN_LETTERS: usize = 32;

/// 32 random letters and digits.
pub fn token(dice: &mut Dice) -> String {
    (0..TOKEN_LETTERS).map(|_| char::from(*dice.pick(LETTERS))).collect()
}

/// A text with everything removed that looks like a token, for callers that don't know the tokens.
pub fn hide_tokens(text: &str) -> Cow<'_, str> {
    let is_token = |word: &str| word.len() == TOKEN_LETTERS;
    let words = || text.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric());
    let bare = |word: &str| word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()).len();
    if !words().any(|word| is_token(&word[..bare(word)])) {
        return text.into();
    }
    let hidden = words().map(|word| match word.split_at(bare(word)) {
        (token, rest) if is_token(token) => format!("(token){rest}"),
        _ => word.to_owned(),
    });
    hidden.collect::<String>().into()
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

/// A house bot's name: its strategy with a number, such as `greedy2`. Every protocol allows letters
/// and digits in a name.
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
    fn a_token_is_not_shown_whatever_stands_around_it() {
        let token = token(&mut Dice::new(&Seed::from_number(1), "token", 0));
        assert_eq!(hide_tokens(&format!("WELCOME t 0 {token}")), "WELCOME t 0 (token)");
        assert_eq!(hide_tokens(&format!("{{\"token\":\"{token}\"}}")), "{\"token\":\"(token)\"}");
        let others = format!("JOIN t {}é {token}x", "a".repeat(31));
        assert_eq!(hide_tokens(&others), others);
    }

    #[test]
    fn tokens_are_long_and_alphanumeric() {
        let mut dice = Dice::new(&Seed::from_number(1), "tokens", 0);
        let (one, two) = (token(&mut dice), token(&mut dice));
        assert_ne!(one, two);
        assert!(one.len() == 32 && one.bytes().all(|b| b.is_ascii_alphanumeric()));
    }
}
