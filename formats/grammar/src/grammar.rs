//! The intermediate representation of grammars, which every front end produces and the compiler consumes.
//!
//! A [`Grammar`] has one rule per nonterminal. The right part of a rule is a regular expression or an automaton over
//! symbols; a terminal is a regular language over bytes or a set of special tokens. Rules and terminals are referred to
//! by index. Names are for diagnostics only: nothing may be decided by them.

use crate::diagnostic::{Diagnostic, Location};
use crate::ids::{NonterminalId, TerminalId};
use crate::special;
use gcc_grammar_regular::{Dfa, Regex};
use std::sync::Arc;

/// The lexical discipline: how text is cut into lexemes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Discipline {
    /// The lexeme is the longest prefix that any terminal of the context matches; ties go by priority, then
    /// literal over regex, then order of declaration, and the terminals of [`ContextRules::together`] share
    /// them. The context is the set of terminals that have an action in the current LR state, and the ignored
    /// ones, changed by the [`ContextRules`].
    LongestMatch,
    /// A terminal may end wherever it matches, and ties keep all terminals. This is the semantics of context-free
    /// grammars over bytes.
    AnySplit,
}

/// A context-free grammar over terminals, which are regular languages over bytes.
#[derive(Clone, Debug)]
pub struct Grammar {
    /// All terminals; [`TerminalId`] indexes it.
    pub terminals: Vec<Terminal>,
    /// One rule per nonterminal; [`NonterminalId`] indexes it.
    pub rules: Vec<Rule>,
    /// The nonterminal that derives whole texts.
    pub start: NonterminalId,
    /// Terminals that may stand anywhere between lexemes (also at both ends) and never reach the parser.
    pub ignored: Vec<TerminalId>,
    /// The lexical discipline.
    pub discipline: Discipline,
    /// Terminals that are recognized where the parser does not expect them, and the reverse.
    pub contexts: ContextRules,
}

/// Changes of the lexical contexts and of ties, under longest match only, and what must be around terminals.
///
/// In an LR state that the parser enters by shifting the lexeme `A`, these terminals are recognized:
/// 1. the terminals that have an action in the state, and the terminals of `everywhere`, both without the terminals of
///    `after`;
/// 2. the terminals of `after` whose lexemes include `A`;
/// 3. the ignored terminals.
///
/// A terminal that is recognized but has no action is refused by the parser. If a terminal of `verbatim` has an action in
/// the state, the terminals of `everywhere` and the ignored terminals are left out.
///
/// A state belongs to an embedded language if a terminal of the language has an action in it, or if `A` is one. There the terminals that the
/// language has everywhere, and its ignored terminals, take the place of the grammar's own. Under any split, the longest match decides
/// where a terminal of an embedded language may continue: among these terminals, and whether the lexeme may end.
///
/// A state is in a mode of the lexer if a terminal of the mode has an action in it, or else if `A` is one of the lexemes behind which the mode goes on.
/// There all terminals of the mode are recognized, in place of those that are recognized everywhere and of all ignored ones. In a state that is in no
/// mode, no ignored terminal of a mode is recognized.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ContextRules {
    /// Terminals recognized in every context.
    pub everywhere: Vec<TerminalId>,
    /// Terminals recognized directly after certain lexemes (ignored lexemes may lie between) and nowhere else.
    pub after: Vec<After>,
    /// Terminals whose contexts recognize only terminals that have an action.
    pub verbatim: Vec<TerminalId>,
    /// Terminals that share ties: if one of them wins, all of them that match the same text are kept. So
    /// terminals of grammars that are embedded at the same place do not hide each other.
    pub together: Vec<TerminalId>,
    /// Terminals whose first match ends the lexeme: as soon as one of them matches, all others are out of the question.
    pub lazy: Vec<TerminalId>,
    /// Terminals with texts that match only where certain texts follow.
    pub followed: Vec<Followed>,
    /// Terminals that are recognized only behind certain texts.
    pub preceded: Vec<Preceded>,
    /// Languages with lexical rules of their own.
    pub languages: Vec<EmbeddedLanguage>,
    /// Modes of the lexer.
    pub modes: Vec<LexerMode>,
}

/// A mode of the lexer: the terminals that are recognized in it, ignored ones included. Which mode follows a lexeme is a matter of the rules: all
/// terminals that have an action in one state are of one mode.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LexerMode {
    /// All its terminals, which no other mode has, sorted.
    pub terminals: Vec<TerminalId>,
    /// The lexemes behind which the mode goes on where the parser expects no terminal of a mode: there the text may only end.
    pub behind: Vec<TerminalId>,
}

/// A language within a grammar that keeps its own ignored text and lexical contexts. Its terminals are recognized by longest match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EmbeddedLanguage {
    /// All its terminals, which no other language has, sorted.
    pub terminals: Vec<TerminalId>,
    /// Those that are recognized wherever the language is.
    pub everywhere: Vec<TerminalId>,
    /// Those that are ignored wherever the language is. They are among the ignored terminals of the grammar, too.
    pub ignored: Vec<TerminalId>,
}

impl ContextRules {
    /// The rules where each terminal is replaced by the given ones.
    #[must_use]
    pub fn replaced(self, by: &[Vec<TerminalId>]) -> Self {
        let all = |ids: &[TerminalId]| -> Vec<TerminalId> {
            ids.iter().flat_map(|id| &by[id.index()]).copied().collect()
        };
        let each = |id: TerminalId| by[id.index()].iter().copied();
        let after = self.after.iter().flat_map(|after| {
            let lexemes = all(&after.lexemes);
            each(after.terminal).map(move |terminal| After { terminal, lexemes: lexemes.clone() })
        });
        let followed = self.followed.iter().flat_map(|followed| {
            each(followed.terminal).map(|terminal| Followed { terminal, after: followed.after.clone() })
        });
        let preceded = self.preceded.iter().flat_map(|preceded| {
            each(preceded.terminal).map(|terminal| Preceded { terminal, before: preceded.before.clone() })
        });
        Self {
            everywhere: all(&self.everywhere),
            after: after.collect(),
            verbatim: all(&self.verbatim),
            together: all(&self.together),
            lazy: all(&self.lazy),
            followed: followed.collect(),
            preceded: preceded.collect(),
            languages: self
                .languages
                .iter()
                .map(|language| EmbeddedLanguage {
                    terminals: all(&language.terminals),
                    everywhere: all(&language.everywhere),
                    ignored: all(&language.ignored),
                })
                .collect(),
            modes: self
                .modes
                .iter()
                .map(|mode| LexerMode { terminals: all(&mode.terminals), behind: all(&mode.behind) })
                .collect(),
        }
    }

    /// Adds the rules of other terminals.
    pub fn append(&mut self, mut others: Self) {
        self.everywhere.append(&mut others.everywhere);
        self.after.append(&mut others.after);
        self.verbatim.append(&mut others.verbatim);
        self.together.append(&mut others.together);
        self.lazy.append(&mut others.lazy);
        self.followed.append(&mut others.followed);
        self.preceded.append(&mut others.preceded);
        self.languages.append(&mut others.languages);
        self.modes.append(&mut others.modes);
    }

    /// The mode of the lexer where the parser expects these terminals behind a lexeme.
    #[must_use]
    pub fn mode(&self, expected: &[TerminalId], lexeme: Option<TerminalId>) -> Option<&LexerMode> {
        let is_in = |mode: &&LexerMode| expected.iter().any(|id| mode.terminals.binary_search(id).is_ok());
        let goes_on = |mode: &&LexerMode| lexeme.is_some_and(|lexeme| mode.behind.contains(&lexeme));
        let mut modes = self.modes.iter();
        modes.clone().find(is_in).or_else(|| modes.find(goes_on))
    }

    /// The number of the embedded language that a terminal belongs to.
    #[must_use]
    pub fn language_of(&self, terminal: TerminalId) -> Option<usize> {
        self.languages.iter().position(|language| language.terminals.binary_search(&terminal).is_ok())
    }
}

impl Grammar {
    /// Whether every terminal may end wherever it matches: there is no longest match in any context, and the text around it does not matter.
    #[must_use]
    pub fn is_any_split(&self) -> bool {
        let ContextRules { languages, followed, preceded, .. } = &self.contexts;
        let is_alone = followed.is_empty() && preceded.is_empty();
        self.discipline == Discipline::AnySplit && languages.is_empty() && is_alone
    }

    /// Per terminal, and then the end of the text: whether it competes for the longest match.
    #[must_use]
    pub fn competing(&self) -> Vec<bool> {
        let mut competing = vec![self.discipline == Discipline::LongestMatch; self.terminals.len() + 1];
        let languages = self.contexts.languages.iter().flat_map(|language| &language.terminals);
        languages.for_each(|terminal| competing[terminal.index()] = true);
        competing
    }
}

/// A terminal that is recognized after certain lexemes only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct After {
    /// The terminal.
    pub terminal: TerminalId,
    /// The lexemes after which the terminal is recognized.
    pub lexemes: Vec<TerminalId>,
}

/// A terminal with texts that match only where certain texts follow: everything up to the end of the whole text. A text of its pattern that ends in
/// the [mark](crate::special::followed) with the number `n` stands for the text before the mark, which must be followed by the `n`-th of these.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Followed {
    /// The terminal. Its pattern has marks.
    pub terminal: TerminalId,
    /// What may follow. A special token counts as the end of the text.
    pub after: Vec<Arc<Dfa>>,
}

/// A terminal that is recognized only behind certain texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preceded {
    /// The terminal.
    pub terminal: TerminalId,
    /// What may come before: everything from the beginning of the whole text. A special token counts as the beginning.
    pub before: Arc<Dfa>,
}

/// The result of a front end: a grammar and the warnings about it.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The grammar.
    pub grammar: Grammar,
    /// Warnings about parts that can be used, but probably do not mean what the author intended.
    pub warnings: Vec<Diagnostic>,
}

/// A named regular language, or a set of special tokens.
#[derive(Clone, Debug)]
pub struct Terminal {
    /// The name in the grammar, or the quoted literal; for diagnostics only.
    pub name: String,
    /// The texts or tokens that the terminal matches.
    pub pattern: Pattern,
    /// Under longest match, the terminal of higher priority wins a tie.
    pub priority: i32,
    /// Whether it was written as a string literal. Literals win ties against other terminals of the same priority.
    pub literal: bool,
}

/// The texts or tokens that a terminal matches. No pattern may match the empty string.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Pattern {
    /// Texts of a regular language.
    Regex(Regex),
    /// Texts of a regular language in which [marks](crate::special) stand for special tokens.
    Marked(Regex),
    /// Any one of these tokens, matched by id as a whole and never by bytes.
    Token(Vec<TokenSelector>),
    /// Texts of another pattern of which at most this number of tokens is read, one at least: where that number of tokens has begun in a lexeme, it ends,
    /// or at the first end of a token behind that at which it can end: where it matches, or has the mark [`LIMIT`](crate::special::LIMIT).
    /// Nothing else than the end of a token decides.
    Limited(Box<Pattern>, u32),
    /// JSON strings (RFC 8259, section 7) of a regular language, in quotes, that have at most this number of characters. An escape is one character, and so
    /// are two that are a surrogate pair. The compiler counts them, where it can, in place of having states for all numbers.
    Counted(Regex, u32),
    /// Texts of another pattern, of which something is remembered, or that depend on what is.
    WithRole(Box<Pattern>, Role),
}

/// What a terminal remembers of a text, or how it depends on what is remembered.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// In lists whose items differ. Under any split only.
    List(ListRole),
    /// In objects whose keys are remembered. Under any split only.
    Object(KeyRole),
    /// Among texts that are repeated.
    Same(SameRole),
}

/// The role of a terminal among texts that are repeated, as the name of a start tag is in the end tag. The remembered texts are a stack. The rules
/// [balance](crate::check) it: each remembered text is repeated, or forgotten.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SameRole {
    /// Its text is remembered. The number tells apart what may be repeated by what.
    Remembered(u32),
    /// Its text is the last remembered one, which is forgotten then.
    Repeated(u32),
    /// The last remembered text is forgotten with it.
    Forgotten(u32),
}

/// The role of a terminal in objects whose keys are remembered. Between the terminal that opens such an object and the one that closes it, each key is one
/// lexeme, and a comma stands before each further key. Terminals within values may have any role; objects within an object have records of their own.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum KeyRole {
    /// An object opens with it, whose keys satisfy these conditions.
    Opens(Arc<KeyRecord>),
    /// It is a key.
    Key {
        /// The number of a variant of a declared key; `None` for a key that is not declared.
        number: Option<u32>,
        /// What may follow the member. Several terminals of a key with the same texts tell variants and cases apart.
        then: Then,
    },
    /// It stands before a further key.
    Comma,
    /// The object closes with it.
    Closes,
}

/// What may follow a member, by the keys so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Then {
    /// A further member only: the object is not complete.
    More,
    /// A further member, or the end of the object.
    Either,
    /// The end only: no key is left.
    End,
}

impl Then {
    /// All cases.
    pub const ALL: [Self; 3] = [Self::More, Self::Either, Self::End];

    /// Whether a further member may follow.
    #[must_use]
    pub fn goes_on(self) -> bool {
        self != Self::End
    }

    /// Whether the object may end.
    #[must_use]
    pub fn may_end(self) -> bool {
        self != Self::More
    }
}

/// The conditions on the keys of an object, and on some of their values. A declared key comes at most once. The grammar allows any keys in any order, so that
/// these conditions are all that restricts them: every set of declared keys that satisfies the clauses can be written. A grammar may count members, if each object that
/// satisfies the clauses has a number of members that it allows, or can have further ones.
///
/// *Atoms* are the declared keys, by their numbers, and behind them the *facts*: that a key is there with a value that satisfies something. A fact belongs to one
/// key. The *variants* of a key are the sets of facts that its values have. Each variant has terminals of its own; behind them stand the values with
/// exactly these facts.
///
/// The clauses are Horn clauses, so what follows from some atoms is one smallest set. Where there is a *choice*, one of several sets of atoms follows. Choices of
/// different groups have no keys in common, neither with each other nor through clauses, so that each group is searched for itself.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct KeyRecord {
    /// The number of declared keys.
    pub keys: u32,
    /// Whether declared keys come in the order of their numbers, and other keys after them.
    pub is_ordered: bool,
    /// Whether keys may come that are not declared.
    pub is_open: bool,
    /// Whether the grammar asks for two members or more, or has a bound on members some of which are required.
    pub counts_members: bool,
    /// The key of each fact, ascending.
    pub facts: Vec<u32>,
    /// The variants of all keys. Without facts there are none, and each key is its own variant.
    pub variants: Vec<KeyVariant>,
    /// What must hold for the set of all atoms of the object.
    pub clauses: Vec<KeyClause>,
    /// What must hold besides, by group.
    pub choices: Vec<KeyChoice>,
}

/// The values of a key with the same facts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct KeyVariant {
    /// The number of the key.
    pub key: u32,
    /// A bit for each fact of the key, in their order.
    pub facts: u32,
}

impl KeyRecord {
    /// The most atoms, and the most variants.
    pub const MOST_KEYS: u32 = gcc_grammar_artifact::grammar::MOST_KEYS;
    /// The most choices of a group.
    pub const MOST_CHOICES: usize = gcc_grammar_artifact::grammar::MOST_CHOICES;

    /// Whether some object satisfies the clauses.
    #[must_use]
    pub fn is_satisfiable(&self) -> bool {
        self.can_be_completed(&self.no_atoms())
    }

    /// Whether the object without declared keys satisfies the clauses.
    #[must_use]
    pub fn is_satisfied_by_none(&self) -> bool {
        let none = self.no_atoms();
        self.completion(&none).is_some_and(|atoms| !atoms.contains(&true))
    }

    /// The most declared keys of an object, if clauses have one atom at most: all but those that some missing key follows from.
    #[must_use]
    pub fn most_keys(&self) -> usize {
        let mut atoms = vec![true; self.keys as usize];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for clause in &self.clauses {
                let holds = clause.then.is_some_and(|then| atoms[then as usize]);
                if let [atom] = clause.atoms[..]
                    && !holds
                    && atoms[atom as usize]
                {
                    atoms[atom as usize] = false;
                    changed = true;
                }
            }
        }
        atoms.into_iter().filter(|&is_there| is_there).count()
    }

    /// Whether some key can come first.
    #[must_use]
    pub fn has_first_key(&self) -> bool {
        let can_come = |variant| {
            let mut atoms = self.no_atoms();
            self.set(&mut atoms, variant);
            self.can_be_completed(&atoms)
        };
        self.is_satisfiable() && (self.is_open || self.variants().any(can_come))
    }

    /// Whether objects with these keys and facts, and further keys, satisfy the clauses. In an order, further keys come behind the last one.
    #[must_use]
    pub fn can_be_completed(&self, atoms: &[bool]) -> bool {
        self.completion(atoms).is_some()
    }

    /// The atoms of an object with these ones that satisfies the clauses, with nothing that need not be there.
    fn completion(&self, given: &[bool]) -> Option<Vec<bool>> {
        let least = self.closure(given, given)?;
        let mut groups = self.choices.chunk_by(|a, b| a.group == b.group);
        groups.try_fold(least, |atoms, group| self.chosen(given, atoms, group))
    }

    /// The atoms with one alternative of each choice of a group that is open. It calls itself at most once per choice.
    fn chosen(&self, given: &[bool], atoms: Vec<bool>, group: &[KeyChoice]) -> Option<Vec<bool>> {
        let holds = |all: &[u32]| all.iter().all(|&atom| atoms[atom as usize]);
        let is_open =
            |choice: &&KeyChoice| holds(&choice.atoms) && !choice.alternatives.iter().any(|all| holds(all));
        let Some(choice) = group.iter().find(is_open) else { return Some(atoms) };
        choice.alternatives.iter().find_map(|all| {
            let mut with = atoms.clone();
            for &atom in all.iter().filter(|&&atom| !atoms[atom as usize]) {
                self.may_come(given, atom).then(|| with[atom as usize] = true)?;
            }
            self.chosen(given, self.closure(given, &with)?, group)
        })
    }

    /// The variants of all keys, by number.
    pub fn variants(&self) -> impl Iterator<Item = KeyVariant> + '_ {
        let keys = if self.facts.is_empty() { self.keys } else { 0 };
        (0..keys).map(|key| KeyVariant { key, facts: 0 }).chain(self.variants.iter().copied())
    }

    /// Sets the atoms of a variant.
    pub fn set(&self, atoms: &mut [bool], variant: KeyVariant) {
        atoms[variant.key as usize] = true;
        let first = self.facts.partition_point(|&key| key < variant.key);
        let of_key = self.facts[first..].iter().take_while(|&&key| key == variant.key);
        for place in 0..of_key.count() {
            atoms[self.keys as usize + first + place] = variant.facts >> place & 1 == 1;
        }
    }

    /// No key and no fact.
    #[must_use]
    pub fn no_atoms(&self) -> Vec<bool> {
        vec![false; self.keys as usize + self.facts.len()]
    }

    /// The key of an atom.
    #[must_use]
    pub fn key_of(&self, atom: u32) -> u32 {
        atom.checked_sub(self.keys).map_or(atom, |fact| self.facts[fact as usize])
    }

    /// The smallest set that has these atoms and satisfies the clauses; `None` if there is none that keys which may come behind the given ones can make.
    fn closure(&self, given: &[bool], atoms: &[bool]) -> Option<Vec<bool>> {
        let mut atoms = atoms.to_vec();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for KeyClause { atoms: all, then } in &self.clauses {
                if !all.iter().all(|&atom| atoms[atom as usize]) {
                    continue;
                }
                match *then {
                    Some(atom) if atoms[atom as usize] => {}
                    Some(atom) if self.may_come(given, atom) => {
                        atoms[atom as usize] = true;
                        changed = true;
                    }
                    _ => return None,
                }
            }
        }
        Some(atoms)
    }

    /// Whether the key of an atom may come behind the given ones. What is known of a key that has been read does not change.
    fn may_come(&self, given: &[bool], atom: u32) -> bool {
        let (key, keys) = (self.key_of(atom) as usize, &given[..self.keys as usize]);
        !(keys[key] || self.is_ordered && keys[key..].contains(&true))
    }
}

/// If all atoms of a set hold, then so does another one; or not all atoms of the set hold (a Horn clause).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct KeyClause {
    /// The set.
    pub atoms: Vec<u32>,
    /// The atom that must hold, too; `None` if not all of the set must hold.
    pub then: Option<u32>,
}

/// If all atoms of a set hold, then so do all of one of several others.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct KeyChoice {
    /// The group, ascending.
    pub group: u32,
    /// The set.
    pub atoms: Vec<u32>,
    /// The others.
    pub alternatives: Vec<Vec<u32>>,
}

/// The role of a terminal in lists whose items differ. An item is one lexeme of an item terminal, or the lexemes from one that begins an item to the one that
/// ends it. Between two items of a list stands one lexeme of another terminal that has a role; every other lexeme begins a new list of the item
/// that it is in, if it is in one. No item has the text of an earlier item of its list, white space outside of strings aside.
///
/// Items may have *objects with names*: an item that is an object, or what lies within an item between a terminal that opens such an object and the one that
/// closes it. No name in it has the text of an earlier one of the same object. If there are names, items are compared as JSON values whose members
/// come in any order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ListRole {
    /// It is an item.
    Item,
    /// It stands between two items.
    Between,
    /// An item of several lexemes begins with it.
    Begins,
    /// An item of several lexemes ends with it.
    Ends,
    /// It is a scalar within an item of several lexemes. Different texts of it are different values.
    Part,
    /// An item of several lexemes begins with it. Wherever it has not ended, infinitely many values of it are left.
    BeginsEndless,
    /// It is the name of a member, without the colon. What stands before a further name is [`Between`](Self::Between).
    Name,
    /// An object with names opens with it, within an item.
    Opens,
    /// The object closes with it.
    Closes,
}

impl Pattern {
    /// The pattern of an expression without any byte 0xFF but those of marks.
    #[must_use]
    pub fn of(regex: Regex) -> Self {
        if special::has_marks(&regex) { Self::Marked(regex) } else { Self::Regex(regex) }
    }

    /// The pattern of an expression, as in [`of`](Self::of), of which at most this number of tokens is read.
    #[must_use]
    pub fn limited(regex: Regex, most: u32) -> Self {
        Self::Limited(Box::new(Self::of(regex)), most)
    }

    /// Whether [marks](crate::special) stand for special tokens.
    #[must_use]
    pub fn is_marked(&self) -> bool {
        match self {
            Self::Marked(_) => true,
            Self::Limited(texts, _) | Self::WithRole(texts, _) => texts.is_marked(),
            Self::Regex(_) | Self::Token(_) | Self::Counted(..) => false,
        }
    }

    /// The texts with this role.
    #[must_use]
    pub fn with_role(self, role: Role) -> Self {
        Self::WithRole(Box::new(self), role)
    }

    /// The role, where something is remembered, or depends on what is.
    #[must_use]
    pub fn role(&self) -> Option<&Role> {
        match self {
            Self::WithRole(_, role) => Some(role),
            _ => None,
        }
    }

    /// The role in lists whose items differ.
    #[must_use]
    pub fn list_role(&self) -> Option<ListRole> {
        match self.role() {
            Some(Role::List(role)) => Some(*role),
            _ => None,
        }
    }

    /// The role in objects whose keys are remembered.
    #[must_use]
    pub fn key_role(&self) -> Option<&KeyRole> {
        match self.role() {
            Some(Role::Object(role)) => Some(role),
            _ => None,
        }
    }

    /// The role among texts that are repeated.
    #[must_use]
    pub fn same_role(&self) -> Option<SameRole> {
        match self.role() {
            Some(Role::Same(role)) => Some(*role),
            _ => None,
        }
    }

    /// The pattern without its role.
    #[must_use]
    pub fn without_role(&self) -> &Self {
        match self {
            Self::WithRole(texts, _) => texts,
            pattern => pattern,
        }
    }

    /// The expression of texts, with marks or without. Those of [`Counted`](Self::Counted) may be too long.
    #[must_use]
    pub fn regex(&self) -> Option<&Regex> {
        match self {
            Self::Regex(regex) | Self::Marked(regex) | Self::Counted(regex, _) => Some(regex),
            Self::Limited(texts, _) | Self::WithRole(texts, _) => texts.regex(),
            Self::Token(_) => None,
        }
    }
}

/// Selects tokens of the vocabulary. Resolved when the vocabulary is known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TokenSelector {
    /// The special token of this name, such as `<|eot_id|>`; without one, the ordinary token with this text.
    Name(String),
    /// The tokens of an inclusive range of ids.
    Ids(u32, u32),
    /// Every special token whose whole name is in this language.
    Matching(Arc<Dfa>),
    /// Every ordinary token whose whole text is in this language.
    Spelled(Arc<Dfa>),
    /// Every token except these and the end tokens, which end the text.
    AnyBut(Vec<TokenSelector>),
    /// What is no ordinary token among [`TextsBut`](Self::TextsBut): every special token except these and the end tokens. If one of these is an
    /// ordinary token, every token except these and the end tokens.
    SpecialBut(Vec<TokenSelector>),
    /// The texts of this language, matched by bytes, unless one of these tokens is an ordinary one; then nothing. With
    /// [`SpecialBut`](Self::SpecialBut) it stands for any number of any tokens except these: if only special ones are left out, a token may begin in
    /// their text and end behind it.
    TextsBut(Arc<Dfa>, Vec<TokenSelector>),
}

/// A rule: a nonterminal and its right part.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The name of the nonterminal, for diagnostics only.
    pub name: String,
    /// The right part.
    pub body: Body,
    /// The place where the rule was written, if it has one.
    pub location: Option<Location>,
}

/// A regular right part.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Body {
    /// A regular expression over symbols. The compiler chooses its layout as productions.
    Expr(Expr),
    /// A deterministic automaton over symbols. It is laid out as left-linear productions, so alternatives that share a
    /// prefix do not fork the parser. Use it where an expression would be exponential (optional members in fixed order).
    Automaton(SymbolDfa),
}

/// A terminal or a nonterminal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symbol {
    /// A terminal.
    Terminal(TerminalId),
    /// A nonterminal.
    Nonterminal(NonterminalId),
}

/// A regular expression over symbols.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// One symbol.
    Symbol(Symbol),
    /// The parts in order. Without parts: the empty sequence.
    Sequence(Vec<Expr>),
    /// Any of the parts. Without parts: nothing matches.
    Choice(Vec<Expr>),
    /// The inner expression between `min` and `max` times (`None`: no bound).
    Repeat {
        /// The repeated expression.
        inner: Box<Expr>,
        /// The least number of repetitions.
        min: u32,
        /// The greatest number of repetitions.
        max: Option<u32>,
    },
}

/// A deterministic automaton over symbols. State 0 is the start.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct SymbolDfa {
    /// The states; transitions index it.
    pub states: Vec<SymbolDfaState>,
}

/// A state of a [`SymbolDfa`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct SymbolDfaState {
    /// Whether the right part may end here.
    pub accepting: bool,
    /// At most one target per symbol, sorted by symbol.
    pub transitions: Vec<(Symbol, u32)>,
}
