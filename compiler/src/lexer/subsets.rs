//! Interned subsets of the subset construction over all terminals.
//!
//! A subset is a sorted list of pairs of a terminal and a state of its automaton: a terminal that the current
//! lexeme may be, and the state after the part that was read. Contexts share one interner, so that their
//! states coincide as soon as their subsets do. [`Subsets`] also answers which terminals a subset accepts,
//! and which terminals win a tie.

use super::automaton::TerminalAutomaton;
use super::followed::FollowedTerminal;
use super::symbols::Symbols;
use super::tables::{IGNORED, Member};
use crate::ids::SymbolClass;
use gcc_grammar_ir::{Grammar, TerminalId, index_newtype};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

index_newtype! {
    /// An interned subset; 0 is the empty subset.
    SubsetId;
}

impl SubsetId {
    /// The empty subset.
    pub(super) const EMPTY: Self = Self(0);
}

/// A terminal, and a state of its automaton.
pub(super) type Pair = (TerminalId, u32);

/// The interner. Invariant: every list is sorted and has no duplicates.
pub(super) struct Subsets<'a> {
    terminals: &'a [TerminalAutomaton],
    /// Terminals with texts that match only where certain texts follow. What watches for these texts counts as terminals after all others.
    followed: &'a [FollowedTerminal],
    /// Per terminal: its rank in a tie, (priority, literal, earlier declaration). The highest rank wins.
    precedence: Vec<(i32, bool, Reverse<u32>)>,
    /// Per terminal: whether it shares ties with the others of which this holds.
    together: Vec<bool>,
    /// Per terminal: whether it competes for the longest match.
    competing: Vec<bool>,
    /// Per terminal: whether its first match ends the lexeme. Under any split, none does.
    lazy: Vec<bool>,
    /// Per terminal: the symbol of the limit on the tokens of its lexemes.
    limits: Vec<Option<SymbolClass>>,
    /// Number of classes of bytes and tokens. The symbols of limits come behind them.
    read_classes: usize,
    classes: usize,
    ignored: Vec<bool>,
    lists: Vec<Box<[Pair]>>,
    /// The subsets of several pairs.
    ids: FxHashMap<Box<[Pair]>, SubsetId>,
    /// Per terminal and state: the subset of this pair alone, if there is one; most subsets are such.
    singles: Vec<Vec<Option<SubsetId>>>,
    /// Per class, the pairs that are reached; a buffer, whose lists are empty.
    moves: Vec<Vec<Pair>>,
    pub(super) budget: Budget,
}

impl<'a> Subsets<'a> {
    pub(super) fn new(grammar: &Grammar, symbols: &'a Symbols, budget: Budget) -> Result<Self, OverBudget> {
        let watches = symbols.followed.iter().map(|followed| &followed.watch);
        let states = symbols.terminals.iter().chain(watches).map(TerminalAutomaton::states);
        budget.charge_bytes(states.clone().sum::<usize>() as u64 * 8)?;
        let mut precedence: Vec<_> =
            (0u32..).zip(&grammar.terminals).map(|(i, t)| (t.priority, t.literal, Reverse(i))).collect();
        precedence.push((i32::MIN, false, Reverse(u32::MAX)));
        let watching = symbols.followed.len();
        let more = |mut list: Vec<bool>, watches| {
            list.extend(std::iter::repeat_n(watches, watching));
            list
        };
        let ignored = marked(grammar, &grammar.ignored);
        let together = marked(grammar, &grammar.contexts.together);
        let lazy = if grammar.is_any_split() { &[][..] } else { &grammar.contexts.lazy };
        Ok(Self {
            terminals: &symbols.terminals,
            followed: &symbols.followed,
            precedence,
            together,
            competing: more(grammar.competing(), true),
            lazy: more(marked(grammar, lazy), false),
            limits: limits_by_terminal(symbols),
            read_classes: symbols.read_classes(),
            classes: symbols.classes,
            ignored,
            lists: vec![Box::default()],
            ids: FxHashMap::from_iter([(Box::default(), SubsetId::EMPTY)]),
            singles: states.map(|states| vec![None; states]).collect(),
            moves: vec![Vec::new(); symbols.classes],
            budget,
        })
    }

    /// The automaton of a terminal, or of what watches for texts that follow.
    fn automaton(&self, t: TerminalId) -> &'a TerminalAutomaton {
        match self.terminals.get(t.index()) {
            Some(automaton) => automaton,
            None => &self.followed[t.index() - self.terminals.len()].watch,
        }
    }

    /// What watches the text behind lexemes of a terminal, if it matters what follows them.
    fn watch(&self, t: TerminalId) -> Option<(TerminalId, &'a FollowedTerminal)> {
        let place = self.followed.iter().position(|followed| followed.terminal == t)?;
        Some((TerminalId::new(self.terminals.len() + place), &self.followed[place]))
    }

    /// What a lexeme that ends could have become in place of a pair: it watches what follows where that matters.
    pub(super) fn watched(&self, (t, q): Pair) -> Pair {
        self.watch(t).map_or((t, q), |(watch, _)| (watch, q))
    }

    /// What watches that the right text is missing behind a lexeme that ends with a pair, and that it is there. None if anything may follow.
    pub(super) fn follows(&self, (t, q): Pair) -> Option<(Pair, Pair)> {
        let (watch, followed) = self.watch(t)?;
        let (missing, found) = followed.starts(q)?;
        Some(((watch, missing), (watch, found)))
    }

    /// Whether the subset accepts a lexeme for which it matters what follows.
    pub(super) fn depends_on_what_follows(&self, subset: SubsetId) -> bool {
        !self.followed.is_empty() && self.accepting_pairs(subset).any(|pair| self.follows(pair).is_some())
    }

    /// The accepting pairs of terminals that compete, the winners of ties first.
    pub(super) fn competing_by_precedence(&self, subset: SubsetId) -> Vec<Pair> {
        let mut pairs: Vec<Pair> =
            self.accepting_pairs(subset).filter(|pair| self.competes(pair.0)).collect();
        pairs.sort_unstable_by_key(|pair| Reverse(self.precedence[pair.0.index()]));
        pairs
    }

    /// The accepting pairs of terminals that do not compete.
    pub(super) fn not_competing(&self, subset: SubsetId) -> Vec<Pair> {
        self.accepting_pairs(subset).filter(|pair| !self.competes(pair.0)).collect()
    }

    /// The pairs of a subset.
    pub(super) fn pairs(&self, subset: SubsetId) -> &[Pair] {
        &self.lists[subset.index()]
    }

    /// Interns pairs that come in any order.
    pub(super) fn intern(&mut self, mut pairs: Vec<Pair>) -> Result<SubsetId, OverBudget> {
        pairs.sort_unstable();
        pairs.dedup();
        self.intern_sorted(&pairs)
    }

    /// Interns pairs that are sorted and have no duplicates.
    fn intern_sorted(&mut self, pairs: &[Pair]) -> Result<SubsetId, OverBudget> {
        let known = match *pairs {
            [(t, q)] => self.singles[t.index()][q as usize],
            _ => self.ids.get(pairs).copied(),
        };
        if let Some(id) = known {
            return Ok(id);
        }
        self.budget.charge_bytes(pairs.len() as u64 * 16 + 80)?;
        let id = SubsetId::new(self.lists.len());
        self.lists.push(pairs.into());
        match *pairs {
            [(t, q)] => self.singles[t.index()][q as usize] = Some(id),
            _ => drop(self.ids.insert(pairs.into(), id)),
        }
        Ok(id)
    }

    /// The transitions with which a lexeme of a terminal begins.
    pub(super) fn first(&self, t: TerminalId) -> &'a [(SymbolClass, u32)] {
        self.automaton(t).transitions(0)
    }

    /// The subset at the start of a lexeme, in a context of these terminals.
    pub(super) fn start(&mut self, terminals: &[TerminalId]) -> Result<SubsetId, OverBudget> {
        self.intern(terminals.iter().map(|&t| (t, 0)).collect())
    }

    /// The successor of `subset` on one class, where each terminal has one transition on a class at most, and none is lazy.
    pub(super) fn successor(&mut self, subset: SubsetId, class: SymbolClass) -> Result<SubsetId, OverBudget> {
        let next = |&(t, q): &Pair| {
            let transitions = self.automaton(t).transitions(q);
            let at = transitions.binary_search_by_key(&class, |&(class, _)| class).ok()?;
            Some((t, transitions[at].1))
        };
        let pairs: Vec<Pair> = self.pairs(subset).iter().filter_map(next).collect();
        self.budget.charge_work(self.pairs(subset).len() as u64 + 1)?;
        // A terminal is in a subset once, so the pairs are sorted.
        self.intern_sorted(&pairs)
    }

    /// The successors of `subset` that are not empty, sorted by class. Where a lazy terminal matches, nothing else is left.
    pub(super) fn successors(
        &mut self,
        subset: SubsetId,
    ) -> Result<Vec<(SymbolClass, SubsetId)>, OverBudget> {
        let mut successors = self.all_successors(subset)?;
        for (_, to) in &mut successors {
            if self.pairs(*to).iter().any(|&pair| self.ends_lazily(pair)) {
                let ends = self.pairs(*to).iter().copied().filter(|&pair| self.ends_lazily(pair)).collect();
                *to = self.intern(ends)?;
            }
        }
        Ok(successors)
    }

    /// The successors of `subset` that are not empty, sorted by class, as if lazy terminals left the others alone.
    pub(super) fn all_successors(
        &mut self,
        subset: SubsetId,
    ) -> Result<Vec<(SymbolClass, SubsetId)>, OverBudget> {
        match *self.pairs(subset) {
            // What watches for texts may have several transitions on a class.
            [pair] if pair.0.index() < self.terminals.len() => return self.successors_of_single(pair),
            _ => {}
        }
        let mut moves = std::mem::take(&mut self.moves);
        let successors = self.successors_by_class(subset, &mut moves);
        moves.iter_mut().for_each(Vec::clear);
        self.moves = moves;
        successors
    }

    /// The same of a single pair, whose transitions are sorted.
    fn successors_of_single(&mut self, pair: Pair) -> Result<Vec<(SymbolClass, SubsetId)>, OverBudget> {
        let (t, q) = pair;
        let transitions = if self.ends_lazily(pair) { &[] } else { self.automaton(t).transitions(q) };
        self.budget.charge_work(transitions.len() as u64 + 1)?;
        let (first_limit, own) = (self.read_classes, self.limit_of(t));
        let read =
            transitions.iter().filter(|&&(class, _)| class.index() < first_limit || own == Some(class));
        read.map(|&(class, to)| Ok((class, self.intern_sorted(&[(t, to)])?))).collect()
    }

    /// The same, with a list for each class, all of which are empty.
    fn successors_by_class(
        &mut self,
        subset: SubsetId,
        moves: &mut [Vec<Pair>],
    ) -> Result<Vec<(SymbolClass, SubsetId)>, OverBudget> {
        let mut classes: Vec<SymbolClass> = Vec::new();
        let mut count = 0;
        for &(t, q) in self.pairs(subset).iter().filter(|&&pair| !self.ends_lazily(pair)) {
            for &(class, to) in self.automaton(t).transitions(q) {
                let pairs = &mut moves[class.index()];
                if pairs.is_empty() {
                    classes.push(class);
                }
                pairs.push((t, to));
                count += 1;
            }
        }
        self.budget.charge_work(count + 1)?;
        classes.retain(|&class| !self.is_limit(class) || self.may_end_by_limit(subset, class));
        classes.sort_unstable();
        let mut out: Vec<(SymbolClass, SubsetId)> = Vec::with_capacity(classes.len());
        for class in classes {
            // The terminals ascend, so there is little to sort.
            let pairs = &mut moves[class.index()];
            pairs.sort();
            pairs.dedup();
            // Neighbouring classes often have the same successor. A comparison is cheaper than interning it
            // again.
            let same = out.last().filter(|&&(_, last)| *self.pairs(last) == **pairs);
            let to = match same {
                Some(&(_, last)) => last,
                None => self.intern_sorted(pairs)?,
            };
            out.push((class, to));
        }
        Ok(out)
    }

    /// The terminals that accept in `subset`, sorted; one [`IGNORED`] at the end stands for all ignored
    /// terminals.
    pub(super) fn accepting(&self, subset: SubsetId) -> Vec<TerminalId> {
        let mut out: Vec<TerminalId> =
            self.accepting_pairs(subset).map(|(t, _)| self.or_ignored(t)).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The pairs of `subset` by terminal, with ignored terminals last.
    pub(super) fn members(&self, subset: SubsetId) -> Vec<Member> {
        let member =
            |&(automaton, state): &Pair| Member { terminal: self.or_ignored(automaton), automaton, state };
        let mut members: Vec<Member> = self.pairs(subset).iter().map(member).collect();
        members.sort_by_key(|member| member.terminal);
        members
    }

    /// The terminals that accept in `subset` and that no other such terminal beats, sorted; one [`IGNORED`] at
    /// the end stands for all ignored terminals.
    pub(super) fn winners(&self, subset: SubsetId) -> Vec<TerminalId> {
        let accepting = || self.accepting_pairs(subset).map(|(t, _)| t);
        let rank = |t: &TerminalId| (self.competes(*t), self.precedence[t.index()]);
        let Some(first) = accepting().max_by_key(rank) else { return Vec::new() };
        let mut out: Vec<TerminalId> =
            accepting().filter(|&t| !self.beats(first, t)).map(|t| self.or_ignored(t)).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The terminals that accept in `subset`, the winners of ties first, ignored terminals as themselves.
    pub(super) fn accepting_by_precedence(&self, subset: SubsetId) -> Vec<TerminalId> {
        let mut accepting: Vec<TerminalId> = self.accepting_pairs(subset).map(|(t, _)| t).collect();
        accepting.sort_unstable_by_key(|t| Reverse(self.precedence[t.index()]));
        accepting
    }

    /// Whether any terminal accepts in `subset`.
    pub(super) fn accepts(&self, subset: SubsetId) -> bool {
        self.accepting_pairs(subset).next().is_some()
    }

    /// Whether the terminal shares ties with the others of which this holds.
    pub(super) fn shares_ties(&self, terminal: TerminalId) -> bool {
        self.together[terminal.index()]
    }

    /// Whether `a` wins a tie against `b`, and they do not share it.
    fn beats(&self, a: TerminalId, b: TerminalId) -> bool {
        let shared = self.together[a.index()] && self.together[b.index()];
        let compete = self.competes(a) && self.competes(b);
        compete && !shared && self.precedence[a.index()] > self.precedence[b.index()]
    }

    /// Whether the terminal competes for the longest match.
    pub(super) fn competes(&self, terminal: TerminalId) -> bool {
        self.competing[terminal.index()]
    }

    /// Number of classes of bytes and tokens.
    pub(super) fn read_classes(&self) -> usize {
        self.read_classes
    }

    /// Whether a class is the symbol of a limit on tokens.
    pub(super) fn is_limit(&self, class: SymbolClass) -> bool {
        class.index() >= self.read_classes
    }

    /// The symbol of the limit of a terminal. What watches for texts that follow has none.
    fn limit_of(&self, t: TerminalId) -> Option<SymbolClass> {
        self.limits.get(t.index()).copied().flatten()
    }

    /// Whether a terminal of the subset has the limit of this symbol, and its lexeme has begun: a state that only begins lexemes reads no limit.
    fn may_end_by_limit(&self, subset: SubsetId, symbol: SymbolClass) -> bool {
        let reads_limit = |t, q| {
            let last = self.automaton(t).transitions(q).last();
            last.is_some_and(|&(class, _)| self.is_limit(class))
        };
        let begins = |&(t, q): &Pair| q == 0 && t.index() < self.terminals.len() && !reads_limit(t, q);
        let pairs = self.pairs(subset);
        pairs.iter().any(|&(t, _)| self.limit_of(t) == Some(symbol)) && !pairs.iter().any(begins)
    }

    /// Whether a terminal of the subset competes for the longest match.
    pub(super) fn has_competition(&self, subset: SubsetId) -> bool {
        self.pairs(subset).iter().any(|&(t, _)| self.competes(t))
    }

    /// Whether a lexeme ends with the pair, because a lazy terminal matches.
    pub(super) fn ends_lazily(&self, (t, q): Pair) -> bool {
        self.lazy[t.index()] && self.automaton(t).is_accepting(q)
    }

    /// The lazy terminals that match in the subset.
    pub(super) fn lazy_ends(&self, subset: SubsetId) -> Vec<TerminalId> {
        self.pairs(subset).iter().filter(|&&pair| self.ends_lazily(pair)).map(|&(t, _)| t).collect()
    }

    /// Whether a longer lexeme is possible from the pair.
    pub(super) fn can_continue(&self, (t, q): Pair) -> bool {
        !self.ends_lazily((t, q)) && !self.automaton(t).transitions(q).is_empty()
    }

    /// [`IGNORED`] if `t` is ignored, else `t`.
    pub(super) fn or_ignored(&self, t: TerminalId) -> TerminalId {
        if self.ignored[t.index()] { IGNORED } else { t }
    }

    /// Number of symbol classes.
    pub(super) fn class_count(&self) -> usize {
        self.classes
    }

    /// Number of terminals, END included.
    pub(super) fn terminal_count(&self) -> usize {
        self.terminals.len()
    }

    fn accepting_pairs(&self, subset: SubsetId) -> impl Iterator<Item = Pair> + '_ {
        self.pairs(subset).iter().copied().filter(|&(t, q)| self.automaton(t).is_accepting(q))
    }
}

/// Per terminal: the symbol of its limit.
fn limits_by_terminal(symbols: &Symbols) -> Vec<Option<SymbolClass>> {
    let mut limits = vec![None; symbols.terminals.len()];
    for limit in &symbols.limits {
        limits[limit.terminal.index()] = Some(limit.symbol);
    }
    limits
}

/// Per terminal, and then the end of the text: whether it is in the list.
fn marked(grammar: &Grammar, terminals: &[TerminalId]) -> Vec<bool> {
    let mut marked = vec![false; grammar.terminals.len() + 1];
    terminals.iter().for_each(|t| marked[t.index()] = true);
    marked
}
