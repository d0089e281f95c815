//! Nothing is refused silently: other spellings of valid values are accepted, unless the report has a narrowing of the kind.
//!
//! ```text
//! cargo test -p gcc-grammar-json-schema --features oracle --test json_schema respelled [-- --ignored]
//! ```
//! Random schemas and values are those of `oracle`, and the crate `jsonschema` decides which values are valid. A text of a valid value
//! that the grammar accepts is spelled anew in one respect: the order of keys, a number, white space, a string or a key, or a repeated
//! key. `serde_json` reads the new text back, so the respelling is right by an independent parser, too.

use crate::random::{document, mutated, value};
use crate::recognizer::Recognizer;
use gcc_grammar_json_schema::{
    IntegerSpelling, Narrowing, Options, PropertyOrder, Strings, Whitespace, compile,
};
use gcc_grammar_random::Random;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The kinds that a respelling may concern. Half surrogates and formats have no independent parser here.
const KINDS: [Narrowing; 5] = [
    Narrowing::KeyOrder,
    Narrowing::NumberSpelling,
    Narrowing::RepeatedKey,
    Narrowing::StringSpelling,
    Narrowing::WhiteSpace,
];

/// Of these kinds, items that differ have one spelling.
const OF_ITEMS: [Narrowing; 3] =
    [Narrowing::NumberSpelling, Narrowing::StringSpelling, Narrowing::WhiteSpace];

/// Writes a value, with changes of one kind at random places.
struct Writer<'r> {
    random: &'r mut Random,
    kind: Option<Narrowing>,
}

impl Writer<'_> {
    fn changes(&mut self, kind: Narrowing) -> bool {
        self.kind == Some(kind) && self.random.below(2) == 0
    }

    fn space(&mut self) -> &'static str {
        if self.changes(Narrowing::WhiteSpace) {
            self.random.pick::<&str>(&[" ", "\n", "\t  ", "\r\n "])
        } else {
            ""
        }
    }

    fn value(&mut self, value: &Value) -> String {
        match value {
            Value::Array(items) => {
                let items: Vec<_> = items.iter().map(|item| self.part(item)).collect();
                let inside = if items.is_empty() { self.space() } else { "" };
                format!("[{inside}{}]", items.join(","))
            }
            Value::Object(members) => self.object(members.iter().collect()),
            Value::String(text) => self.string(text),
            Value::Number(number) => self.number(&number.to_string()),
            other => other.to_string(),
        }
    }

    fn part(&mut self, value: &Value) -> String {
        format!("{}{}{}", self.space(), self.value(value), self.space())
    }

    fn object(&mut self, mut members: Vec<(&String, &Value)>) -> String {
        if self.changes(Narrowing::KeyOrder) {
            for last in (1..members.len()).rev() {
                members.swap(last, self.random.below(last + 1));
            }
        }
        let mut texts = Vec::new();
        for (key, value) in members {
            if self.changes(Narrowing::RepeatedKey) {
                texts.push(format!("{}:{}", self.string(key), self.value(value)));
            }
            texts.push(format!("{}{}{}:{}", self.space(), self.string(key), self.space(), self.part(value)));
        }
        let inside = if texts.is_empty() { self.space() } else { "" };
        format!("{{{inside}{}}}", texts.join(","))
    }

    fn string(&mut self, text: &str) -> String {
        let mut out = String::from("\"");
        for character in text.chars() {
            let mut units = [0; 2];
            if self.changes(Narrowing::StringSpelling) {
                for unit in character.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04X}"));
                }
            } else {
                let plain = Value::from(character.to_string()).to_string();
                out.push_str(&plain[1..plain.len() - 1]);
            }
        }
        out + "\""
    }

    /// The same number with another exponent, or with zeros after the point.
    fn number(&mut self, text: &str) -> String {
        if !self.changes(Narrowing::NumberSpelling) {
            return text.to_owned();
        }
        match (self.random.below(4), text.contains('.')) {
            (0, true) => format!("{text}0"),
            (0, false) => format!("{text}.00"),
            (1, _) => format!("{text}{}0", self.random.pick(&["e", "E", "e+", "E-"])),
            (2, false) if text != "0" => format!("{text}000e-3"),
            _ => format!("{text}e0"),
        }
    }
}

#[derive(Default)]
struct Tally {
    /// Respelled texts that are accepted, or refused with a report, by kind.
    accepted: BTreeMap<&'static str, usize>,
    reported: BTreeMap<&'static str, usize>,
    silent: Vec<String>,
}

fn options(random: &mut Random) -> Options {
    Options {
        whitespace: *random.pick(&[
            Whitespace::Any,
            Whitespace::Any,
            Whitespace::Inner,
            Whitespace::default(),
        ]),
        strings: *random.pick(Strings::ALL),
        integer_spelling: *random.pick(IntegerSpelling::ALL),
        property_order: *random.pick(PropertyOrder::ALL),
        ..Options::default()
    }
}

fn respell(seed: u64, tally: &mut Tally) {
    let random = &mut Random::new(seed);
    let schema = document(random);
    let Ok(validator) = jsonschema::draft202012::new(&schema) else { return };
    let options = options(random);
    let Ok(compiled) = compile(&schema.to_string(), &options) else { return };
    let recognizer = Recognizer::new(&compiled.grammar);
    let reported: BTreeSet<_> =
        compiled.report.narrowings().filter_map(|entry| entry.coverage.narrowing()).collect();
    let mut instance = Value::Null;
    for round in 0..12 {
        instance = if round % 3 == 0 { value(random, 3) } else { mutated(random, &instance) };
        let plain = Writer { random, kind: None }.value(&instance);
        if !validator.is_valid(&instance) || !recognizer.accepts(plain.as_bytes()) {
            continue;
        }
        for kind in KINDS {
            let text = Writer { random, kind: Some(kind) }.part(&instance);
            let read: Value = serde_json::from_str(&text).expect("a respelling is JSON");
            assert!(validator.is_valid(&read), "seed {seed}: {text} under {schema}");
            let is_of_item = reported.contains(&Narrowing::ItemSpelling) && OF_ITEMS.contains(&kind);
            match (recognizer.accepts(text.as_bytes()), is_of_item || reported.contains(&kind)) {
                (true, _) => *tally.accepted.entry(kind.as_str()).or_default() += 1,
                (false, true) => *tally.reported.entry(kind.as_str()).or_default() += 1,
                (false, false) => tally.silent.push(format!("seed {seed}: {kind}: {text} under {schema}")),
            }
        }
    }
}

fn run(seeds: std::ops::Range<u64>) {
    let mut tally = Tally::default();
    seeds.for_each(|seed| respell(seed, &mut tally));
    println!("accepted {:?}; refused and reported {:?}", tally.accepted, tally.reported);
    tally.silent.iter().take(10).for_each(|silent| println!("SILENT {silent}"));
    assert!(tally.silent.is_empty(), "{} respellings are refused silently", tally.silent.len());
    assert_eq!(tally.reported.len(), KINDS.len(), "every kind is met");
}

#[test]
fn refused_spellings_are_reported() {
    run(0..1_000);
}

#[test]
#[ignore = "takes minutes: the long run, by hand with --ignored"]
fn refused_spellings_of_many_schemas_are_reported() {
    run(2_000_000..2_050_000);
}
