//! What completions cost besides the tokens of the grammar, where keys or items are remembered.
//!
//! In: the automata, the tables of what is remembered, what lexemes cost. Out: [`Remembered`]. The grammar alone completes an object without the keys that
//! must come, and an array with items that are there already. So the terminals that lead there cost more:
//!
//! - one that opens an object costs what its [members](super::members) cost that must come, and the runtime adds what an open object still owes, and behind a comma a further key;
//! - one that stands between two items costs what it [takes](super::new_items) to make the next one unlike all others, beyond its first byte, and the
//!   runtime looks for a way from where an item has begun.

use super::boundaries::RawRows;
use super::lexemes::Lexemes;
use super::members::{Members, members};
use super::new_items::new_item;
use super::shortfall::Shortfall;
use super::tokens::{Cost, Tokens};
use crate::automata::Automata;
use crate::terminal::Weights;
use gcc_grammar_artifact::grammar::DistinctTables;
use gcc_grammar_ir::{KeyRecord, KeyRole, Pattern, TerminalId};
use gcc_grammar_limits::{Budget, OverBudget};

/// The longest spelling of a character in a string: two escapes for a surrogate pair.
const CHARACTER: Cost = 12;

/// The costs.
pub(super) struct Remembered {
    pub(super) members: Members,
    /// Per terminal: by how much it can raise what open objects owe, at most.
    owed: Vec<Cost>,
    /// By how much an item that has begun can cost more than the lexer knows.
    item: Cost,
}

impl Remembered {
    /// The costs. Those of terminals are added to what lexemes cost.
    pub(super) fn new(
        automata: &Automata,
        tables: &DistinctTables,
        tokens: &Tokens<'_>,
        (lexemes, rows): (&mut Lexemes, &mut RawRows),
        budget: &Budget,
    ) -> Result<Result<Self, Shortfall>, OverBudget> {
        let count = automata.decoding().lr.terminals;
        let records = records(automata, tables);
        let Some(item) = item_costs(automata, tables, tokens, budget)? else {
            return Ok(Err(Shortfall::DifferentItems));
        };
        if !tables.names.is_empty() || records.iter().any(|record| record.counts_members) {
            return Ok(Err(Shortfall::CountedMembers));
        }
        let mut between = vec![0; count];
        tables.between.iter().for_each(|&terminal| between[terminal as usize] = item.next);
        lexemes.raise(&between);
        rows.raise(&between);
        let terminals = rows.terminal_costs(count);
        let Some(members) = members(&automata.cfg, (tables, &records), &terminals, budget)? else {
            return Ok(Err(Shortfall::RememberedKeys));
        };
        let mut opens = vec![0; count];
        for &[terminal, record] in &tables.opens {
            opens[terminal as usize] = members.first[record as usize];
        }
        rows.raise(&opens);
        let mut owed = opens;
        let (by_key, by_comma) = most_owed(&records, &members);
        tables.keys.iter().for_each(|&[terminal, ..]| owed[terminal as usize] = by_key);
        tables.commas.iter().for_each(|&terminal| owed[terminal as usize] = by_comma);
        Ok(Ok(Self { members, owed, item: item.most }))
    }

    /// Adds what a token can raise the costs of what is remembered by.
    pub(super) fn weigh(&self, weights: &mut Weights) {
        for of in [&mut weights.within, &mut weights.last] {
            of.iter_mut().zip(&self.owed).for_each(|(weight, owed)| *weight = weight.saturating_add(*owed));
        }
        let Weights { last, ignored, .. } = weights;
        last.iter_mut().chain([ignored]).for_each(|weight| *weight = weight.saturating_add(self.item));
    }
}

/// The records, by number.
fn records<'a>(automata: &'a Automata, tables: &DistinctTables) -> Vec<&'a KeyRecord> {
    let mut records = Vec::with_capacity(tables.records.len());
    // Numbers are those of the first terminals.
    for &[terminal, number] in &tables.opens {
        if let Some(KeyRole::Opens(record)) =
            automata.pattern(TerminalId(terminal)).and_then(Pattern::key_role)
            && number as usize == records.len()
        {
            records.push(&**record);
        }
    }
    records
}

/// The most that a key adds to what its object owes, which is nothing if all keys that must come do so in any case; and the most that a comma adds.
fn most_owed(records: &[&KeyRecord], members: &Members) -> (Cost, Cost) {
    let (mut by_key, mut by_comma) = (0, 0);
    for (record, keys) in records.iter().zip(&members.keys) {
        let clauses = &record.clauses;
        let depends = clauses.iter().any(|clause| clause.then.is_some() && !clause.atoms.is_empty());
        let sum = keys.iter().fold(0, |sum: Cost, &cost| sum.saturating_add(cost));
        let most = keys.iter().copied().max().unwrap_or(0);
        let depends = depends || !record.choices.is_empty();
        by_key = by_key.max(if depends { sum } else { 0 });
        by_comma = by_comma.max(if depends { sum } else { most });
    }
    (by_key, by_comma)
}

/// What items cost that differ from all others: behind what stands between two, beyond the first token, and where one has begun.
struct ItemCosts {
    next: Cost,
    most: Cost,
}

/// The costs of items; `None` if some item has none.
fn item_costs(
    automata: &Automata,
    tables: &DistinctTables,
    tokens: &Tokens<'_>,
    budget: &Budget,
) -> Result<Option<ItemCosts>, OverBudget> {
    let mut costs = ItemCosts { next: 0, most: 0 };
    if !tables.items.is_empty() && !tokens.spell_all(automata.decoding().lexer) {
        return Ok(None);
    }
    for &terminal in &tables.items {
        let origin = automata.origin(TerminalId(terminal));
        let Some(dfa) = automata.terminals.dfas.get(origin.index()).and_then(Option::as_ref) else {
            return Ok(None);
        };
        let Some(item) = new_item(dfa, tokens, budget)? else { return Ok(None) };
        let counted = automata.terminals.counted.iter().find(|(counted, _)| *counted == origin);
        let most = match counted {
            // Few characters may be left of a string that has begun.
            Some(&(_, most)) if most >= item.whole => item.most.saturating_mul(CHARACTER),
            Some(_) => return Ok(None),
            None => item.most,
        };
        costs.next = costs.next.max(item.whole.saturating_sub(1));
        costs.most = costs.most.max(most);
    }
    Ok(Some(costs))
}
