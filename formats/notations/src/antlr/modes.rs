//! The modes of a lexer, and its tokens with what they do.
//!
//! Input: the rules of all files. Output: the tokens of the modes that the lexer can come to, each with its mode, the name that the parser knows it by,
//! and its changes of the stack of modes. A lexer has modes if one of these tokens changes the stack, or begins another token.

use super::Loaded;
use super::ast::{Rule, unsupported};
use super::commands::{Change, Commands, TokenAction};
use super::reach::Rules;
use super::syntax::DEFAULT_MODE;
use crate::scanner::error;
use gcc_grammar_ir::spelling::similar;
use gcc_grammar_ir::{Code, Diagnostic};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most modes of a lexer.
const MOST_MODES: usize = 1_000;

/// The number of a mode. 0 is the default mode.
pub(super) type Mode = u16;

/// What a token does to the stack of modes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Move {
    Set(Mode),
    Push(Mode),
    Pop,
}

/// What the parser sees of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Seen<'g> {
    /// A token of this name.
    As(&'g str),
    /// Nothing.
    Hidden,
    /// Nothing yet: it is the beginning of the next token.
    Begins,
    /// An error: no text of the language has it.
    Error,
}

/// A token of the lexer.
pub(super) struct LexerRule<'g> {
    pub(super) rule: &'g Rule,
    pub(super) mode: Mode,
    pub(super) seen: Seen<'g>,
    pub(super) moves: Vec<Move>,
    /// Whether the lexer ignores it: the parser need not know of it, since nothing changes.
    pub(super) is_ignored: bool,
}

/// The modes that a lexer can come to.
pub(super) struct Modes<'g> {
    pub(super) names: Vec<&'g str>,
    pub(super) rules: Vec<LexerRule<'g>>,
    known: FxHashMap<&'g str, usize>,
    matter: bool,
}

impl<'g> Modes<'g> {
    /// Those of the rules of all files, by what their tokens do.
    pub(super) fn of(
        loaded: &'g [Loaded],
        rules: &Rules<'g>,
        commands: &'g FxHashMap<&'g str, Commands>,
    ) -> Result<Self, (usize, Diagnostic)> {
        let mut numbers: FxHashMap<&str, Mode> = FxHashMap::from_iter([(DEFAULT_MODE, 0)]);
        let mut names = vec![DEFAULT_MODE];
        let mut all = Vec::new();
        for (file, rule) in tokens(loaded, rules) {
            let name = rule.mode.as_ref().map_or(DEFAULT_MODE, |mode| &mode.text);
            let mode = *numbers.entry(name).or_insert(names.len() as Mode);
            if usize::from(mode) == names.len() {
                names.push(name);
            }
            if names.len() > MOST_MODES {
                let message = format!("a lexer may have at most {MOST_MODES} modes");
                return Err((file, error(Code::TooLarge, message, rule.name.span.clone())));
            }
            all.push((file, rule, mode));
        }
        let mut found = Vec::new();
        for (file, rule, mode) in all {
            let Commands { action, changes } = &commands[rule.name.text.as_str()];
            let moves = moves(rule, mode, changes, &numbers).map_err(|problem| (file, problem))?;
            let seen = match action {
                TokenAction::Token => Seen::As(rule.name.text.as_str()),
                TokenAction::Other(name) => Seen::As(name),
                TokenAction::Ignored => Seen::Hidden,
                TokenAction::More => Seen::Begins,
                TokenAction::Error => Seen::Error,
            };
            if (!changes.is_empty() || seen == Seen::Begins) && may_be_empty(rule, rules) {
                let message =
                    format!("`{}` may match nothing, and changes the mode, which is", rule.name.text);
                let help =
                    "let it match the text that the next token begins with, or write the mode as rules";
                return Err((file, unsupported(&message, rule.name.span.clone(), help)));
            }
            found.push(LexerRule { rule, mode, seen, moves, is_ignored: false });
        }
        let reached = reached(&found, names.len());
        found.retain(|one| reached[usize::from(one.mode)]);
        let known = found.iter().enumerate().map(|(number, one)| (one.rule.name.text.as_str(), number));
        let matter = found.iter().any(|one| !one.moves.is_empty() || one.seen == Seen::Begins);
        let mut modes = Self { names, known: known.collect(), rules: found, matter };
        modes.ignore();
        Ok(modes)
    }

    /// Whether the lexer can come to a token.
    pub(super) fn has(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// Whether the lexer ignores a token.
    pub(super) fn is_ignored(&self, name: &str) -> bool {
        self.known.get(name).is_some_and(|&number| self.rules[number].is_ignored)
    }

    /// The mode of a token.
    pub(super) fn of_token(&self, name: &str) -> Option<Mode> {
        self.known.get(name).map(|&number| self.rules[number].mode)
    }

    /// Whether a token changes the stack of modes, or begins another one.
    pub(super) fn matter(&self) -> bool {
        self.matter
    }

    /// Whether there are tokens that may not begin with others.
    pub(super) fn has_copies(&self) -> bool {
        self.rules.iter().any(|one| !one.rule.begins_with_none_of.is_empty())
    }

    /// Lets the parser know of all that is hidden in a mode. Returns whether the lexer ignored something there.
    pub(super) fn make_explicit(&mut self, mode: Mode) -> bool {
        let own = self.rules.iter_mut().filter(|one| one.mode == mode && one.is_ignored);
        own.map(|one| one.is_ignored = false).count() > 0
    }

    /// Whether the lexer ignores something in a mode.
    pub(super) fn ignores(&self, mode: Mode) -> bool {
        self.rules.iter().any(|one| one.mode == mode && one.is_ignored)
    }

    /// Finds the tokens that the lexer ignores. One that stands behind the beginning of a token ends it, so it is not ignored.
    fn ignore(&mut self) {
        let mut begun = vec![false; self.names.len()];
        for one in self.rules.iter().filter(|one| one.seen == Seen::Begins) {
            match one.moves.last() {
                None => begun[usize::from(one.mode)] = true,
                Some(&(Move::Set(mode) | Move::Push(mode))) => begun[usize::from(mode)] = true,
                Some(Move::Pop) => begun.fill(true),
            }
        }
        for one in &mut self.rules {
            one.is_ignored =
                one.seen == Seen::Hidden && one.moves.is_empty() && !begun[usize::from(one.mode)];
        }
    }
}

/// The tokens of all files that count, with their files.
pub(super) fn tokens<'g>(loaded: &'g [Loaded], rules: &Rules<'g>) -> impl Iterator<Item = (usize, &'g Rule)> {
    let all = loaded
        .iter()
        .enumerate()
        .flat_map(|(file, one)| one.grammar.rules.iter().map(move |rule| (file, rule)));
    all.filter(|(file, rule)| rule.name.is_token() && !rule.is_fragment && rules.counts(*file, rule))
}

/// What a token does to the stack of modes, by its commands. Changes without an effect are left out.
fn moves(
    rule: &Rule,
    mode: Mode,
    changes: &[Change],
    numbers: &FxHashMap<&str, Mode>,
) -> Result<Vec<Move>, Diagnostic> {
    let find = |name: &str| match name {
        "0" => Ok(0),
        _ => numbers.get(name).copied().ok_or_else(|| {
            let message = format!("no token has the mode `{name}`");
            let near = similar(name, numbers.keys().copied());
            let help = near.map_or_else(
                || "write its tokens behind `mode …;` in the lexer".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            error(Code::UndefinedSymbol, message, rule.name.span.clone()).help(help)
        }),
    };
    let moves: Result<Vec<Move>, Diagnostic> = changes
        .iter()
        .map(|change| {
            Ok(match change {
                Change::Set(name) => Move::Set(find(name)?),
                Change::Push(name) => Move::Push(find(name)?),
                Change::Pop => Move::Pop,
            })
        })
        .collect();
    Ok(moves?.into_iter().skip_while(|one| *one == Move::Set(mode)).collect())
}

/// Per mode, whether the lexer can come to it.
fn reached(rules: &[LexerRule<'_>], modes: usize) -> Vec<bool> {
    let mut reached = vec![false; modes];
    let mut open = vec![0];
    while let Some(mode) = open.pop() {
        if std::mem::replace(&mut reached[usize::from(mode)], true) {
            continue;
        }
        let own = rules.iter().filter(|one| one.mode == mode);
        open.extend(own.flat_map(|one| &one.moves).filter_map(|one| match one {
            Move::Set(mode) | Move::Push(mode) => Some(*mode),
            Move::Pop => None,
        }));
    }
    reached
}

/// Whether a rule may match the empty text. Where rules use each other, each counts once.
fn may_be_empty<'g>(rule: &'g Rule, rules: &Rules<'g>) -> bool {
    fn any<'g>(rule: &'g Rule, rules: &Rules<'g>, seen: &mut FxHashSet<&'g str>) -> bool {
        let mut of_name = |name: &'g str| {
            name != "EOF" && rules.get(name).is_some_and(|rule| seen.insert(name) && any(rule, rules, seen))
        };
        rule.alternatives.iter().any(|one| one.may_be_empty(&mut of_name))
    }
    any(rule, rules, &mut FxHashSet::default())
}
