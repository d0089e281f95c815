//! The right parts of rules as trees in which blocks and brackets are nodes.

use gcc_grammar_ir::{Body, Code, Diagnostic, Expr, NonterminalId, Rule, Symbol, TerminalId};

/// What terminals of a grammar mean to the indenter.
pub(super) struct Roles {
    pub(super) newline: Option<TerminalId>,
    pub(super) indent: Option<TerminalId>,
    pub(super) dedent: Option<TerminalId>,
    pub(super) end: Option<TerminalId>,
    pub(super) brackets: Vec<(TerminalId, TerminalId)>,
}

impl Roles {
    fn closing(&self, open: TerminalId) -> Option<TerminalId> {
        self.brackets.iter().find(|(known, _)| *known == open).map(|&(_, close)| close)
    }

    fn closes(&self, terminal: TerminalId) -> bool {
        self.brackets.iter().any(|&(_, close)| close == terminal)
    }
}

/// A part of a right part.
#[derive(Clone)]
pub(super) enum Item {
    Terminal(TerminalId),
    Rule(NonterminalId),
    /// The line break.
    Newline,
    /// The end of the text.
    End,
    Sequence(Vec<Item>),
    Choice(Vec<Item>),
    Repeat {
        inner: Box<Item>,
        min: u32,
        max: Option<u32>,
    },
    /// What stands between the tokens for indentation. The number tells the blocks of a grammar apart.
    Block(usize, Vec<Item>),
    /// What stands between brackets.
    Enclosed(TerminalId, Vec<Item>, TerminalId),
}

/// The right parts of all rules.
pub(super) fn items(rules: &[Rule], roles: &Roles) -> Result<Vec<Item>, Diagnostic> {
    let mut reader = Reader { roles, blocks: 0 };
    let body = |rule: &Rule| match &rule.body {
        Body::Expr(expr) => reader.item(expr).map_err(|()| unbalanced(rule)),
        // Only grammars that are embedded later have such rules.
        Body::Automaton(_) => Ok(Item::Choice(Vec::new())),
    };
    rules.iter().map(body).collect()
}

fn unbalanced(rule: &Rule) -> Diagnostic {
    let message =
        format!("in `{}`, a bracket or a token for the indentation is without its other half", rule.name);
    let location = rule.location.clone();
    Diagnostic { location, ..Diagnostic::error(Code::Unbalanced, message) }
        .help("write both in the same sequence, not one of them in parentheses or in a rule of its own")
}

struct Reader<'r> {
    roles: &'r Roles,
    blocks: usize,
}

/// What ends the part of a sequence that is being read.
type End = Option<TerminalId>;

impl Reader<'_> {
    fn item(&mut self, expr: &Expr) -> Result<Item, ()> {
        Ok(match expr {
            Expr::Sequence(_) | Expr::Symbol(_) => {
                let mut parts = Vec::new();
                flatten(expr, &mut parts);
                let mut parts = parts.into_iter();
                let items = self.sequence(&mut parts, None)?;
                Item::Sequence(items)
            }
            Expr::Choice(parts) => {
                Item::Choice(parts.iter().map(|part| self.item(part)).collect::<Result<_, _>>()?)
            }
            Expr::Repeat { inner, min, max } => {
                Item::Repeat { inner: Box::new(self.item(inner)?), min: *min, max: *max }
            }
        })
    }

    /// The items up to `end`.
    fn sequence(&mut self, parts: &mut dyn Iterator<Item = &Expr>, end: End) -> Result<Vec<Item>, ()> {
        let mut items = Vec::new();
        while let Some(part) = parts.next() {
            let Expr::Symbol(symbol) = part else {
                items.push(self.item(part)?);
                continue;
            };
            items.push(match *symbol {
                Symbol::Nonterminal(rule) => Item::Rule(rule),
                Symbol::Terminal(id) if Some(id) == end => return Ok(items),
                Symbol::Terminal(id) if Some(id) == self.roles.newline => Item::Newline,
                Symbol::Terminal(id) if Some(id) == self.roles.end => Item::End,
                Symbol::Terminal(id) if Some(id) == self.roles.indent => {
                    let dedent = self.roles.dedent.ok_or(())?;
                    self.blocks += 1;
                    Item::Block(self.blocks, self.sequence(parts, Some(dedent))?)
                }
                Symbol::Terminal(id) if Some(id) == self.roles.dedent || self.roles.closes(id) => {
                    return Err(());
                }
                Symbol::Terminal(id) => match self.roles.closing(id) {
                    Some(close) => Item::Enclosed(id, self.sequence(parts, Some(close))?, close),
                    None => Item::Terminal(id),
                },
            });
        }
        if end.is_none() { Ok(items) } else { Err(()) }
    }
}

/// The parts of a sequence, without sequences in it.
fn flatten<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Sequence(inner) => inner.iter().for_each(|inner| flatten(inner, parts)),
        other => parts.push(other),
    }
}
