//! Schemas that were compiled before, by their text and options: the tools of a set come again with the next request.
//!
//! In: the text of a schema and its options. Out: what [`compile_within`] makes of them, and it is charged as if it were made anew. What was made may depend on the
//! budget, since some questions get half of what is left and may go unanswered. So a schema is kept, and found again, only where much more is left than it takes.
//!
//! All threads of a process share what is kept. Beyond [`MOST_BYTES`], schemas go that have not been used for longest.

use crate::options::Options;
use crate::{Compiled, compile_within};
use gcc_grammar_ir::Diagnostic;
use gcc_grammar_limits::{Budget, Recent};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Estimated bytes of all that is kept.
const MOST_BYTES: u64 = 16 << 20;
/// Estimated bytes of a schema besides its text and the tables of its grammar.
const BYTES_PER_SCHEMA: u64 = 4096;
/// How often the text is contained in the report, about.
const COPIES_OF_TEXT: u64 = 8;
/// How many times what a schema takes must be left.
const AMPLE: u64 = 8;
/// The most bytes at a time that a unit of work stands for.
const BYTES_PER_WORK: u64 = 64;

/// By the hash of the text: the schemas that were used last.
type Kept = Recent<u64, Arc<Schema>>;

/// `None` before the first one.
static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

/// What was made of a schema.
struct Schema {
    text: Box<str>,
    options: Options,
    compiled: Compiled,
    cost: Cost,
}

/// What was charged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cost {
    work: u64,
    bytes: u64,
    /// The limit on a terminal, which decides what cannot be enforced.
    terminal_states: u64,
}

impl Cost {
    /// Whether the budget has much more left, so that it does not matter how much.
    fn is_small(self, budget: &Budget) -> bool {
        let (limits, (work, bytes)) = (budget.limits(), budget.spent());
        let has =
            |limit: u64, spent: u64, needed: u64| limit.saturating_sub(spent) >= needed.saturating_mul(AMPLE);
        let most_bytes = self.work.saturating_mul(BYTES_PER_WORK).saturating_add(self.bytes);
        limits.deadline.is_none()
            && limits.terminal_states == self.terminal_states
            && has(limits.work, work, self.work)
            && has(limits.bytes, bytes, most_bytes)
    }
}

impl Schema {
    fn bytes(&self) -> u64 {
        BYTES_PER_SCHEMA + COPIES_OF_TEXT * self.text.len() as u64 + self.cost.bytes
    }
}

fn kept() -> MutexGuard<'static, Option<Kept>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

fn keep(kept: &mut Kept, hash: u64, schema: Schema) {
    let bytes = schema.bytes();
    if bytes <= MOST_BYTES / 8 {
        kept.add(hash, Arc::new(schema), bytes);
    }
}

/// Forgets all schemas that are kept.
pub fn forget() {
    *kept() = None;
}

/// Compiles the text of a schema within a budget that other stages may share, unless it was compiled before.
///
/// # Errors
/// As for [`compile_within`].
pub fn compile_once(text: &str, options: &Options, budget: &Budget) -> Result<Compiled, Vec<Diagnostic>> {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    let hash = hasher.finish();
    let known = kept().as_mut().and_then(|kept| kept.get(&hash));
    if let Some(schema) = known
        && *schema.text == *text
        && schema.options == *options
        && schema.cost.is_small(budget)
    {
        let charged =
            budget.charge_work(schema.cost.work).and_then(|()| budget.charge_bytes(schema.cost.bytes));
        charged.map_err(|over| vec![over.into()])?;
        return Ok(schema.compiled.clone());
    }
    let before = budget.fork();
    let (work, bytes) = budget.spent();
    let compiled = compile_within(text, options, budget)?;
    let (work_after, bytes_after) = budget.spent();
    let cost = Cost {
        work: work_after.saturating_sub(work),
        bytes: bytes_after.saturating_sub(bytes),
        terminal_states: budget.limits().terminal_states,
    };
    if cost.is_small(&before) && !budget.is_interrupted() {
        let (text, options) = (text.into(), options.clone());
        let schema = Schema { text, options, compiled: compiled.clone(), cost };
        keep(kept().get_or_insert_with(|| Recent::new(MOST_BYTES)), hash, schema);
    }
    Ok(compiled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_ir::Pattern;
    use gcc_grammar_limits::Limits;
    use gcc_grammar_regular::{Dfa, Regex};

    /// What is made of a schema, and what is charged for it.
    fn once(text: &str, options: &Options, budget: &Budget) -> (Compiled, [u64; 2]) {
        let (work, bytes) = budget.spent();
        let compiled = compile_once(text, options, budget).expect("a schema");
        let (work_after, bytes_after) = budget.spent();
        (compiled, [work_after - work, bytes_after - bytes])
    }

    /// The automata of the keys, of which the schema has some of its own.
    fn automata(compiled: &Compiled) -> Vec<&Arc<Dfa>> {
        let terminals = compiled.grammar.terminals.iter().filter(|terminal| terminal.name.contains("kept"));
        let automaton = |pattern| match pattern {
            &Pattern::Regex(Regex::Automaton(ref dfa)) => Some(dfa),
            _ => None,
        };
        terminals.filter_map(|terminal| automaton(&terminal.pattern)).collect()
    }

    fn is_shared(one: &Compiled, other: &Compiled) -> bool {
        let (one, other) = (automata(one), automata(other));
        assert!(!one.is_empty());
        one.iter().zip(&other).all(|(one, other)| Arc::ptr_eq(one, other))
    }

    #[test]
    fn a_schema_is_found_again_and_charged_again() {
        let text = r#"{"type": "object", "properties": {"kept": {"type": "string", "pattern": "^a+$"}}}"#;
        let (options, budget) = (Options::default(), Budget::default());
        let (first, cost) = once(text, &options, &budget);
        let (again, cost_again) = once(text, &options, &budget);
        assert!(is_shared(&first, &again));
        assert_eq!(cost, cost_again);
        assert_eq!(format!("{first:?}"), format!("{again:?}"));
        let others = [
            (Options { property_order: crate::PropertyOrder::Any, ..Options::default() }, Budget::default()),
            // What a schema can have of a small budget may be another grammar.
            (Options::default(), Budget::new(Limits { work: cost[0] * 4, ..Limits::default() })),
            (Options::default(), Budget::new(Limits { terminal_states: 1_000, ..Limits::default() })),
        ];
        for (options, budget) in others {
            assert!(!is_shared(&first, &once(text, &options, &budget).0));
        }
    }

    #[test]
    fn what_was_not_used_for_longest_goes() {
        let compiled = compile_within("true", &Options::default(), &Budget::default()).expect("a schema");
        let of = |bytes: u64| Schema {
            text: "true".into(),
            options: Options::default(),
            compiled: compiled.clone(),
            cost: Cost { work: 1, bytes, terminal_states: 1 },
        };
        let mut kept = Kept::new(MOST_BYTES);
        keep(&mut kept, 0, of(MOST_BYTES / 8));
        assert!(kept.get(&0).is_none(), "too large to keep");
        for hash in 1..=8 {
            keep(&mut kept, hash, of(MOST_BYTES / 9));
            assert!(kept.get(&1).is_some());
        }
        keep(&mut kept, 9, of(MOST_BYTES / 9));
        assert_eq!((1..=9).filter(|&hash| kept.get(&hash).is_none()).collect::<Vec<_>>(), [2]);
        assert_eq!(kept.bytes(), 8 * of(MOST_BYTES / 9).bytes());
    }
}
