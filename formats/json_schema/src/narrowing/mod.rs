//! Narrowings: texts of valid values that the grammar refuses.
//!
//! A schema says which values are valid. A value has many texts, and the grammar does not accept all of them. This stage finds, from the
//! graph of nodes, what is refused although the value is valid. It looks at what the grammar is made from, so a keyword whose effect
//! another keyword cancels is not reported: `anyOf` of `integer` and `number` has every spelling of a number.
//!
//! In: the graph, the loaded schemas, the options. Out: [`Narrowings`], the kinds that concern the whole document, and those of each
//! schema that governs a node. The loader turns schemas into JSON Pointers.
//!
//! | kind | reported | decided by |
//! |---|---|---|
//! | white space | once | the options |
//! | half surrogates, repeated keys, canonical strings | once | all strings and keys of the graph |
//! | notation of items that differ | for each schema | the automaton of the arrays |
//! | order of keys | for each schema | `orders`: the automaton of the objects is not closed under exchanging two members |
//! | spellings of numbers | for each schema | the spelled language of the node's numbers |
//! | keys that a style cannot write | for each schema | the emission of the node's keys |
//! | spellings of strings, if printed | for each schema | the emission of the node's strings and keys |
//! | texts of formats | for each keyword | the loader: the formats say so themselves |
//!
//! `origins` finds the schemas of a node that cause its narrowing.

mod document;
mod orders;
mod origins;

use crate::automaton::{Automaton, Keys};
use crate::content::{Place, Vertex};
use crate::emit::NarrowNodes;
use crate::graph::Graph;
use crate::languages::Languages;
use crate::languages::number::has_more_digits;
use crate::languages::number::spellings::{Spellings, spellings};
use crate::options::{Options, PropertyOrder, Strings};
use crate::report::{NO_OPTION, Narrowed, Narrowing};
use crate::schema::{SchemaId, Schemas};
use gcc_grammar_limits::{Budget, OverBudget};
use origins::Origins;
use rustc_hash::FxHashMap;

/// All narrowings of a compiled schema.
#[derive(Default)]
pub(crate) struct Narrowings {
    /// Those that concern the whole document, by kind.
    pub(crate) document: Vec<Narrowed>,
    /// Those of single schemas.
    pub(crate) schemas: FxHashMap<SchemaId, OfSchema>,
}

/// What is narrowed in the values of one schema.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct OfSchema {
    order: bool,
    numbers: Spellings,
    /// Whether numbers have a bounded number of digits.
    digits: bool,
    /// Whether strings or keys are spelled as printers do.
    printed: bool,
    /// Whether items that differ have one notation each.
    items: bool,
    /// Whether keys that are counted have one notation each.
    names: bool,
    /// Whether the style of arguments cannot write some keys.
    keys: bool,
}

impl OfSchema {
    /// Everything that is narrowed in one of two schemas.
    pub(crate) fn join(self, other: Self) -> Self {
        Self {
            order: self.order || other.order,
            numbers: self.numbers.max(other.numbers),
            digits: self.digits || other.digits,
            printed: self.printed || other.printed,
            items: self.items || other.items,
            names: self.names || other.names,
            keys: self.keys || other.keys,
        }
    }

    /// The narrowings, at most one of each kind, by kind.
    pub(crate) fn narrowed(self) -> impl Iterator<Item = Narrowed> {
        let order = self.order.then_some(Narrowed {
            kind: Narrowing::KeyOrder,
            refuses: "keys in another order than that of their declaration",
            help: "--property-order any accepts every order",
        });
        let items = self.items.then_some(Narrowed {
            kind: Narrowing::ItemSpelling,
            refuses: "items of arrays with uniqueItems in another notation than the shortest, such as 1.0, 1e1 or \"\\u00e9\"",
            help: NO_OPTION,
        });
        let keys = self.keys.then_some(Narrowed {
            kind: Narrowing::Keys,
            refuses: "keys that the style of the arguments cannot write",
            help: NO_OPTION,
        });
        let digits = self.digits.then_some(Narrowed {
            kind: Narrowing::NumberDigits,
            refuses: "numbers with more digits than the option number-digits in some part",
            help: "a larger --number-digits accepts more, none accepts all",
        });
        let of_objects = order.into_iter().chain(keys);
        items.into_iter().chain(of_objects).chain(digits).chain(numbers(self.numbers)).chain(self.strings())
    }

    /// The narrowing of the spellings of strings and keys.
    fn strings(self) -> Option<Narrowed> {
        let (refuses, help) = match (self.printed, self.names) {
            (false, false) => return None,
            (true, false) => (
                "escapes of printable ASCII characters in strings or keys, such as \\u0061 for a",
                "--strings all accepts every spelling",
            ),
            (false, true) => (
                "keys that are counted in another notation than the shortest, such as \"\\u00e9\"",
                NO_OPTION,
            ),
            (true, true) => (
                "escapes of printable ASCII characters in strings, and keys that are counted in another notation than the shortest, such as \"\\u00e9\"",
                "--strings all accepts every spelling of strings",
            ),
        };
        Some(Narrowed { kind: Narrowing::StringSpelling, refuses, help })
    }
}

fn numbers(spellings: Spellings) -> Option<Narrowed> {
    let (refuses, help) = match spellings {
        Spellings::All => return None,
        Spellings::Integers => (
            "integers with negative exponents, and with decimals and small exponents, such as 1.5e1",
            NO_OPTION,
        ),
        Spellings::Zeros => (
            "integers with an exponent, such as 1e1",
            "--integer-spelling all accepts the exponents that printers write",
        ),
        Spellings::Digits => (
            "integers with a point or an exponent, such as 1.0",
            "--integer-spelling zeros accepts the point, all also exponents",
        ),
        Spellings::Whole => (
            "integers with a point or an exponent, such as 1.0",
            "--integer-with-point true accepts the point",
        ),
        Spellings::Printed => (
            "numbers with other exponents than those that printers write for very small and very large ones, such as 1e1",
            NO_OPTION,
        ),
        Spellings::Plain => ("numbers with an exponent, such as 1e1", NO_OPTION),
    };
    Some(Narrowed { kind: Narrowing::NumberSpelling, refuses, help })
}

/// Finds the narrowings of the values of a graph. `point_is_integer` is what the draft of the document says about `1.0`.
pub(crate) fn find(
    (graph, narrow): (&Graph, &NarrowNodes),
    schemas: &Schemas,
    languages: &mut Languages,
    options: &Options,
    point_is_integer: bool,
    white_space: Option<Narrowed>,
    budget: &Budget,
) -> Result<Narrowings, OverBudget> {
    // Without the option, integers have no point only if their draft says so.
    let whole_is_narrow = point_is_integer && options.integer_with_point == Some(false);
    let integers = options.integer_spelling;
    let origins = Origins::new(schemas, languages, (options, whole_is_narrow), budget)?;
    let vertices = graph.reachable();
    let mut narrowings = FxHashMap::default();
    for &vertex in &vertices {
        let content = graph.content(vertex);
        budget.charge_work(content.size() as u64)?;
        let numbers = languages.automaton(content.numbers)?;
        let digits = has_more_digits(&numbers, options.number_digits);
        let spellings = spellings(&numbers, integers);
        if digits || spellings.are_narrow(whole_is_narrow) {
            let spellings = if spellings.are_narrow(whole_is_narrow) { spellings } else { Spellings::All };
            let numbers = OfSchema { numbers: spellings, digits, ..OfSchema::default() };
            add(&mut narrowings, origins.of_numbers(&content.node), numbers);
        }
        if content.array.as_ref().is_some_and(Automaton::is_distinct) {
            let items = OfSchema { items: true, ..OfSchema::default() };
            add(&mut narrowings, content.schema(), items);
        }
        if content.place == Place::Elsewhere && content.has_names() {
            let names = OfSchema { names: true, ..OfSchema::default() };
            add(&mut narrowings, content.schema(), names);
        }
        let may_declare =
            options.property_order == PropertyOrder::Declared || options.any_order_up_to.is_some();
        let declares = may_declare && (content.counts_other_keys || origins.has_order(&content.node));
        let is_ordered = content.record.as_ref().is_some_and(|record| record.is_ordered);
        if declares && (is_ordered || are_ordered(&content.objects, budget)?) {
            let order = OfSchema { order: true, ..OfSchema::default() };
            add(&mut narrowings, origins.of_order(&content.node), order);
        }
    }
    if options.strings == Strings::Printed {
        let printed = OfSchema { printed: true, ..OfSchema::default() };
        for &vertex in &narrow.strings {
            add(&mut narrowings, origins.of_strings(&graph.content(vertex).node), printed);
        }
        for &vertex in &narrow.keys {
            add(&mut narrowings, origins.of_keys(&graph.content(vertex).node), printed);
        }
    }
    for &vertex in &narrow.left_out {
        let keys = OfSchema { keys: true, ..OfSchema::default() };
        add(&mut narrowings, origins.of_keys(&graph.content(vertex).node), keys);
    }
    let is_canonical = options.strings == Strings::Canonical && !narrow.is_empty();
    let of_document = (is_canonical, options.repeated_keys, white_space);
    let document = document::narrowed(graph, &vertices, languages, of_document, budget)?;
    Ok(Narrowings { document, schemas: narrowings })
}

/// Whether some automaton of the objects of a node prescribes an order.
fn are_ordered(objects: &[Automaton<Keys, Vertex>], budget: &Budget) -> Result<bool, OverBudget> {
    for object in objects {
        if orders::is_ordered(object, budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn add(
    narrowings: &mut FxHashMap<SchemaId, OfSchema>,
    schemas: impl IntoIterator<Item = SchemaId>,
    narrowed: OfSchema,
) {
    for schema in schemas {
        let known = narrowings.entry(schema).or_default();
        *known = known.join(narrowed);
    }
}
