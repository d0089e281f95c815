//! Tries the tokens along a path of the trie: each byte of the path is read once, and white space between lexemes, which changes nothing, is not looked at again.

use gcc_grammar_artifact::grammar::Role;
use gcc_grammar_artifact::ids::{LexState, TokenId};
use gcc_grammar_artifact::trie::TrieNode;
use gcc_grammar_artifact::{GrammarView, TokenTrie};

use crate::bitmap::{bit, word_of};
use crate::error::Error;
use crate::matcher::Matcher;
use crate::refused::walk::MOST_BYTES;
use crate::scratch::{Bytes, Heads, Node, Place};

/// The heads behind some bytes, which are temporaries of the scratch.
#[derive(Clone, Copy)]
struct Read {
    heads: Heads,
    /// The bounds of cells and temporaries.
    cells: u32,
    bottom: usize,
    /// Whether a text of the language goes on so, once that was asked for.
    is_readable: Option<bool>,
}

/// A path of the trie, and what is read of it.
pub(super) struct Trial<'t> {
    trie: TokenTrie<'t>,
    /// The length of the text before the path.
    written: u32,
    bytes: [u8; MOST_BYTES],
    /// The bytes that are white space between lexemes.
    spaces: u128,
    /// The heads behind the first bytes.
    reads: [Read; MOST_BYTES + 1],
    /// The number of bytes that are read.
    read: usize,
    /// A text of the language is known to go on with so many bytes.
    readable: usize,
    /// The nodes of the path whose tokens are to be tried, by their depths: their numbers; 0 for others.
    open: [usize; MOST_BYTES + 1],
    /// Those whose tokens below are to be tried as well, since they differ in white space only.
    whole: u128,
    /// The depth of the last one of them.
    deepest: usize,
    /// Nodes up to which tokens can be read, by their numbers: twice the number, and 1 if no node below is to be visited.
    known: [usize; KNOWN],
    /// A lexeme that can become plenty of scalars.
    free: Option<(LexState, Node)>,
    /// The characters below 128 that lead back to a state of a lexeme: character `c` is bit `c % 64` of word `c / 64`.
    loops: (LexState, [u64; 2]),
}

/// Of so many nodes below one, it is not asked whether they stay in a state.
const WORTH: usize = 16;

/// Nodes that are remembered.
const KNOWN: usize = 64;

/// The white space of JSON, as a set of characters.
const SPACES: u64 = 1 << b' ' | 1 << b'\t' | 1 << b'\n' | 1 << b'\r';

/// Both of two sets of characters.
const fn union(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
    [a[0] | b[0], a[1] | b[1]]
}

impl Trial<'_> {
    /// Notes that the tokens at the last node are to be tried, or those below it, too.
    const fn open(&mut self, node: TrieNode, is_whole: bool) {
        self.open[node.depth] = node.number;
        self.deepest = node.depth;
        let bit = 1 << (node.depth - 1);
        self.whole = self.whole & !bit | if is_whole { bit } else { 0 };
    }

    /// Notes that tokens up to a node can be read, and whether no node below is to be visited.
    const fn note_readable(&mut self, node: TrieNode, is_decided: bool) {
        self.readable = node.depth;
        self.known[node.number % KNOWN] = node.number * 2 + is_decided as usize;
    }

    /// Whether no node below is to be visited, if tokens up to this one are known to be readable.
    fn known(&self, node: TrieNode) -> Option<bool> {
        let known = self.known[node.number % KNOWN];
        (known / 2 == node.number).then_some(known % 2 == 1)
    }

    /// Whether the last one of so many bytes is white space between lexemes.
    const fn is_space(&self, depth: usize) -> bool {
        depth > 0 && self.spaces >> (depth - 1) & 1 == 1
    }

    /// Whether all tokens below a node have characters of one set, or such that they stay in a state of their lexeme and are in the other set.
    fn goes_on(
        &mut self,
        grammar: &GrammarView<'_>,
        node: TrieNode,
        lex: LexState,
        sets: [[u64; 2]; 2],
    ) -> bool {
        let [other, staying] = sets;
        if !self.trie.goes_on_with(node, union(other, staying)) {
            return false;
        }
        if self.loops.0 != lex {
            let loops =
                Bytes::of(|byte| byte.is_ascii() && grammar.next(lex, grammar.byte_symbol(byte)) == lex)
                    .ascii();
            self.loops = (lex, loops);
        }
        let [low, high] = self.loops.1;
        self.trie.goes_on_with(node, union(other, [staying[0] & low, staying[1] & high]))
    }

    /// Notes whether the byte of a node of the path is white space between lexemes.
    #[inline]
    pub(super) fn set_space(&mut self, node: TrieNode, is_space: bool) {
        let bit = 1 << (node.depth - 1);
        self.spaces = self.spaces & !bit | if is_space { bit } else { 0 };
    }
}

impl Matcher<'_, '_> {
    /// A trial of the tokens along a path up to a node, which is no deeper than [`MOST_BYTES`].
    pub(super) fn trial<'t>(&self, trie: TokenTrie<'t>, from: TrieNode) -> Trial<'t> {
        let first = Read {
            heads: self.scratch.newest(),
            cells: self.scratch.cells(),
            bottom: self.scratch.bottom(),
            is_readable: Some(true),
        };
        let mut bytes = [0; MOST_BYTES];
        let token = trie.tokens_at(from).first().or(trie.tokens_below(from).first());
        let path = token.and_then(|&token| self.engine().tokens.bytes(TokenId(token)));
        if let Some(path) = path.and_then(|path| path.get(..from.depth)) {
            bytes[..from.depth].copy_from_slice(path);
        }
        Trial {
            trie,
            written: self.scratch.text.len(),
            bytes,
            spaces: 0,
            reads: [first; MOST_BYTES + 1],
            read: 0,
            readable: 0,
            open: [0; MOST_BYTES + 1],
            whole: 0,
            deepest: 0,
            known: [0; KNOWN],
            free: None,
            loops: (LexState::DEAD, [0; 2]),
        }
    }

    /// Goes on to a node, of which the one before lies on the path. The text has the bytes up to it then. Tokens behind that one are tried before, the longest one first: if it can be read,
    /// so can those that it begins with.
    #[inline]
    pub(super) fn go_to(
        &mut self,
        row: &mut [u32],
        trial: &mut Trial<'_>,
        node: TrieNode,
    ) -> Result<(), Error> {
        self.try_behind(row, trial, node.depth - 1)?;
        trial.bytes[node.depth - 1] = node.byte;
        trial.read = trial.read.min(node.depth - 1);
        trial.readable = trial.readable.min(node.depth - 1);
        self.write_path(trial, node.depth)
    }

    /// Lets the text end with so many bytes of a path.
    #[inline]
    fn write_path(&mut self, trial: &Trial<'_>, depth: usize) -> Result<(), Error> {
        let written = ((self.scratch.text.len() - trial.written) as usize).min(depth - 1);
        self.scratch.shorten_text(trial.written + written as u32);
        trial.bytes[written..depth].iter().try_for_each(|&byte| self.scratch.text.push(byte))
    }

    /// Takes those of the tokens to be tried out of a row that have more than so many bytes and cannot be read.
    #[inline]
    pub(super) fn try_behind(
        &mut self,
        row: &mut [u32],
        trial: &mut Trial<'_>,
        depth: usize,
    ) -> Result<(), Error> {
        while trial.deepest > depth {
            let number = core::mem::take(&mut trial.open[trial.deepest]);
            if let Some(node) = trial.trie.node(number).filter(|_| number > 0) {
                self.try_at(row, trial, node)?;
            }
            trial.deepest -= 1;
        }
        Ok(())
    }

    /// Takes the tokens at a node of the path out of a row if they cannot be read.
    fn try_at(&mut self, row: &mut [u32], trial: &mut Trial<'_>, node: TrieNode) -> Result<(), Error> {
        if self.scratch.has_ages() {
            self.end_trial(trial);
            return self.try_tokens(row, trial.trie.tokens_at(node));
        }
        if self.is_readable_at(trial, node.depth)? {
            trial.note_readable(node, false);
            return Ok(());
        }
        let below: &[u32] = match trial.whole >> (node.depth - 1) & 1 {
            0 => &[],
            _ => trial.trie.tokens_below(node),
        };
        for token in trial.trie.tokens_at(node).iter().chain(below).map(|&token| TokenId(token)) {
            let bytes = self.engine().tokens.bytes(token).unwrap_or_default();
            if !bytes.iter().skip(node.depth).all(|&byte| Place::Outside.skips(byte)) {
                continue;
            }
            if self.grammar().special_symbol(token).is_some() {
                self.end_trial(trial);
                self.try_in(row, token)?;
            } else if let Some(word) = row.get_mut(word_of(token.0)) {
                *word &= !bit(token.0);
            }
        }
        Ok(())
    }

    /// Drops what was read in a trial.
    pub(super) fn end_trial(&mut self, trial: &mut Trial<'_>) {
        self.go_back(trial, 0);
        self.scratch.shorten_text(trial.written);
    }

    fn go_back(&mut self, trial: &mut Trial<'_>, read: usize) {
        trial.read = read;
        self.scratch.drop_to(trial.reads[read].bottom);
        self.scratch.truncate_cells(trial.reads[read].cells);
    }

    /// Whether no node below the last one is to be visited: all tokens there can be read, as they are in a lexeme of which there are plenty, or what they have besides white
    /// space is none of the bytes with which an item goes on. Those that may be wrong are noted.
    pub(super) fn is_decided(
        &mut self,
        row: &[u32],
        trial: &mut Trial<'_>,
        node: TrieNode,
        next: impl FnOnce(&Self) -> Bytes,
    ) -> Result<bool, Error> {
        let (known, is_space) = (trial.known(node), trial.is_space(node.depth));
        if known.is_some() {
            trial.readable = node.depth;
        }
        if let Some(is_decided) = known.filter(|_| !is_space) {
            return Ok(is_decided);
        }
        let (grammar, lex) = (self.grammar(), self.free_at(trial, node.depth)?);
        if trial.read == node.depth && self.is_no_text(trial) {
            return Ok(true);
        }
        let is_large = node.end > node.number + WORTH;
        if let Some(lex) = lex {
            let is_decided = is_large && trial.goes_on(grammar, node, lex, [[0; 2], [u64::MAX; 2]]);
            trial.note_readable(node, is_decided);
            return Ok(is_decided);
        }
        let is_same = is_large && is_space && self.are_same(trial, node.depth);
        let is_whole = is_same && {
            let lex = self.scratch.head(trial.reads[node.depth].heads, 0).lex;
            let [low, high] = next(self).ascii();
            trial.goes_on(grammar, node, lex, [[!(low | SPACES), !high], [SPACES, 0]])
        };
        let is_in = |&token: &u32| row.get(word_of(token)).is_some_and(|word| word & bit(token) != 0);
        if known.is_none() && (is_whole || trial.trie.tokens_at(node).iter().any(is_in)) {
            trial.open(node, is_whole);
        }
        Ok(is_whole)
    }

    /// Whether the grammar has no text that goes on with the bytes that are read: no lexeme ended before the last one that the memory may have refused.
    fn is_no_text(&self, trial: &Trial<'_>) -> bool {
        let [before, after] = [trial.read - 1, trial.read].map(|depth| trial.reads[depth].heads);
        let grammar = self.grammar();
        let is_remembered = |terminal| {
            matches!(grammar.distinct().role(terminal), Role::Item | Role::Ends | Role::Name | Role::Key(_))
        };
        after.count == 0
            && !(0..before.count)
                .any(|index| grammar.accepts(self.scratch.head(before, index).lex).any(is_remembered))
    }

    /// The state of a lexeme behind so many bytes of a path, if it can become plenty of scalars.
    fn free_at(&mut self, trial: &mut Trial<'_>, depth: usize) -> Result<Option<LexState>, Error> {
        if self.scratch.has_ages() {
            return Ok(None);
        }
        self.read_path(trial, depth)?;
        let (grammar, heads) = (self.grammar(), trial.reads[depth].heads);
        for index in 0..heads.count {
            let head = self.scratch.head(heads, index);
            let is_known = trial.free == Some((head.lex, head.node));
            if is_known || self.scratch.is_free(grammar, head)? {
                // Later cells are dropped, and others get their numbers.
                trial.free = Some((head.lex, head.node)).filter(|_| head.node.0 < trial.reads[0].cells);
                return Ok(Some(head.lex));
            }
        }
        Ok(None)
    }

    /// Reads so many bytes of a path.
    fn read_path(&mut self, trial: &mut Trial<'_>, depth: usize) -> Result<(), Error> {
        let grammar = self.grammar();
        self.go_back(trial, trial.read);
        for at in trial.read..depth {
            self.scratch.charge(1)?;
            self.write_path(trial, at + 1)?;
            self.scratch.read_from = self.scratch.text.len() - 1;
            let next = self.scratch.empty_heads();
            let symbol = grammar.byte_symbol(trial.bytes[at]);
            let heads = self.scratch.step_below(grammar, trial.reads[at].heads, symbol, next)?;
            let (cells, bottom) = (self.scratch.cells(), self.scratch.bottom());
            trial.reads[at + 1] = Read { heads, cells, bottom, is_readable: None };
            trial.read = at + 1;
        }
        Ok(())
    }

    /// Whether a text of the language goes on with so many bytes of a path.
    fn is_readable_at(&mut self, trial: &mut Trial<'_>, depth: usize) -> Result<bool, Error> {
        if depth <= trial.readable {
            return Ok(true);
        }
        self.read_path(trial, depth)?;
        // Behind white space that changes nothing, all is as before it.
        let mut same = depth;
        while trial.is_space(same) && self.are_same(trial, same) {
            same -= 1;
        }
        let is_readable = match trial.reads[same].is_readable {
            Some(known) => known,
            None => {
                self.write_path(trial, same)?;
                self.some_viable(trial.reads[same].heads)?
            }
        };
        trial.reads[same].is_readable = Some(is_readable);
        trial.readable = if is_readable { depth } else { trial.readable };
        Ok(is_readable)
    }

    /// Whether the only head behind so many bytes is that before the last one.
    fn are_same(&self, trial: &Trial<'_>, depth: usize) -> bool {
        let [before, after] = [depth - 1, depth].map(|depth| trial.reads[depth].heads);
        before.count == 1 && after.count == 1 && self.scratch.head(before, 0) == self.scratch.head(after, 0)
    }

    /// Whether a text of the language follows some of these heads.
    fn some_viable(&mut self, heads: Heads) -> Result<bool, Error> {
        let grammar = self.grammar();
        for index in 0..heads.count {
            let head = self.scratch.head(heads, index);
            if self.scratch.is_viable(grammar, head)? && self.scratch.can_differ(grammar, head)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
