//! Compiles the schemas of a folder of MaskBench cases, checks their instances, and prints the outcomes.
//!
//! ```text
//! cargo run --release -p gcc-grammar-json-schema --example maskbench -- FOLDER
//!     [--allow] [--any-order] [--threads N] [--only PART_OF_NAME] [--list]
//! ```
//! A case is a file with `schema` and `tests` (`data`, `valid`). Instances are written with `", "` and `":
//! "`. The verdict is that of a slow recognizer, which shares only the automata of terminals with the
//! compiler. `--allow` compiles schemas that cannot be enforced exactly, `--list` names the cases behind each
//! number.

#[path = "../tests/json_schema/bench.rs"]
mod bench;
#[path = "../tests/json_schema/json.rs"]
mod json;
#[path = "../tests/json_schema/order.rs"]
mod order;
#[path = "../tests/json_schema/recognizer.rs"]
mod recognizer;

use gcc_grammar_json_schema::{Options, PropertyOrder, Unenforced};
use std::path::PathBuf;

struct Arguments {
    folder: PathBuf,
    options: Options,
    threads: usize,
    only: String,
    list: bool,
}

fn main() {
    let Some(arguments) = arguments() else {
        eprintln!(
            "usage: maskbench FOLDER [--allow] [--any-order] [--threads N] [--only PART_OF_NAME] [--list]"
        );
        std::process::exit(2);
    };
    let mut paths = bench::paths(&arguments.folder);
    paths.retain(|path| path.to_string_lossy().contains(&arguments.only));
    let outcomes = bench::run(&paths, &arguments.options, arguments.threads);
    bench::print(&outcomes, arguments.list);
}

fn arguments() -> Option<Arguments> {
    let mut given = std::env::args().skip(1);
    let mut arguments = Arguments {
        folder: PathBuf::from(given.next()?),
        options: Options::default(),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        only: String::new(),
        list: false,
    };
    while let Some(argument) = given.next() {
        match &*argument {
            "--allow" => arguments.options.unenforced = Unenforced::Allow,
            "--any-order" => arguments.options.property_order = PropertyOrder::Any,
            "--list" => arguments.list = true,
            "--threads" => arguments.threads = given.next()?.parse().ok()?,
            "--only" => arguments.only = given.next()?,
            _ => return None,
        }
    }
    Some(arguments)
}
