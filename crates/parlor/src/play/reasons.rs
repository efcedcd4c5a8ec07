//! Why the server rejected what a bot sent: the cause, the sentence of the rules and what to do, as the
//! page /connect shows them.

use serde_json::{Value, json};

/// One rejected message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reason {
    /// What the bot sent.
    pub sent: String,
    /// What the server answered; empty if the protocol has no answer.
    pub answer: String,
    pub cause: String,
    /// The sentence of the game's page.
    pub rule: String,
    pub hint: String,
}

impl Reason {
    /// The reasons among the lines of a wire, the oldest first.
    pub fn among(lines: &[Value]) -> Vec<Reason> {
        let text = |line: &Value, key: &str| line[key].as_str().unwrap_or_default().to_owned();
        let numbered = |number: &Value| lines.iter().find(|line| line["number"] == *number);
        let mut reasons = Vec::new();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| line["kind"] == "refused") {
            let answer = at.checked_sub(1).map(|before| &lines[before]);
            let answer = answer.filter(|before| before["kind"] == "received");
            reasons.push(Reason {
                sent: numbered(&line["line"]).map(|sent| text(sent, "text")).unwrap_or_default(),
                answer: answer.map(|answer| text(answer, "text")).unwrap_or_default(),
                cause: text(line, "text"),
                rule: text(line, "clause"),
                hint: text(line, "hint"),
            });
        }
        reasons
    }

    /// What there is to say beyond the server's own answer, line by line.
    pub fn told(&self) -> Vec<String> {
        let mut parts = vec![("why", &self.cause), ("rule", &self.rule), ("do", &self.hint)];
        parts.retain(|(name, text)| *name == "why" || **text != self.cause);
        let parts = parts.into_iter().filter(|(_, text)| !text.is_empty() && **text != self.answer);
        parts.map(|(name, text)| format!("{name:<5}{text}")).collect()
    }

    /// The same in one line.
    pub fn in_short(&self) -> String {
        let about = if self.cause.is_empty() { &self.rule } else { &self.cause };
        let what = if self.answer.is_empty() { &self.sent } else { &self.answer };
        if about.is_empty() { what.clone() } else { format!("{what} ({about})") }
    }

    pub fn json(&self) -> Value {
        let Reason { sent, answer, cause, rule, hint } = self;
        json!({"sent": sent, "answer": answer, "cause": cause, "rule": rule, "hint": hint})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rejection_is_told_with_its_message_answer_cause_and_rule() {
        let lines = [
            json!({"number": 1, "kind": "sent", "text": "7|||cards=AS"}),
            json!({"number": 2, "kind": "received", "text": "103|||error=Invalid card play"}),
            json!({"number": 3, "kind": "refused", "line": 1, "text": "AS is not in the hand",
                "clause": "Play cards of your hand.", "hint": ""}),
            json!({"number": 4, "kind": "sent", "text": "x"}),
            json!({"number": 5, "kind": "refused", "line": 4, "text": "no such order"}),
        ];
        let reasons = Reason::among(&lines);
        assert_eq!(reasons.len(), 2);
        assert_eq!(reasons[0].sent, "7|||cards=AS");
        assert_eq!(reasons[0].answer, "103|||error=Invalid card play");
        assert_eq!(
            reasons[0].told(),
            ["why  AS is not in the hand", "rule Play cards of your hand."]
        );
        assert_eq!(reasons[0].in_short(), "103|||error=Invalid card play (AS is not in the hand)");
        assert_eq!(reasons[1].answer, "", "the protocol is silent");
        assert_eq!(reasons[1].in_short(), "x (no such order)");
    }
}
