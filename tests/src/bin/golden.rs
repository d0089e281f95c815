//! Compares the artifacts of all known inputs with the golden list, or writes the list anew.
//!
//! ```text
//! golden [--update]
//! ```
//! See [`gcc_grammar_tests::golden`]. The cases of MaskBench are read from the shared data beside the repository; without
//! them their entries of the list stay as they are and are counted as not checked. The last line is `N equal, N different,
//! N not checked`. The exit code is 1 if an artifact differs from the list, and 0 otherwise or after `--update`.

use gcc_grammar_tests::files::find_shared;
use gcc_grammar_tests::golden::{
    BYTES, Input, List, VOCABULARIES, digest, inputs, maskbench_inputs, notation_inputs, vocabulary,
};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let update = match &arguments[..] {
        [] => false,
        [flag] if flag == "--update" => true,
        _ => {
            eprintln!("usage: golden [--update]");
            return ExitCode::from(2);
        }
    };
    let mut inputs = inputs();
    inputs.extend(notation_inputs());
    match find_shared("data/maskbench/dev") {
        Some(folder) => inputs.extend(maskbench_inputs(&folder)),
        None => {
            eprintln!("the cases of MaskBench are not checked: ../shared/data/maskbench/dev is not there")
        }
    }
    let found = digests(&inputs);
    let known = if List::path().exists() { List::load() } else { List::default() };
    let is_complete = inputs.iter().any(|input| input.label.starts_with("maskbench/"));
    let was_checked = |label: &str| is_complete || !label.starts_with("maskbench/");
    if update {
        let kept = known.0.into_iter().filter(|((_, label), _)| !was_checked(label));
        let list = List(kept.chain(found.0).collect());
        fs::write(List::path(), list.to_text()).expect("the list can be written");
        println!("{} entries", list.0.len());
        return ExitCode::SUCCESS;
    }
    let mut different = 0;
    let keys = found.0.keys().chain(known.0.keys().filter(|key| !found.0.contains_key(*key)));
    for key @ (vocabulary, label) in keys.filter(|(_, label)| was_checked(label)) {
        let (known, found) = (known.0.get(key), found.0.get(key));
        if known != found {
            let shown = |digest: Option<&String>| digest.map_or("missing", String::as_str).to_owned();
            println!("{vocabulary}  {label}: {} instead of {}", shown(found), shown(known));
            different += 1;
        }
    }
    let equal = found.0.iter().filter(|(key, digest)| known.0.get(*key) == Some(*digest)).count();
    let unchecked = known.0.keys().filter(|(_, label)| !was_checked(label)).count();
    println!("{equal} equal, {different} different, {unchecked} not checked");
    if different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Compiles all inputs for all vocabularies, on all processors.
fn digests(inputs: &[Input]) -> List {
    let vocabularies: Vec<_> =
        VOCABULARIES.into_iter().chain([BYTES]).map(|name| (name, vocabulary(name))).collect();
    let (next, list) = (AtomicUsize::new(0), Mutex::new(List::default()));
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(input) = inputs.get(index / vocabularies.len()) else { return };
            let (name, vocabulary) = &vocabularies[index % vocabularies.len()];
            if *name == BYTES && !input.is_slow() {
                continue;
            }
            let key = ((*name).to_owned(), input.label.clone());
            let digest = digest(input, vocabulary);
            list.lock().expect("no thread panics").0.insert(key, digest);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    list.into_inner().expect("no thread panics")
}
