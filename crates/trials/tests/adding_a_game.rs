//! The page about adding a game shows code that is compiled: every piece is part of a file.

use std::path::Path;

#[test]
fn every_piece_of_code_on_the_page_is_in_the_file_it_names() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| {
        std::fs::read_to_string(root.join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
    };
    let page = read("docs/guides/add-a-game.md");
    let mut pieces = 0;
    for block in page.split("\n```").skip(1).step_by(2) {
        let (language, block) = block.split_once('\n').expect("a block has lines");
        if language == "sh" {
            continue;
        }
        let (first, code) = block.split_once('\n').expect("the first line names a file");
        let path = first.trim_start_matches(['/', '#', ' ']);
        assert!(read(path).contains(code), "{path} has other code than\n{code}");
        pieces += 1;
    }
    assert!(pieces > 8, "{pieces} pieces of code were found");
}
