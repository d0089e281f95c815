//! Masks in objects whose keys are remembered: the tokens after which a key could only become one that must not come, or with which something follows a member
//! that must not.
//!
//! Within values, the masks of the artifact are right, but for tokens that go on into the next key: the artifact lists these
//! ([`crossing`](gcc_grammar_artifact::grammar::Distinct::crossing)). Where a key is being written, or comes next, the trie of the vocabulary is walked along the
//! keys that must not come, by the states of the lexer. Tokens that end a value and go on behind it are listed, too
//! ([`endings`](gcc_grammar_artifact::grammar::Distinct::endings)).

use gcc_grammar_artifact::TokenTrie;
use gcc_grammar_artifact::grammar::{MOST_KEYS, Role};
use gcc_grammar_artifact::ids::{LexState, Terminal};
use gcc_grammar_artifact::trie::TrieNode;

use crate::error::Error;
use crate::matcher::Matcher;
use crate::record::Case;
use crate::repeated::MOST_BYTES;
use crate::scratch::Head;

/// What may follow the member of each variant of a key, declared or not; `None` for keys that must not come.
struct Cases {
    declared: [Option<Case>; MOST_KEYS as usize],
    others: Option<Case>,
    /// Whether some key must not come.
    forbids: bool,
    /// Whether something must not follow the member of some key.
    decides: bool,
}

/// A further member may follow, and the object may end: what the masks take to be possible.
const BOTH: Case = (true, true);

impl Cases {
    fn of(&self, number: Option<u32>) -> Option<Case> {
        match number {
            Some(number) => self.declared.get(number as usize).copied().flatten(),
            None => self.others,
        }
    }
}

/// Where the keys that may come next are looked for.
struct Walk<'t, 'c> {
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
            for token in grammar.distinct().endings() {
                self.try_in(row, token)?;
            }
        }
        Ok(())
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
            let walk = Walk { trie, head, cases: &cases, is_only };
            self.refuse_along_keys(row, root, &walk)?;
            decides |= grammar.pending(head.lex).any(|terminal| match grammar.distinct().role(terminal) {
                Role::Key(key) => cases.of(key.number()).is_some_and(|case| case != BOTH),
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
            let mut path = [LexState::DEAD; MOST_BYTES + 1];
            path[0] = head.lex;
            let mut next = Some(root).filter(|_| cases.forbids);
            while let Some(at) = next {
                self.scratch.charge(1)?;
                let lex = path[at.depth];
                if grammar.accepts(lex).any(|accepted| accepted == terminal) {
                    let lex = grammar.restart(lex, self.scratch.lr(node));
                    let walk =
                        Walk { trie, head: Head { lex, node, memory, ..head }, cases: &cases, is_only };
                    self.refuse_along_keys(row, at, &walk)?;
                }
                next = self.next_in_lexeme(row, trie, at, &mut path)?;
            }
        }
        Ok(decides)
    }

    /// The next node of the trie, in the order of their numbers, up to which the lexeme goes on; notes the states of the lexeme by the depth of nodes.
    pub(crate) fn next_in_lexeme(
        &mut self,
        row: &mut [u32],
        trie: TokenTrie<'_>,
        from: TrieNode,
        path: &mut [LexState; MOST_BYTES + 1],
    ) -> Result<Option<TrieNode>, Error> {
        let grammar = self.grammar();
        let mut number = from.number + 1;
        while let Some(node) = trie.node(number) {
            self.scratch.charge(1)?;
            if node.depth > MOST_BYTES {
                self.refuse_tokens(row, trie, node, false)?;
            } else {
                let lex = grammar.next(path[node.depth - 1], grammar.byte_symbol(node.byte));
                path[node.depth] = lex;
                if lex != LexState::DEAD {
                    return Ok(Some(node));
                }
            }
            number = node.end;
        }
        Ok(None)
    }

    /// What may follow the member of each key that comes next.
    fn cases(&mut self, head: Head) -> Result<Option<Cases>, Error> {
        let grammar = self.grammar();
        let Some(object) = self.scratch.object(grammar, head.memory)? else { return Ok(None) };
        let mut cases =
            Cases { declared: [None; MOST_KEYS as usize], others: None, forbids: false, decides: false };
        for (variant, declared) in (0..object.record.variants()).zip(&mut cases.declared) {
            let case = self.scratch.case_of(&object, Some(variant))?;
            cases.forbids |= case.is_none();
            cases.decides |= case.is_some_and(|case| case != BOTH);
            *declared = case;
        }
        cases.others = self.scratch.case_of(&object, None)?;
        cases.forbids |= object.record.is_open() && cases.others.is_none();
        cases.decides |= cases.others.is_some_and(|case| case != BOTH);
        Ok(Some(cases))
    }

    /// The tokens behind a node of the trie along keys that must not come. The head of the walk is at this node.
    fn refuse_along_keys(
        &mut self,
        row: &mut [u32],
        from: TrieNode,
        walk: &Walk<'_, '_>,
    ) -> Result<(), Error> {
        let (grammar, trie) = (self.grammar(), walk.trie);
        if !walk.cases.forbids {
            return Ok(());
        }
        // The state of the lexeme, and whether it may have ended before, by the depth of nodes.
        let mut path = [(LexState::DEAD, false); MOST_BYTES + 1];
        path[0].0 = walk.head.lex;
        let mut number = from.number + 1;
        while number < from.end
            && let Some(node) = trie.node(number)
        {
            self.scratch.charge(1)?;
            let depth = node.depth - from.depth;
            number = node.end;
            if depth > MOST_BYTES {
                self.refuse_tokens(row, trie, node, false)?;
                continue;
            }
            let (before, had_ended) = path[depth - 1];
            let ends = self.becomes(walk, before, grammar.accepts(before))?;
            let lex = grammar.next(before, grammar.byte_symbol(node.byte));
            if lex == LexState::DEAD {
                if ends.forbidden {
                    // If it may have ended as another variant of the key, the value within the token decides.
                    self.refuse_tokens(row, trie, node, walk.is_only && !had_ended && !ends.allowed)?;
                }
                continue;
            }
            let has_ended = had_ended || ends.forbidden || ends.allowed;
            path[depth] = (lex, has_ended);
            let becomes = self.becomes(walk, lex, grammar.pending(lex))?;
            if becomes.forbidden && becomes.allowed {
                number = node.number + 1;
            } else if becomes.forbidden {
                self.refuse_tokens(row, trie, node, walk.is_only && !has_ended)?;
            }
        }
        Ok(())
    }

    /// Whether a lexeme in this state can become a key that must not come, among some terminals, or anything else that the parser takes.
    fn becomes(
        &mut self,
        walk: &Walk<'_, '_>,
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
                    let case = walk.cases.of(key.number());
                    becomes.forbidden |= case.is_none();
                    case == Some(key.then())
                }
                _ => true,
            };
            if case && !becomes.allowed {
                becomes.allowed = terminal == Terminal::IGNORE
                    || self.scratch.can_shift(grammar, walk.head.node, terminal)?;
            }
            if becomes.forbidden && becomes.allowed {
                break;
            }
        }
        Ok(becomes)
    }
}
