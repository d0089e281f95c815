//! Conditions on objects as schemas combine them: random ones, their keywords, and what they mean.

use gcc_grammar_random::Random;

/// A key, by its place, and some of its values.
pub type Valued = (usize, Vec<&'static str>);

/// A condition on an object.
#[derive(Clone, Debug)]
pub enum Formula {
    /// `required`.
    Required(Vec<usize>),
    /// `properties`: if the key is there, its value is one of some.
    Is(Valued),
    /// `minProperties` and `maxProperties`.
    Count(usize, usize),
    /// `not`.
    Not(Box<Formula>),
    /// `allOf`.
    All(Vec<Formula>),
    /// `anyOf`.
    Any(Vec<Formula>),
    /// `oneOf`.
    One(Vec<Formula>),
    /// `if`, `then` and `else`.
    If(Box<[Formula; 3]>),
    /// `anyOf` of objects that each require a key and declare another one, with `unevaluatedProperties: false`. Other keys are declared.
    Mixins(Vec<(usize, usize)>),
}

impl Formula {
    /// Whether it holds for some members.
    #[must_use]
    pub fn holds(&self, members: &[(usize, &str)]) -> bool {
        let has = |key: usize| members.iter().any(|&(other, _)| other == key);
        let count = |all: &[Self]| all.iter().filter(|inner| inner.holds(members)).count();
        match self {
            Self::Required(keys) => keys.iter().all(|&key| has(key)),
            Self::Is((key, texts)) => {
                members.iter().all(|(other, value)| other != key || texts.contains(value))
            }
            Self::Count(least, most) => (*least..=*most).contains(&members.len()),
            Self::Not(inner) => !inner.holds(members),
            Self::All(all) => count(all) == all.len(),
            Self::Any(all) => count(all) > 0,
            Self::One(all) => count(all) == 1,
            Self::If(parts) => {
                let [condition, then, otherwise] = &**parts;
                let part = if condition.holds(members) { then } else { otherwise };
                part.holds(members)
            }
            Self::Mixins(mixins) => {
                let is_mixed = |key| mixins.iter().any(|&(first, second)| first == key || second == key);
                let held =
                    |key| mixins.iter().any(|&(first, second)| has(first) && (first == key || second == key));
                mixins.iter().any(|&(first, _)| has(first))
                    && members.iter().all(|&(key, _)| !is_mixed(key) || held(key))
            }
        }
    }

    /// The schema, of objects with these keys.
    #[must_use]
    pub fn schema(&self, keys: &[&str]) -> String {
        let list = |all: &[Self]| all.iter().map(|inner| inner.schema(keys)).collect::<Vec<_>>().join(",");
        match self {
            Self::Required(all) => {
                let names: Vec<String> = all.iter().map(|&key| format!("{:?}", keys[key])).collect();
                format!(r#"{{"required":[{}]}}"#, names.join(","))
            }
            Self::Is((key, texts)) => {
                format!(r#"{{"properties":{{{:?}:{{"enum":[{}]}}}}}}"#, keys[*key], texts.join(","))
            }
            Self::Count(least, most) => format!(r#"{{"minProperties":{least},"maxProperties":{most}}}"#),
            Self::Not(inner) => format!(r#"{{"not":{}}}"#, inner.schema(keys)),
            Self::All(all) => format!(r#"{{"allOf":[{}]}}"#, list(all)),
            Self::Any(all) => format!(r#"{{"anyOf":[{}]}}"#, list(all)),
            Self::One(all) => format!(r#"{{"oneOf":[{}]}}"#, list(all)),
            Self::If(parts) => {
                let [condition, then, otherwise] = [0, 1, 2].map(|part| parts[part].schema(keys));
                format!(r#"{{"if":{condition},"then":{then},"else":{otherwise}}}"#)
            }
            Self::Mixins(mixins) => {
                let mixin = |&(first, second): &(usize, usize)| {
                    let (first, second) = (keys[first], keys[second]);
                    let declared = if first == second { String::new() } else { format!(",{second:?}:true") };
                    format!(r#"{{"properties":{{{first:?}:true{declared}}},"required":[{first:?}]}}"#)
                };
                let is_mixed = |key| mixins.iter().any(|&(first, second)| first == key || second == key);
                let names = keys.iter().enumerate().filter(|&(key, _)| !is_mixed(key)).map(|(_, name)| name);
                let declared: Vec<String> = names.map(|name| format!("{name:?}:true")).collect();
                let mixins: Vec<String> = mixins.iter().map(mixin).collect();
                format!(
                    r#"{{"properties":{{{}}},"anyOf":[{}],"unevaluatedProperties":false}}"#,
                    declared.join(","),
                    mixins.join(",")
                )
            }
        }
    }

    /// A random one about so many keys, and about some values of some of them. Where other keys may come any number of times, members are not counted, and no
    /// other keys declared.
    pub fn random(
        random: &mut Random,
        depth: usize,
        keys: usize,
        valued: &[Valued],
        has_others: bool,
    ) -> Self {
        let inner = |random: &mut Random| Self::random(random, depth - 1, keys, valued, has_others);
        let some =
            |random: &mut Random| -> Vec<Self> { (0..random.between(1, 3)).map(|_| inner(random)).collect() };
        match random.below(if depth == 0 { 5 } else { 12 }) {
            0 | 1 => Self::Required((0..random.between(1, 2)).map(|_| random.below(keys)).collect()),
            2 | 3 if !valued.is_empty() => {
                let (key, texts) = random.pick(valued);
                let kept: Vec<&'static str> = texts.iter().copied().filter(|_| random.chance(50)).collect();
                Self::Is((*key, if kept.is_empty() { vec![texts[0]] } else { kept }))
            }
            2..=4 if !has_others && random.chance(30) => {
                let least = random.below(keys.min(3));
                Self::Count(least, random.between(least, keys + 1))
            }
            2..=4 => Self::Not(Box::new(Self::Required(vec![random.below(keys)]))),
            5 => Self::Not(Box::new(inner(random))),
            6 => Self::All(some(random)),
            7 => Self::One(some(random)),
            8 if !has_others => Self::Mixins(
                (0..random.between(1, 3)).map(|_| (random.below(keys), random.below(keys))).collect(),
            ),
            8 | 9 => Self::Any(some(random)),
            _ => Self::If(Box::new([inner(random), inner(random), inner(random)])),
        }
    }
}
