//! Comma-separated values, as spreadsheets write them.

/// The lines that are not empty, each with its number and at least one cell.
pub fn lines(text: &str) -> Result<Vec<(usize, Vec<String>)>, String> {
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = Vec::new();
    let (mut cells, mut cell) = (Vec::new(), String::new());
    let (mut number, mut begin) = (1, 1);
    let mut quoted = false;
    let mut letters = text.chars().chain((!text.ends_with('\n')).then_some('\n')).peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                cell.push('"');
                letters.next();
            }
            '"' if quoted => quoted = false,
            '"' if cell.trim().is_empty() => {
                cell.clear();
                quoted = true;
            }
            ',' if !quoted => cells.push(std::mem::take(&mut cell)),
            '\r' if !quoted && letters.peek() == Some(&'\n') => {}
            '\n' if !quoted => {
                cells.push(std::mem::take(&mut cell));
                let line = std::mem::take(&mut cells);
                if line.iter().any(|cell| !cell.trim().is_empty()) {
                    lines.push((begin, line));
                }
                number += 1;
                begin = number;
            }
            letter => {
                number += usize::from(letter == '\n');
                cell.push(letter);
            }
        }
    }
    if quoted {
        return Err(format!("line {begin}: a double quote is opened and not closed"));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_quotes_and_line_ends() {
        let read = |text: &str| lines(text).unwrap();
        let cells =
            |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            read("\u{feff}a,b\r\n\r\n\"c, \"\"d\"\"\",\n"),
            [(1, cells(&["a", "b"])), (3, cells(&["c, \"d\"", ""]))]
        );
        assert_eq!(read("a"), [(1, cells(&["a"]))]);
        assert_eq!(read("\"a\nb\"\nc\n"), [(1, cells(&["a\nb"])), (3, cells(&["c"]))]);
        assert!(read("\n\n , \n").is_empty());
        assert!(lines("a\n\"b\n").is_err());
    }
}
