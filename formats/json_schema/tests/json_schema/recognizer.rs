//! A slow recognizer for grammars whose terminals may end wherever they match: Earley's algorithm over bytes
//! (Earley 1970).
//!
//! It shares only the automata of the terminals with the compiler, so it serves as an independent definition
//! of the language.

use gcc_grammar_ir::{
    Body, Expr, Grammar, KeyChoice, KeyClause, KeyRole, KeyVariant, ListRole, Pattern, Symbol,
};
use gcc_grammar_regular::Dfa;
use gcc_grammar_regular::RegularLimits;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A right part as a nondeterministic automaton over symbols.
#[derive(Default)]
struct Part {
    arcs: Vec<Vec<(Symbol, usize)>>,
    jumps: Vec<Vec<usize>>,
    accepting: HashSet<usize>,
}

impl Part {
    fn state(&mut self) -> usize {
        self.arcs.push(Vec::new());
        self.jumps.push(Vec::new());
        self.arcs.len() - 1
    }

    fn from_body(body: &Body) -> Self {
        let mut part = Self::default();
        match body {
            Body::Automaton(dfa) => {
                for (index, state) in dfa.states.iter().enumerate() {
                    part.state();
                    part.arcs[index] =
                        state.transitions.iter().map(|&(symbol, target)| (symbol, target as usize)).collect();
                    if state.accepting {
                        part.accepting.insert(index);
                    }
                }
            }
            Body::Expr(expr) => {
                let start = part.state();
                let end = part.add(expr, start);
                part.accepting.insert(end);
            }
        }
        part
    }

    fn add(&mut self, expr: &Expr, from: usize) -> usize {
        match expr {
            Expr::Symbol(symbol) => {
                let to = self.state();
                self.arcs[from].push((*symbol, to));
                to
            }
            Expr::Sequence(parts) => parts.iter().fold(from, |at, part| self.add(part, at)),
            Expr::Choice(parts) => {
                let to = self.state();
                for part in parts {
                    let end = self.add(part, from);
                    self.jumps[end].push(to);
                }
                to
            }
            Expr::Repeat { inner, min, max } => {
                let mut at = (0..*min).fold(from, |at, _| self.add(inner, at));
                match max {
                    None => {
                        let end = self.add(inner, at);
                        self.jumps[end].push(at);
                    }
                    Some(max) => {
                        let to = self.state();
                        self.jumps[at].push(to);
                        for _ in *min..*max {
                            at = self.add(inner, at);
                            self.jumps[at].push(to);
                        }
                        return to;
                    }
                }
                at
            }
        }
    }
}

/// A grammar, prepared for recognition.
pub(crate) struct Recognizer {
    parts: Vec<Part>,
    terminals: Vec<(Dfa, Option<ListRole>)>,
    /// The roles of the terminals in objects whose keys are remembered.
    roles: Vec<Option<KeyRole>>,
    start: usize,
    /// Whether a large class of the schema leaves escapes out that `ensure_ascii` writes.
    pub(crate) has_large_class: bool,
}

/// The items of the list that is being read, as ranges of the text.
type Memory = Vec<(usize, usize)>;

/// A rule, a state of its right part, where the rule began, and the memory there and here.
type Item = (usize, usize, usize, Memory, Memory);

impl Recognizer {
    pub(crate) fn new(grammar: &Grammar) -> Self {
        assert!(grammar.ignored.is_empty());
        let terminals = grammar.terminals.iter().map(|terminal| match terminal.pattern.without_role() {
            Pattern::Regex(regex) => {
                (regex.to_dfa(&RegularLimits::default()).unwrap(), terminal.pattern.list_role())
            }
            _ => panic!("no tokens here"),
        });
        let terminals: Vec<_> = terminals.collect();
        assert!(terminals.iter().all(|(dfa, _)| !dfa.matches_empty()), "a terminal matches the empty string");
        Self {
            parts: grammar.rules.iter().map(|rule| Part::from_body(&rule.body)).collect(),
            terminals,
            roles: grammar.terminals.iter().map(|terminal| terminal.pattern.key_role().cloned()).collect(),
            start: grammar.start.index(),
            has_large_class: false,
        }
    }

    /// Whether the text is in the language.
    pub(crate) fn accepts(&self, text: &[u8]) -> bool {
        self.run(text).is_ok()
    }

    /// Whether the text ends where some terminal may end.
    pub(crate) fn reaches_end(&self, text: &[u8]) -> bool {
        match self.run(text) {
            Ok(()) => true,
            Err(furthest) => furthest == text.len(),
        }
    }

    /// Recognizes a text. The error is the last position that was reached.
    pub(crate) fn run(&self, text: &[u8]) -> Result<(), usize> {
        let mut sets: BTreeMap<usize, Vec<Item>> = BTreeMap::new();
        let mut seen: HashSet<(usize, Item)> = HashSet::new();
        // The items that wait at a position for the end of a rule.
        let mut waiting: HashMap<(usize, usize, Memory), Vec<Item>> = HashMap::new();
        let add = |sets: &mut BTreeMap<usize, Vec<Item>>,
                   seen: &mut HashSet<(usize, Item)>,
                   at: usize,
                   item: Item| {
            if seen.insert((at, item.clone())) {
                sets.entry(at).or_default().push(item);
            }
        };
        add(&mut sets, &mut seen, 0, (self.start, 0, 0, Memory::new(), Memory::new()));
        let mut accepted = false;
        let mut furthest = 0;
        while let Some((&at, _)) = sets.first_key_value() {
            furthest = at;
            let Some(item) = sets.get_mut(&at).and_then(Vec::pop) else {
                sets.remove(&at);
                continue;
            };
            let (rule, state, origin, before, memory) = item;
            let part = &self.parts[rule];
            if part.accepting.contains(&state) {
                accepted |= rule == self.start && origin == 0 && at == text.len();
                let waiting = waiting.get(&(origin, rule, before.clone())).cloned().unwrap_or_default();
                for (rule, state, origin, before, _) in waiting {
                    add(&mut sets, &mut seen, at, (rule, state, origin, before, memory.clone()));
                }
            }
            for &target in &part.jumps[state] {
                add(&mut sets, &mut seen, at, (rule, target, origin, before.clone(), memory.clone()));
            }
            for &(symbol, target) in &part.arcs[state] {
                match symbol {
                    Symbol::Terminal(terminal) => {
                        let (dfa, role) = &self.terminals[terminal.index()];
                        for end in ends(dfa, text, at) {
                            let after = match &self.roles[terminal.index()] {
                                Some(role) => self.memory_in_object(&memory, terminal.index(), role),
                                None => memory_after(&memory, *role, text, (at, end)),
                            };
                            let Some(after) = after else { continue };
                            add(&mut sets, &mut seen, end, (rule, target, origin, before.clone(), after));
                        }
                    }
                    Symbol::Nonterminal(inner) => {
                        let here = (at, inner.index(), memory.clone());
                        let item = (rule, target, origin, before.clone(), memory.clone());
                        waiting.entry(here).or_default().push(item);
                        add(&mut sets, &mut seen, at, (inner.index(), 0, at, memory.clone(), memory.clone()));
                    }
                }
            }
        }
        if accepted { Ok(()) } else { Err(furthest) }
    }

    /// The memory after a lexeme of an object whose keys are remembered; none if a key must not come, or not all conditions hold at the end. What may follow a member
    /// is not looked at: this decides nothing where conditions are compared at the end.
    fn memory_in_object(&self, memory: &Memory, terminal: usize, role: &KeyRole) -> Option<Memory> {
        let around = &memory[..innermost(memory)];
        let opened = around.iter().rposition(|&(_, end)| end == OBJECT).unwrap_or(0);
        let with = |item: (usize, usize)| Some([around, &[item]].concat());
        let record = around.get(opened).map(|&(terminal, _)| match &self.roles[terminal] {
            Some(KeyRole::Opens(record)) => record,
            role => panic!("{role:?} opens no object"),
        });
        let keys: Vec<usize> = around.iter().skip(opened + 1).map(|&(key, _)| key).collect();
        match role {
            KeyRole::Opens(_) => with((terminal, OBJECT)),
            KeyRole::Comma => Some(around.to_vec()),
            KeyRole::Key { number, .. } => {
                let record = record.expect("an object has opened");
                let variants: Vec<KeyVariant> = record.variants().collect();
                let key = |variant: usize| variants.get(variant).map_or(record.keys, |variant| variant.key);
                let variant = number.map_or(variants.len(), |number| number as usize);
                let is_late = record.is_ordered && keys.iter().any(|&before| key(before) > key(variant));
                let is_there = number.is_some() && keys.iter().any(|&before| key(before) == key(variant));
                if is_late || is_there { None } else { with((variant, MEMBER)) }
            }
            KeyRole::Closes => {
                let record = record.expect("an object has opened");
                let variants: Vec<KeyVariant> = record.variants().collect();
                let mut atoms = record.no_atoms();
                keys.iter()
                    .filter_map(|&key| variants.get(key))
                    .for_each(|&variant| record.set(&mut atoms, variant));
                let has = |atom: &u32| atoms[*atom as usize];
                let holds = |clause: &KeyClause| {
                    !clause.atoms.iter().all(has) || clause.then.as_ref().is_some_and(has)
                };
                let is_chosen = |choice: &KeyChoice| {
                    let mut alternatives = choice.alternatives.iter();
                    !choice.atoms.iter().all(has) || alternatives.any(|all| all.iter().all(has))
                };
                let are_satisfied = record.clauses.iter().all(holds) && record.choices.iter().all(is_chosen);
                are_satisfied.then(|| around[..opened].to_vec())
            }
        }
    }
}

/// The memory after a lexeme of a terminal; none if it is an item that was there before.
fn memory_after(
    memory: &Memory,
    role: Option<ListRole>,
    text: &[u8],
    (start, end): (usize, usize),
) -> Option<Memory> {
    let (around, items) = memory.split_at(innermost(memory));
    let with = |list: &[(usize, usize)], item: (usize, usize)| Some([list, &[item]].concat());
    match role {
        None | Some(ListRole::Part) => Some(around.to_vec()),
        Some(ListRole::Between) => Some(memory.clone()),
        Some(ListRole::Begins | ListRole::BeginsEndless) => with(memory, (start, OPEN)),
        Some(ListRole::Opens) => with(around, (start, NAMES)),
        Some(ListRole::Closes) => {
            let opened = around.iter().rposition(|&(_, end)| end == NAMES).expect("an object has opened");
            Some(around[..opened].to_vec())
        }
        Some(ListRole::Name) => {
            let mut names = around.iter().rev().take_while(|&&(_, end)| is_name(end));
            let is_there = names.any(|&(a, b)| text[a..a + b - NAME] == text[start..end]);
            if is_there { None } else { with(around, (start, NAME + (end - start))) }
        }
        Some(ListRole::Item) if items.iter().any(|&(a, b)| text[a..b] == text[start..end]) => None,
        Some(ListRole::Item) => with(memory, (start, end)),
        Some(ListRole::Ends) => {
            let begun = around.iter().rposition(|&(_, end)| end == OPEN).expect("an item has begun");
            let (&(start, _), before) = around[..=begun].split_last().expect("an item has begun");
            let value = |(start, end): (usize, usize)| -> Value {
                serde_json::from_slice(&text[start..end]).expect("an item is JSON")
            };
            let item = value((start, end));
            let is_there = before[innermost(before)..].iter().any(|&other| value(other) == item);
            if is_there { None } else { with(before, (start, end)) }
        }
    }
}

/// Where the innermost list begins: behind the last item that has not ended.
fn innermost(memory: &[(usize, usize)]) -> usize {
    memory.iter().rposition(|&(_, end)| end >= NAME).map_or(0, |open| open + 1)
}

/// Whether this is the end of a name.
fn is_name(end: usize) -> bool {
    (NAME..NAMES).contains(&end)
}

/// In place of the end of an item of several lexemes that has not ended.
const OPEN: usize = usize::MAX;
/// In place of the end of an object that has opened, whose start is its terminal.
const OBJECT: usize = usize::MAX - 1;
/// In place of the end of a key in such an object, whose start is the number of the key.
const MEMBER: usize = usize::MAX - 2;

/// In place of the end of an object with names that has opened.
const NAMES: usize = usize::MAX - 3;
/// Added to the length of a name in place of its end.
const NAME: usize = usize::MAX / 2;

/// The ends of all matches that begin at `start`.
fn ends(dfa: &Dfa, text: &[u8], start: usize) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut state = 0;
    for (index, &byte) in text.iter().enumerate().skip(start) {
        match dfa.next(state, byte) {
            Some(next) => state = next,
            None => break,
        }
        if dfa.is_accepting(state) {
            ends.push(index + 1);
        }
    }
    ends
}
