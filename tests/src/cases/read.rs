//! Reads cases from TOML.

use super::case::{Case, Expectation, Expected};
use super::notation::{read_expr, read_hex, read_regex};
use crate::compare::Step;
use crate::generate::Sample;
use crate::{Token, Vocabulary};
use gcc_grammar_ir::{
    After, Body, ContextRules, Discipline, EmbeddedLanguage, Grammar, LexerMode, ListRole, NonterminalId,
    Pattern, Role, Rule, Symbol, SymbolDfa, SymbolDfaState, Terminal, TerminalId, TokenSelector,
};
use gcc_grammar_regular::RegularLimits;
use std::fmt;
use std::sync::Arc;
use toml::{Table, Value};

/// A case that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadCase {
    /// The name of the case, or its number if it has no name.
    pub case: String,
    /// The reason why it cannot be read.
    pub message: String,
}

impl fmt::Display for BadCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "case {:?}: {}", self.case, self.message)
    }
}

/// Reads all cases of a file.
///
/// # Errors
/// The file is not TOML, or a case is not complete.
pub fn read_cases(text: &str) -> Result<Vec<Case>, BadCase> {
    let bad = |case: &str, message: String| BadCase { case: case.to_owned(), message };
    let file: Table = text.parse().map_err(|error: toml::de::Error| bad("", error.to_string()))?;
    let cases = array(&file, "case").map_err(|message| bad("", message))?;
    let named = cases.iter().enumerate().map(|(index, case)| {
        let name = case.get("name").and_then(Value::as_str).map_or_else(|| index.to_string(), str::to_owned);
        read_case(&name, case).map_err(|message| bad(&name, message))
    });
    named.collect()
}

fn read_case(name: &str, case: &Value) -> Result<Case, String> {
    let case = case.as_table().ok_or("not a table")?;
    let grammar = read_grammar(case)?;
    let vocabulary = match case.get("vocabulary").and_then(Value::as_table) {
        Some(vocabulary) => read_vocabulary(vocabulary)?,
        None => return Err("no vocabulary".to_owned()),
    };
    let expected = match case.get("error") {
        Some(code) => Expected::Error(string(code)?.to_owned()),
        None => {
            let steps = array(case, "steps")?.iter().map(|step| read_step(step, &vocabulary));
            Expected::Steps(steps.collect::<Result<_, _>>()?)
        }
    };
    Ok(Case { name: name.to_owned(), sample: Sample { grammar, vocabulary }, expected })
}

fn read_grammar(case: &Table) -> Result<Grammar, String> {
    let discipline = match case.get("discipline").and_then(Value::as_str) {
        Some("any-split") => Discipline::AnySplit,
        Some("longest-match") => Discipline::LongestMatch,
        other => return Err(format!("unknown discipline: {other:?}")),
    };
    let terminals = table(case, "terminals")?;
    let rules = table(case, "rules")?;
    let terminal_id = |name: &str| terminals.keys().position(|known| known == name).map(TerminalId::new);
    let rule_id = |name: &str| rules.keys().position(|known| known == name).map(NonterminalId::new);
    let symbol = |name: &str| {
        let terminal = terminal_id(name).map(Symbol::Terminal);
        let symbol = terminal.or_else(|| rule_id(name).map(Symbol::Nonterminal));
        symbol.ok_or_else(|| format!("undefined: {name}"))
    };
    let start = case.get("start").and_then(Value::as_str).unwrap_or_default();
    let start = rule_id(start).ok_or_else(|| format!("no such start: {start:?}"))?;
    let rule = |(name, body): (&String, &Value)| {
        let body = read_body(body, &symbol).map_err(|message| format!("rule {name}: {message}"))?;
        Ok::<_, String>(Rule { name: name.clone(), body, location: None })
    };
    let listed = |names: Option<&Value>| {
        let names = names.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let ids = names.iter().map(|name| {
            let name = string(name)?;
            terminal_id(name).ok_or_else(|| format!("undefined: {name}"))
        });
        ids.collect::<Result<Vec<_>, _>>()
    };
    let after = case.get("after").and_then(Value::as_table).into_iter().flatten();
    let after = after.map(|(name, lexemes)| {
        let terminal = terminal_id(name).ok_or_else(|| format!("undefined: {name}"))?;
        Ok::<_, String>(After { terminal, lexemes: listed(Some(lexemes))? })
    });
    let after = after.collect::<Result<_, _>>()?;
    let everywhere = listed(case.get("everywhere"))?;
    let languages = case.get("languages").and_then(Value::as_array).into_iter().flatten();
    let languages = languages.map(|language| {
        let list = |key| listed(language.get(key));
        let mut terminals = list("terminals")?;
        terminals.sort_unstable();
        Ok::<_, String>(EmbeddedLanguage {
            terminals,
            everywhere: list("everywhere")?,
            ignored: list("ignored")?,
        })
    });
    let modes = case.get("modes").and_then(Value::as_array).into_iter().flatten().map(|mode| {
        let mut terminals = listed(mode.get("terminals"))?;
        terminals.sort_unstable();
        Ok::<_, String>(LexerMode { terminals, behind: listed(mode.get("behind"))? })
    });
    let contexts = ContextRules {
        everywhere,
        after,
        verbatim: listed(case.get("verbatim"))?,
        followed: Vec::new(),
        preceded: Vec::new(),
        together: listed(case.get("together"))?,
        lazy: listed(case.get("lazy"))?,
        languages: languages.collect::<Result<_, _>>()?,
        modes: modes.collect::<Result<_, _>>()?,
    };
    Ok(Grammar {
        terminals: terminals
            .iter()
            .map(|(name, value)| read_terminal(name, value))
            .collect::<Result<_, _>>()?,
        rules: rules.iter().map(rule).collect::<Result<_, _>>()?,
        start,
        ignored: listed(case.get("ignored"))?,
        discipline,
        contexts,
    })
}

fn read_terminal(name: &str, value: &Value) -> Result<Terminal, String> {
    let plain = |pattern: Pattern, literal| Terminal { name: name.to_owned(), pattern, priority: 0, literal };
    let wrong = |message: String| format!("terminal {name}: {message}");
    let regex = |value: &Value| read_regex(value).map(Pattern::Regex).map_err(wrong);
    let Some(table) = value.as_table() else { return Ok(plain(regex(value)?, value.is_str())) };
    let mut terminal = if let Some(value) = table.get("literal") {
        plain(regex(value)?, true)
    } else if let Some(value) = table.get("regex") {
        plain(regex(value)?, false)
    } else if let Some(value) = table.get("marked") {
        plain(Pattern::Marked(read_regex(value).map_err(wrong)?), false)
    } else {
        let selectors = array(table, "tokens")?.iter().map(read_selector);
        plain(Pattern::Token(selectors.collect::<Result<_, _>>()?), false)
    };
    if let Some(most) = table.get("max-tokens") {
        terminal.pattern = Pattern::Limited(Box::new(terminal.pattern), id(most)?);
    }
    if let Some(most) = table.get("max-characters") {
        let strings = terminal.pattern.regex().ok_or_else(|| wrong("no texts".to_owned()))?.clone();
        terminal.pattern = Pattern::Counted(strings, id(most)?);
    }
    if let Some(role) = table.get("list").and_then(Value::as_str) {
        let role = match role {
            "item" => ListRole::Item,
            "between" => ListRole::Between,
            _ => return Err(wrong(format!("{role} is no role in lists"))),
        };
        terminal.pattern = terminal.pattern.with_role(Role::List(role));
    }
    if let Some(priority) = table.get("priority") {
        let priority = priority.as_integer().and_then(|priority| i32::try_from(priority).ok());
        terminal.priority = priority.ok_or_else(|| wrong("bad priority".to_owned()))?;
    }
    Ok(terminal)
}

fn read_selector(value: &Value) -> Result<TokenSelector, String> {
    let except =
        |key| value.get(key).and_then(Value::as_array).map(|except| except.iter().map(read_selector));
    let language = |value: &Value| {
        let dfa = read_regex(value)?.to_dfa(&RegularLimits::default());
        dfa.map(Arc::new).map_err(|error| error.to_string())
    };
    if let Some(except) = except("any-but") {
        return except.collect::<Result<_, _>>().map(TokenSelector::AnyBut);
    }
    if let Some(except) = except("special-but") {
        return except.collect::<Result<_, _>>().map(TokenSelector::SpecialBut);
    }
    if let (Some(except), Some(texts)) = (except("texts-but"), value.get("texts")) {
        return Ok(TokenSelector::TextsBut(language(texts)?, except.collect::<Result<_, _>>()?));
    }
    if let Some(names) = value.get("matching") {
        return language(names).map(TokenSelector::Matching);
    }
    if let Some(texts) = value.get("spelled") {
        return language(texts).map(TokenSelector::Spelled);
    }
    match value.as_array().map(Vec::as_slice) {
        Some([low, high]) => Ok(TokenSelector::Ids(id(low)?, id(high)?)),
        Some(_) => Err(format!("not a range of ids: {value:?}")),
        None => Ok(TokenSelector::Name(string(value)?.to_owned())),
    }
}

fn read_body(value: &Value, symbol: &impl Fn(&str) -> Result<Symbol, String>) -> Result<Body, String> {
    let Some(states) = value.get("states").and_then(Value::as_array) else {
        return read_expr(value, symbol).map(Body::Expr);
    };
    let state = |state: &Value| {
        let steps = state.get("steps").and_then(Value::as_table).ok_or("a state without steps")?;
        let step = |(name, target): (&String, &Value)| Ok::<_, String>((symbol(name)?, id(target)?));
        let mut transitions = steps.iter().map(step).collect::<Result<Vec<_>, _>>()?;
        transitions.sort_unstable();
        let accepting = state.get("accepting").and_then(Value::as_bool).unwrap_or(false);
        Ok::<_, String>(SymbolDfaState { accepting, transitions })
    };
    Ok(Body::Automaton(SymbolDfa { states: states.iter().map(state).collect::<Result<_, _>>()? }))
}

fn read_vocabulary(table: &Table) -> Result<Vocabulary, String> {
    let token = |value: &Value| match value {
        Value::String(text) => Ok(Token::Text(text.as_bytes().to_vec())),
        Value::Array(parts) => match &parts[..] {
            [Value::String(head), Value::String(digits)] if head == "hex" => {
                read_hex(digits).map(Token::Text)
            }
            _ => Err(format!("not a token: {value:?}")),
        },
        _ => match value.get("special") {
            Some(name) => Ok(Token::Special(string(name)?.to_owned())),
            None if value.get("hole").is_some() => Ok(Token::Hole),
            None => Err(format!("not a token: {value:?}")),
        },
    };
    let tokens = array(table, "tokens")?.iter().map(token).collect::<Result<_, _>>()?;
    let end = table.get("end").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let end = end.iter().map(id).collect::<Result<_, _>>()?;
    let padding = table.get("padding").map_or(Ok(0), id)?;
    Ok(Vocabulary { tokens, end, padding })
}

fn read_step(value: &Value, vocabulary: &Vocabulary) -> Result<Expectation, String> {
    let table = value.as_table().ok_or("a step is a table")?;
    let allowed = array(table, "allowed")?.iter().map(|token| token_id(token, vocabulary));
    let mut allowed: Vec<u32> = allowed.collect::<Result<_, _>>()?;
    allowed.sort_unstable();
    let then = table.get("then").map(|then| match (then.get("commit"), then.get("rollback")) {
        (Some(token), None) => token_id(token, vocabulary).map(Step::Commit),
        (None, Some(tokens)) => id(tokens).map(|tokens| Step::Rollback(tokens as usize)),
        _ => Err(format!("neither commit nor rollback: {then:?}")),
    });
    Ok(Expectation {
        allowed,
        accepting: table.get("accepting").and_then(Value::as_bool),
        then: then.transpose()?,
    })
}

/// Reads a token, which is given by its id, or by a text or name that no other token has.
fn token_id(value: &Value, vocabulary: &Vocabulary) -> Result<u32, String> {
    let Some(text) = value.as_str() else { return id(value) };
    let named = vocabulary.iter().filter(|(_, token)| match token {
        Token::Text(bytes) => bytes == text.as_bytes(),
        Token::Special(name) => name == text,
        Token::Hole => false,
    });
    match named.map(|(id, _)| id).collect::<Vec<_>>()[..] {
        [only] => Ok(only),
        [] => Err(format!("no such token: {text:?}")),
        _ => Err(format!("several tokens are {text:?}; use an id")),
    }
}

fn id(value: &Value) -> Result<u32, String> {
    let id = value.as_integer().and_then(|id| u32::try_from(id).ok());
    id.ok_or_else(|| format!("not a number from 0 on: {value:?}"))
}

fn string(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| format!("not a string: {value:?}"))
}

fn array<'a>(table: &'a Table, key: &str) -> Result<&'a [Value], String> {
    table.get(key).and_then(Value::as_array).map(Vec::as_slice).ok_or_else(|| format!("no list of {key}"))
}

fn table<'a>(table: &'a Table, key: &str) -> Result<&'a Table, String> {
    table.get(key).and_then(Value::as_table).ok_or_else(|| format!("no table of {key}"))
}
