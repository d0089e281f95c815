//! Masks in objects whose keys are remembered: the tokens after which a key could only become one that must not come, or with which something follows a member
//! that must not.
//!
//! Within values, the masks of the artifact are right, but for tokens that go on into the next key: the artifact lists these
//! ([`crossing`](gcc_grammar_artifact::grammar::Distinct::crossing)). Where a key is being written, or comes next, the trie of the vocabulary is walked along the
//! keys that must not come, by the states of the lexer. Tokens that end a value and go on behind it are listed, too
//! ([`endings`](gcc_grammar_artifact::grammar::Distinct::endings)).

use gcc_grammar_artifact::TokenTrie;
use gcc_grammar_artifact::grammar::Role;
use gcc_grammar_artifact::ids::{LexState, Terminal};
use gcc_grammar_artifact::trie::TrieNode;

use crate::bitmap::{bit, word_of};
use crate::error::Error;
use crate::matcher::Matcher;
use crate::refused::walk::Walk;
use crate::scratch::{BOTH, Bytes, Cases, Head};

/// Where the keys that may come next are looked for.
struct Keys<'t, 'c> {
    trie: TokenTrie<'t>,
    /// The head in front of the key, or in it.
    head: Head,
    cases: &'c Cases,
    /// Whether there is no other head.
    is_only: bool,
}

/// What the lexeme can become.
#[derive(Clone, Copy, Default)]
struct Becomes {
    /// A key that must not come.
    forbidden: bool,
    /// Something else.
    allowed: bool,
}

impl Matcher<'_, '_> {
    /// Takes the tokens out of a row of the grammar's mask after which the keys of an object would not be right.
    pub(crate) fn refuse_keys(&mut self, row: &mut [u32]) -> Result<(), Error> {
        let grammar = self.grammar();
        if !grammar.distinct().has_records() {
            return Ok(());
        }
        let heads = self.scratch.newest();
        let concerns = |role| matches!(role, Role::Key(_) | Role::Comma | Role::Opens(_));
        let is_near = |head: Head| {
            grammar.pending(head.lex).any(|terminal| concerns(grammar.distinct().role(terminal)))
        };
        if !(0..heads.count).any(|index| is_near(self.scratch.head(heads, index))) {
            return Ok(());
        }
        let Some(trie) = self.engine().tokens.trie() else { return self.try_all(row) };
        let mut decides = false;
        self.each_newest_head(|matcher, head, is_only| {
            decides |= matcher.refuse_keys_of(row, trie, head, is_only)?;
            Ok(())
        })?;
        if decides {
            let within = self.bytes_within_lexemes();
            for token in grammar.distinct().endings() {
                let bytes = self.engine().tokens.bytes(token).unwrap_or_default();
                let is_in = row.get(word_of(token.0)).is_some_and(|word| word & bit(token.0) != 0);
                let is_within = |byte: &u8| within.contains((*byte).into());
                if is_in && (bytes.is_empty() || !bytes.iter().all(is_within) && self.may_end_lexeme(bytes)) {
                    self.try_in(row, token)?;
                }
            }
        }
        Ok(())
    }

    /// Whether the lexeme of some head may end within these bytes.
    fn may_end_lexeme(&self, bytes: &[u8]) -> bool {
        let (grammar, heads) = (self.grammar(), self.scratch.newest());
        (0..heads.count).any(|index| {
            let mut lex = self.scratch.head(heads, index).lex;
            bytes.iter().any(|&byte| {
                let ends = grammar.accepts(lex).len() > 0;
                lex = grammar.next(lex, grammar.byte_symbol(byte));
                ends
            })
        })
    }

    /// Bytes after which the lexemes of all heads are in the same states as before, where they cannot end.
    fn bytes_within_lexemes(&self) -> Bytes {
        let (grammar, heads) = (self.grammar(), self.scratch.newest());
        Bytes::of(|byte| {
            (0..heads.count).all(|index| {
                let lex = self.scratch.head(heads, index).lex;
                grammar.accepts(lex).len() == 0 && grammar.next(lex, grammar.byte_symbol(byte)) == lex
            })
        })
    }

    /// The tokens of a head that is in a key, or in front of one. Whether the key decides what follows its member.
    fn refuse_keys_of(
        &mut self,
        row: &mut [u32],
        trie: TokenTrie<'_>,
        head: Head,
        is_only: bool,
    ) -> Result<bool, Error> {
        let (grammar, Some(root)) = (self.grammar(), trie.node(0)) else { return Ok(false) };
        let (mut is_in_key, mut decides) = (false, false);
        for terminal in grammar.pending(head.lex) {
            match grammar.distinct().role(terminal) {
                Role::Key(_) => is_in_key = true,
                role @ (Role::Comma | Role::Opens(_)) => {
                    decides |=
                        self.refuse_behind_comma(row, (trie, root), head, (terminal, role), is_only)?;
                }
                _ => {}
            }
        }
        if is_in_key && let Some(cases) = self.cases(head)? {
            let keys = Keys { trie, head, cases: &cases, is_only };
            self.refuse_along_keys(row, root, &keys)?;
            decides |= grammar.pending(head.lex).any(|terminal| match grammar.distinct().role(terminal) {
                Role::Key(key) => cases.case(key.number()).is_some_and(|case| case != BOTH),
                _ => false,
            });
        }
        Ok(decides)
    }

    /// The tokens that begin with the rest of a comma, or of an opening brace, and go on into the key behind it. Whether some key decides what follows its member.
    fn refuse_behind_comma(
        &mut self,
        row: &mut [u32],
        (trie, root): (TokenTrie<'_>, TrieNode),
        head: Head,
        (terminal, role): (Terminal, Role),
        is_only: bool,
    ) -> Result<bool, Error> {
        let (grammar, mut decides) = (self.grammar(), false);
        let memory = match role {
            Role::Opens(record) => self.scratch.memory_in_object(head.memory, record)?,
            _ => self.scratch.innermost(head.memory)?,
        };
        let tops = self.scratch.shift(grammar, head.node, terminal)?;
        for cell in tops.clone() {
            let Some(node) = self.scratch.top_at(&tops, cell)? else { continue };
            let Some(cases) = self.cases(Head { node, memory, ..head })? else { continue };
            decides |= cases.decides;
            if cases.forbids {
                let head = Head { node, memory, ..head };
                self.each_end(row, (trie, root), head, terminal, |matcher, row, at, head, _| {
                    matcher.refuse_along_keys(row, at, &Keys { trie, head, cases: &cases, is_only })
                })?;
            }
        }
        Ok(decides)
    }

    /// What may follow the member of each key that comes next behind a head.
    fn cases(&mut self, head: Head) -> Result<Option<Cases>, Error> {
        let object = self.scratch.object(self.grammar(), head.memory)?;
        object.map(|object| self.scratch.cases(object)).transpose()
    }

    /// The tokens behind a node of the trie along keys that must not come. The head of the walk is at this node.
    fn refuse_along_keys(
        &mut self,
        row: &mut [u32],
        from: TrieNode,
        keys: &Keys<'_, '_>,
    ) -> Result<(), Error> {
        let (grammar, trie) = (self.grammar(), keys.trie);
        if !keys.cases.forbids {
            return Ok(());
        }
        // The state of the lexeme, and whether it may have ended before.
        let mut path = Walk::new((trie, from), (keys.head.lex, false));
        while let Some(node) = self.next_node(row, &mut path)? {
            let (before, had_ended) = path.before(node);
            let ends = self.becomes(keys, before, grammar.accepts(before))?;
            let lex = grammar.next(before, grammar.byte_symbol(node.byte));
            if lex == LexState::DEAD {
                if ends.forbidden {
                    // If it may have ended as another variant of the key, the value within the token decides.
                    self.refuse_tokens(row, trie, node, keys.is_only && !had_ended && !ends.allowed)?;
                }
                continue;
            }
            let has_ended = had_ended || ends.forbidden || ends.allowed;
            let becomes = self.becomes(keys, lex, grammar.pending(lex))?;
            if becomes.forbidden && becomes.allowed {
                path.enter(node, (lex, has_ended));
            } else if becomes.forbidden {
                self.refuse_tokens(row, trie, node, keys.is_only && !has_ended)?;
            }
        }
        Ok(())
    }

    /// Whether a lexeme in this state can become a key that must not come, among some terminals, or anything else that the parser takes.
    fn becomes(
        &mut self,
        keys: &Keys<'_, '_>,
        lex: LexState,
        terminals: impl Iterator<Item = Terminal>,
    ) -> Result<Becomes, Error> {
        let grammar = self.grammar();
        let mut becomes = Becomes::default();
        if lex == LexState::DEAD {
            return Ok(becomes);
        }
        for terminal in terminals {
            let case = match grammar.distinct().role(terminal) {
                Role::Key(key) => {
                    let case = keys.cases.case(key.number());
                    becomes.forbidden |= case.is_none();
                    case == Some(key.then())
                }
                _ => true,
            };
            if case && !becomes.allowed {
                becomes.allowed = terminal == Terminal::IGNORE
                    || self.scratch.can_shift(grammar, keys.head.node, terminal)?;
            }
            if becomes.forbidden && becomes.allowed {
                break;
            }
        }
        Ok(becomes)
    }
}
