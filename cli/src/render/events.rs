//! What happened to values or rules while an output was written, as text and as JSON.

use super::show::printable;
use gcc_grammar::events::{Event, Events, RuleEvent, RuleEvents};
use gcc_grammar::{Error, Options, Session};
use serde_json::{Value, json};

/// What happened with a token.
pub(crate) struct Told {
    /// The number of the token, from 1; none at the end of the output.
    token: Option<usize>,
    event: Happening,
}

enum Happening {
    Value(Event),
    Rule(RuleEvent),
}

/// The events of tokens: of rules if the artifact's grammar has some, or else of JSON values. At the end of a complete output, the events that end with it.
pub(crate) fn events(session: &Session, tokens: &[u32], is_complete: bool) -> Result<Vec<Told>, Error> {
    match session.source()?.0.has_rules() {
        true => of_rules(session, tokens, is_complete),
        false => Ok(of_values(session, tokens, is_complete)),
    }
}

fn of_rules(session: &Session, tokens: &[u32], is_complete: bool) -> Result<Vec<Told>, Error> {
    let mut reader = RuleEvents::new(session, &Options::default())?;
    let mut all = Vec::new();
    let told = |token| move |event| Told { token, event: Happening::Rule(event) };
    for (index, &token) in tokens.iter().enumerate() {
        all.extend(reader.commit(token)?.into_iter().map(told(Some(index + 1))));
    }
    if is_complete {
        all.extend(reader.end()?.into_iter().map(told(None)));
    }
    Ok(all)
}

fn of_values(session: &Session, tokens: &[u32], is_complete: bool) -> Vec<Told> {
    let mut reader = Events::new(b"");
    let mut all = Vec::new();
    let told = |token| move |event| Told { token, event: Happening::Value(event) };
    for (index, &token) in tokens.iter().enumerate() {
        let text = session.vocabulary().tokens().bytes(token).unwrap_or_default();
        all.extend(reader.commit(text).into_iter().map(told(Some(index + 1))));
    }
    if is_complete {
        all.extend(reader.end().into_iter().map(told(None)));
    }
    all
}

/// A line each.
pub(crate) fn events_text(events: &[Told]) -> String {
    let line = |Told { token, event }: &Told| {
        let token = token.map_or_else(|| "end".to_owned(), |token| token.to_string());
        let (happened, what, text) = match event {
            Happening::Value(event) => {
                (event.happened, format!("{} {:?}", event.kind.as_str(), event.pointer), event.text.clone())
            }
            Happening::Rule(event) => {
                (event.happened, event.rule.to_string(), String::from_utf8_lossy(&event.text).into_owned())
            }
        };
        let text = if text.is_empty() { text } else { format!(" {text:?}") };
        format!("{:<9} {token} {} {}{text}\n", "event", happened.as_str(), printable(&what))
    };
    events.iter().map(line).collect()
}

/// A list of objects.
pub(crate) fn events_json(events: &[Told]) -> Value {
    let object = |Told { token, event }: &Told| match event {
        Happening::Value(Event { happened, document, pointer, kind, text, .. }) => json!({
            "token": token, "happened": happened.as_str(), "document": document, "pointer": pointer, "type": kind.as_str(), "text": text,
        }),
        Happening::Rule(event) => json!({
            "token": token, "happened": event.happened.as_str(), "rule": &*event.rule, "start": event.start,
            "text": String::from_utf8_lossy(&event.text),
        }),
    };
    events.iter().map(object).collect()
}
