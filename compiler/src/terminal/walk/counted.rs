//! Walks the trie from all counts of a control state at once.
//!
//! The loop is that of [`Walker::scan`], but a node is reached by several paths, each of which some of the counts
//! have. Where only counted characters are below a node, its tokens are distributed by their number of
//! characters.

use super::by_count::ByCount;
use super::walker::Walker;
use crate::ids::LexState;
use crate::terminal::counting::{ControlState, Path, Place};
use crate::terminal::tables::StateData;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::ByteSet;
use gcc_grammar_vocabulary::begins_character;
use std::ops;

/// A path is joined with one of the last paths only.
const LAST_PATHS: usize = 16;

/// A walk under way.
struct CountedWalk<'w, 'a> {
    walker: &'w Walker<'a>,
    /// The paths to the present node and to the nodes above it.
    paths: Vec<Path>,
    found: ByCount,
    /// The work since the last charge.
    steps: u64,
}

impl Walker<'_> {
    /// Walks the whole trie from all counts of a control state at once. Returns the findings.
    pub(super) fn scan_counted(&self, control: &ControlState) -> Result<ByCount, OverBudget> {
        let mut walk = CountedWalk {
            walker: self,
            paths: vec![control.start()],
            found: ByCount::new(control.states.len()),
            steps: 0,
        };
        walk.at_root(control);
        walk.run()?;
        Ok(walk.found)
    }
}

impl CountedWalk<'_, '_> {
    /// Adds what ends at the root: special tokens, and the lexemes that may end before the first byte.
    fn at_root(&mut self, control: &ControlState) {
        let counts = 0..control.states.len() as i32;
        let Self { walker, found, .. } = self;
        for (count, &state) in counts.clone().zip(&control.states) {
            walker.special_tokens(state, |pending, range| found.tokens_end(pending, count..count + 1, range));
        }
        self.lexemes_end(0, control.states[0], counts);
    }

    /// Walks the trie in preorder.
    fn run(&mut self) -> Result<(), OverBudget> {
        let nodes = self.walker.tokens.trie().nodes();
        // Per depth: the paths to the present node's prefix, and its number of characters.
        let mut above: Vec<(ops::Range<usize>, i32)> = vec![(0..1, 0); self.walker.tokens.longest + 1];
        let mut at = 1;
        while at < nodes.len() as u32 - 1 {
            let node = nodes[at as usize];
            let depth = usize::from(node.depth);
            let (parents, characters) = above[depth - 1].clone();
            let characters = characters + i32::from(begins_character(node.byte));
            let first = parents.end;
            self.paths.truncate(first);
            self.step(parents, node.byte);
            self.steps += 1 + (self.paths.len() - first) as u64;
            self.charge()?;
            let mut left = first;
            for path in first..self.paths.len() {
                if !self.settles(at, &self.paths[path].clone(), characters) {
                    self.paths.swap(left, path);
                    left += 1;
                }
            }
            self.paths.truncate(left);
            above[depth] = (first..left, characters);
            at = if left == first { node.subtree_end } else { at + 1 };
        }
        self.charge()
    }

    /// Charges for the steps since the last charge.
    fn charge(&mut self) -> Result<(), OverBudget> {
        self.found.charge(std::mem::take(&mut self.steps), self.walker.budget)
    }

    /// Adds the paths that the paths `parents` become by a byte.
    fn step(&mut self, parents: ops::Range<usize>, byte: u8) {
        let first = parents.end;
        let Self { walker, paths, .. } = self;
        let class = walker.class_of(byte);
        for parent in parents {
            let path = paths[parent].clone();
            walker.tables.counting.step(walker.lexer, &path, class, &mut |path| push(paths, first, path));
        }
    }

    /// Adds what ends at a node that `path` leads to. Returns whether everything below the node has been added, too.
    fn settles(&mut self, at: u32, path: &Path, characters: i32) -> bool {
        let (trie, tables) = (self.walker.tokens.trie(), self.walker.tables);
        let nodes = trie.nodes();
        let node = nodes[at as usize];
        let state = tables.counting.state_like(path.place);
        let below = &trie.symbol_sets()[node.below as usize];
        if let Some((lower, bottom)) = tables.counting.counts(path, &ByteSet(*below)) {
            let (from, to, left) = (path.counts.start, path.counts.end, characters - lower);
            self.tokens_at(at, state, |begun| from.max(begun - left)..to);
            if let Some(bottom) = bottom {
                let one = |begun: i32| from.max(begun - left - 1)..to.min(begun - left);
                self.ends_at(at, bottom, characters, one);
            }
            return true;
        }
        let StateData { pending, .. } = tables.states[state.index()];
        let is_state = matches!(path.place, Place::State(_));
        let alike = node.height == 0 || is_state && tables.uniform.is_uniform(state, node.height, below);
        let next = if alike { node.subtree_end } else { at + 1 };
        self.found.tokens_end(
            pending,
            path.counts.clone(),
            (node.first_token, nodes[next as usize].first_token),
        );
        if !alike {
            self.lexemes_end(at, state, path.counts.clone());
        }
        alike
    }

    /// Adds the lexemes that may end at a node, for some counts.
    fn lexemes_end(&mut self, node: u32, state: LexState, counts: ops::Range<i32>) {
        let found = &mut self.found;
        self.walker.lexeme_ends(node, state, |terminal, end| {
            found.lexeme_ends((terminal, end), counts.clone(), node);
        });
    }

    /// Adds the tokens in a subtree, which end in `state`, for `counts` of their number of characters.
    fn tokens_at(&mut self, root: u32, state: LexState, counts: impl Fn(i32) -> ops::Range<i32>) {
        let Self { walker, found, steps, .. } = self;
        let tokens = walker.tokens.trie().tokens_in_subtree(root);
        *steps += 1 + tokens.len() as u64 / 8;
        let pending = walker.lexer.pending[state.index()];
        found.tokens_by_characters(pending, tokens, walker.tokens.characters(), counts);
    }

    /// Adds the tokens and lexemes that end in `state` in a subtree in which all characters are counted. `before` is
    /// the number of characters before the subtree.
    fn ends_at(&mut self, root: u32, state: LexState, before: i32, counts: impl Fn(i32) -> ops::Range<i32>) {
        let height = self.walker.tokens.trie().height(root);
        let most = if height == u8::MAX { self.walker.tokens.longest as i32 } else { i32::from(height) };
        if (before..=before + most).all(|characters| counts(characters).is_empty()) {
            return;
        }
        self.lexemes_at(root, state, |characters| counts(before + characters));
        self.tokens_at(root, state, counts);
    }

    /// Adds the lexemes that end in `state` in a subtree in which all characters are counted: at the nodes after
    /// each whole character, for the counts that have the number of characters since the root.
    fn lexemes_at(&mut self, root: u32, state: LexState, counts: impl Fn(i32) -> ops::Range<i32>) {
        let Self { walker, found, steps, .. } = self;
        let nodes = walker.tokens.trie().nodes();
        let (top, end) = (nodes[root as usize].depth, nodes[root as usize].subtree_end);
        let end_class = walker.lexer.end_class[state.index()];
        *steps += u64::from(end - root) / 8;
        for &terminal in walker.lexer.accepts(state) {
            let found = found.lexemes((terminal, end_class));
            // Per depth: the number of characters since the root.
            let mut characters = vec![0; walker.tokens.longest + 1];
            for at in root..end {
                let node = nodes[at as usize];
                let depth = usize::from(node.depth - top);
                if depth > 0 {
                    characters[depth] = characters[depth - 1] + i32::from(begins_character(node.byte));
                }
                let counts = counts(characters[depth]);
                // A character is complete if what follows begins another one.
                let complete = || node.height > 0 && begins_character(nodes[at as usize + 1].byte);
                if !counts.is_empty() && complete() && walker.can_start_lexeme(at, state) {
                    found.add(counts, (at, at + 1));
                }
            }
        }
    }
}

/// Adds a path. If one of the last paths from `first` on is at the same place, with the counts before, it gets the
/// counts.
fn push(paths: &mut Vec<Path>, first: usize, new: Path) {
    let joins = |old: &&mut Path| old.place == new.place && old.counts.end == new.counts.start;
    let last = first.max(paths.len().saturating_sub(LAST_PATHS));
    match paths[last..].iter_mut().find(joins) {
        Some(old) => old.counts.end = new.counts.end,
        None => paths.push(new),
    }
}
