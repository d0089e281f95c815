//! Random schemas in which lists and objects remember, beside lists of all their documents: the campaign `remembered`.

use crate::distinct::{Outcome, Shape, compare_with};
use crate::keys::{self, Values};
use crate::subject::Way;
use crate::{any_items, distinct, same};
use gcc_grammar_json_schema::{Options, PropertyOrder, Strings};
use gcc_grammar_random::Random;

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Objects whose keys are remembered.
    Keys,
    /// Lists whose items differ.
    Lists,
    /// The same with open objects in them.
    OpenLists,
    /// The same with items of any value.
    AnyItems,
    /// Such lists in such objects, and such objects in lists.
    Nested,
    /// Texts that are repeated.
    Repeated,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Keys, Self::Lists, Self::OpenLists, Self::AnyItems, Self::Nested, Self::Repeated];

    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Keys => "keys",
            Self::Lists => "lists",
            Self::OpenLists => "open-lists",
            Self::AnyItems => "any-items",
            Self::Nested => "nested",
            Self::Repeated => "repeated",
        }
    }

    /// Compares the masks of a random schema of this kind along random walks.
    #[must_use]
    pub fn try_sample(self, seed: u64) -> Outcome {
        match self {
            Self::Keys => keys::try_sample(seed),
            Self::Lists => distinct::try_sample(seed),
            Self::OpenLists => distinct::try_open_sample(seed),
            Self::AnyItems => any_items::try_sample(seed),
            Self::Nested => try_nested(seed),
            Self::Repeated => same::try_sample(seed),
        }
    }
}

/// The kind of the sample of a seed: objects are every second one.
#[must_use]
pub fn kind_of(seed: u64) -> Kind {
    match seed % 8 {
        0 | 3 | 6 => Kind::Keys,
        1 => Kind::Lists,
        2 => Kind::OpenLists,
        4 => Kind::AnyItems,
        _ => Kind::Nested,
    }
}

/// Objects whose documents are listed; `None` if they are too many.
fn given(shape: &keys::Shape) -> Option<Shape> {
    Some(Shape::Given(shape.schema(), shape.documents()?))
}

/// A list that remembers, or in which objects do. No number has a point, so that each has one notation.
fn list(random: &mut Random, any_order: bool) -> Option<Shape> {
    const VALUES: [&str; 8] = ["1", "12", "\"a\"", "\"ab\"", "true", "null", "{}", "[]"];
    let array = |random: &mut Random, items| {
        let (min, more, unique) = (random.below(2), random.between(1, 2), random.chance(60));
        Shape::Array { items: Box::new(items), min, max: min + more, unique }
    };
    let values = |random: &mut Random| {
        let first = random.below(VALUES.len() - 2);
        let some = &VALUES[first..random.between(first + 2, VALUES.len())];
        Shape::Values(some.iter().map(|&text| text.to_owned()).collect())
    };
    let values = values(random);
    let items = match random.below(4) {
        0 => values,
        1 => array(random, values),
        2 => Shape::Object(vec![("a".to_owned(), values, random.chance(50))]),
        _ => given(&keys::Shape::random_small(random, any_order))?,
    };
    Some(array(random, items))
}

/// An object with a list and an object.
fn pair(random: &mut Random, any_order: bool) -> Option<keys::Shape> {
    let values = [
        ("list", Values::Lists(list(random, any_order)?)),
        ("object", Values::Object(Box::new(keys::Shape::random_small(random, any_order)))),
    ];
    let conditions = vec![keys::Condition::Required(vec![random.below(2)])];
    Some(keys::Shape { keys: values.to_vec(), conditions, others: Vec::new(), any_order })
}

/// Compares the masks of a random schema in which lists and objects remember in each other.
fn try_nested(seed: u64) -> Outcome {
    let mut random = Random::new(seed);
    let any_order = random.chance(60);
    let found = match random.below(3) {
        0 => list(&mut random, any_order).map(|shape| (shape.schema(), shape.documents())),
        1 => pair(&mut random, any_order).map(|shape| (shape.schema(), shape.documents())),
        _ => object(&mut random, any_order).map(|shape| (shape.schema(), shape.documents())),
    };
    let Some((schema, Some(documents))) =
        found.filter(|(_, all)| all.as_ref().is_some_and(|all| !all.is_empty()))
    else {
        return Outcome::Skipped;
    };
    let property_order = if any_order { PropertyOrder::Any } else { PropertyOrder::Declared };
    let whitespace = "compact".parse().expect("a known word");
    let mut options =
        Options { whitespace, strings: Strings::Canonical, property_order, ..Options::default() };
    options.limits.max_key_transitions = if random.chance(70) { Some(0) } else { None };
    compare_with(&schema, &options, (documents, &|_, _| true), &mut random, Way::of_seed(seed))
}

/// An object that remembers its keys, with lists as values of some.
fn object(random: &mut Random, any_order: bool) -> Option<keys::Shape> {
    let mut shape = keys::Shape::random_small(random, any_order);
    let place = random.below(shape.keys.len());
    let is_free = shape.is_free(place);
    if is_free {
        shape.keys[place].1 = Values::Lists(list(random, any_order)?);
    }
    Some(shape)
}
