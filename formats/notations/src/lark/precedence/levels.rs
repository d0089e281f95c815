//! The levels of precedence that `%left`, `%right`, `%nonassoc` declare and `%prec` names.
//!
//! Input: the directives of a program, in order. Output: per file, the level of each terminal and of each name for `%prec`. A later
//! directive declares a tighter level.

use crate::lark::ast::{Associativity, Node, NodeKind, Precedence};
use crate::lark::key::Key;
use crate::lark::lexemes::Lexemes;
use crate::lark::program::{Clause, Defined, ModuleId, Program};
use crate::lark::token::Span;
use gcc_grammar_ir::{Code, Diagnostic, TerminalId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The precedence and associativity of an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Level {
    /// The number of its directive; a larger number binds tighter.
    pub(super) rank: u32,
    pub(super) associativity: Associativity,
}

/// An operand of a directive.
#[derive(PartialEq, Eq, Hash)]
enum Operator {
    Terminal(Key),
    /// A name for `%prec`.
    Name(String),
}

/// The levels of all files. The levels of a file hold in the rules of that file only.
pub(super) struct Levels {
    named: FxHashMap<(ModuleId, Operator), Level>,
    terminals: BTreeMap<ModuleId, TerminalLevels>,
}

/// The levels of terminals in the rules of one file.
pub(super) type TerminalLevels = BTreeMap<TerminalId, Level>;

/// The levels of a file without directives.
pub(super) static NO_LEVELS: TerminalLevels = TerminalLevels::new();

impl Levels {
    /// Collects the levels. An operator on two levels is an error, and so is `%prec` with an operator on none.
    pub(super) fn new(program: &Program, lexemes: &Lexemes<'_>) -> Result<Self, Vec<Diagnostic>> {
        let (mut named, mut terminals) = (FxHashMap::default(), BTreeMap::<ModuleId, TerminalLevels>::new());
        let mut errors = Vec::new();
        for ((module, Precedence { associativity, operators }), rank) in program.precedences.iter().zip(0..) {
            for node in operators {
                let level = Level { rank, associativity: *associativity };
                if let Some(terminal) = lexemes.find(node, *module) {
                    terminals.entry(*module).or_default().insert(terminal, level);
                }
                if named.insert((*module, operator(lexemes, node, *module)), level).is_some() {
                    let message = "this operator has a level of precedence already";
                    let error = program.error(Code::SecondPrecedence, message, *module, &node.span);
                    errors.push(error.help("name it in one of %left, %right and %nonassoc"));
                }
            }
        }
        let levels = Self { named, terminals };
        for Defined { module, clauses, .. } in &program.definitions {
            for Clause { module: place, alternative } in clauses {
                if let Some(node) = &alternative.precedence
                    && levels.named(lexemes, node, *module).is_none()
                {
                    let message =
                        "this operator has no level of precedence in the file that defines the rule";
                    let error = program.error(Code::UnknownPrecedence, message, *place, &node.span);
                    errors.push(error.help(
                        "name it in %left, %right or %nonassoc; it need not be a terminal, as in `%right NEGATION`",
                    ));
                }
            }
        }
        if errors.is_empty() { Ok(levels) } else { Err(errors) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// The level of the operand of `%prec` in a rule of a file.
    pub(super) fn named(&self, lexemes: &Lexemes<'_>, node: &Node, module: ModuleId) -> Option<Level> {
        self.named.get(&(module, operator(lexemes, node, module))).copied()
    }

    /// The levels of terminals in the rules of a file.
    pub(super) fn of_terminals(&self, module: ModuleId) -> &TerminalLevels {
        self.terminals.get(&module).unwrap_or(&NO_LEVELS)
    }
}

fn operator(lexemes: &Lexemes<'_>, node: &Node, module: ModuleId) -> Operator {
    match (lexemes.identity(node, module), &node.kind) {
        (None, NodeKind::Name(name)) => Operator::Name(name.clone()),
        (Some(key), _) => Operator::Terminal(key),
        (None, _) => Operator::Name(String::new()),
    }
}

/// Warnings about directives whose levels were never compared.
pub(super) fn without_effect(program: &Program, decided: impl Fn(u32) -> bool) -> Vec<Diagnostic> {
    let own = program.precedences.iter().zip(0..).filter(|((module, _), _)| module.index() == 0);
    let idle = own.filter(|(_, rank)| !decided(*rank)).filter_map(|((_, precedence), _)| {
        let (first, last) = (precedence.operators.first()?, precedence.operators.last()?);
        let span: Span = first.span.start..last.span.end;
        let warning = Diagnostic::warning(Code::PrecedenceWithoutEffect, "no rule is ambiguous about these operators");
        let (location, _) = program.place(ModuleId(0), &span);
        Some(warning.at(location).help(
            "precedence tells operands apart that are the rule itself, as in `e: e \"+\" e | e \"*\" e | NUMBER`; remove it if there are none",
        ))
    });
    idle.collect()
}
