//! Instances as text, in some order of keys that a grammar accepts.
//!
//! Validity does not depend on the order of keys, but grammars fix one. So an instance counts as accepted if some order
//! of its keys is accepted, and as refused if none is. Which order it has to be is a matter of its own tests.

use crate::data::spaced;
use crate::recognizer::Recognizer;
use serde_json::Value;

/// So many prefixes are tried.
const MAX_TRIES: usize = 1_000;

/// What became of an instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// As it is.
    Accepted,
    /// With its keys in the order of this text.
    Reordered(String),
    /// In any order.
    Refused,
    /// Too many orders to try.
    Unknown,
}

/// Asks for every order of keys, until one is accepted. The first guess is the order of the schema.
pub(crate) fn verdict(recognizer: &Recognizer, instance: &Value, schema: &Value) -> Verdict {
    if recognizer.accepts(spaced(instance).as_bytes()) {
        return Verdict::Accepted;
    }
    let guess = spaced(&in_schema_order(instance, schema));
    if recognizer.accepts(guess.as_bytes()) {
        return Verdict::Reordered(guess);
    }
    let mut search = Search { recognizer, tries: 0 };
    let mut accepted = None;
    let found = search.value(instance, "", &mut |search, text| {
        search.tries += 1;
        let complete = search.recognizer.accepts(text.as_bytes());
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

/// What to do with a text that ends after a value; true if all is done.
type Then<'t, 'a> = &'t mut dyn FnMut(&mut Search<'a>, &str) -> bool;

impl<'a> Search<'a> {
    /// Appends a value in every viable order, depth first.
    fn value(&mut self, value: &Value, before: &str, then: Then<'_, 'a>) -> bool {
        match value {
            Value::Array(items) if !items.is_empty() => self.items(items, &format!("{before}["), then),
            Value::Object(members) if !members.is_empty() => {
                let rest: Vec<_> = members.iter().collect();
                self.members(&rest, &format!("{before}{{"), then)
            }
            scalar => then(self, &format!("{before}{}", spaced(scalar))),
        }
    }

    fn items(&mut self, items: &[Value], before: &str, then: Then<'_, 'a>) -> bool {
        let Some((first, rest)) = items.split_first() else { return then(self, &format!("{before}]")) };
        self.value(first, before, &mut |search, text| {
            if rest.is_empty() {
                return then(search, &format!("{text}]"));
            }
            let text = format!("{text}, ");
            search.is_viable(&text) && search.items(rest, &text, then)
        })
    }

    fn members(&mut self, members: &[(&String, &Value)], before: &str, then: Then<'_, 'a>) -> bool {
        for index in 0..members.len() {
            let mut rest = members.to_vec();
            let (key, value) = rest.remove(index);
            let text = format!("{before}{}: ", serde_json::to_string(key).unwrap());
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

    /// Can a text that ends with a terminal go on?
    fn is_viable(&mut self, text: &str) -> bool {
        self.tries += 1;
        self.tries <= MAX_TRIES && self.recognizer.reaches_end(text.as_bytes())
    }
}

/// The instance with the keys of every object in the order of the `properties` that fit it best.
fn in_schema_order(instance: &Value, schema: &Value) -> Value {
    let mut orders = Vec::new();
    collect_orders(schema, &mut orders);
    reorder(instance, &orders)
}

fn collect_orders(schema: &Value, orders: &mut Vec<Vec<String>>) {
    match schema {
        Value::Array(items) => items.iter().for_each(|item| collect_orders(item, orders)),
        Value::Object(members) => {
            let mut order: Vec<String> = Vec::new();
            if let Some(Value::Object(properties)) = members.get("properties") {
                order.extend(properties.keys().cloned());
            }
            if let Some(Value::Array(required)) = members.get("required") {
                order.extend(required.iter().filter_map(|key| key.as_str().map(str::to_owned)));
            }
            if order.is_empty() {
                // Perhaps a constant: its keys are in the order that its schema has.
                order.extend(members.keys().cloned());
            }
            if !order.is_empty() {
                orders.push(order);
            }
            members.values().for_each(|member| collect_orders(member, orders));
        }
        _ => {}
    }
}

fn reorder(instance: &Value, orders: &[Vec<String>]) -> Value {
    match instance {
        Value::Array(items) => Value::Array(items.iter().map(|item| reorder(item, orders)).collect()),
        Value::Object(members) => {
            let fit = |order: &&Vec<String>| members.keys().filter(|key| order.contains(key)).count();
            let mut best: Option<&Vec<String>> = None;
            for order in orders {
                if best.is_none_or(|best| fit(&order) > fit(&best)) {
                    best = Some(order);
                }
            }
            let mut keys: Vec<&String> = members.keys().collect();
            if let Some(best) = best {
                keys.sort_by_key(|key| best.iter().position(|other| other == *key).unwrap_or(usize::MAX));
            }
            Value::Object(keys.into_iter().map(|key| (key.clone(), reorder(&members[key], orders))).collect())
        }
        scalar => scalar.clone(),
    }
}
