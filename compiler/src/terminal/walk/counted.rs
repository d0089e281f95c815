//! Walks the trie from all counts of a control state at once.
//!
//! The loop is that of [`Walker::scan`], but a path also has the least count that has it. Where only counted
//! characters are below a node, its tokens are distributed by their number of characters.

use super::collector::Collector;
use super::summary::WalkSets;
use super::walker::Walker;
use crate::ids::{LexState, SymbolClass};
use crate::terminal::counting::{ControlState, Path, TokensByCount};
use crate::terminal::tables::WalkTables;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_vocabulary::begins_character;

impl Walker<'_, '_> {
    /// Walks the whole trie from all counts of a control state at once. Returns the findings by the least
    /// count that has the path to them, and the number of nodes visited.
    pub(super) fn scan_counted(
        &self,
        control: &ControlState,
        sets: &mut WalkSets<'_>,
    ) -> Result<(Vec<Collector>, u64), OverBudget> {
        let nodes = self.tokens.trie.nodes();
        let WalkTables { counting, counted, uniform, byte_class, states, .. } = self.tables;
        let symbols_below = self.tokens.trie.symbol_sets();
        let mut collectors: Vec<Collector> = control.states.iter().map(|_| Collector::default()).collect();
        let mut paths = vec![Path::new(control); self.tokens.longest + 1];
        // Per depth: the number of characters of the present node's prefix.
        let mut characters = vec![0; paths.len()];
        let mut by_count = TokensByCount::new(self.tokens.characters, collectors.len());
        let (mut at, mut steps) = (1, 0);
        while at < nodes.len() as u32 - 1 {
            let node = nodes[at as usize];
            steps += 1;
            let depth = usize::from(node.depth);
            characters[depth] = characters[depth - 1] + i32::from(begins_character(node.byte));
            let class = SymbolClass(u32::from(byte_class[usize::from(node.byte)]));
            let path = counting.step(self.lexer, paths[depth - 1], class);
            let (state, least) = (path.state, path.least as usize);
            if state == LexState::DEAD || least >= collectors.len() {
                at = node.subtree_end;
                continue;
            }
            let data = states[state.index()];
            if let Some(least) = counted.count(path, &symbols_below[node.below as usize]) {
                let tokens = (node.first_token, nodes[node.subtree_end as usize].first_token);
                steps += u64::from(tokens.1 - tokens.0) / 8;
                let before = characters[depth];
                by_count.add(tokens, data.pending, |all| least(all - before));
                at = node.subtree_end;
                continue;
            }
            let uniform = path.counts.is_none() && uniform.is_uniform(data.class, node.height, node.below);
            let alike = node.height == 0 || uniform;
            let next = if alike { node.subtree_end } else { at + 1 };
            let collector = &mut collectors[least];
            collector.tokens_end(data.pending, (node.first_token, nodes[next as usize].first_token));
            if data.accepting && !alike {
                self.lexeme_ends(at, state, collector);
            }
            paths[depth] = path;
            at = next;
        }
        for (count, pending, tokens) in by_count.into_bitmaps() {
            collectors[count].summary.ends.push((pending, sets.tokens.intern_words(&tokens)?));
        }
        Ok((collectors, steps))
    }
}
