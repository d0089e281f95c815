//! The verdict of a grammar on an instance, whatever the order of its keys.
//!
//! Validity does not depend on the order of keys, but a grammar fixes one order. So an instance counts as
//! accepted if it is accepted in some order of its keys, and as refused if it is refused in all. Other tests
//! check which order it is.

use crate::json::{Json, ascii, quoted};
use crate::recognizer::Recognizer;

/// The maximum number of prefixes that are tried.
const MAX_TRIES: usize = 1_000;

/// The verdict on an instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The instance is accepted as it is.
    Accepted,
    /// It is accepted with its keys in the order of this text.
    Reordered(String),
    /// It is refused in every order of keys.
    Refused,
    /// There are too many orders to try.
    Unknown,
}

/// Whether a text is accepted.
///
/// # Panics
/// It is not the same with the escapes of `ensure_ascii`, or these are accepted alone where a large class may leave them out.
pub(crate) fn accepts_printed(recognizer: &Recognizer, text: &str) -> bool {
    let accepted = recognizer.accepts(text.as_bytes());
    let ascii = ascii(text);
    assert!(
        ascii == text
            || recognizer.accepts(ascii.as_bytes()) == accepted
            || (accepted && recognizer.has_large_class),
        "{text}: printed with escapes"
    );
    accepted
}

/// Tries every order of keys until one is accepted, beginning with the order of the instance and that of the
/// schema.
pub(crate) fn verdict(recognizer: &Recognizer, instance: &Json, schema: &Json) -> Verdict {
    if accepts_printed(recognizer, &instance.spaced()) {
        return Verdict::Accepted;
    }
    let guess = in_schema_order(instance, schema).spaced();
    if accepts_printed(recognizer, &guess) {
        return Verdict::Reordered(guess);
    }
    let mut search = Search { recognizer, tries: 0 };
    let mut accepted = None;
    let found = search.value(instance, "", &mut |search, text| {
        search.tries += 1;
        let complete = accepts_printed(search.recognizer, text);
        if complete {
            accepted = Some(text.to_owned());
        }
        complete
    });
    match accepted {
        Some(text) if found => Verdict::Reordered(text),
        _ if search.tries > MAX_TRIES => Verdict::Unknown,
        _ => Verdict::Refused,
    }
}

struct Search<'a> {
    recognizer: &'a Recognizer,
    tries: usize,
}

/// A continuation that gets a text which ends after a value. It returns true if the search is over.
type Then<'t, 'a> = &'t mut dyn FnMut(&mut Search<'a>, &str) -> bool;

impl<'a> Search<'a> {
    /// Appends a value in every viable order, depth first.
    fn value(&mut self, value: &Json, before: &str, then: Then<'_, 'a>) -> bool {
        match value {
            Json::Array(items) if !items.is_empty() => self.items(items, &format!("{before}["), then),
            Json::Object(members) if !members.is_empty() => {
                let rest: Vec<_> = members.iter().map(|(key, value)| (&**key, value)).collect();
                self.members(&rest, &format!("{before}{{"), then)
            }
            scalar => then(self, &format!("{before}{scalar}")),
        }
    }

    fn items(&mut self, items: &[Json], before: &str, then: Then<'_, 'a>) -> bool {
        let Some((first, rest)) = items.split_first() else { return then(self, &format!("{before}]")) };
        self.value(first, before, &mut |search, text| {
            if rest.is_empty() {
                return then(search, &format!("{text}]"));
            }
            let text = format!("{text}, ");
            search.is_viable(&text) && search.items(rest, &text, then)
        })
    }

    fn members(&mut self, members: &[(&str, &Json)], before: &str, then: Then<'_, 'a>) -> bool {
        for index in 0..members.len() {
            let mut rest = members.to_vec();
            let (key, value) = rest.remove(index);
            let text = format!("{before}{}: ", quoted(key));
            if !self.is_viable(&text) {
                continue;
            }
            let found = self.value(value, &text, &mut |search, text| {
                if rest.is_empty() {
                    return then(search, &format!("{text}}}"));
                }
                let text = format!("{text}, ");
                search.is_viable(&text) && search.members(&rest, &text, then)
            });
            if found {
                return true;
            }
        }
        false
    }

    /// Whether a text that ends with a terminal can be continued.
    fn is_viable(&mut self, text: &str) -> bool {
        self.tries += 1;
        self.tries <= MAX_TRIES && self.recognizer.reaches_end(text.as_bytes())
    }
}

/// The instance with the keys of every object in the order of the `properties` that fit it best.
fn in_schema_order(instance: &Json, schema: &Json) -> Json {
    let mut orders = Vec::new();
    collect_orders(schema, &mut orders);
    reorder(instance, &orders)
}

fn collect_orders(schema: &Json, orders: &mut Vec<Vec<String>>) {
    match schema {
        Json::Array(items) => items.iter().for_each(|item| collect_orders(item, orders)),
        Json::Object(members) => {
            let mut order: Vec<String> = Vec::new();
            order.extend(schema.get("properties").members().iter().map(|(key, _)| key.clone()));
            let required = schema.get("required").items();
            order.extend(required.iter().filter_map(|key| key.as_str().map(str::to_owned)));
            if order.is_empty() {
                // Perhaps a constant: its keys are in the order that its schema has.
                order.extend(members.iter().map(|(key, _)| key.clone()));
            }
            if !order.is_empty() {
                orders.push(order);
            }
            members.iter().for_each(|(_, member)| collect_orders(member, orders));
        }
        _ => {}
    }
}

fn reorder(instance: &Json, orders: &[Vec<String>]) -> Json {
    match instance {
        Json::Array(items) => Json::Array(items.iter().map(|item| reorder(item, orders)).collect()),
        Json::Object(members) => {
            let fit = |order: &&Vec<String>| members.iter().filter(|(key, _)| order.contains(key)).count();
            let mut best: Option<&Vec<String>> = None;
            for order in orders {
                if best.is_none_or(|best| fit(&order) > fit(&best)) {
                    best = Some(order);
                }
            }
            let mut members: Vec<_> =
                members.iter().map(|(key, value)| (key.clone(), reorder(value, orders))).collect();
            if let Some(best) = best {
                members
                    .sort_by_key(|(key, _)| best.iter().position(|other| other == key).unwrap_or(usize::MAX));
            }
            Json::Object(members)
        }
        scalar => scalar.clone(),
    }
}
