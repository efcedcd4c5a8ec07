//! Files as they are sent: without what only their authors need. Not a minifier: names stay, and so do
//! line ends, so that an error in a browser names the line of the file. `web/tests/browser/slim.test.js`
//! holds what a server sends against the files: both must mean the same.

/// A script without comments, indentation and spaces that part nothing.
pub fn script(source: &str) -> String {
    let mut slim =
        Script { rest: source, sent: String::with_capacity(source.len()), inside: vec![] };
    while let Some(next) = slim.rest.chars().next() {
        slim.step(next);
    }
    slim.sent
}

/// A style sheet or a picture without comments and indentation.
pub fn lines(source: &str) -> String {
    let mut sent = String::with_capacity(source.len());
    let mut in_comment = false;
    for line in source.lines().map(str::trim) {
        let begins = line.starts_with("/*") && (line.ends_with("*/") || !line.contains("*/"));
        if in_comment || begins {
            in_comment = !line.ends_with("*/");
        } else {
            sent.push_str(line);
        }
        sent.push('\n');
    }
    sent
}

struct Script<'a> {
    rest: &'a str,
    sent: String,
    /// How many braces are open in each `${` of the templates one is in.
    inside: Vec<u32>,
}

impl Script<'_> {
    fn step(&mut self, next: char) {
        match next {
            '\n' => self.copy(1),
            ' ' => self.space(),
            '"' | '\'' => self.text(next),
            '`' => self.template(),
            '/' if self.rest.starts_with("//") => self.skip(self.rest.find('\n')),
            '/' if self.rest.starts_with("/*") => self.comment(),
            '/' if self.may_begin_a_pattern() => self.pattern(),
            '{' => {
                self.inside.last_mut().into_iter().for_each(|open| *open += 1);
                self.copy(1);
            }
            '}' => self.brace(),
            other => self.copy(other.len_utf8()),
        }
    }

    fn copy(&mut self, bytes: usize) {
        let (copied, rest) = self.rest.split_at(bytes);
        self.sent.push_str(copied);
        self.rest = rest;
    }

    fn skip(&mut self, bytes: Option<usize>) {
        self.rest = &self.rest[bytes.unwrap_or(self.rest.len())..];
    }

    /// Spaces stay between two words, and between two signs that would become one.
    fn space(&mut self) {
        self.rest = self.rest.trim_start_matches(' ');
        let (before, after) = (self.sent.chars().next_back(), self.rest.chars().next());
        let (Some(before), Some(after)) = (before, after) else { return };
        let signs = before == after && matches!(before, '+' | '-');
        if signs || (is_word(before) && (is_word(after) || self.rest.starts_with("/*"))) {
            self.sent.push(' ');
        }
    }

    fn comment(&mut self) {
        let end = self.rest.find("*/").map_or(self.rest.len(), |at| at + 2);
        let lines = self.rest[..end].matches('\n').count();
        self.sent.extend(std::iter::repeat_n('\n', lines));
        self.rest = self.rest[end..].trim_start_matches(' ');
    }

    fn text(&mut self, quote: char) {
        self.copy(1 + self.until(&self.rest[1..], |c| c == quote));
    }

    /// Bytes up to and with the first sign that ends something, past those behind a backslash.
    fn until(&self, text: &str, mut ends: impl FnMut(char) -> bool) -> usize {
        let mut escaped = false;
        for (at, c) in text.char_indices() {
            if !escaped && ends(c) {
                return at + c.len_utf8();
            }
            escaped = !escaped && c == '\\';
        }
        text.len()
    }

    fn template(&mut self) {
        self.copy(1);
        self.in_template();
    }

    /// From within a template to its end, or to a `${` in it.
    fn in_template(&mut self) {
        let mut before = ' ';
        let end = self.until(self.rest, |c| {
            let ends = c == '`' || (before == '$' && c == '{');
            before = c;
            ends
        });
        if self.rest[..end].ends_with("${") {
            self.inside.push(0);
        }
        self.copy(end);
    }

    fn brace(&mut self) {
        self.copy(1);
        match self.inside.last_mut() {
            Some(0) => {
                self.inside.pop();
                self.in_template();
            }
            Some(open) => *open -= 1,
            None => {}
        }
    }

    /// After a value a slash divides; anywhere else it begins a pattern.
    fn may_begin_a_pattern(&self) -> bool {
        let before = self.sent.trim_end();
        let word = before.rsplit(|c| !is_word(c)).next().unwrap_or_default();
        let value =
            before.ends_with(|c| is_word(c) || matches!(c, ')' | ']' | '}' | '"' | '\'' | '`'));
        !value || matches!(word, "return" | "typeof" | "case" | "in" | "of")
    }

    fn pattern(&mut self) {
        let mut in_class = false;
        let end = self.until(&self.rest[1..], |c| {
            in_class = (in_class || c == '[') && c != ']';
            c == '/' && !in_class
        });
        self.copy(1 + end);
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '#') || !c.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_authors_need_is_left_out() {
        for (source, sent) in [
            ("// what\nlet a = 1;", "\nlet a=1;"),
            ("/**\n * @param {x} a\n */\nf( a );", "\n\n\nf(a);"),
            ("  g(/** @type {any} */ (b), c + +d); // why\n", "g((b),c+ +d);\n"),
            ("return /** @type {any} */ (b);", "return (b);"),
            ("const { a, b } = c;", "const{a,b}=c;"),
            ("async function f() {\n  await x;\n}", "async function f(){\nawait x;\n}"),
        ] {
            assert_eq!(script(source), sent, "{source}");
        }
    }

    #[test]
    fn texts_templates_and_patterns_stay_as_they_are() {
        for same in [
            r#""a  //  b""#,
            r#"'it\'s  // so'"#,
            "`a  ${b}  c`",
            r"/a  [/]  \/  b/",
            "`${f({a:`x  ${y}  // z`})}  w`",
            "x/2",
            "a[0]/b/c",
        ] {
            assert_eq!(script(same), same);
        }
        assert_eq!(script("a = b / c; // d / e"), "a=b/c;");
        assert_eq!(script("return /x  y/.test(z)"), "return/x  y/.test(z)");
        assert_eq!(script("`${a + { b: 1 }.b} // ${c}`"), "`${a+{b:1}.b} // ${c}`");
    }

    #[test]
    fn style_sheets_lose_comments_and_indentation() {
        assert_eq!(
            lines("/* a\n b */\n.c {\n  d: e; /* f */\n}\n"),
            "\n\n.c {\nd: e; /* f */\n}\n"
        );
    }
}
