//! Objects whose keys are remembered: which terminals have a part in them, their conditions, and the tokens that the masks do not decide.
//!
//! In: the automata, and the terminals with a role in such objects ([`KeyRole`]). Out: the parts of the section `distinct` on records. The Parser DWA and the
//! masks are those of the grammar in which any key may come. They are right within values, since a key has a terminal for each case of what may follow its
//! member. A token can be wrong in three ways:
//!
//! - It goes along a key that must not come. The runtime walks the trie of the vocabulary along these.
//! - It has the beginning of a key behind a comma or an opening brace that is in it (*crossing*).
//! - It begins in a key or right behind it, and goes on behind the value, where the case of the key decides (*ending*).

use crate::automata::Automata;
use crate::crossing::{begins, crossing};
use gcc_grammar_artifact::grammar::{DistinctTables, Key, NONE, Record, RecordTable};
use gcc_grammar_ir::{KeyRecord, KeyRole, Pattern, TerminalId, Then};
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::Dfa;
use gcc_grammar_vocabulary::Vocabulary;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The terminals with a role, ascending.
#[derive(Default)]
struct Roles {
    opens: Vec<(TerminalId, Arc<KeyRecord>)>,
    keys: Vec<(TerminalId, Option<u32>, Then)>,
    commas: Vec<TerminalId>,
    closes: Vec<TerminalId>,
    /// All others.
    others: Vec<TerminalId>,
}

/// The section with the parts on records, if there are any.
///
/// # Errors
/// The budget is spent.
pub(crate) fn add(
    automata: &Automata,
    vocabulary: &Vocabulary,
    lists: Option<DistinctTables>,
) -> Result<Option<DistinctTables>, OverBudget> {
    let roles = roles(automata);
    if roles.opens.is_empty() {
        return Ok(lists);
    }
    let budget = automata.budget.stage("lexer");
    let mut tables = lists.unwrap_or_default();
    let dfas = |terminals: &[TerminalId]| automata.dfas(terminals);
    let opens: Vec<TerminalId> = roles.opens.iter().map(|&(terminal, _)| terminal).collect();
    let keys = dfas(&roles.keys.iter().map(|&(terminal, ..)| terminal).collect::<Vec<_>>());
    let between = dfas(&[&opens[..], &roles.commas].concat());
    let begun = |rest: &[u8]| !are_beginnings(&keys, rest) && keys.iter().any(|key| begins(key, rest));
    tables.crossing.extend(crossing((&begun, keys.len()), &between, vocabulary, &budget)?);
    tables.crossing.sort_unstable();
    tables.crossing.dedup();
    let behind = dfas(&[&roles.commas[..], &roles.closes].concat());
    tables.endings = endings(&last_bytes(&dfas(&roles.others)), &behind, vocabulary, &budget)?;
    let mut numbers: FxHashMap<&KeyRecord, u32> = FxHashMap::default();
    for (terminal, record) in &roles.opens {
        let number = *numbers.entry(record).or_insert_with(|| {
            tables.records.push(table(record));
            (tables.records.len() - 1) as u32
        });
        tables.opens.push([terminal.0, number]);
    }
    let key = |&(terminal, number, then): &(TerminalId, Option<u32>, Then)| {
        [terminal.0, number.unwrap_or(NONE), case(then)]
    };
    tables.keys = roles.keys.iter().map(key).collect();
    tables.commas = roles.commas.iter().map(|terminal| terminal.0).collect();
    tables.closes = roles.closes.iter().map(|terminal| terminal.0).collect();
    Ok(Some(tables))
}

/// The roles of the terminals of the tables to decode with.
fn roles(automata: &Automata) -> Roles {
    let mut roles = Roles::default();
    for terminal in (0..automata.decoding().lr.terminals).map(TerminalId::new) {
        match automata.pattern(terminal).and_then(Pattern::key_role) {
            Some(KeyRole::Opens(record)) => roles.opens.push((terminal, record.clone())),
            Some(&KeyRole::Key { number, then }) => roles.keys.push((terminal, number, then)),
            Some(KeyRole::Comma) => roles.commas.push(terminal),
            Some(KeyRole::Closes) => {
                roles.closes.push(terminal);
                roles.others.push(terminal);
            }
            None => roles.others.push(terminal),
        }
    }
    roles
}

const fn case(then: Then) -> u32 {
    match then {
        Then::More => Key::MORE,
        Then::Either => Key::EITHER,
        Then::End => Key::END,
    }
}

fn table(record: &KeyRecord) -> RecordTable {
    let flag = |holds: bool, flag| if holds { flag } else { 0 };
    RecordTable {
        keys: record.keys,
        flags: flag(record.is_ordered, Record::ORDERED)
            | flag(record.is_open, Record::OPEN)
            | flag(!record.facts.is_empty() || !record.choices.is_empty(), Record::CONDITIONS),
        costs: Vec::new(),
        facts: record.facts.clone(),
        variants: record.variants.iter().map(|variant| [variant.key, variant.facts]).collect(),
        clauses: record
            .clauses
            .iter()
            .map(|clause| (clause.then.unwrap_or(NONE), clause.atoms.clone()))
            .collect(),
        choices: record
            .choices
            .iter()
            .map(|choice| (choice.group, choice.atoms.clone(), choice.alternatives.clone()))
            .collect(),
    }
}

/// Whether a text is the beginning of every key, so that it forbids none.
fn are_beginnings(keys: &[&Dfa], text: &[u8]) -> bool {
    keys.iter().all(|key| matches!(key.state_after(text), Some(state) if !key.is_accepting(state)))
}

/// The bytes with which texts of some automaton end.
fn last_bytes(dfas: &[&Dfa]) -> [bool; 256] {
    let mut last = [false; 256];
    for dfa in dfas {
        for state in 0..dfa.state_count() as u32 {
            for (low, high, to) in dfa.edges(state) {
                if dfa.is_accepting(to) {
                    (low..=high).for_each(|byte| last[usize::from(byte)] = true);
                }
            }
        }
    }
    last
}

/// The tokens with a byte that ends a value, and behind it something that follows a member. Ascending.
fn endings(
    last: &[bool; 256],
    behind: &[&Dfa],
    vocabulary: &Vocabulary,
    budget: &Budget,
) -> Result<Vec<u32>, OverBudget> {
    let mut tokens = Vec::new();
    for token in 0..vocabulary.width() {
        let bytes = vocabulary.bytes(token).unwrap_or_default();
        budget.charge_work((bytes.len() * behind.len()) as u64)?;
        let follows = |at: &usize| {
            last[usize::from(bytes[at - 1])] && behind.iter().any(|dfa| begins(dfa, &bytes[*at..]))
        };
        if (1..bytes.len()).any(|at| follows(&at)) {
            tokens.push(token);
        }
    }
    Ok(tokens)
}
