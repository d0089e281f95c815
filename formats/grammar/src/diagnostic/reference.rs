//! The table of codes as a page of documentation, `docs/diagnostics.md`.

use super::code::Code;
use super::explanation::{Example, Explanation};
use std::fmt::Write;

const INTRODUCTION: &str = "\
# Diagnostics

Every error and warning has a code. Codes are stable, so programs can rely on them; messages are not. This page lists what each
code means, an input that gives it, and what to do about it. `gcc-grammar check --explain CODE` prints the same.

";

/// The page in Markdown: for every code its meaning, an example and the remedy.
#[must_use]
pub fn reference() -> String {
    let mut page = INTRODUCTION.to_owned();
    for code in Code::ALL {
        let Explanation { meaning, example, remedy } = code.explanation();
        // Writing to a string cannot fail.
        let _ = writeln!(page, "## {code}\n{meaning}\n");
        if let Some(example) = example {
            write_example(&mut page, example);
        }
        let _ = writeln!(page, "{remedy}\n");
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

fn write_example(page: &mut String, Example { notation, text }: Example) {
    let _ = writeln!(page, "```{notation}\n{}\n```\n", text.trim_end());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Set this variable to rewrite the page instead of comparing it.
    const UPDATE: &str = "GCC_GRAMMAR_UPDATE_DOCS";

    #[test]
    fn the_page_in_the_documentation_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/diagnostics.md");
        if std::env::var_os(UPDATE).is_some() {
            std::fs::write(path, reference()).expect("the page can be written");
        }
        let page = std::fs::read_to_string(path).expect("the page can be read");
        assert!(page == reference(), "docs/diagnostics.md is out of date: run this test with {UPDATE}=1");
    }
}
