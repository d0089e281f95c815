//! Objects whose keys are remembered, beside the list of all their documents.
//!
//! A [`Shape`] is a schema of objects with few documents. They are listed by the definition of JSON Schema: of all sequences of members with different declared keys, in
//! the order of the declaration or in any order, those whose keys satisfy every keyword. Random walks compare this with the masks of a [`Way`], as for
//! [lists](crate::distinct).

use crate::distinct::{self, Outcome, Report, compare_with};
use crate::formula::{Formula, Valued};
use crate::subject::Way;
use gcc_grammar_json_schema::{Options, PropertyOrder, Strings, compile};
use gcc_grammar_random::Random;
use std::collections::BTreeSet;

/// The values of a key.
#[derive(Clone, Debug)]
pub enum Values {
    /// One of these, as compact texts.
    Texts(Vec<&'static str>),
    /// An object.
    Object(Box<Shape>),
    /// Lists, or anything else.
    Lists(distinct::Shape),
}

/// A condition on the keys of an object, by their places.
#[derive(Clone, Debug)]
pub enum Condition {
    /// `required`.
    Required(Vec<usize>),
    /// `not` and `required`.
    NotAll(Vec<usize>),
    /// `dependentRequired`.
    Dependent(usize, Vec<usize>),
    /// `if` a key is there, `then` another must not be.
    Excludes(usize, usize),
    /// `if` all of these are there, `then` another must be.
    Implies(Vec<usize>, usize),
    /// `if` the value of a key is one of some, `then` other keys must be there.
    Demands(Valued, Vec<usize>),
    /// `if` the value of a key is one of some, `then` that of another key is one of others.
    Restricts(Valued, Valued),
    /// `if` the value of a key is one of some, `then` another key must be there, `else` a third one.
    Either(Valued, usize, usize),
    /// `not` both: the value of a key is one of some, and that of another key is one of others.
    NotBoth(Valued, Valued),
    /// `minProperties` and perhaps `maxProperties`. There are no other keys.
    Count(usize, Option<usize>),
    /// Any other condition.
    Holds(Formula),
}

/// Objects of few documents.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The declared keys, with their values.
    pub keys: Vec<(&'static str, Values)>,
    /// The conditions.
    pub conditions: Vec<Condition>,
    /// The keys that may come besides, any number of times; their value is 0.
    pub others: Vec<&'static str>,
    /// Whether declared keys come in any order.
    pub any_order: bool,
}

/// Shapes with more documents are not compared.
const MOST_DOCUMENTS: usize = 60_000;
/// So many further keys are in a document at most.
const MOST_OTHERS: usize = 3;

impl Condition {
    /// Whether it holds for some members.
    fn holds(&self, members: &[(usize, &str)]) -> bool {
        let has = |key: usize| members.iter().any(|&(other, _)| other == key);
        let all = |keys: &[usize]| keys.iter().all(|&key| has(key));
        let is = |(key, texts): &Valued| {
            members.iter().any(|&(other, value)| other == *key && texts.contains(&value))
        };
        match self {
            Self::Required(keys) => all(keys),
            Self::NotAll(keys) => !all(keys),
            Self::Dependent(key, others) => !has(*key) || all(others),
            Self::Excludes(key, other) => !has(*key) || !has(*other),
            Self::Implies(keys, other) => !all(keys) || has(*other),
            Self::Demands(valued, others) => !is(valued) || all(others),
            Self::Restricts(valued, other) => !is(valued) || !has(other.0) || is(other),
            Self::Either(valued, then, otherwise) => has(if is(valued) { *then } else { *otherwise }),
            Self::NotBoth(valued, other) => valued.0 == other.0 || !is(valued) || !is(other),
            Self::Count(least, most) => {
                members.len() >= *least && most.is_none_or(|most| members.len() <= most)
            }
            Self::Holds(formula) => formula.holds(members),
        }
    }

    fn schema(&self, shape: &Shape) -> String {
        let list = |keys: &[usize]| {
            let names: Vec<String> = keys.iter().map(|&key| format!("{:?}", shape.keys[key].0)).collect();
            names.join(",")
        };
        let required = |keys: &[usize]| format!(r#"{{"required":[{}]}}"#, list(keys));
        let member =
            |(key, texts): &Valued| format!(r#"{:?}:{{"enum":[{}]}}"#, shape.keys[*key].0, texts.join(","));
        let is = |all: &[&Valued]| {
            let members: Vec<String> = all.iter().map(|valued| member(valued)).collect();
            let keys: Vec<usize> = all.iter().map(|(key, _)| *key).collect();
            format!(r#"{{"properties":{{{}}},"required":[{}]}}"#, members.join(","), list(&keys))
        };
        match self {
            Self::Required(keys) => required(keys),
            Self::NotAll(keys) => format!(r#"{{"not":{}}}"#, required(keys)),
            Self::Dependent(key, others) => {
                format!(r#"{{"dependentRequired":{{{:?}:[{}]}}}}"#, shape.keys[*key].0, list(others))
            }
            Self::Excludes(key, other) => {
                format!(r#"{{"if":{},"then":{{"not":{}}}}}"#, required(&[*key]), required(&[*other]))
            }
            Self::Implies(keys, other) => {
                format!(r#"{{"if":{},"then":{}}}"#, required(keys), required(&[*other]))
            }
            Self::Demands(valued, others) => {
                format!(r#"{{"if":{},"then":{}}}"#, is(&[valued]), required(others))
            }
            Self::Restricts(valued, other) => {
                format!(r#"{{"if":{},"then":{{"properties":{{{}}}}}}}"#, is(&[valued]), member(other))
            }
            Self::Either(valued, then, otherwise) => {
                let [then, otherwise] = [then, otherwise].map(|key| required(&[*key]));
                format!(r#"{{"if":{},"then":{then},"else":{otherwise}}}"#, is(&[valued]))
            }
            Self::NotBoth(valued, other) if valued.0 == other.0 => r#"{"not":false}"#.to_owned(),
            Self::NotBoth(valued, other) => format!(r#"{{"not":{}}}"#, is(&[valued, other])),
            Self::Count(least, most) => {
                let most = most.map_or(String::new(), |most| format!(r#","maxProperties":{most}"#));
                format!(r#"{{"minProperties":{least}{most}}}"#)
            }
            Self::Holds(formula) => {
                let keys: Vec<&str> = shape.keys.iter().map(|(key, _)| *key).collect();
                formula.schema(&keys)
            }
        }
    }
}

impl Shape {
    /// The schema.
    #[must_use]
    pub fn schema(&self) -> String {
        let properties: Vec<String> = self
            .keys
            .iter()
            .map(|(key, values)| match values {
                Values::Texts(texts) => format!(r#"{key:?}:{{"enum":[{}]}}"#, texts.join(",")),
                Values::Object(shape) => format!("{key:?}:{}", shape.schema()),
                Values::Lists(shape) => format!("{key:?}:{}", shape.schema()),
            })
            .collect();
        let conditions: Vec<String> =
            self.conditions.iter().map(|condition| condition.schema(self)).collect();
        let others = match &self.others[..] {
            [] => r#""additionalProperties":false"#.to_owned(),
            others => {
                let names = self.keys.iter().map(|(key, _)| key).chain(others);
                let names: Vec<String> = names.map(|name| format!("{name:?}")).collect();
                format!(
                    r#""additionalProperties":{{"const":0}},"propertyNames":{{"pattern":"^({})$"}}"#,
                    names.join("|").replace('"', "")
                )
            }
        };
        format!(
            r#"{{"type":"object","properties":{{{}}},"allOf":[{}],{others}}}"#,
            properties.join(","),
            if conditions.is_empty() { "true".to_owned() } else { conditions.join(",") }
        )
    }

    /// All documents with few further keys, as compact texts; `None` if they are too many.
    #[must_use]
    pub fn documents(&self) -> Option<BTreeSet<String>> {
        let mut values = Vec::new();
        for (_, of_key) in &self.keys {
            values.push(match of_key {
                Values::Texts(texts) => texts.iter().map(|&text| text.to_owned()).collect(),
                Values::Object(shape) => shape.documents()?,
                Values::Lists(shape) => shape.documents()?,
            });
        }
        let mut found = BTreeSet::new();
        self.extend(&values, &mut Vec::new(), 0, &mut String::new(), &mut found)?;
        Some(found)
    }

    /// Adds the documents that begin with some members.
    fn extend<'v>(
        &self,
        values: &'v [BTreeSet<String>],
        members: &mut Vec<(usize, &'v str)>,
        others: usize,
        text: &mut String,
        found: &mut BTreeSet<String>,
    ) -> Option<()> {
        if self.conditions.iter().all(|condition| condition.holds(members)) {
            found.insert(format!("{{{text}}}"));
            (found.len() <= MOST_DOCUMENTS).then_some(())?;
        }
        let length = text.len();
        let comma = if text.is_empty() { "" } else { "," };
        for key in 0..self.keys.len() {
            let is_late = !self.any_order && (others > 0 || members.iter().any(|&(before, _)| before > key));
            if members.iter().any(|&(before, _)| before == key) || is_late {
                continue;
            }
            for value in &values[key] {
                members.push((key, value));
                text.push_str(&format!("{comma}{:?}:{value}", self.keys[key].0));
                self.extend(values, members, others, text, found)?;
                text.truncate(length);
                members.pop();
            }
        }
        if others < MOST_OTHERS {
            for other in &self.others {
                text.push_str(&format!("{comma}{other:?}:0"));
                self.extend(values, members, others + 1, text, found)?;
                text.truncate(length);
            }
        }
        Some(())
    }

    /// Whether all continuations of a text by a token are listed: no further key has been written.
    pub(crate) fn is_complete(&self, text: &[u8]) -> bool {
        let text = String::from_utf8_lossy(text);
        !self.others.iter().any(|other| text.contains(&format!("{other:?}")))
    }

    /// A random shape.
    pub fn random(random: &mut Random) -> Self {
        let any_order = random.chance(60);
        Self::within(random, any_order, 1)
    }

    /// A random one of few keys.
    pub fn random_small(random: &mut Random, any_order: bool) -> Self {
        Self::within(random, any_order, 0)
    }

    fn within(random: &mut Random, any_order: bool, depth: usize) -> Self {
        const KEYS: [&str; 8] = ["a", "ab", "abc", "b", "ba", "c", "aa", "bb"];
        const TEXTS: [&[&str]; 7] =
            [&["1"], &["1", "12"], &["\"\"", "1"], &["\"a\"", "\"}\""], &["null"], &["[]", "[1]"], &["{}"]];
        let others = if depth > 0 && random.chance(25) { vec!["z", "ac"] } else { Vec::new() };
        let most = if depth == 0 {
            2
        } else if any_order || !others.is_empty() {
            4
        } else {
            6
        };
        let mut keys: Vec<(&str, Values)> = Vec::new();
        for _ in 0..random.between(1, most) {
            let key = *random.pick(&KEYS);
            if keys.iter().all(|(known, _)| *known != key) {
                let values = match depth > 0 && random.chance(10) {
                    true => Values::Object(Box::new(Self::within(random, any_order, 0))),
                    false => Values::Texts(random.pick(&TEXTS).to_vec()),
                };
                keys.push((key, values));
            }
        }
        let count = keys.len();
        let some = |random: &mut Random, most: usize| -> Vec<usize> {
            let mut some: Vec<usize> = (0..random.between(1, most)).map(|_| random.below(count)).collect();
            some.sort_unstable();
            some.dedup();
            some
        };
        let conditions = (0..random.below(4)).map(|_| match random.below(6) {
            0 => Condition::Required(some(random, 2)),
            1 | 2 => Condition::NotAll(some(random, 3)),
            3 => Condition::Dependent(random.below(count), some(random, 2)),
            4 => Condition::Excludes(random.below(count), random.below(count)),
            _ => Condition::Implies(some(random, 2), random.below(count)),
        });
        let mut conditions: Vec<Condition> = conditions.collect();
        let valued: Vec<(usize, Vec<&'static str>)> = (0..count)
            .filter_map(|key| match &keys[key].1 {
                Values::Texts(texts) => Some((key, texts.clone())),
                Values::Object(_) | Values::Lists(_) => None,
            })
            .collect();
        let some_of = |random: &mut Random| -> Valued {
            let (key, texts) = random.pick(&valued).clone();
            let kept =
                texts.iter().copied().filter(|_| texts.len() == 1 || random.chance(50)).collect::<Vec<_>>();
            (key, if kept.is_empty() { vec![texts[0]] } else { kept })
        };
        let more = if valued.is_empty() || random.chance(50) { 0 } else { random.between(1, 3) };
        for _ in 0..more {
            let first = some_of(random);
            if random.chance(40) {
                conditions.push(Condition::Required(vec![first.0]));
            }
            conditions.push(match random.below(4) {
                3 => Condition::Either(first, random.below(count), random.below(count)),
                0 => Condition::Demands(first, some(random, 2)),
                1 => Condition::Restricts(first, some_of(random)),
                _ => Condition::NotBoth(first, some_of(random)),
            });
        }
        if random.chance(40) {
            let count_of = random.between(1, 2);
            let formula =
                |_| Condition::Holds(Formula::random(random, 2, count, &valued, !others.is_empty()));
            conditions.extend((0..count_of).map(formula));
        }
        Self { keys, conditions, others, any_order }
    }

    /// A random one whose members are counted beside conditions that only add keys.
    pub fn random_counted(random: &mut Random) -> Self {
        let mut shape = Self::within(random, true, 1);
        shape.others.clear();
        shape.conditions.retain(|condition| match condition {
            Condition::Required(_) => true,
            Condition::Dependent(..) => random.chance(50),
            _ => false,
        });
        let count = shape.keys.len();
        let least = random.between(1, count);
        let most = random.chance(40).then(|| random.between(least, count));
        shape.conditions.push(Condition::Count(least, most));
        shape
    }

    /// Whether no condition is about values of a key.
    pub(crate) fn is_free(&self, key: usize) -> bool {
        let is_other = |valued: &Valued| valued.0 != key;
        self.conditions.iter().all(|condition| match condition {
            Condition::Demands(valued, _) | Condition::Either(valued, ..) => is_other(valued),
            Condition::Restricts(valued, other) | Condition::NotBoth(valued, other) => {
                is_other(valued) && is_other(other)
            }
            Condition::Holds(_) => false,
            _ => true,
        })
    }

    /// Whether some condition is about values.
    #[must_use]
    pub fn asks_for_values(&self) -> bool {
        self.conditions.iter().any(|condition| {
            use Condition::{Demands, Either, NotBoth, Restricts};
            matches!(condition, Demands(..) | Restricts(..) | NotBoth(..) | Either(..))
        })
    }
}

/// Compares the masks of a random shape along random walks.
#[must_use]
pub fn try_sample(seed: u64) -> Outcome {
    let mut random = Random::new(seed);
    let shape = Shape::random(&mut random);
    compare(&shape, &mut random, Way::of_seed(seed))
}

/// Compares the masks of a shape along random walks, with all keys remembered that can be.
pub fn compare(shape: &Shape, random: &mut Random, way: Way) -> Outcome {
    let Some(documents) = shape.documents().filter(|documents| !documents.is_empty()) else {
        return Outcome::Skipped;
    };
    let is_complete = |text: &[u8], _: &[u8]| shape.is_complete(text);
    compare_with(&shape.schema(), &shape.options(), (documents, &is_complete), random, way)
}

impl Shape {
    /// The options under which all keys are remembered that can be.
    pub(crate) fn options(&self) -> Options {
        let property_order = if self.any_order { PropertyOrder::Any } else { PropertyOrder::Declared };
        let whitespace = "compact".parse().expect("a known word");
        let mut options =
            Options { whitespace, strings: Strings::Canonical, property_order, ..Options::default() };
        options.limits.max_key_transitions = Some(0);
        options
    }

    /// Whether the keys of some object are remembered.
    #[must_use]
    pub fn is_remembered(&self) -> bool {
        compile(&self.schema(), &self.options()).is_ok_and(|compiled| {
            compiled.grammar.terminals.iter().any(|terminal| terminal.pattern.key_role().is_some())
        })
    }
}

/// Compares the samples of counted members of these seeds.
#[must_use]
pub fn counted_campaign(seeds: std::ops::Range<u64>) -> Report {
    Report::of(seeds, |seed| {
        let mut random = Random::new(seed);
        let shape = Shape::random_counted(&mut random);
        compare(&shape, &mut random, Way::of_seed(seed))
    })
}

/// Compares the samples of these seeds.
#[must_use]
pub fn campaign(seeds: std::ops::Range<u64>) -> Report {
    Report::of(seeds, try_sample)
}
