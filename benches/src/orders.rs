//! Instances with their keys in some order that a grammar accepts.
//!
//! Validity does not depend on the order of keys, but a grammar of JSON texts fixes one. An instance that is refused as it is may be accepted
//! with its keys in another order, and only what is refused in every order is outside of the language.

use gcc_grammar_runtime::Matcher;
use serde_json::Value;

/// So many pieces of text are tried.
pub const MAX_TRIES: u32 = 20_000;

/// What becomes of an instance when its keys may come in any order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InSomeOrder {
    /// Accepted in some order.
    Accepted,
    /// Refused in every order.
    Refused,
    /// Too many orders to try them all.
    Unknown,
}

/// Looks for an order of all keys, depth first, that the matcher accepts, with `", "` and `": "` between. The matcher must be able to go back
/// [`MAX_TRIES`] commits. The stack that this takes grows with the size of the instance.
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

/// The instance with the keys of each object in the order of those `properties` of the schema that name most of them: a good first guess.
#[must_use]
pub fn in_declared_order(instance: &Value, schema: &Value) -> Value {
    let mut orders = Vec::new();
    collect_orders(schema, &mut orders);
    sort_keys(instance, &orders)
}

fn collect_orders<'s>(schema: &'s Value, orders: &mut Vec<Vec<&'s str>>) {
    match schema {
        Value::Array(items) => items.iter().for_each(|item| collect_orders(item, orders)),
        Value::Object(members) => {
            let properties = members.get("properties").and_then(Value::as_object);
            orders.extend(properties.map(|properties| properties.keys().map(String::as_str).collect()));
            members.values().for_each(|member| collect_orders(member, orders));
        }
        _ => {}
    }
}

fn sort_keys(instance: &Value, orders: &[Vec<&str>]) -> Value {
    match instance {
        Value::Array(items) => items.iter().map(|item| sort_keys(item, orders)).collect(),
        Value::Object(members) => {
            let named =
                |order: &&Vec<&str>| members.keys().filter(|key| order.contains(&key.as_str())).count();
            // The first of the best ones.
            let best = orders.iter().rev().max_by_key(named);
            let place = |key: &str| best.and_then(|order| order.iter().position(|&other| other == key));
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_by_key(|(key, _)| place(key).unwrap_or(usize::MAX));
            sorted.into_iter().map(|(key, value)| (key.clone(), sort_keys(value, orders))).collect()
        }
        scalar => scalar.clone(),
    }
}

struct Search<'m, 'a, 's> {
    matcher: &'m mut Matcher<'a, 's>,
    tries: u32,
}

/// What to do after a piece of text; true if all is done.
type Then<'t, 'm, 'a, 's> = &'t mut dyn FnMut(&mut Search<'m, 'a, 's>) -> bool;

impl<'m, 'a, 's> Search<'m, 'a, 's> {
    /// Reads a piece of text, and takes it back if it leads nowhere.
    fn text(&mut self, text: &str, then: Then<'_, 'm, 'a, 's>) -> bool {
        self.tries += 1;
        if self.tries > MAX_TRIES || self.matcher.commit_bytes(text.as_bytes()).is_err() {
            return false;
        }
        let done = then(self);
        if !done {
            // The matcher can go back as far as pieces are tried.
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

    /// `before` is what stands before the first of the items.
    fn items(&mut self, before: &str, items: &[Value], then: Then<'_, 'm, 'a, 's>) -> bool {
        match items.split_first() {
            None if before == "[" => self.text("[]", then),
            None => self.text("]", then),
            Some((first, rest)) => self.text(before, &mut |search| {
                search.value(first, &mut |search| search.items(", ", rest, then))
            }),
        }
    }

    /// The same for the members of an object, any of which may be the next.
    fn members(&mut self, before: &str, members: &[(&String, &Value)], then: Then<'_, 'm, 'a, 's>) -> bool {
        if members.is_empty() {
            return self.text(if before == "{" { "{}" } else { "}" }, then);
        }
        (0..members.len()).any(|index| {
            let mut rest = members.to_vec();
            let (key, value) = rest.remove(index);
            self.text(&format!("{before}{}: ", Value::from(key.as_str())), &mut |search| {
                search.value(value, &mut |search| search.members(", ", &rest, then))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::TokenBytes;
    use gcc_grammar_artifact::GrammarView;
    use gcc_grammar_compiler::Options;
    use gcc_grammar_json_schema as json_schema;
    use gcc_grammar_runtime::Engine;
    use serde_json::json;

    #[test]
    fn only_what_is_refused_in_every_order_is_refused() {
        let schema = json!({
            "properties": {"a": {}, "b": {"type": "integer"}, "c": {"items": {"properties": {"x": {}, "y": {}}}}},
            "required": ["a", "b"], "additionalProperties": false,
        });
        let vocabulary = TokenBytes::built_in("cl100k").unwrap();
        let parsed = json_schema::compile(&schema.to_string(), &json_schema::Options::default()).unwrap();
        let (artifact, _) = vocabulary.compile(&parsed.grammar, &Options::default()).unwrap();
        let engine = Engine::new(GrammarView::open(&artifact).unwrap(), &vocabulary).unwrap();
        let mut scratch = vec![0; engine.scratch_words() + MAX_TRIES as usize * 64];
        let mut matcher = Matcher::new(&engine, &mut scratch, MAX_TRIES).unwrap();
        let mut verdict = |instance: &Value| in_some_order(&mut matcher, instance);
        let mixed = json!({"c": [{"y": 1, "x": [{}, []]}, 2], "b": 1, "a": {"z": 0}});
        assert_eq!(verdict(&mixed), InSomeOrder::Accepted);
        assert_eq!(verdict(&json!({"b": "1", "a": 2})), InSomeOrder::Refused);
        assert_eq!(verdict(&json!({"b": 1})), InSomeOrder::Refused);
        let declared = in_declared_order(&mixed, &schema);
        assert_eq!(declared.to_string(), r#"{"a":{"z":0},"b":1,"c":[{"x":[{},[]],"y":1},2]}"#);
    }
}
