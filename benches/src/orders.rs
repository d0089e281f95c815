//! Reads an instance with its keys in another order, if a grammar refuses the order of the file.
//!
//! Whether an instance is valid does not depend on the order of its keys, but a grammar of JSON texts fixes an order. An instance is outside
//! of the language only if it is refused with its keys in every order.

use crate::json::{Value, quoted};
use gcc_grammar_runtime::Matcher;

/// The most pieces of text that a search commits.
pub const MAX_TRIES: u32 = 20_000;

/// The verdict on an instance whose keys may come in any order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InSomeOrder {
    /// The instance is accepted in some order.
    Accepted,
    /// The instance is refused in every order.
    Refused,
    /// There are too many orders to try them all.
    Unknown,
}

/// Searches depth first for an order of all keys that the matcher accepts, with `", "` and `": "` as separators.
///
/// The matcher must be able to roll back [`MAX_TRIES`] commits. The search recurses once for every piece of the instance.
pub fn in_some_order(matcher: &mut Matcher<'_, '_>, instance: &Value) -> InSomeOrder {
    matcher.reset();
    let mut search = Search { matcher, tries: 0 };
    if search.value(instance, &mut |search| search.matcher.is_accepting() == Ok(true)) {
        InSomeOrder::Accepted
    } else if search.tries > MAX_TRIES {
        InSomeOrder::Unknown
    } else {
        InSomeOrder::Refused
    }
}

/// Sorts the keys of every object by the `properties` of the schema that name most of them, which is a good first guess.
#[must_use]
pub fn in_declared_order(instance: &Value, schema: &Value) -> Value {
    let mut orders = Vec::new();
    collect_orders(schema, &mut orders);
    sort_keys(instance, &orders)
}

/// Adds the keys of each `properties` of the schema, in their order.
fn collect_orders<'s>(schema: &'s Value, orders: &mut Vec<Vec<&'s str>>) {
    schema.items().iter().for_each(|item| collect_orders(item, orders));
    if let Value::Object(properties) = schema.get("properties") {
        orders.push(properties.iter().map(|(key, _)| key.as_str()).collect());
    }
    schema.members().iter().for_each(|(_, member)| collect_orders(member, orders));
}

fn sort_keys(instance: &Value, orders: &[Vec<&str>]) -> Value {
    match instance {
        Value::Array(items) => Value::Array(items.iter().map(|item| sort_keys(item, orders)).collect()),
        Value::Object(members) => {
            let named =
                |order: &&Vec<&str>| members.iter().filter(|(key, _)| order.contains(&key.as_str())).count();
            // `max_by_key` gives the last maximum, and the first is needed.
            let best = orders.iter().rev().max_by_key(named);
            let place = |key: &str| best.and_then(|order| order.iter().position(|&other| other == key));
            let mut sorted: Vec<_> =
                members.iter().map(|(key, value)| (key.clone(), sort_keys(value, orders))).collect();
            sorted.sort_by_key(|(key, _)| place(key).unwrap_or(usize::MAX));
            Value::Object(sorted)
        }
        scalar => scalar.clone(),
    }
}

struct Search<'m, 'a, 's> {
    matcher: &'m mut Matcher<'a, 's>,
    tries: u32,
}

/// The rest of the search, which goes on after a piece of text. It returns whether the whole instance was accepted.
type Then<'t, 'm, 'a, 's> = &'t mut dyn FnMut(&mut Search<'m, 'a, 's>) -> bool;

impl<'m, 'a, 's> Search<'m, 'a, 's> {
    /// Commits a piece of text, and rolls it back if the rest of the search fails.
    fn text(&mut self, text: &str, then: Then<'_, 'm, 'a, 's>) -> bool {
        self.tries += 1;
        if self.tries > MAX_TRIES || self.matcher.commit_bytes(text.as_bytes()).is_err() {
            return false;
        }
        let done = then(self);
        if !done {
            // The matcher can roll back as many commits as there are tries.
            let back = self.matcher.rollback(1);
            debug_assert_eq!(back, Ok(()));
        }
        done
    }

    fn value(&mut self, value: &Value, then: Then<'_, 'm, 'a, 's>) -> bool {
        match value {
            Value::Array(items) => self.items("[", items, then),
            Value::Object(members) => self.members("{", &members.iter().collect::<Vec<_>>(), then),
            scalar => self.text(&scalar.to_string(), then),
        }
    }

    /// Reads items and the closing bracket. `before` is the text before the first item: the opening bracket or a separator.
    fn items(&mut self, before: &str, items: &[Value], then: Then<'_, 'm, 'a, 's>) -> bool {
        match items.split_first() {
            None if before == "[" => self.text("[]", then),
            None => self.text("]", then),
            Some((first, rest)) => self.text(before, &mut |search| {
                search.value(first, &mut |search| search.items(", ", rest, then))
            }),
        }
    }

    /// Reads members and the closing brace. Any of the members may come next.
    fn members(&mut self, before: &str, members: &[&(String, Value)], then: Then<'_, 'm, 'a, 's>) -> bool {
        if members.is_empty() {
            return self.text(if before == "{" { "{}" } else { "}" }, then);
        }
        (0..members.len()).any(|index| {
            let mut rest = members.to_vec();
            let (key, value) = rest.remove(index);
            self.text(&format!("{before}{}: ", quoted(key)), &mut |search| {
                search.value(value, &mut |search| search.members(", ", &rest, then))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{load_vocabulary, parse_source};
    use gcc_grammar::{Session, Source};
    use gcc_grammar_compiler::{Options, compile};

    #[test]
    fn only_what_is_refused_in_every_order_is_refused() {
        let schema = r#"{
            "properties": {"a": {}, "b": {"type": "integer"}, "c": {"items": {"properties": {"x": {}, "y": {}}}}},
            "required": ["a", "b"], "additionalProperties": false
        }"#;
        let vocabulary = load_vocabulary("cl100k").unwrap();
        let parsed = parse_source(&Source::json_schema(schema)).unwrap();
        let compiled = compile(&parsed.grammar, vocabulary.tokens(), &Options::default(), &mut ()).unwrap();
        let artifact = compiled.to_artifact(vocabulary.tokens());
        let session = Session::from_bytes("schema", artifact, &vocabulary).unwrap();
        let mut scratch = vec![0; session.engine().scratch_words() + MAX_TRIES as usize * 64];
        let mut matcher = Matcher::new(session.engine(), &mut scratch, MAX_TRIES).unwrap();
        let mut verdict = |text: &str| in_some_order(&mut matcher, &text.parse().unwrap());
        let mixed = r#"{"c": [{"y": 1, "x": [{}, []]}, 2], "b": 1, "a": {"z": 0}}"#;
        assert_eq!(verdict(mixed), InSomeOrder::Accepted);
        assert_eq!(verdict(r#"{"b": "1", "a": 2}"#), InSomeOrder::Refused);
        assert_eq!(verdict(r#"{"b": 1}"#), InSomeOrder::Refused);
        let declared = in_declared_order(&mixed.parse().unwrap(), &schema.parse().unwrap());
        assert_eq!(declared.to_string(), r#"{"a":{"z":0},"b":1,"c":[{"x":[{},[]],"y":1},2]}"#);
    }
}
