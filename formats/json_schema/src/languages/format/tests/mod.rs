//! The file of automata is compared with the patterns that define the formats.

mod patterns;

use super::{NUMBERS, TEXTS, table};
use crate::languages::number::{comparing, integers};
use crate::read::decimal::Decimal;
use gcc_grammar_regular::{Dfa, RegularLimits};
use std::cmp::Ordering;
use std::path::Path;

fn push(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn written(dfa: &Dfa) -> Vec<u8> {
    let mut out = Vec::new();
    push(&mut out, dfa.state_count());
    for state in 0..dfa.state_count() as u32 {
        push(&mut out, 2 * dfa.edges(state).count() + usize::from(dfa.is_accepting(state)));
        let mut byte = 0;
        for (low, high, target) in dfa.edges(state) {
            let (low, high) = (usize::from(low), usize::from(high));
            [low - byte, high - low, target as usize].into_iter().for_each(|number| push(&mut out, number));
            byte = high + 1;
        }
    }
    out
}

/// All automata, by their definitions.
fn automata() -> Vec<Dfa> {
    let limits = RegularLimits::default();
    let bounded = |bound: &str, accepted: fn(Ordering) -> bool| {
        comparing(&Decimal::parse(bound).unwrap(), accepted, &limits).unwrap().unwrap()
    };
    let texts = TEXTS.iter().map(|name| patterns::regex(name).to_dfa(&limits).unwrap());
    let numbers = NUMBERS.iter().map(|&(_, least, greatest)| {
        let numbers = bounded(least, Ordering::is_ge).intersect(&bounded(greatest, Ordering::is_le), &limits);
        numbers.unwrap().intersect(&integers(true), &limits).unwrap()
    });
    texts.chain(numbers).collect()
}

#[test]
fn the_file_has_the_automata_of_the_formats() {
    let mut file = Vec::new();
    for automaton in automata() {
        let automaton = written(&automaton);
        push(&mut file, automaton.len());
        file.extend(automaton);
    }
    if std::env::var_os("GCC_GRAMMAR_UPDATE_FORMATS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/languages/format/formats.bin");
        std::fs::write(path, &file).unwrap();
    } else {
        assert!(
            table::FILE == file,
            "the formats have changed: update the file as the first lines of `table.rs` say"
        );
        for (place, expected) in automata().into_iter().enumerate() {
            assert_eq!(table::automaton(place), expected, "{place}");
        }
    }
}
