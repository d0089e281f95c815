//! `%layout`: line breaks and indentation that have meaning, as a context-free grammar.
//!
//! Input: the directive of a program. Output: the regular expressions of the terminals that the directive makes, and for every definition
//! whether it must be made once per level of indentation.
//!
//! Indentation is bounded, so there are finitely many levels: 0 to N times the unit. A rule that uses the indentation is made once per
//! level, and the indentation of each level is one terminal. `indented{x}` is a choice between the `x` of all deeper levels. The parser's
//! stack therefore holds the columns of the open blocks, as the stack of columns in Python's lexer does (The Python Language Reference,
//! "Indentation").
//!
//! The end of a line must not depend on the level of the next line, or every parser state in the middle of a line would exist once per
//! level. So a line that is followed by an indented line ends with a terminal of its own, `NEWLINE`, which takes the first character of the
//! indentation; the rest of the indentation is the terminal of the level. A line without indentation is preceded by the line break alone.
//!
//! ```text
//! NEWLINE               E (I* E)* c                    E is the line break, I an ignored terminal, c the unit's first character
//! INDENT at level 0     E (I* E)*
//! INDENT at level l     the rest of l units            directly after NEWLINE
//! other indentation     I+                             directly after NEWLINE, INDENT at level 0 or blank lines; may end the text
//! inside brackets       E (I | E)*
//! at the beginning      (I | E)* E                     or (I | E)* I if the text is blank
//! ```
//! A terminal that uses the indentation is made once per level, too; there the indentation is all of it. If the directive names no line
//! break, this is the only use of the indentation: the terminals determine where lines end.
//!
//! A rule that is used between the terminals of `%enclose` is made once more; there a line break may follow every lexeme.

use super::ast::{Node, NodeKind, bound};
use super::languages::Language;
use super::program::{DefinitionId, Layout as Directive, ModuleId, Program};
use super::references::users;
use super::terminals::Terminals;
use super::token::Span;
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_regular::Regex;

/// The templates that `%layout` defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Indented {
    /// `indented{x}`: an `x` at any deeper level.
    Deeper,
    /// `indented_once{x}`: an `x` at the next level.
    Once,
}

impl Indented {
    /// The template of this name, if it is one of these.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "indented" => Some(Self::Deeper),
            "indented_once" => Some(Self::Once),
            _ => None,
        }
    }
}

/// The largest number of levels.
const MAX_LEVELS: u32 = 200;

/// The context that a rule is made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct LayoutContext {
    /// The number of units of indentation.
    pub(super) level: u32,
    /// Whether line breaks are ignored.
    pub(super) enclosed: bool,
}

impl LayoutContext {
    /// The context between brackets.
    pub(super) const ENCLOSED: Self = Self { level: 0, enclosed: true };
}

/// A terminal that `%layout` makes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum LayoutTerminal {
    /// A line break, and the first character of the indentation that follows.
    Newline,
    /// The rest of the indentation of a level; all of it, with the line break, at level 0.
    Indent(u32),
    /// Any other indentation.
    Other,
    /// Line breaks between brackets.
    Enclosed,
    /// Blank lines before the first line that is not blank.
    Blank,
    /// The whole text, if it is blank and does not end with a line break.
    BlankText,
}

/// The directive `%layout` with its names looked up.
pub(super) struct Layout {
    /// The line break. Without it, the indentation is part of terminals only.
    pub(super) newline: Option<DefinitionId>,
    /// The name of the indentation.
    pub(super) indent: DefinitionId,
    pub(super) module: ModuleId,
    pub(super) span: Span,
    /// The text of one level of indentation.
    unit: String,
    /// The number of levels above level 0.
    levels: u32,
    /// Per definition, whether it uses the indentation, so that it is made for each level.
    indents: Vec<bool>,
    /// Per definition, whether it uses the line break or the indentation.
    lays_out: Vec<bool>,
    end_of_line: Regex,
    ignored: Regex,
    /// The highest priority of a definition, at least 0.
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
        let end_of_line = match newline.and_then(|newline| terminals.languages.get(newline)) {
            Some(Language::Text(regex)) => regex.clone(),
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

    /// The context that a rule is made for when it is used in `context`: rules that do not use the indentation are made for level 0.
    pub(super) fn context(&self, id: DefinitionId, context: LayoutContext) -> LayoutContext {
        if context.enclosed || self.indents[id.index()] {
            context
        } else {
            LayoutContext { level: 0, ..context }
        }
    }

    /// Whether a rule uses the line break or the indentation, directly or not.
    pub(super) fn lays_out(&self, id: DefinitionId) -> bool {
        self.lays_out[id.index()]
    }

    /// Whether a definition uses the indentation, directly or not.
    pub(super) fn indents(&self, id: DefinitionId) -> bool {
        self.indents[id.index()]
    }

    /// The levels that a template stands for, used at `level`.
    pub(super) fn deeper(&self, template: Indented, level: u32) -> std::ops::RangeInclusive<u32> {
        let deepest = match template {
            Indented::Deeper => self.levels,
            Indented::Once => self.levels.min(level + 1),
        };
        level + 1..=deepest
    }

    /// The indentation of a level.
    pub(super) fn indentation(&self, level: u32) -> Regex {
        Regex::literal(&self.unit.repeat(level as usize))
    }

    /// Whether a context is at the deepest level of indentation.
    pub(super) fn is_deepest(&self, context: LayoutContext) -> bool {
        !context.enclosed && context.level == self.levels
    }

    /// Whether there is no level but level 0.
    pub(super) fn has_one_level(&self) -> bool {
        self.levels == 0
    }

    /// The suffix of the names of rules that are made for a context.
    pub(super) fn suffix(context: LayoutContext) -> String {
        match context {
            LayoutContext { enclosed: true, .. } => "(…)".to_string(),
            LayoutContext { level: 0, .. } => String::new(),
            LayoutContext { level, .. } => format!("@{level}"),
        }
    }

    /// The language of a terminal.
    pub(super) fn regex(&self, terminal: LayoutTerminal) -> Regex {
        let line = || self.end_of_line.clone();
        let ignored = || self.ignored.clone();
        let blank = || Regex::union([ignored(), line()]).star();
        let lines = || line().then(ignored().star().then(line()).star());
        let first = self.unit.chars().next().map_or(0, char::len_utf8);
        match terminal {
            LayoutTerminal::Newline => lines().then(Regex::literal(&self.unit[..first])),
            LayoutTerminal::Indent(0) => lines(),
            LayoutTerminal::Indent(level) => Regex::literal(&self.unit.repeat(level as usize)[first..]),
            LayoutTerminal::Other => ignored().plus(),
            LayoutTerminal::Enclosed => line().then(blank()),
            LayoutTerminal::Blank => blank().then(line()),
            LayoutTerminal::BlankText => blank().then(ignored()),
        }
    }

    /// The name of a terminal, for messages.
    pub(super) fn terminal_name(&self, program: &Program, terminal: LayoutTerminal) -> String {
        let name = |id: DefinitionId| &program.definitions[id.index()].name.text;
        let newline = || self.newline.map_or(String::new(), |id| name(id).clone());
        match terminal {
            LayoutTerminal::Newline => newline(),
            LayoutTerminal::Indent(level) => {
                format!("{}{}", name(self.indent), Self::suffix(LayoutContext { level, enclosed: false }))
            }
            LayoutTerminal::Other => "other indentation".to_string(),
            LayoutTerminal::Enclosed => format!("{}(…)", newline()),
            LayoutTerminal::Blank => "blank lines".to_string(),
            LayoutTerminal::BlankText => "blank text".to_string(),
        }
    }
}

/// The union of the ignored terminals, without the empty text.
fn ignored(program: &Program, terminals: &Terminals) -> Result<Regex, Diagnostic> {
    let mut all = Vec::new();
    for part in &program.ignored {
        let name = super::ast::Name { text: "%ignore".to_string(), span: part.span.clone() };
        if let Language::Text(regex) = terminals.languages.language(program, &part.clauses, &name)? {
            all.push(regex);
        }
    }
    let something = Regex::Complement(Box::new(Regex::empty()));
    Ok(Regex::Intersect(vec![Regex::union(all), something]))
}

/// The unit of indentation and the number of levels.
fn read_unit(program: &Program, module: ModuleId, node: &Node) -> Result<(String, u32), Diagnostic> {
    let error = |message: &str| {
        let error = program.error(Code::BadLayout, message, module, &node.span);
        Err(error
            .help("write how much one level of indentation is, and how many there may be, as in \"    \"~12"))
    };
    let NodeKind::Repeat { inner, max: Some(max), .. } = &node.kind else {
        return error("the greatest number of levels is missing");
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
