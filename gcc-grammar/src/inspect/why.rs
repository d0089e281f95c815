//! Why a token may not come next: how much of it could, with what the text would have to continue there, and which allowed token is near.

use crate::decoding::matcher::Matcher;
use crate::inspect::parser_tables::{ArtifactTables, terminal_id};
use crate::sessions::session::Session;
use crate::text::quote;
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::{LexState, LrState, Terminal};
use gcc_grammar_compiler::lr::{Run, StackId};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_runtime::{Earlier, Error, HeadView, Matcher as RuntimeMatcher};
use std::collections::BTreeSet;
use std::fmt;

/// The names that are written out, at most.
const NAMED: usize = 8;
/// The heads that are looked at, at most.
const HEADS: usize = 64;
/// The symbols of a stack that are looked at, at most: a stack as deep would be copied whole.
const DEEPEST: usize = 100_000;

/// Why a token may come next, or may not.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Why {
    /// The token.
    pub token: u32,
    /// Whether it may come next.
    pub is_allowed: bool,
    /// Its bytes; none if it is no text.
    pub bytes: Option<Vec<u8>>,
    /// The number of its bytes that may come next. If they are all and the token is not allowed, something else than the grammar refuses it: a
    /// budget, canonical tokens, or the end of the output.
    pub possible: usize,
    /// What the lexeme in progress after these bytes can become, by the names of terminals.
    pub lexeme: Vec<String>,
    /// What can begin there: the terminals that the parser expects.
    pub expected: Vec<String>,
    /// Whether the text may end there.
    pub may_end: bool,
    /// Whether the items, keys and conditions that are remembered refuse what comes behind these bytes.
    pub is_excluded: bool,
    /// The item or name that would come again.
    pub repeated: Option<Earlier>,
    /// The allowed token that has most bytes in common with it at the beginning.
    pub nearest: Option<u32>,
}

impl Why {
    /// The text behind which something else would have to come: the text before the token, and the part of the token that may come.
    pub(crate) fn text_behind(&self, before: &[u8]) -> Vec<u8> {
        [before, self.bytes.as_deref().and_then(|bytes| bytes.get(..self.possible)).unwrap_or_default()]
            .concat()
    }
}

impl Matcher {
    /// Why a token may come next, or may not.
    ///
    /// # Errors
    /// [`Error::ScratchFull`] at the limit of the scratch.
    pub fn why(&mut self, token: u32) -> Result<Why, Error> {
        let session = self.session().clone();
        let bytes = session.vocabulary().tokens().bytes(token).map(<[u8]>::to_vec);
        let text = bytes.as_deref().unwrap_or_default();
        let is_allowed = self.allows(token)?;
        let mut there = self.fork()?;
        // How much of the token the grammar allows, whatever it costs.
        there.set_budget(None)?;
        let possible = there.validate_bytes(text)?;
        match there.commit_bytes(&text[..possible]) {
            // They count as a token, which a limit on the tokens of a lexeme may refuse. Then the place before them is explained.
            Ok(()) | Err(Error::Refused) => {}
            Err(error) => return Err(error),
        }
        let [lexeme, expected] = match there.is_free() {
            true => [Vec::new(), Vec::new()],
            false => named(&session, there.inspect(terminals)),
        };
        let may_end = there.is_accepting()?;
        let next = text.get(possible).filter(|_| !is_allowed && !there.is_free());
        let (is_excluded, repeated) =
            next.map_or((false, None), |&next| there.inspect(|matcher| excluded(matcher, next)));
        let nearest = if is_allowed { None } else { self.nearest(&session, text)? };
        Ok(Why {
            token,
            is_allowed,
            possible,
            lexeme,
            expected,
            may_end,
            is_excluded,
            repeated,
            nearest,
            bytes,
        })
    }

    /// The allowed token that has most bytes in common with a text at the beginning, one at least; the shortest of them. A space in front does not count.
    fn nearest(&mut self, session: &Session, text: &[u8]) -> Result<Option<u32>, Error> {
        let tokens = session.vocabulary().tokens();
        let common = |text: &[u8], bytes: &[u8]| text.iter().zip(bytes).take_while(|(a, b)| a == b).count();
        let bare = text.trim_ascii_start();
        let mut nearest = None;
        for token in self.allowed_ranges()?.into_iter().flatten() {
            let Some(bytes) = tokens.bytes(token) else { continue };
            let common = common(text, bytes).max(common(bare, bytes.trim_ascii_start()));
            let rank = (common, std::cmp::Reverse(bytes.len()), std::cmp::Reverse(token));
            if common > 0 && nearest.as_ref().is_none_or(|nearest| *nearest < rank) {
                nearest = Some(rank);
            }
        }
        Ok(nearest.map(|(_, _, std::cmp::Reverse(token))| token))
    }
}

/// The names of terminals.
fn named(session: &Session, terminals: [BTreeSet<Terminal>; 2]) -> [Vec<String>; 2] {
    let metadata = session.metadata().unwrap_or_default();
    let name = |terminal: &Terminal| match metadata.terminals.get(terminal.0 as usize) {
        Some(name) => name.clone(),
        None => format!("terminal {}", terminal.0),
    };
    terminals.map(|terminals| {
        let names: BTreeSet<String> = terminals.iter().map(name).collect();
        names.into_iter().collect()
    })
}

/// What the lexeme in progress can become, and what can begin behind it if it may end.
fn terminals(matcher: &RuntimeMatcher<'_, '_>) -> [BTreeSet<Terminal>; 2] {
    let mut parser = Parser::new(*matcher.engine().grammar());
    let (mut lexeme, mut expected) = (BTreeSet::new(), BTreeSet::new());
    for (HeadView { lexer, .. }, stack) in parser.heads(matcher) {
        lexeme.extend(parser.viable(lexer, stack));
        for (start, stack) in parser.starts_behind(lexer, stack) {
            expected.extend(parser.viable(start, stack));
        }
    }
    if matcher.head_views().all(|head| is_start(&parser.grammar, head.lexer)) {
        // No lexeme is in progress.
        expected.append(&mut lexeme);
    }
    [lexeme, expected]
}

/// Whether a byte may come next but for what is remembered, and the item or name that would come again.
fn excluded(matcher: &RuntimeMatcher<'_, '_>, next: u8) -> (bool, Option<Earlier>) {
    let mut parser = Parser::new(*matcher.engine().grammar());
    let mut is_excluded = false;
    for (head, stack) in parser.heads(matcher) {
        let starts = parser.starts_behind(head.lexer, stack);
        let begins = starts.into_iter().any(|(start, stack)| parser.may_read(start, stack, next));
        if !begins && !parser.may_read(head.lexer, stack, next) {
            continue;
        }
        is_excluded = true;
        let ended = || head.earlier_like(None).filter(|_| begins);
        if let Some(earlier) = head.earlier_like(Some(next)).or_else(ended) {
            return (true, Some(earlier));
        }
    }
    (is_excluded, None)
}

fn is_start(grammar: &GrammarView<'_>, state: LexState) -> bool {
    state == grammar.initial_lex_state()
}

/// The parser of an artifact.
struct Parser<'g> {
    grammar: GrammarView<'g>,
    run: Run<ArtifactTables<'g>>,
}

impl<'g> Parser<'g> {
    fn new(grammar: GrammarView<'g>) -> Self {
        Self { grammar, run: Run::new(ArtifactTables(grammar)) }
    }

    /// The heads of a matcher with their stacks.
    fn heads<'m, 's>(&mut self, matcher: &'m RuntimeMatcher<'_, 's>) -> Vec<(HeadView<'m, 's>, StackId)> {
        let heads = matcher.head_views().take(HEADS);
        heads.filter_map(|head| self.stack(head.stack.clone()).map(|stack| (head, stack))).collect()
    }

    /// A stack, given from its top.
    fn stack(&mut self, states: impl Iterator<Item = LrState>) -> Option<StackId> {
        let mut states: Vec<LrState> = states.take(DEEPEST).collect();
        states.reverse();
        let (&bottom, above) = states.split_first()?;
        let bottom = self.run.stacks.bottom(bottom);
        Some(above.iter().fold(bottom, |stack, &state| self.run.stacks.push(stack, state)))
    }

    fn shift(&mut self, stack: StackId, terminal: TerminalId) -> Vec<StackId> {
        self.run.shift_unmerged(stack, terminal).stacks
    }

    /// The terminals that a lexeme in this state can become and the parser takes. Ignored ones and the end are left out.
    fn viable(&mut self, lexer: LexState, stack: StackId) -> Vec<Terminal> {
        let mut pending: Vec<Terminal> = self.grammar.pending(lexer).collect();
        let end = self.grammar.end_terminal();
        pending.retain(|&terminal| {
            terminal != Terminal::IGNORE
                && terminal != end
                && !self.shift(stack, terminal_id(terminal)).is_empty()
        });
        pending
    }

    /// Whether a lexeme in this state can go on with a byte and become something that the parser takes, whatever is remembered.
    fn may_read(&mut self, lexer: LexState, stack: StackId, byte: u8) -> bool {
        let next = self.grammar.next(lexer, self.grammar.byte_symbol(byte));
        next != LexState::DEAD && !self.viable(next, stack).is_empty()
    }

    /// The lexer states and stacks in which a lexeme begins behind one that ends in this state.
    fn starts_behind(&mut self, lexer: LexState, stack: StackId) -> Vec<(LexState, StackId)> {
        let ends = self.ends(lexer, stack).into_iter();
        ends.map(|stack| (self.grammar.restart(lexer, self.run.stacks.top(stack)), stack)).collect()
    }

    /// The stacks after a lexeme that ends in this state.
    fn ends(&mut self, lexer: LexState, stack: StackId) -> Vec<StackId> {
        let accepts: Vec<Terminal> = self.grammar.accepts(lexer).collect();
        let after = |terminal| match terminal {
            Terminal::IGNORE => vec![stack],
            _ => self.shift(stack, terminal_id(terminal)),
        };
        accepts.into_iter().flat_map(after).collect()
    }
}

/// A list of names, of which some are left out if there are many.
fn list(names: &[String]) -> String {
    let more = names.len().saturating_sub(NAMED);
    let named = names[..names.len() - more].join(" ");
    if more == 0 { named } else { format!("{named} and {more} more") }
}

/// Sentences, a line each.
impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { token, bytes, possible, .. } = self;
        let bytes = match bytes {
            Some(bytes) => bytes,
            None if self.is_allowed => return write!(f, "token {token} may come next"),
            None => return write!(f, "token {token} is no text, and may not come here{}", Wanted(self)),
        };
        let token = format!("token {token} {}", quote(bytes));
        if self.is_allowed {
            return write!(f, "{token} may come next");
        }
        if *possible == bytes.len() {
            return write!(
                f,
                "{token}: its text may come next, but not as this token: a budget, canonical tokens or the end of the output exclude it"
            );
        }
        match possible {
            0 => write!(f, "{token} may not come next")?,
            _ => {
                write!(f, "{token} may not come next: only its beginning {} may", quote(&bytes[..*possible]))?
            }
        }
        write!(f, "{}", Wanted(self))
    }
}

/// What would have to come instead.
struct Wanted<'w>(&'w Why);

impl fmt::Display for Wanted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Why { lexeme, expected, may_end, is_excluded, repeated, .. } = self.0;
        match repeated {
            Some(Earlier::Item(number)) => write!(f, "\nit would be equal to item {number} of its list")?,
            Some(Earlier::Name(number)) => {
                write!(f, "\nit would have the name of member {number} of its object")?;
            }
            None if *is_excluded => {
                write!(f, "\nthe items, keys or texts before, or conditions on keys, exclude it")?;
            }
            None => {}
        }
        if !lexeme.is_empty() {
            write!(f, "\nthe lexeme in progress there can become {}", list(lexeme))?;
        }
        match (expected.is_empty(), *may_end) {
            (false, true) => write!(f, "\nthe parser expects {}, or the end", list(expected)),
            (false, false) => write!(f, "\nthe parser expects {}", list(expected)),
            (true, true) => write!(f, "\nthe text may end there"),
            (true, false) => Ok(()),
        }
    }
}
