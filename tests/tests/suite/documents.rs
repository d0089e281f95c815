//! Documents: links lead to files of the repository, and no file has the marks of an unfinished merge.

use gcc_grammar_tests::files::{entries, repository};
use std::fs;
use std::path::{Path, PathBuf};

const EXTENSIONS: [&str; 10] = ["c", "h", "json", "lark", "md", "py", "rs", "sh", "toml", "yml"];

/// The text files of the repository, without hidden folders and build outputs.
fn text_files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for path in entries(folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_known = path.extension().is_some_and(|e| EXTENSIONS.contains(&&*e.to_string_lossy()));
        if path.is_dir() && !name.starts_with('.') && !path.join("CACHEDIR.TAG").exists() {
            found.extend(text_files(&path));
        } else if is_known && let Ok(text) = fs::read_to_string(&path) {
            found.push((path, text));
        }
    }
    found
}

#[test]
fn no_merge_is_unfinished() {
    for (path, text) in text_files(&repository()) {
        let is_mark = |line: &&str| ["<<<<<<< ", ">>>>>>> "].iter().any(|mark| line.starts_with(mark));
        assert_eq!(text.lines().find(is_mark), None, "{}", path.display());
    }
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut links = 0;
    let files = text_files(&repository());
    for (path, text) in files.iter().filter(|(path, _)| path.extension().is_some_and(|e| e == "md")) {
        for target in text.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(link, _)| link)) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            if target.contains("://") || target.contains(char::is_whitespace) {
                continue;
            }
            links += 1;
            let file =
                if file.is_empty() { path.clone() } else { path.parent().expect("a folder").join(file) };
            assert!(file.exists(), "{}: {target}", path.display());
            if !anchor.is_empty() && file.extension().is_some_and(|e| e == "md") {
                let linked = fs::read_to_string(&file).expect("readable");
                assert!(linked.lines().any(|line| anchor_of(line) == anchor), "{}: {target}", path.display());
            }
        }
    }
    assert!(links > 100, "only {links} links were found");
}

/// The anchor of a heading, as GitHub makes it; empty for other lines.
fn anchor_of(line: &str) -> String {
    if !line.starts_with('#') {
        return String::new();
    }
    let heading = line.trim_start_matches('#').trim().to_lowercase();
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}
