//! A page as plain text for a terminal: headings underlined, paragraphs filled, tables in columns.

use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};

use crate::markdown::events;

/// Markdown as text of this width.
pub fn text(markdown: &str, width: usize) -> String {
    let mut writer = Writer { width: width.max(40), ..Writer::default() };
    for event in events(markdown) {
        writer.event(event);
    }
    let mut text = writer.text.trim_end().to_owned();
    text.push('\n');
    text
}

#[derive(Default)]
struct Writer {
    width: usize,
    text: String,
    /// What is being gathered: a paragraph, a heading, an item or a cell.
    words: String,
    /// The lists that are open, each with the number of its next item.
    lists: Vec<Option<u64>>,
    /// The mark before the next line of an item.
    mark: String,
    in_code: bool,
    rows: Vec<Vec<String>>,
    /// Where links that are open lead.
    links: Vec<String>,
}

impl Writer {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(words) if self.in_code => self.code(&words),
            Event::Text(words) => self.words.push_str(&words),
            Event::Code(words) => self.words.push_str(&format!("`{words}`")),
            Event::SoftBreak => self.words.push(' '),
            Event::HardBreak => self.words.push('\n'),
            Event::Rule => self.block(&"-".repeat(self.width.min(72))),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::List(first) => {
                self.flush();
                self.lists.push(first);
            }
            Tag::Item => {
                self.mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "- ".to_owned(),
                };
            }
            Tag::CodeBlock(_) => {
                self.flush();
                self.in_code = true;
            }
            Tag::Link { dest_url, .. } => self.links.push(dest_url.into_string()),
            Tag::Image { .. } => self.words.push_str("[picture: "),
            Tag::TableHead | Tag::TableRow => self.rows.push(Vec::new()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(level) => {
                let heading = std::mem::take(&mut self.words);
                let line = if level == HeadingLevel::H1 { "=" } else { "-" };
                let under = line.repeat(heading.chars().count().min(self.width));
                let shown =
                    if level <= HeadingLevel::H2 { format!("{heading}\n{under}") } else { heading };
                self.block(&shown);
            }
            TagEnd::Paragraph => self.flush(),
            TagEnd::Item => {
                self.flush();
                self.mark.clear();
            }
            TagEnd::List(_) => {
                self.lists.pop();
                self.text.push('\n');
            }
            TagEnd::CodeBlock => {
                self.in_code = false;
                self.text.push('\n');
            }
            TagEnd::Link => {
                let target = self.links.pop().unwrap_or_default();
                if target.starts_with("http") && !self.words.ends_with(&target) {
                    self.words.push_str(&format!(" <{target}>"));
                }
            }
            TagEnd::Image => self.words.push(']'),
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.words);
                if let Some(row) = self.rows.last_mut() {
                    row.push(cell);
                }
            }
            TagEnd::Table => self.table(),
            _ => {}
        }
    }

    /// Writes what was gathered, filled to the width.
    fn flush(&mut self) {
        let words = std::mem::take(&mut self.words);
        if words.trim().is_empty() {
            return;
        }
        let depth = "  ".repeat(self.lists.len().saturating_sub(1));
        let first = format!("{depth}{}", self.mark);
        let hanging = " ".repeat(first.chars().count());
        for (at, line) in filled(&words, self.width - hanging.len().min(20)).iter().enumerate() {
            self.text.push_str(if at == 0 { &first } else { &hanging });
            self.text.push_str(line);
            self.text.push('\n');
        }
        self.mark = " ".repeat(self.mark.len());
        if self.lists.is_empty() {
            self.text.push('\n');
        }
    }

    fn block(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push_str("\n\n");
    }

    /// Code keeps its lines.
    fn code(&mut self, code: &str) {
        for line in code.lines() {
            self.text.push_str(format!("    {line}").trim_end());
            self.text.push('\n');
        }
    }

    /// Columns side by side, the last one filled to what is left of the width.
    fn table(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        let wide = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
        };
        let most = self.width * 2 / 5;
        let widths: Vec<usize> = (0..columns).map(|column| wide(column).min(most)).collect();
        for (at, row) in rows.iter().enumerate() {
            if row.iter().all(|cell| cell.trim().is_empty()) {
                continue;
            }
            self.row(row, &widths);
            if at == 0 {
                let line = "-".repeat((widths.iter().sum::<usize>() + 2 * columns).min(self.width));
                self.text.push_str(&format!("{line}\n"));
            }
        }
        self.text.push('\n');
    }

    fn row(&mut self, row: &[String], widths: &[usize]) {
        let before: usize = widths.iter().take(row.len().saturating_sub(1)).map(|w| w + 2).sum();
        let last = self.width.saturating_sub(before).max(20);
        let cells: Vec<Vec<String>> = (row.iter().enumerate())
            .map(|(at, cell)| filled(cell, if at + 1 == row.len() { last } else { widths[at] }))
            .collect();
        for line in 0..cells.iter().map(Vec::len).max().unwrap_or_default() {
            let mut text = String::new();
            for (at, cell) in cells.iter().enumerate() {
                let words = cell.get(line).map(String::as_str).unwrap_or_default();
                text.push_str(&format!("{words:<width$}  ", width = widths[at]));
            }
            self.text.push_str(text.trim_end());
            self.text.push('\n');
        }
    }
}

/// Lines of at most this width; a longer word has a line to itself.
fn filled(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for part in text.lines() {
        let mut line = String::new();
        for word in part.split_whitespace() {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_reads_well_in_a_terminal() {
        let page = "# Gamba\n\nTwo players, each with three cards in hand. The first who gets rid of them wins.\n\n\
                    ## Messages\n\n- `PLAY`: a card\n- a longer item that does not fit into one line of forty\n\n\
                    | type | meaning |\n|---|---|\n| 0 | connect with a name of at most 32 letters |\n\n\
                    ```sh\nnc 127.0.0.1 8080\n```\n\n1. one\n2. two [pages](x.md)\n";
        assert_eq!(
            text(page, 40),
            "Gamba\n=====\n\nTwo players, each with three cards in\nhand. The first who gets rid of them\nwins.\n\n\
             Messages\n--------\n\n- `PLAY`: a card\n- a longer item that does not fit into\n  one line of forty\n\n\
             type  meaning\n------------------------\n0     connect with a name of at most 32\n      letters\n\n\
             \x20   nc 127.0.0.1 8080\n\n1. one\n2. two pages\n"
        );
    }
}
