//! Draws the results as line plots: compile time, artifact size, and the time of a token.

use crate::measure::Measured;
use gcc_grammar_cli::svg::{Axis, Line, Plot, measured_here};
use std::path::Path;
use std::{fs, io};

/// The results of one growth: its name, and a measurement for each size.
pub(crate) type Results = (&'static str, Vec<Measured>);

/// Writes the plots to a folder, which is created if it does not exist.
pub(crate) fn write(all: &[Results], folder: &Path) -> io::Result<()> {
    let compile = |measured: &Measured| measured.compile.as_secs_f64() * 1e3;
    let artifact = |measured: &Measured| measured.artifact as f64 / 1024.0;
    let step = |measured: &Measured| (measured.mask[1] + measured.commit[1]).as_nanos() as f64 / 1e3;
    let of_grammars = "properties, values, characters, rules";
    let title_of_text = "Mask p99 + commit p99 by depth and length of the text";
    let plots = [
        ("scaling-compile.svg", "Compile time", of_grammars, "ms", lines(all, false, compile)),
        ("scaling-artifact.svg", "Artifact", of_grammars, "KiB", lines(all, false, artifact)),
        ("scaling-text.svg", title_of_text, "brackets, objects, levels", "µs", lines(all, true, step)),
    ];
    fs::create_dir_all(folder)?;
    for (file, title, x, y, lines) in plots {
        let (x, y) = (Axis::logarithmic(x), Axis::logarithmic(y));
        fs::write(
            folder.join(file),
            Plot { title: title.to_owned(), x, y, lines, measured: measured_here() }.render(),
        )?;
    }
    Ok(())
}

/// A line for each growth of a text, or for each growth of a grammar. The growth of the vocabulary is not drawn.
fn lines(all: &[Results], of_texts: bool, value: fn(&Measured) -> f64) -> Vec<Line> {
    let is_drawn = |name: &str| name.ends_with("of the text") == of_texts && name != "vocabulary";
    let line = |(name, sizes): &Results| Line {
        name: (*name).to_owned(),
        points: sizes.iter().map(|measured| (measured.size as f64, value(measured))).collect(),
    };
    all.iter().filter(|(name, _)| is_drawn(name)).map(line).collect()
}
