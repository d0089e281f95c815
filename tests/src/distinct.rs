//! Schemas with `uniqueItems`, beside the list of all their documents.
//!
//! A [`Shape`] is a schema with few documents. Its documents are listed by the definition of JSON Schema: an array has an item for each place, and
//! with `uniqueItems` no two of them are equal. A token may follow a text if and only if a document begins with both; the list shares nothing
//! with the compiler. Random walks compare this with the masks of a [`Way`], at every step.

use crate::compare::{Built, Subject};
use crate::engine::Overflow;
use crate::subject::Way;
use crate::{Token, Vocabulary};
use gcc_grammar_ir::Grammar;
use gcc_grammar_json_schema::{Options, RepeatedKeys, Strings, compile};
use gcc_grammar_random::Random;
use std::collections::{BTreeSet, HashMap};
use std::fmt;

/// A schema with few documents.
#[derive(Clone, Debug)]
pub enum Shape {
    /// One of these values, as compact texts.
    Values(Vec<String>),
    /// An array of at least and at most so many items, perhaps all different.
    Array {
        /// The items.
        items: Box<Shape>,
        /// The fewest items.
        min: usize,
        /// The most items.
        max: usize,
        /// Whether they differ.
        unique: bool,
    },
    /// An object with these members, in this order; the marked ones are required.
    Object(Vec<(String, Shape, bool)>),
    /// One of these.
    Either(Vec<Shape>),
    /// An object with these members, in this order, and then others with names of the letter `k` alone.
    Open(Vec<(String, Shape, bool)>, Box<Shape>),
    /// Those of some objects that have at least and at most so many members.
    Counted(Box<Shape>, usize, usize),
    /// What some other schema means.
    Given(String, BTreeSet<String>),
}

/// Names of more letters than this are not listed.
const MOST_LETTERS: usize = 4;
/// Objects with more names than this are not listed.
const MOST_NAMES: usize = 2;

/// Shapes with more documents are not compared.
const MOST_DOCUMENTS: usize = 30_000;

impl Shape {
    /// The schema.
    #[must_use]
    pub fn schema(&self) -> String {
        match self {
            Self::Values(values) => format!(r#"{{"enum":[{}]}}"#, values.join(",")),
            Self::Array { items, min, max, unique } => format!(
                r#"{{"type":"array","items":{},"minItems":{min},"maxItems":{max},"uniqueItems":{unique}}}"#,
                items.schema()
            ),
            Self::Object(members) => object_schema(members, r#""additionalProperties":false"#),
            Self::Open(members, others) => {
                let keys: String = members.iter().map(|(key, ..)| format!("{key}|")).collect();
                let names = format!(r#""propertyNames":{{"pattern":"^({keys}k+)$"}}"#);
                object_schema(members, &format!(r#"{names},"additionalProperties":{}"#, others.schema()))
            }
            Self::Either(shapes) => {
                let schemas: Vec<String> = shapes.iter().map(Self::schema).collect();
                format!(r#"{{"anyOf":[{}]}}"#, schemas.join(","))
            }
            Self::Counted(objects, min, max) => {
                format!(r#"{{"allOf":[{}],"minProperties":{min},"maxProperties":{max}}}"#, objects.schema())
            }
            Self::Given(schema, _) => schema.clone(),
        }
    }

    /// All documents, as compact texts; `None` if they are too many.
    #[must_use]
    pub fn documents(&self) -> Option<BTreeSet<String>> {
        let documents = match self {
            Self::Values(values) => values.iter().cloned().collect(),
            Self::Array { items, min, max, unique } => {
                let items = items.documents()?;
                let lists = lists(&items, *min, *max, *unique)?;
                lists
                    .iter()
                    .map(|list| {
                        format!("[{}]", list.iter().map(|item| item.as_str()).collect::<Vec<_>>().join(","))
                    })
                    .collect()
            }
            Self::Object(members) => open_objects(member_texts(members)?, &BTreeSet::new())?,
            Self::Open(members, others) => open_objects(member_texts(members)?, &others.documents()?)?,
            Self::Either(shapes) => {
                let all: Option<Vec<_>> = shapes.iter().map(Self::documents).collect();
                all?.into_iter().flatten().collect::<BTreeSet<_>>()
            }
            Self::Counted(objects, min, max) => {
                let mut objects = objects.documents()?;
                objects.retain(|text| (*min..=*max).contains(&member_count(text)));
                objects
            }
            Self::Given(_, documents) => documents.clone(),
        };
        (documents.len() <= MOST_DOCUMENTS).then_some(documents)
    }

    /// A random shape, nested at most `depth` deep.
    pub fn random(random: &mut Random, depth: usize) -> Self {
        Self::within(random, depth, false)
    }

    /// A random shape of one of few values.
    fn few(random: &mut Random) -> Self {
        const FEW: [&[&str]; 5] =
            [&["1"], &["true", "false"], &["\"a\"", "\"ab\""], &["null", "[]"], &["{}"]];
        Self::Values(random.pick(&FEW).iter().map(|&text| text.to_owned()).collect())
    }

    /// A random shape with open objects of at least `least` members, alone, in each other, or in a list. No member is required, so that names decide whether there are enough.
    pub fn random_counted(random: &mut Random, least: usize) -> Self {
        let counted = |random: &mut Random, others: Self| {
            let members = match random.below(3) {
                0 => Vec::new(),
                1 => vec![("a".to_owned(), Self::few(random), false)],
                _ => vec![
                    ("a".to_owned(), Self::few(random), false),
                    ("ak".to_owned(), Self::few(random), false),
                ],
            };
            let open = Self::Open(members, Box::new(others));
            Self::Counted(Box::new(open), least, random.between(2, 4))
        };
        let few = Self::few(random);
        let inner = counted(random, few);
        match random.below(6) {
            0 | 1 => inner,
            2 => counted(random, inner),
            3 => Self::Array { items: Box::new(inner), min: 0, max: 2, unique: random.chance(50) },
            4 => Self::Either(vec![inner, Self::few(random)]),
            _ => Self::Object(vec![
                ("b".to_owned(), inner, random.chance(50)),
                ("k".to_owned(), Self::few(random), true),
            ]),
        }
    }

    /// A random shape with open objects and maps as items.
    pub fn random_open(random: &mut Random) -> Self {
        let few = Self::few;
        let members = |random: &mut Random, inner: Self| -> Vec<(String, Self, bool)> {
            match random.below(4) {
                0 => Vec::new(),
                1 => vec![("a".to_owned(), few(random), random.chance(50))],
                2 => vec![("ak".to_owned(), inner, random.chance(50))],
                _ => vec![
                    ("a".to_owned(), few(random), random.chance(50)),
                    ("b".to_owned(), few(random), random.chance(50)),
                ],
            }
        };
        let others = few(random);
        let map = Self::Open(Vec::new(), Box::new(others));
        let inner = if random.chance(70) { few(random) } else { map.clone() };
        let item = match random.below(6) {
            0 => map,
            1 | 2 => Self::Open(members(random, inner), Box::new(few(random))),
            3 => Self::Object(vec![("a".to_owned(), map, true)]),
            4 => Self::Either(vec![map, few(random)]),
            _ => Self::Array { items: Box::new(map), min: 0, max: 1, unique: random.chance(50) },
        };
        let (min, max) = (random.below(2), random.between(2, 3));
        Self::Array { items: Box::new(item), min, max, unique: true }
    }

    /// A random shape for items that differ, or for other values. Only numbers of the former have one notation.
    fn within(random: &mut Random, depth: usize, differs: bool) -> Self {
        let kinds = if depth == 0 { 1 } else { 6 };
        match random.below(kinds) {
            0 if depth == 0 => Self::Values(values(random, differs)),
            0 => Self::Object(
                (0..random.between(1, 3))
                    .map(|n| (format!("k{n}"), Self::within(random, depth - 1, false), random.chance(60)))
                    .collect(),
            ),
            1 => Self::Either((0..2).map(|_| Self::within(random, depth - 1, false)).collect()),
            _ => {
                let (min, more) = (random.below(3), random.between(1, 3));
                let unique = random.chance(80);
                let inner = depth.saturating_sub(1).min(random.below(2));
                let differs = unique && inner == 0 && min + more > 1;
                let items = Box::new(Self::within(random, inner, differs));
                Self::Array { items, min, max: min + more, unique }
            }
        }
    }
}

/// The schema of objects with these members, and what else it says.
fn object_schema(members: &[(String, Shape, bool)], more: &str) -> String {
    let properties: Vec<String> =
        members.iter().map(|(key, value, _)| format!("\"{key}\":{}", value.schema())).collect();
    let required = members.iter().filter(|(.., required)| *required);
    let keys: Vec<String> = required.map(|(key, ..)| format!("\"{key}\"")).collect();
    format!(
        r#"{{"type":"object","properties":{{{}}},"required":[{}],{more}}}"#,
        properties.join(","),
        keys.join(",")
    )
}

/// The number of members of the text of an object.
fn member_count(text: &str) -> usize {
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).expect("an object");
    object.len()
}

/// All texts of these members, with commas between them; `None` if they are too many.
fn member_texts(members: &[(String, Shape, bool)]) -> Option<BTreeSet<String>> {
    let mut texts = BTreeSet::from([String::new()]);
    for (key, value, required) in members {
        let values = value.documents()?;
        let longer = texts.iter().flat_map(|text| {
            let comma = if text.is_empty() { "" } else { "," };
            let without = (!required).then(|| text.clone());
            let with = values.iter().map(move |value| format!("{text}{comma}\"{key}\":{value}"));
            without.into_iter().chain(with)
        });
        texts = longer.take(MOST_DOCUMENTS + 1).collect();
        (texts.len() <= MOST_DOCUMENTS).then_some(())?;
    }
    Some(texts)
}

/// All objects of these members and of few further ones with different names; `None` if they are too many.
fn open_objects(members: BTreeSet<String>, values: &BTreeSet<String>) -> Option<BTreeSet<String>> {
    let mut longest: Vec<(String, Vec<usize>)> = members.into_iter().map(|text| (text, Vec::new())).collect();
    let mut objects: BTreeSet<String> = BTreeSet::new();
    for number in 0..=MOST_NAMES {
        objects.extend(longest.iter().map(|(members, _)| format!("{{{members}}}")));
        let mut longer = Vec::new();
        for (text, names) in longest.iter().filter(|_| number < MOST_NAMES) {
            for letters in (1..=MOST_LETTERS).filter(|letters| !names.contains(letters)) {
                let comma = if text.is_empty() { "" } else { "," };
                let name = "k".repeat(letters);
                let names = [&names[..], &[letters]].concat();
                let with = |value| (format!("{text}{comma}\"{name}\":{value}"), names.clone());
                longer.extend(values.iter().map(with));
                (objects.len() + longer.len() <= MOST_DOCUMENTS).then_some(())?;
            }
        }
        longest = longer;
    }
    Some(objects)
}

/// Whether a name or an object of a text may go on beyond what is listed.
fn may_go_beyond(text: &[u8]) -> bool {
    let mut open: Vec<usize> = Vec::new();
    let mut letters = 0;
    for (at, &byte) in text.iter().enumerate() {
        let is_name = byte == b'k' && at > 0 && text[at - 1] == b'"';
        match byte {
            b'{' => open.push(0),
            b'}' => {
                open.pop();
            }
            _ if is_name => {
                let Some(names) = open.last_mut() else { continue };
                *names += 1;
                if *names > MOST_NAMES {
                    return true;
                }
            }
            _ => {}
        }
        letters = if byte == b'k' { letters + 1 } else { 0 };
        if letters > MOST_LETTERS {
            return true;
        }
    }
    letters == MOST_LETTERS || open.iter().any(|&names| names >= MOST_NAMES)
}

/// Texts of which many begin alike. There are 13 that are no numbers.
fn values(random: &mut Random, with_numbers: bool) -> Vec<String> {
    const VALUES: [&str; 24] = [
        "\"a\"", "\"ab\"", "\"aba\"", "\"abb\"", "\"b\"", "\"ba\"", "\"\"", "\"bb\"", "\"a,b\"", "\"aa\"",
        "1", "12", "123", "2", "21", "-1", "0", "0.5", "1.5", "true", "false", "null", "22", "-12",
    ];
    let count = if with_numbers || random.chance(70) {
        random.between(11, if with_numbers { 15 } else { 13 })
    } else {
        random.between(1, 5)
    };
    let mut values: Vec<String> = Vec::new();
    while values.len() < count {
        let value = (*random.pick(&VALUES)).to_owned();
        let is_number = value.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        if !values.contains(&value) && (with_numbers || !is_number) {
            values.push(value);
        }
    }
    values
}

/// All lists of items; `None` if they are too many.
fn lists(items: &BTreeSet<String>, min: usize, max: usize, unique: bool) -> Option<Vec<Vec<&String>>> {
    let value = |text: &String| -> serde_json::Value { serde_json::from_str(text).expect("a value") };
    let values: HashMap<&String, serde_json::Value> = items.iter().map(|item| (item, value(item))).collect();
    let mut all: Vec<Vec<&String>> = Vec::new();
    let mut longest: Vec<Vec<&String>> = vec![Vec::new()];
    for length in 0..=max {
        if length >= min {
            all.extend(longest.iter().cloned());
        }
        if length == max {
            break;
        }
        let mut longer = Vec::new();
        let is_in = |list: &[&String], item: &String| list.iter().any(|other| values[other] == values[&item]);
        for list in &longest {
            for item in items.iter().filter(|item| !unique || !is_in(list, item)) {
                longer.push(list.iter().copied().chain([item]).collect());
                (all.len() + longer.len() <= MOST_DOCUMENTS).then_some(())?;
            }
        }
        longest = longer;
    }
    Some(all)
}

/// A vocabulary of all bytes of the documents, of random pieces of them, and of an end token.
pub(crate) fn vocabulary(documents: &BTreeSet<String>, random: &mut Random) -> Vocabulary {
    let documents: Vec<&String> = documents.iter().collect();
    let mut texts: BTreeSet<Vec<u8>> =
        documents.iter().flat_map(|text| text.bytes()).map(|byte| vec![byte]).collect();
    for _ in 0..random.between(5, 60) {
        let text = random.pick(&documents).as_bytes();
        let start = random.below(text.len());
        let end = (start + random.between(2, 9)).min(text.len());
        texts.insert(text[start..end].to_vec());
    }
    let mut tokens: Vec<Token> = texts.into_iter().map(Token::Text).collect();
    let end = tokens.len() as u32;
    tokens.push(Token::Special("<end>".to_owned()));
    Vocabulary { tokens, end: vec![end], padding: random.below(3) as u32 }
}

/// What a schema means.
pub(crate) trait Definition {
    /// Whether a text with a token behind it, both together, is the beginning of a document; `None` if that is not known.
    fn continues(&self, text: &[u8], longer: &[u8]) -> Option<bool>;

    /// Whether a text is a document; `None` if that is not known.
    fn is_document(&self, text: &[u8]) -> Option<bool>;

    /// Whether each token may follow a text, as far as that is known.
    fn mask(&self, vocabulary: &Vocabulary, text: &[u8]) -> Vec<Option<bool>> {
        let allows = |id: u32| match vocabulary.tokens.get(id as usize) {
            Some(Token::Text(bytes)) => self.continues(text, &[text, bytes].concat()),
            Some(_) if vocabulary.is_end(id) => self.is_document(text),
            Some(_) => Some(false),
            None => Some(false),
        };
        (0..vocabulary.width() as u32).map(allows).collect()
    }
}

/// A list of documents, sorted.
struct Documents<'a> {
    texts: Vec<String>,
    is_complete: &'a IsComplete<'a>,
}

/// Whether all documents are listed that continue a text with a token behind it, both together.
pub(crate) type IsComplete<'a> = dyn Fn(&[u8], &[u8]) -> bool + 'a;

impl Definition for Documents<'_> {
    fn continues(&self, text: &[u8], longer: &[u8]) -> Option<bool> {
        let at = self.texts.partition_point(|document| document.as_bytes() < longer);
        let is_there = self.texts.get(at).is_some_and(|document| document.as_bytes().starts_with(longer));
        (is_there || (self.is_complete)(text, longer)).then_some(is_there)
    }

    fn is_document(&self, text: &[u8]) -> Option<bool> {
        let is_there = self.texts.binary_search_by(|document| document.as_bytes().cmp(text)).is_ok();
        (is_there || (self.is_complete)(text, text)).then_some(is_there)
    }
}

/// What came of a sample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The number of masks that were compared.
    Compared(usize),
    /// The shape has too many documents, or the schema is refused.
    Skipped,
    /// Text, and what is wrong there.
    Wrong(String),
}

/// Compares the masks of a random shape along random walks.
#[must_use]
pub fn try_sample(seed: u64) -> Outcome {
    let mut random = Random::new(seed);
    let shape = Shape::random(&mut random, 2);
    compare(&shape, &mut random, Way::of_seed(seed))
}

/// Compares the masks of a random shape with open objects along random walks.
#[must_use]
pub fn try_open_sample(seed: u64) -> Outcome {
    let mut random = Random::new(seed);
    let shape = Shape::random_open(&mut random);
    compare(&shape, &mut random, Way::of_seed(seed))
}

/// Compares the masks of a random shape with open objects whose keys are remembered along random walks: because members are counted, or by the option.
#[must_use]
pub fn try_counted_sample(seed: u64) -> Outcome {
    let mut random = Random::new(seed);
    let (least, repeated_keys) =
        if random.chance(50) { (2, RepeatedKeys::Accept) } else { (0, RepeatedKeys::Refuse) };
    let shape = Shape::random_counted(&mut random, least);
    compare_where(repeated_keys, &shape, &mut random, Way::of_seed(seed))
}

/// Compares the masks of a shape along random walks.
pub fn compare(shape: &Shape, random: &mut Random, way: Way) -> Outcome {
    compare_where(RepeatedKeys::Accept, shape, random, way)
}

fn compare_where(repeated_keys: RepeatedKeys, shape: &Shape, random: &mut Random, way: Way) -> Outcome {
    let Some(documents) = shape.documents().filter(|documents| !documents.is_empty()) else {
        return Outcome::Skipped;
    };
    let whitespace = "compact".parse().expect("a known word");
    let options = Options { whitespace, strings: Strings::Canonical, repeated_keys, ..Options::default() };
    let is_complete = |_: &[u8], longer: &[u8]| !may_go_beyond(longer);
    compare_with(&shape.schema(), &options, (documents, &is_complete), random, way)
}

/// Compares the masks of a schema, of which all documents are listed, along random walks.
pub fn compare_documents(
    schema: &str,
    documents: BTreeSet<String>,
    random: &mut Random,
    way: Way,
) -> Outcome {
    let whitespace = "compact".parse().expect("a known word");
    let options = Options { whitespace, strings: Strings::Canonical, ..Options::default() };
    compare_with(schema, &options, (documents, &|_, _| true), random, way)
}

/// The number of masks that `compare` compares in every way to use the runtime, each with a seed of its own.
///
/// # Panics
/// If a mask is wrong, or nothing is compared in some way.
pub fn compare_in_all_ways(
    shape: &dyn fmt::Debug,
    first_seed: u64,
    compare: impl Fn(&mut Random, Way) -> Outcome,
) -> usize {
    let masks = |(seed, way): (u64, Way)| match compare(&mut Random::new(seed), way) {
        Outcome::Compared(masks) => masks,
        outcome => panic!("{shape:?}: {outcome:?}"),
    };
    (first_seed..).zip(Way::ALL).map(masks).sum()
}

/// Compares the masks of a schema with the list of its documents along random walks, as far as the list is complete.
pub(crate) fn compare_with(
    schema: &str,
    options: &Options,
    (documents, is_complete): (BTreeSet<String>, &IsComplete<'_>),
    random: &mut Random,
    way: Way,
) -> Outcome {
    let vocabulary = vocabulary(&documents, random);
    let documents = Documents { texts: documents.into_iter().collect(), is_complete };
    compare_by(schema, options, &documents, &vocabulary, random, way)
}

/// Compares the masks of a schema with what it means along random walks.
pub(crate) fn compare_by(
    schema: &str,
    options: &Options,
    definition: &dyn Definition,
    vocabulary: &Vocabulary,
    random: &mut Random,
    way: Way,
) -> Outcome {
    let Ok(compiled) = compile(schema, options) else { return Outcome::Skipped };
    compare_grammar((schema, &compiled.grammar), definition, vocabulary, random, way)
}

/// Compares the masks of a grammar, written so, with what it means along random walks.
pub(crate) fn compare_grammar(
    (written, grammar): (&str, &Grammar),
    definition: &dyn Definition,
    vocabulary: &Vocabulary,
    random: &mut Random,
    way: Way,
) -> Outcome {
    let mut outcome = Outcome::Skipped;
    let built = way.build(grammar, vocabulary, &mut |Built { engine, .. }| {
        outcome = match walks(engine, definition, vocabulary, random) {
            Ok(masks) => Outcome::Compared(masks),
            Err(wrong) => Outcome::Wrong(format!("{written}, {}: {wrong}", way.name())),
        };
    });
    match built {
        Ok(()) => outcome,
        Err(refusal) => Outcome::Wrong(format!("{written}: {refusal:?}")),
    }
}

/// The token that comes next in a walk: mostly one that may.
fn choose(expected: &[Option<bool>], random: &mut Random) -> u32 {
    let allowed: Vec<u32> =
        (0..).zip(expected).filter(|(_, is)| **is == Some(true)).map(|(id, _)| id).collect();
    match allowed.is_empty() || random.chance(15) {
        true => random.below(expected.len()) as u32,
        false => *random.pick(&allowed),
    }
}

/// Compares how much of a random draft behind a text can be read; what is wrong.
fn compare_draft(
    engine: &mut dyn crate::engine::Engine,
    definition: &dyn Definition,
    vocabulary: &Vocabulary,
    text: &[u8],
    random: &mut Random,
) -> Result<(), String> {
    let (mut longer, mut tokens, mut read) = (text.to_vec(), Vec::new(), 0);
    let mut goes_on = true;
    while goes_on && tokens.len() < 5 {
        let expected = definition.mask(vocabulary, &longer);
        let token = choose(&expected, random);
        let Some(allowed) = expected[token as usize] else { break };
        tokens.push(token);
        read += usize::from(allowed);
        goes_on = allowed && !vocabulary.is_end(token);
        if let Some(Token::Text(bytes)) = vocabulary.tokens.get(token as usize).filter(|_| goes_on) {
            longer.extend_from_slice(bytes);
        }
    }
    match engine.validate(&tokens) {
        Ok(validated) if validated != read => Err(format!(
            "a draft after {:?}: {validated} of {tokens:?}, not {read}",
            String::from_utf8_lossy(text)
        )),
        _ => Ok(()),
    }
}

/// Random walks, with commits of all kinds of tokens, drafts and rollbacks. The number of masks, or what is wrong.
fn walks(
    engine: &mut dyn crate::engine::Engine,
    definition: &dyn Definition,
    vocabulary: &Vocabulary,
    random: &mut Random,
) -> Result<usize, String> {
    let mut masks = 0;
    for _ in 0..8 {
        engine.reset();
        let mut texts: Vec<Vec<u8>> = vec![Vec::new()];
        for _ in 0..40 {
            let text = texts.last().expect("a text").clone();
            let expected = definition.mask(vocabulary, &text);
            let Ok(mask) = engine.mask() else { break };
            if mask.iter().zip(&expected).any(|(&allows, expected)| expected.is_some_and(|is| is != allows)) {
                return Err(difference(&mask, &expected, vocabulary, &text));
            }
            masks += 1;
            if random.chance(15) && texts.len() > 1 {
                let back = random.between(1, texts.len() - 1);
                if engine.rollback(back) {
                    texts.truncate(texts.len() - back);
                    continue;
                }
            }
            if random.chance(20) {
                compare_draft(engine, definition, vocabulary, &text, random)?;
            }
            let token = choose(&expected, random);
            match engine.commit(token) {
                Ok(committed) if expected[token as usize].is_some_and(|is| is != committed) => {
                    return Err(format!("commit of {token} after {:?}", String::from_utf8_lossy(&text)));
                }
                Ok(true) if vocabulary.is_end(token) => break,
                Ok(true) => {
                    let Token::Text(bytes) = &vocabulary.tokens[token as usize] else { break };
                    texts.push([&text[..], bytes].concat());
                }
                Ok(false) => {}
                Err(Overflow) => break,
            }
        }
    }
    Ok(masks)
}

fn difference(mask: &[bool], expected: &[Option<bool>], vocabulary: &Vocabulary, text: &[u8]) -> String {
    let of = |id: usize| match vocabulary.tokens.get(id) {
        Some(Token::Text(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
        _ => "the end".to_owned(),
    };
    let differs = |wrong: bool| {
        let ids = (0..mask.len()).filter(|&id| expected[id] == Some(!wrong) && mask[id] == wrong);
        ids.map(of).collect::<Vec<_>>()
    };
    let text = String::from_utf8_lossy(text);
    format!("after {text:?}: also allows {:?}, and not {:?}", differs(true), differs(false))
}

/// How much was compared, and what is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Samples that were compared.
    pub samples: usize,
    /// Samples with too many documents, or whose schema is refused.
    pub skipped: usize,
    /// Masks that were compared.
    pub masks: usize,
    /// What is wrong, with the seed.
    pub wrong: Vec<(u64, String)>,
}

/// Compares the samples of these seeds.
#[must_use]
pub fn campaign(seeds: std::ops::Range<u64>) -> Report {
    Report::of(seeds, try_sample)
}

/// Compares the samples of open objects of these seeds.
#[must_use]
pub fn open_campaign(seeds: std::ops::Range<u64>) -> Report {
    Report::of(seeds, try_open_sample)
}

/// Compares the samples of counted members of these seeds.
#[must_use]
pub fn counted_campaign(seeds: std::ops::Range<u64>) -> Report {
    Report::of(seeds, try_counted_sample)
}

impl Report {
    /// Compares samples.
    pub(crate) fn of(seeds: std::ops::Range<u64>, compare: impl Fn(u64) -> Outcome) -> Self {
        let mut report = Self::default();
        for seed in seeds {
            match compare(seed) {
                Outcome::Compared(masks) => {
                    report.samples += 1;
                    report.masks += masks;
                }
                Outcome::Skipped => report.skipped += 1,
                Outcome::Wrong(wrong) => report.wrong.push((seed, wrong)),
            }
        }
        report
    }
}
