//! `%layout` and `%enclose`: line breaks and indentation that have meaning, as a grammar without counting.
//!
//! Indentation is bounded, so there are finitely many levels: the unit up to so many times. A rule that uses the indentation is made once
//! per level, and the indentation itself is one terminal per level. `indented{x}` is a choice between the `x` of all deeper levels. So the
//! parser's stack holds the columns of the blocks that are open, as the stack of columns does in the lexer of Python (The Python Language
//! Reference, "Indentation").
//!
//! What ends a line must not depend on the level of the next one, or every state of the parser in the middle of a line would have to tell the
//! levels apart. So a line that is followed by an indented one ends with a terminal of its own, which takes the first character of the
//! indentation; the rest of it is the terminal of the level. A line without indentation is preceded by the line break alone.
//!
//! ```text
//! NEWLINE               E (I* E)* first character of the unit, or nothing    E is the line break, I what is ignored
//! INDENT at level 0     E (I* E)*
//! INDENT at level l     the rest of l units, directly after NEWLINE
//! other indentation     I+, directly after NEWLINE, INDENT at level 0 or blank lines at the beginning; the text may end with it
//! inside of brackets    E (I | E)*
//! at the beginning      (I | E)* E, or (I | E)* I if there is nothing else
//! ```
//! A terminal that uses the indentation is made once per level, too, and there the indentation is all of it.
//! Without a line break in the directive, that is the only use of the indentation: the terminals say where lines end.
//!
//! A rule that is used between the terminals of `%enclose` is made once more: there a line break may follow every lexeme.

use super::ast::{Node, NodeKind};
use super::lexemes::{Key, Lexemes};
use super::program::{DefinitionId, Enclose, Layout as Directive, ModuleId, Program};
use super::terminals::{Matter, Terminals, bound, references};
use super::token::Span;
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_regular::Regex;

/// The template that stands for a deeper level.
pub(super) const INDENTED: &str = "indented";

/// The template that stands for the next level.
pub(super) const INDENTED_ONCE: &str = "indented_once";

/// Whether a template stands for deeper levels.
pub(super) fn is_indented(name: &str) -> bool {
    [INDENTED, INDENTED_ONCE].contains(&name)
}

/// How many levels there may be.
const MAX_LEVELS: u32 = 200;

/// What a rule is made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Place {
    /// Units of indentation.
    pub(super) level: u32,
    /// Line breaks are ignored.
    pub(super) enclosed: bool,
}

impl Place {
    /// Between brackets.
    pub(super) const ENCLOSED: Self = Self { level: 0, enclosed: true };
}

/// A terminal that the directive makes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Made {
    /// A line break, and the first character of the indentation that follows.
    Newline,
    /// The rest of the indentation of a level; all of it, with the line break, at level 0.
    Indent(u32),
    /// Any other indentation.
    Other,
    /// Line breaks between brackets.
    Enclosed,
    /// What comes before the first line that is not blank.
    Blank,
    /// The whole text, if it is blank and does not end with a line break.
    BlankText,
}

/// The directive, looked up.
pub(super) struct Layout {
    /// The line break. Without it, the indentation is part of terminals only.
    pub(super) newline: Option<DefinitionId>,
    /// The name of the indentation.
    pub(super) indent: DefinitionId,
    pub(super) module: ModuleId,
    pub(super) span: Span,
    unit: String,
    levels: u32,
    /// Per definition: it uses the indentation, so it is made for each level.
    indents: Vec<bool>,
    /// Per definition: it uses the line break or the indentation.
    lays_out: Vec<bool>,
    end_of_line: Regex,
    ignored: Regex,
    /// The highest priority that is written.
    pub(super) priority: i64,
}

impl Layout {
    /// Looks up the directive, if there is one. Names must have been checked.
    pub(super) fn new(program: &Program, terminals: &Terminals) -> Result<Option<Self>, Diagnostic> {
        let Some(Directive { module, newline, indent, unit }) = &program.layout else { return Ok(None) };
        let find = |name: &str| program.find(*module, name);
        let newline = newline.as_ref().and_then(|newline| find(&newline.text));
        let Some(indent_id) = find(&indent.text) else { return Ok(None) };
        let (unit, levels) = read_unit(program, *module, unit)?;
        let end_of_line = match newline.and_then(|newline| terminals.get(newline)) {
            Some(Matter::Text(regex)) => regex.clone(),
            _ => Regex::never(),
        };
        let priorities = program.definitions.iter().filter_map(|defined| defined.priority);
        Ok(Some(Self {
            newline,
            indent: indent_id,
            module: *module,
            span: indent.span.clone(),
            unit,
            levels,
            indents: users(program, &[indent_id]),
            lays_out: users(program, &[Some(indent_id), newline].into_iter().flatten().collect::<Vec<_>>()),
            end_of_line,
            ignored: ignored(program, terminals)?,
            priority: priorities.max().unwrap_or(0).max(0),
        }))
    }

    /// The place that a rule is made for when it is used in `place`: most rules do not depend on the level.
    pub(super) fn place(&self, id: DefinitionId, place: Place) -> Place {
        if place.enclosed || self.indents[id.index()] { place } else { Place { level: 0, ..place } }
    }

    /// Whether a rule uses the line break or the indentation, directly or not.
    pub(super) fn lays_out(&self, id: DefinitionId) -> bool {
        self.lays_out[id.index()]
    }

    /// Whether a definition uses the indentation, directly or not.
    pub(super) fn indents(&self, id: DefinitionId) -> bool {
        self.indents[id.index()]
    }

    /// The levels that a template of deeper levels stands for.
    pub(super) fn deeper(&self, template: &str, level: u32) -> std::ops::RangeInclusive<u32> {
        let deepest = if template == INDENTED_ONCE { self.levels.min(level + 1) } else { self.levels };
        level + 1..=deepest
    }

    /// The indentation of a level.
    pub(super) fn indentation(&self, level: u32) -> Regex {
        Regex::literal(&self.unit.repeat(level as usize))
    }

    /// How rules of the deepest level are told from others.
    pub(super) fn deepest(&self) -> String {
        Self::suffix(Place { level: self.levels, enclosed: false })
    }

    /// For messages: how a place is told from others.
    pub(super) fn suffix(place: Place) -> String {
        match place {
            Place { enclosed: true, .. } => "(…)".to_string(),
            Place { level: 0, .. } => String::new(),
            Place { level, .. } => format!("@{level}"),
        }
    }

    /// What a terminal matches.
    pub(super) fn regex(&self, made: Made) -> Regex {
        let line = || self.end_of_line.clone();
        let ignored = || self.ignored.clone();
        let blank = || Regex::union([ignored(), line()]).star();
        let lines = || line().then(ignored().star().then(line()).star());
        let first = self.unit.chars().next().map_or(0, char::len_utf8);
        match made {
            Made::Newline => lines().then(Regex::literal(&self.unit[..first])),
            Made::Indent(0) => lines(),
            Made::Indent(level) => Regex::literal(&self.unit.repeat(level as usize)[first..]),
            Made::Other => ignored().plus(),
            Made::Enclosed => line().then(blank()),
            Made::Blank => blank().then(line()),
            Made::BlankText => blank().then(ignored()),
        }
    }

    /// For messages.
    pub(super) fn terminal_name(&self, program: &Program, made: Made) -> String {
        let name = |id: DefinitionId| &program.definitions[id.index()].name.text;
        let newline = || self.newline.map_or(String::new(), |id| name(id).clone());
        match made {
            Made::Newline => newline(),
            Made::Indent(level) => {
                format!("{}{}", name(self.indent), Self::suffix(Place { level, enclosed: false }))
            }
            Made::Other => "other indentation".to_string(),
            Made::Enclosed => format!("{}(…)", newline()),
            Made::Blank => "blank lines".to_string(),
            Made::BlankText => "blank text".to_string(),
        }
    }
}

/// What is ignored, as one expression.
fn ignored(program: &Program, terminals: &Terminals) -> Result<Regex, Diagnostic> {
    let mut all = Vec::new();
    for part in &program.ignored {
        let name = super::ast::Name { text: "%ignore".to_string(), span: part.span.clone() };
        if let Matter::Text(regex) = terminals.matter(program, &part.clauses, &name)? {
            all.push(regex);
        }
    }
    Ok(Regex::union(all))
}

/// Which definitions are terminals that use the indentation: they are made for each level.
pub(super) fn indented_terminals(program: &Program) -> Vec<bool> {
    let indent = program.layout.as_ref().and_then(|layout| program.find(layout.module, &layout.indent.text));
    let Some(indent) = indent else { return vec![false; program.definitions.len()] };
    let mut indented = users(program, &[indent]);
    for (indented, defined) in indented.iter_mut().zip(&program.definitions) {
        *indented &= defined.is_terminal();
    }
    indented[indent.index()] = false;
    indented
}

/// Which definitions use one of `what`, directly or not.
fn users(program: &Program, what: &[DefinitionId]) -> Vec<bool> {
    let count = program.definitions.len();
    let mut used_by: Vec<Vec<DefinitionId>> = vec![Vec::new(); count];
    for user in (0..count).map(DefinitionId::new) {
        references(program, user).into_iter().for_each(|id| used_by[id.index()].push(user));
    }
    let mut out = vec![false; count];
    let mut open = what.to_vec();
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut out[id.index()], true) {
            open.extend(&used_by[id.index()]);
        }
    }
    out
}

/// The unit of indentation and how often it may come.
fn read_unit(program: &Program, module: ModuleId, node: &Node) -> Result<(String, u32), Diagnostic> {
    let error = |message: &str| {
        let error = program.error(Code::BadLayout, message, module, &node.span);
        Err(error
            .help("write how much one level of indentation is, and how many there may be, as in \"    \"~12"))
    };
    let NodeKind::Repeat { inner, max: Some(max), .. } = &node.kind else {
        return error("nothing says how deep indentation may be");
    };
    match &inner.kind {
        NodeKind::Text { text, ignore_case: false } if text.chars().count() > 1 => match bound(*max) {
            levels if levels > MAX_LEVELS => {
                error(&format!("there are more than {MAX_LEVELS} levels of indentation"))
            }
            levels => Ok((text.clone(), levels)),
        },
        _ => error("indentation consists of a string of at least two characters"),
    }
}

/// The pairs of terminals of `%enclose`.
pub(super) struct Brackets {
    pairs: Vec<(Key, Key)>,
}

impl Brackets {
    /// Looks up the directives. Names must have been checked.
    pub(super) fn new(program: &Program, lexemes: &Lexemes<'_>) -> Self {
        let pair = |enclose: &Enclose| {
            let Enclose { module, open, close } = enclose;
            Some((lexemes.identity(open, *module)?, lexemes.identity(close, *module)?))
        };
        Self { pairs: program.enclose.iter().filter_map(pair).collect() }
    }

    /// Does this terminal open anything?
    pub(super) fn opens(&self, terminal: &Key) -> bool {
        self.pairs.iter().any(|(open, _)| open == terminal)
    }

    /// Does it close anything?
    pub(super) fn closes(&self, terminal: &Key) -> bool {
        self.pairs.iter().any(|(_, close)| close == terminal)
    }

    /// Does `close` close what `open` opened?
    pub(super) fn matches(&self, open: &Key, close: &Key) -> bool {
        self.pairs.iter().any(|pair| (&pair.0, &pair.1) == (open, close))
    }
}
