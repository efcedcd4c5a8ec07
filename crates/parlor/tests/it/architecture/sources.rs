//! The Rust files of the workspace, as the laws read them.

use std::path::{Path, PathBuf};

/// One file.
pub struct Source {
    /// From `crates` on, such as `hall/src/lib.rs`.
    pub path: String,
    pub text: String,
}

impl Source {
    /// The path in parts: crate, `src`, folders, file.
    pub fn parts(&self) -> Vec<&str> {
        self.path.split('/').collect()
    }

    /// Whether the file is compiled only for tests.
    pub fn is_test(&self) -> bool {
        let parts = self.parts();
        let stem = parts.last().and_then(|name| name.strip_suffix(".rs")).unwrap_or_default();
        parts[1] != "src"
            || stem.ends_with("_tests")
            || stem == "tests"
            || parts.iter().any(|part| *part == "tests" || part.ends_with("_tests"))
    }

    /// The text without comments and without tests.
    pub fn code(&self) -> String {
        let text = match self.text.find("\n#[cfg(test)]\nmod tests {") {
            Some(end) => &self.text[..end],
            None => &self.text,
        };
        let code = |line: &str| match line.find("//") {
            Some(start) if !line[..start].ends_with(':') => line[..start].to_owned(),
            _ => line.to_owned(),
        };
        text.lines().map(code).collect::<Vec<_>>().join("\n")
    }
}

/// The folder of all crates.
pub fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the crates")
}

/// The names of all crates.
pub fn names() -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(crates()).expect("a readable folder") {
        let entry = entry.expect("a readable folder");
        if entry.path().join("Cargo.toml").exists() {
            names.push(entry.file_name().into_string().expect("plain letters"));
        }
    }
    names.sort();
    names
}

/// All Rust files.
pub fn all() -> Vec<Source> {
    let crates = crates();
    let mut folders = vec![crates.clone()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path)
                    .unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
                let path = path.strip_prefix(&crates).expect("a file of a crate");
                let path = path.to_str().expect("plain letters").replace('\\', "/");
                files.push(Source { path, text });
            }
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}
