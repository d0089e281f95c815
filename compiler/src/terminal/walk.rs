//! Walks over the trie from a set of (position, lexer state).
//!
//! Many lexer states differ only in the next few bytes: inside a string, all but a few bytes lead to the state "somewhere in a string".
//! So what larger subtrees give from a state is remembered and shared by all walks that come there, also from any state
//! that strings as long as the subtrees are high cannot tell apart from it ([`Levels`]). The children of a node that lead to the same
//! state and are about as high are remembered together: of a string whose characters are counted, only those subtrees
//! are walked again that are higher than what is left of it; and where a count is all that differs, one walk from the root serves
//! all of them ([`Counters`]). And of a key that may turn out to be another key, only the child
//! that goes on with it: the others are those of "somewhere in a key", without that one.

use super::Tokens;
use super::by_count::ByCount;
use super::counted::{Control, Counters, Path};
use super::exchange::{Exchange, exchanged};
use super::lengths::Lengths;
use super::levels::Levels;
use super::majority::Majority;
use super::settled::Settled;
use crate::ids::{ContextId, EndClass, LexState, SetId, SymbolClass};
use crate::lexer::{IGNORED, Lexer, Symbols};
use crate::limits::{Budget, OverBudget};
use crate::sets::{Range, Sets};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_vocabulary::{ByteSet, begins_character, symbols};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Subtrees with at least so many nodes are remembered.
const MIN_REMEMBERED: u32 = 1024;
/// What was found in fewer steps is not: finding it again costs less than a set. Most are the rests of a key or of a choice.
const MIN_STEPS: u64 = 64;
/// At most so many children are left out of a group.
const MAX_LEFT_OUT: usize = 8;

/// Where a terminal may have ended inside a token: positions in the trie, and how they restrict the next lexeme.
pub(super) type Cut = ((TerminalId, EndClass), SetId);

/// What walks give: a subtree's, or all together.
#[derive(Default)]
pub(super) struct Walked {
    /// What is pending where the walk began: all that was found is about these terminals.
    pending: u32,
    /// Tokens that end in a state with this pending set. Sorted, one per pending set.
    pub(super) ends: Vec<(u32, SetId)>,
    /// Sorted, one per terminal and end class.
    pub(super) cuts: Vec<Cut>,
}

/// The interned sets of a walk.
pub(super) struct WalkSets<'a> {
    /// Sets of ranks of tokens.
    pub(super) tokens: &'a mut Sets,
    /// Sets of positions in the trie.
    pub(super) positions: &'a mut Sets,
}

/// What stays the same between walks.
pub(super) struct Setting<'a, 'b> {
    pub(super) lexer: &'a Lexer,
    pub(super) tokens: &'a Tokens<'b>,
    pub(super) tables: &'a WalkTables<'b>,
}

/// What walks ask of lexer states again and again.
pub struct WalkTables<'a> {
    levels: Levels,
    pub(super) counters: Counters,
    lengths: Lengths,
    pub(super) settled: Settled<'a>,
    byte_class: [u16; 256],
    states: Vec<OfState>,
    /// Per end class: the bytes that can start a lexeme after it in some context.
    may_start: Vec<ByteSet>,
}

/// What a walk asks of a lexer state.
#[derive(Clone, Copy)]
struct OfState {
    pending: u32,
    accepting: bool,
    /// Among those that no token tells apart.
    class: u32,
}

impl<'a> WalkTables<'a> {
    /// For tokens that are walked through this lexer.
    pub fn new(
        lexer: &Lexer,
        symbols: &Symbols,
        tokens: &Tokens<'a>,
        any_split: bool,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let budget = &budget.stage("terminal");
        let levels = Levels::new(lexer, tokens.longest, budget)?;
        let class_of = levels.of_tokens();
        let of_state = |s: usize| OfState {
            pending: lexer.pending[s],
            accepting: !lexer.accepts.row(s).is_empty(),
            class: class_of[s],
        };
        let majority = &mut Majority::new(lexer, symbols);
        let counters = Counters::new(lexer, &levels, majority, budget)?;
        Ok(Self {
            lengths: Lengths::new(&counters, lexer, symbols, any_split),
            counters,
            settled: Settled::new(lexer, symbols, any_split, tokens, &levels, majority, budget)?,
            byte_class: symbols.byte_class,
            states: (0..lexer.states()).map(of_state).collect(),
            may_start: may_start(lexer, symbols),
            levels,
        })
    }
}

/// Ranks by pending set, positions by terminal.
#[cfg(test)]
pub(super) type Plain = [Vec<(u32, Vec<u32>)>; 2];

#[cfg(test)]
impl WalkTables<'_> {
    /// Pairs of a node, other than a leaf, and a state from which it needs no walk.
    pub(super) fn settled_subtrees(&self, lexer: &Lexer, tokens: &Tokens<'_>) -> usize {
        let nodes = (1..tokens.trie.len()).filter(|&node| tokens.trie.height(node) > 0);
        let settled = |node: u32, state: &OfState| {
            self.settled.is_settled(state.class, tokens.trie.height(node), tokens.trie.symbols_below(node))
        };
        let states = &self.states[1..lexer.states()];
        nodes.map(|node| states.iter().filter(|state| settled(node, state)).count()).sum()
    }

    /// What walks from the root give, per state.
    pub(super) fn all_walks(&self, lexer: &Lexer, tokens: &Tokens<'_>) -> Vec<Plain> {
        let budget = Budget::unlimited("test");
        let setting = Setting { lexer, tokens, tables: self };
        let mut subtrees = Subtrees::default();
        let [mut ranks, mut positions] = [0; 2].map(|_| Sets::new(budget.clone()));
        let mut all = |state| {
            let sets = &mut WalkSets { tokens: &mut ranks, positions: &mut positions };
            let seeds = vec![(0, state)];
            let walked = walk(&setting, &mut subtrees, sets, seeds, ContextId(0), &budget).unwrap();
            let ends = walked.ends.iter().map(|&(pending, set)| (pending, ranks.ranks(set).collect()));
            let cuts = walked.cuts.iter().map(|&((t, _), set)| (t.0, positions.ranks(set).collect()));
            [ends.collect(), cuts.collect()]
        };
        (1..lexer.states()).map(|state| all(LexState::new(state))).collect()
    }
}

/// Per end class: the bytes that can start a lexeme after it in some context.
fn may_start(lexer: &Lexer, symbols: &Symbols) -> Vec<ByteSet> {
    let starts_of = |row: &[LexState]| {
        let mut starts: Vec<LexState> = row.iter().copied().filter(|&s| s != LexState(0)).collect();
        starts.sort_unstable();
        starts.dedup();
        let mut bytes = ByteSet::default();
        for (byte, &class) in (0..=u8::MAX).zip(&symbols.byte_class) {
            if starts.iter().any(|&s| lexer.next(s, SymbolClass(u32::from(class))) != LexState(0)) {
                symbols::add(&mut bytes, byte);
            }
        }
        bytes
    };
    lexer.restarts.chunks(lexer.contexts).map(starts_of).collect()
}

/// Children of one node, ascending.
type Children = Rc<[u32]>;

/// Children of a node that the same symbols lead to and that are about as high.
struct Group {
    /// A class of these symbols.
    class: SymbolClass,
    /// Of the highest one.
    height: u8,
    /// Among all groups, by their children.
    id: u32,
    children: Children,
    /// Those of the children that other symbols lead to.
    left_out: Box<[u32]>,
}

/// Subtrees walked before.
#[derive(Default)]
pub(super) struct Subtrees {
    /// By the root and the class of the state there.
    known: FxHashMap<(u32, u32), Rc<Walked>>,
    /// By group, and the class of the state that its symbols lead to.
    known_groups: FxHashMap<(u32, u32), Rc<Walked>>,
    /// By node and pattern of the state there ([`Rows`](crate::lexer::Rows)).
    groups: FxHashMap<(u32, u32), Rc<[Group]>>,
    group_ids: FxHashMap<Children, u32>,
    /// By node, the bytes on which a state stays, and bucket of heights: the children on these bytes.
    staying: FxHashMap<(u32, ByteSet, u8), Children>,
    /// Lexer state per depth; a buffer.
    path: Vec<LexState>,
    exchange: Exchange,
    /// Empty ones, to be used again.
    spare: Vec<Found>,
}

/// Things found, not yet in order.
#[derive(Default)]
struct Found {
    /// Runs of tokens that end in a state with this pending set.
    runs: Vec<(u32, Range)>,
    /// Places at which a lexeme may end. Ignored terminals included: where the walk goes on after them depends on the context.
    places: Vec<(TerminalId, EndClass, u32)>,
    /// The same as sets.
    walked: Walked,
    /// Nodes visited and things added to find them.
    steps: u64,
}

impl Found {
    /// Adds all that was found from the same state, or from a state further down, and leaves nothing of it there.
    fn take(&mut self, own: &mut Self) {
        self.steps += std::mem::take(&mut own.steps);
        self.runs.append(&mut own.runs);
        self.places.append(&mut own.places);
        self.walked.ends.append(&mut own.walked.ends);
        self.walked.cuts.append(&mut own.walked.cuts);
    }

    /// Adds what a subtree gives from `state`, or from one that is equivalent but for its terminals ([`Levels`]).
    fn add(&mut self, walked: &Walked, lexer: &Lexer, state: LexState, exchange: &mut Exchange) {
        self.steps += 1 + (walked.ends.len() + walked.cuts.len()) as u64;
        let Walked { ends, cuts, .. } = &mut self.walked;
        let between = (walked.pending, lexer.pending[state.index()]);
        if between.0 == between.1 {
            ends.extend_from_slice(&walked.ends);
            cuts.extend_from_slice(&walked.cuts);
            return;
        }
        ends.extend(walked.ends.iter().map(|&(pending, set)| (exchange.part(lexer, between, pending), set)));
        let cut =
            |&((terminal, end), positions): &Cut| ((exchanged(lexer, between, terminal), end), positions);
        cuts.extend(walked.cuts.iter().map(cut));
    }

    /// Makes sets of the runs and places, and puts everything in order. Leaves nothing behind.
    fn finish(&mut self, sets: &mut WalkSets<'_>) -> Result<Walked, OverBudget> {
        let Walked { ends, cuts, .. } = &mut self.walked;
        let mut ranges: Vec<Range> = Vec::with_capacity(self.runs.len().max(self.places.len()));
        self.runs.sort_by_key(|(pending, _)| *pending);
        for group in self.runs.chunk_by(|a, b| a.0 == b.0) {
            ranges.clear();
            ranges.extend(group.iter().map(|(_, range)| *range));
            ends.push((group[0].0, sets.tokens.intern(&ranges)?));
        }
        self.places.sort_unstable();
        for group in self.places.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            ranges.clear();
            ranges.extend(group.iter().map(|&(.., position)| (position, position + 1)));
            cuts.push(((group[0].0, group[0].1), sets.positions.intern(&ranges)?));
        }
        ends.sort_unstable();
        cuts.sort_unstable();
        let walked =
            Walked { pending: 0, ends: united(ends, sets.tokens)?, cuts: united(cuts, sets.positions)? };
        self.runs.clear();
        self.places.clear();
        self.walked.ends.clear();
        self.walked.cuts.clear();
        self.steps = 0;
        Ok(walked)
    }
}

/// One set per key.
fn united<K: Copy + Eq>(sorted: &[(K, SetId)], sets: &mut Sets) -> Result<Vec<(K, SetId)>, OverBudget> {
    let mut parts: Vec<SetId> = Vec::with_capacity(sorted.len());
    let mut out = Vec::with_capacity(sorted.len());
    for group in sorted.chunk_by(|a, b| a.0 == b.0) {
        parts.clear();
        parts.extend(group.iter().map(|(_, set)| *set));
        out.push((group[0].0, sets.union_all(&mut parts)?));
    }
    Ok(out)
}

/// Walks the subtrees of all seeds: `(position, state in which what follows is read)`.
pub(super) fn walk(
    setting: &Setting<'_, '_>,
    subtrees: &mut Subtrees,
    sets: &mut WalkSets<'_>,
    seeds: Vec<(u32, LexState)>,
    context: ContextId,
    budget: &Budget,
) -> Result<Walked, OverBudget> {
    let mut found = subtrees.spare.pop().unwrap_or_default();
    let mut seen: FxHashSet<(u32, LexState)> = FxHashSet::default();
    let (mut open, mut next) = (seeds, 0);
    while let Some(&(seed, state)) = open.get(next) {
        next += 1;
        let (places, cuts) = (found.places.len(), found.walked.cuts.len());
        subtrees.below(setting, sets, seed, state, &mut found, budget)?;
        let mut after = |end: EndClass, position: u32| {
            let start = setting.lexer.restart(end, context);
            if start == LexState(0) {
                return;
            }
            // Few walks meet an ignored lexeme.
            if seen.is_empty() {
                seen.extend(&open);
            }
            if seen.insert((position, start)) {
                open.push((position, start));
            }
        };
        for &(_, end, position) in found.places[places..].iter().filter(|place| place.0 == IGNORED) {
            after(end, position);
        }
        for &((_, end), positions) in found.walked.cuts[cuts..].iter().filter(|cut| cut.0.0 == IGNORED) {
            sets.positions.ranks(positions).for_each(|position| after(end, position));
        }
    }
    found.places.retain(|place| place.0 != IGNORED);
    found.walked.cuts.retain(|cut| cut.0.0 != IGNORED);
    let walked = found.finish(sets)?;
    subtrees.spare.push(found);
    Ok(walked)
}

/// What was found from a state in which this is pending, to be kept.
fn remembered(
    found: &mut Found,
    pending: u32,
    sets: &mut WalkSets<'_>,
    budget: &Budget,
) -> Result<Rc<Walked>, OverBudget> {
    budget.charge_work(1)?;
    let walked = Walked { pending, ..found.finish(sets)? };
    budget.charge_bytes((walked.cuts.len() * 12 + walked.ends.len() * 8 + 96) as u64)?;
    Ok(Rc::new(walked))
}

impl Subtrees {
    /// Adds everything strictly below `node`, which is reached in `state`, and the lexeme that ends there. Recursion is as
    /// deep as a token is long.
    fn below(
        &mut self,
        setting: &Setting<'_, '_>,
        sets: &mut WalkSets<'_>,
        node: u32,
        state: LexState,
        found: &mut Found,
        budget: &Budget,
    ) -> Result<(), OverBudget> {
        let trie = setting.tokens.trie;
        if trie.subtree_end(node) - node < MIN_REMEMBERED && node != 0 {
            setting.lexeme_ends(node, state, found);
            return budget.charge_work(setting.scan(node, state, &mut self.path, found));
        }
        let key = (node, setting.tables.levels.class(trie.height(node), state));
        if let Some(walked) = self.known.get(&key) {
            found.add(walked, setting.lexer, state, &mut self.exchange);
            return Ok(());
        }
        if node == 0
            && let Some(control) = setting.tables.counters.control(setting.tables.states[state.index()].class)
        {
            self.counted(setting, sets, control, budget)?;
            found.add(&self.known[&key], setting.lexer, state, &mut self.exchange);
            return Ok(());
        }
        let mut own = self.spare.pop().unwrap_or_default();
        setting.lexeme_ends(node, state, &mut own);
        if node == 0 {
            setting.special_tokens(state, &mut own);
        }
        for group in self.groups(setting, node, state).iter() {
            let state = setting.lexer.next(state, group.class);
            self.group(setting, sets, group, state, &mut own, budget)?;
        }
        if own.steps < MIN_STEPS {
            found.take(&mut own);
        } else {
            let walked = remembered(&mut own, setting.lexer.pending[state.index()], sets, budget)?;
            found.add(&walked, setting.lexer, state, &mut self.exchange);
            self.known.insert(key, walked);
        }
        self.spare.push(own);
        Ok(())
    }

    /// Walks the whole trie from all counts of a control state at once, and remembers what each gives.
    fn counted(
        &mut self,
        setting: &Setting<'_, '_>,
        sets: &mut WalkSets<'_>,
        control: &Control,
        budget: &Budget,
    ) -> Result<(), OverBudget> {
        let mut below: Option<Rc<Walked>> = None;
        let (found, steps) = setting.scan_counted(control, sets)?;
        budget.charge_work(steps)?;
        for (mut own, &state) in found.into_iter().zip(&control.states) {
            setting.lexeme_ends(0, state, &mut own);
            setting.special_tokens(state, &mut own);
            if let Some(below) = below {
                own.add(&below, setting.lexer, state, &mut self.exchange);
            }
            let walked = remembered(&mut own, setting.lexer.pending[state.index()], sets, budget)?;
            let key = (0, setting.tables.levels.class(setting.tokens.trie.height(0), state));
            self.known.insert(key, walked.clone());
            below = Some(walked);
        }
        Ok(())
    }

    /// Adds the subtrees of a group's children, which are reached in `state` (not dead).
    fn group(
        &mut self,
        setting: &Setting<'_, '_>,
        sets: &mut WalkSets<'_>,
        group: &Group,
        state: LexState,
        found: &mut Found,
        budget: &Budget,
    ) -> Result<(), OverBudget> {
        let key = (group.id, setting.tables.levels.class(group.height, state));
        let walked = match self.known_groups.get(&key) {
            Some(walked) => walked.clone(),
            None => {
                let mut own = self.spare.pop().unwrap_or_default();
                self.whole_group(setting, sets, group, state, &mut own, budget)?;
                if own.steps < MIN_STEPS && group.left_out.is_empty() {
                    found.take(&mut own);
                    self.spare.push(own);
                    return Ok(());
                }
                let walked = remembered(&mut own, setting.lexer.pending[state.index()], sets, budget)?;
                self.spare.push(own);
                self.known_groups.insert(key, walked.clone());
                walked
            }
        };
        if group.left_out.is_empty() {
            found.add(&walked, setting.lexer, state, &mut self.exchange);
        } else {
            let walked = walked.without(&group.left_out, setting, sets)?;
            found.add(&walked, setting.lexer, state, &mut self.exchange);
        }
        Ok(())
    }

    /// Adds the subtrees of a group's children, those that are left out included.
    fn whole_group(
        &mut self,
        setting: &Setting<'_, '_>,
        sets: &mut WalkSets<'_>,
        group: &Group,
        state: LexState,
        found: &mut Found,
        budget: &Budget,
    ) -> Result<(), OverBudget> {
        budget.charge_work(group.children.len() as u64)?;
        found.steps += group.children.len() as u64;
        for &child in &*group.children {
            if !setting.is_settled(child, state, found) {
                let tokens = setting.tokens.trie.tokens_at(child);
                found.tokens_end(setting.lexer.pending[state.index()], (tokens.start, tokens.end));
                self.below(setting, sets, child, state, found, budget)?;
            }
        }
        Ok(())
    }

    /// The children of `node` that `state` can go on to.
    fn groups(&mut self, setting: &Setting<'_, '_>, node: u32, state: LexState) -> Rc<[Group]> {
        let pattern = setting.lexer.rows.pattern(state);
        if let Some(known) = self.groups.get(&(node, pattern)) {
            return known.clone();
        }
        let trie = setting.tokens.trie;
        let mut children: Vec<(LexState, u8, u32)> = trie
            .children(node)
            .map(|child| (setting.next(state, trie.byte(child)), bucket(trie.height(child)), child))
            .filter(|child| child.0 != LexState(0))
            .collect();
        children.sort_unstable();
        let groups = children.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).map(|group| {
            let (to, bucket, first) = group[0];
            let children: Children = group.iter().map(|child| child.2).collect();
            let (children, left_out) = match self.staying(setting, node, to, bucket, &children) {
                Some(part) => part,
                None => (children, Box::default()),
            };
            let fresh = self.group_ids.len() as u32;
            let id = *self.group_ids.entry(children.clone()).or_insert(fresh);
            let height = children.iter().map(|&child| trie.height(child)).max().unwrap_or(0);
            Group { class: setting.class_of(trie.byte(first)), height, id, children, left_out }
        });
        let groups: Rc<[Group]> = groups.collect();
        self.groups.insert((node, pattern), groups.clone());
        groups
    }

    /// The children of `node` on which `state` stays, if `own` are nearly all of them and no others; and those that are missing.
    fn staying(
        &mut self,
        setting: &Setting<'_, '_>,
        node: u32,
        state: LexState,
        bucket: u8,
        own: &[u32],
    ) -> Option<(Children, Box<[u32]>)> {
        if own.len() <= MAX_LEFT_OUT {
            return None;
        }
        let trie = setting.tokens.trie;
        let key = (node, setting.staying_bytes(state), bucket);
        let all = self.staying.entry(key).or_insert_with(|| {
            let stays = |child: &u32| {
                self::bucket(trie.height(*child)) == bucket && setting.next(state, trie.byte(*child)) == state
            };
            trie.children(node).filter(stays).collect()
        });
        let left_out: Box<[u32]> =
            all.iter().copied().filter(|child| own.binary_search(child).is_err()).collect();
        let is_part = own.len() + left_out.len() == all.len() && left_out.len() <= MAX_LEFT_OUT;
        is_part.then(|| (all.clone(), left_out))
    }
}

impl Walked {
    /// The same without the subtrees of these children.
    fn without(
        &self,
        children: &[u32],
        setting: &Setting<'_, '_>,
        sets: &mut WalkSets<'_>,
    ) -> Result<Self, OverBudget> {
        let trie = setting.tokens.trie;
        let tokens = children.iter().map(|&child| trie.tokens_in_subtree(child));
        let tokens: Vec<Range> = tokens.map(|tokens| (tokens.start, tokens.end)).collect();
        let nodes: Vec<Range> = children.iter().map(|&child| (child, trie.subtree_end(child))).collect();
        let ends = self.ends.iter().map(|&(pending, set)| Ok((pending, sets.tokens.without(set, &tokens)?)));
        let ends = ends.collect::<Result<_, OverBudget>>()?;
        let cuts = self.cuts.iter().map(|&(key, set)| Ok((key, sets.positions.without(set, &nodes)?)));
        let mut out = Self { ends, cuts: cuts.collect::<Result<_, OverBudget>>()?, pending: self.pending };
        out.ends.retain(|(_, set)| *set != Sets::EMPTY);
        out.cuts.retain(|(_, set)| *set != Sets::EMPTY);
        Ok(out)
    }
}

/// Heights that are grouped together.
fn bucket(height: u8) -> u8 {
    match height {
        0..=8 => height.div_ceil(4),
        9..=32 => 1 + height.div_ceil(8),
        _ => 6,
    }
}

impl Found {
    #[inline]
    fn tokens_end(&mut self, pending: u32, range: Range) {
        match self.runs.last_mut() {
            Some((same, last)) if *same == pending && last.1 == range.0 => last.1 = range.1,
            _ if range.0 < range.1 => self.runs.push((pending, range)),
            _ => {}
        }
    }
}

impl Setting<'_, '_> {
    /// The state after `byte`.
    fn next(&self, state: LexState, byte: u8) -> LexState {
        self.lexer.next(state, self.class_of(byte))
    }

    /// The bytes on which `state` stays as it is.
    fn staying_bytes(&self, state: LexState) -> ByteSet {
        let mut bytes = ByteSet::default();
        for byte in (0..=u8::MAX).filter(|&byte| self.next(state, byte) == state) {
            symbols::add(&mut bytes, byte);
        }
        bytes
    }

    fn class_of(&self, byte: u8) -> SymbolClass {
        SymbolClass(u32::from(self.tables.byte_class[usize::from(byte)]))
    }

    /// Everything strictly below `root`, which is reached in `state` (not dead).
    ///
    /// Most of the compiler's time is spent here; returns the number of nodes visited.
    fn scan(&self, root: u32, state: LexState, path: &mut Vec<LexState>, found: &mut Found) -> u64 {
        let nodes = self.tokens.trie.nodes();
        let WalkTables { settled, byte_class, states, .. } = self.tables;
        let (classes, transitions) = (self.lexer.classes, self.lexer.transitions.as_slice());
        path.resize(self.tokens.longest + 1, LexState(0));
        let path = path.as_mut_slice();
        path[usize::from(nodes[root as usize].depth)] = state;
        let end = nodes[root as usize].subtree_end;
        let (mut at, mut steps) = (root + 1, 0);
        while at < end {
            let node = nodes[at as usize];
            steps += 1;
            let depth = usize::from(node.depth);
            let class = usize::from(byte_class[usize::from(node.byte)]);
            let state = transitions[path[depth - 1].index() * classes + class];
            if state == LexState(0) {
                at = node.subtree_end;
                continue;
            }
            let of_state = states[state.index()];
            let alike = node.height == 0 || settled.is_settled(of_state.class, node.height, node.below);
            let next = if alike { node.subtree_end } else { at + 1 };
            found.tokens_end(of_state.pending, (node.first_token, nodes[next as usize].first_token));
            if of_state.accepting && !alike {
                self.lexeme_ends(at, state, found);
            }
            path[depth] = state;
            at = next;
        }
        found.steps += steps;
        steps
    }

    /// Everything below the root from the highest count of a control state, by the least count that can take the way there.
    /// Returns the number of nodes visited, too.
    fn scan_counted(
        &self,
        control: &Control,
        sets: &mut WalkSets<'_>,
    ) -> Result<(Vec<Found>, u64), OverBudget> {
        let nodes = self.tokens.trie.nodes();
        let WalkTables { counters, lengths, settled, byte_class, states, .. } = self.tables;
        let symbols_below = self.tokens.trie.symbol_sets();
        let mut found: Vec<Found> = control.states.iter().map(|_| Found::default()).collect();
        let mut paths = vec![Path::from(control); self.tokens.longest + 1];
        // Characters of the string of the node at each depth.
        let mut characters = vec![0; paths.len()];
        let mut by_count = ByCount::new(self.tokens.characters, found.len());
        let (mut at, mut steps) = (1, 0);
        while at < nodes.len() as u32 - 1 {
            let node = nodes[at as usize];
            steps += 1;
            let depth = usize::from(node.depth);
            characters[depth] = characters[depth - 1] + i32::from(begins_character(node.byte));
            let class = SymbolClass(u32::from(byte_class[usize::from(node.byte)]));
            let path = counters.step(self.lexer, paths[depth - 1], class);
            let (state, least) = (path.state, path.least as usize);
            if state == LexState(0) || least >= found.len() {
                at = node.subtree_end;
                continue;
            }
            let of_state = states[state.index()];
            if let Some(least) = lengths.count(path, &symbols_below[node.below as usize]) {
                let tokens = (node.first_token, nodes[node.subtree_end as usize].first_token);
                steps += u64::from(tokens.1 - tokens.0) / 8;
                let before = characters[depth];
                by_count.add(tokens, of_state.pending, |all| least(all - before));
                at = node.subtree_end;
                continue;
            }
            let settled =
                path.counts.is_none() && settled.is_settled(of_state.class, node.height, node.below);
            let alike = node.height == 0 || settled;
            let next = if alike { node.subtree_end } else { at + 1 };
            let found = &mut found[least];
            found.tokens_end(of_state.pending, (node.first_token, nodes[next as usize].first_token));
            if of_state.accepting && !alike {
                self.lexeme_ends(at, state, found);
            }
            paths[depth] = path;
            at = next;
        }
        for (count, pending, tokens) in by_count.into_bitmaps() {
            found[count].walked.ends.push((pending, sets.tokens.intern_words(&tokens)?));
        }
        Ok((found, steps))
    }

    /// Whether all tokens in the subtree of `node` end like one that ends there.
    fn is_settled(&self, node: u32, state: LexState, found: &mut Found) -> bool {
        let trie = self.tokens.trie;
        let height = trie.height(node);
        let class = self.tables.states[state.index()].class;
        let settled = height == 0 || self.tables.settled.is_settled(class, height, trie.symbols_below(node));
        if settled {
            let tokens = trie.tokens_in_subtree(node);
            found.tokens_end(self.lexer.pending[state.index()], (tokens.start, tokens.end));
        }
        settled
    }

    /// Notes which lexemes may have ended at `node`, if any token goes on there.
    fn lexeme_ends(&self, node: u32, state: LexState, found: &mut Found) {
        if !self.tables.states[state.index()].accepting {
            return;
        }
        let end = self.lexer.end_class[state.index()];
        if node == 0 || self.can_go_on(node, end) {
            let accepts = self.lexer.accepts(state).iter();
            found.places.extend(accepts.map(|&terminal| (terminal, end, node)));
        }
    }

    fn can_go_on(&self, node: u32, end: EndClass) -> bool {
        let trie = self.tokens.trie;
        let starts = &self.tables.may_start[end.index()];
        trie.children(node).any(|child| symbols::has(starts, trie.byte(child)))
    }

    fn special_tokens(&self, state: LexState, found: &mut Found) {
        for (i, ranges) in self.tokens.special.iter().enumerate() {
            let after = self.lexer.next(state, SymbolClass::new(self.tokens.byte_classes + i));
            if after != LexState(0) {
                let pending = self.lexer.pending[after.index()];
                ranges.iter().for_each(|&range| found.tokens_end(pending, range));
            }
        }
    }
}
