//! Prints a grammar as text for people (`Display`): the debug view of the output of a front end.
//!
//! Rules are written in Lark's notation, so rules without automata can be read back. Automata are listed state by state.

use crate::grammar::{
    After, Body, Discipline, Expr, Followed, Grammar, KeyRecord, KeyRole, ListRole, Pattern, Preceded, Role,
    SameRole, Symbol, SymbolDfa, Terminal, Then, TokenSelector,
};
use crate::ids::TerminalId;
use gcc_grammar_regular::Regex;
use std::fmt;

impl fmt::Display for Grammar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let discipline = match self.discipline {
            Discipline::LongestMatch => "longest match",
            Discipline::AnySplit => "any split",
        };
        let (rules, terminals) = (self.rules.len(), self.terminals.len());
        writeln!(f, "# {discipline}, {rules} rules, {terminals} terminals")?;
        writeln!(f, "%start {}", self.rule_name(self.start.index()))?;
        for (index, rule) in self.rules.iter().enumerate() {
            write!(f, "{}: ", self.rule_name(index))?;
            match &rule.body {
                Body::Expr(expr) => {
                    self.write_expr(f, expr)?;
                    writeln!(f)?;
                }
                Body::Automaton(automaton) => self.write_automaton(f, automaton)?,
            }
        }
        for terminal in &self.terminals {
            write_terminal(f, terminal)?;
        }
        for ignored in &self.ignored {
            writeln!(f, "%ignore {}", self.terminal_name(ignored.index()))?;
        }
        self.write_contexts(f)
    }
}

impl Grammar {
    fn rule_name(&self, index: usize) -> &str {
        self.rules.get(index).map_or("<undefined>", |rule| &rule.name)
    }

    fn terminal_name(&self, index: usize) -> &str {
        self.terminals.get(index).map_or("<UNDEFINED>", |terminal| &terminal.name)
    }

    fn symbol_name(&self, symbol: Symbol) -> &str {
        match symbol {
            Symbol::Terminal(id) => self.terminal_name(id.index()),
            Symbol::Nonterminal(id) => self.rule_name(id.index()),
        }
    }

    fn write_contexts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for everywhere in &self.contexts.everywhere {
            writeln!(f, "%everywhere {}", self.terminal_name(everywhere.index()))?;
        }
        for After { terminal, lexemes } in &self.contexts.after {
            let lexemes: Vec<&str> = lexemes.iter().map(|id| self.terminal_name(id.index())).collect();
            writeln!(f, "%after {}: {}", lexemes.join(" "), self.terminal_name(terminal.index()))?;
        }
        for verbatim in &self.contexts.verbatim {
            writeln!(f, "%verbatim {}", self.terminal_name(verbatim.index()))?;
        }
        if !self.contexts.together.is_empty() {
            let names = self.contexts.together.iter().map(|id| self.terminal_name(id.index()));
            writeln!(f, "%together {}", names.collect::<Vec<_>>().join(" "))?;
        }
        for lazy in &self.contexts.lazy {
            writeln!(f, "%lazy {}", self.terminal_name(lazy.index()))?;
        }
        for Followed { terminal, after } in &self.contexts.followed {
            writeln!(f, "%followed {}: {}", self.terminal_name(terminal.index()), after.len())?;
        }
        for Preceded { terminal, before } in &self.contexts.preceded {
            writeln!(
                f,
                "%preceded {}: {} states",
                self.terminal_name(terminal.index()),
                before.state_count()
            )?;
        }
        for language in &self.contexts.languages {
            let names = language.terminals.iter().map(|id| self.terminal_name(id.index()));
            writeln!(f, "%language {}", names.collect::<Vec<_>>().join(" "))?;
        }
        for mode in &self.contexts.modes {
            let names = |ids: &[TerminalId]| {
                ids.iter().map(|id| self.terminal_name(id.index())).collect::<Vec<_>>().join(" ")
            };
            writeln!(f, "%mode {} behind {}", names(&mode.terminals), names(&mode.behind))?;
        }
        Ok(())
    }

    fn write_automaton(&self, f: &mut fmt::Formatter<'_>, automaton: &SymbolDfa) -> fmt::Result {
        writeln!(f, "automaton")?;
        for (index, state) in automaton.states.iter().enumerate() {
            write!(f, "    {index}{}:", if state.accepting { " (end)" } else { "" })?;
            for &(symbol, target) in &state.transitions {
                write!(f, "  {} → {target}", self.symbol_name(symbol))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

fn write_terminal(f: &mut fmt::Formatter<'_>, terminal: &Terminal) -> fmt::Result {
    write!(f, "{}", terminal.name)?;
    if terminal.priority != 0 {
        write!(f, ".{}", terminal.priority)?;
    }
    write_pattern(f, &terminal.pattern)?;
    writeln!(f, "{}", if terminal.literal { ", literal" } else { "" })
}

fn write_pattern(f: &mut fmt::Formatter<'_>, pattern: &Pattern) -> fmt::Result {
    match pattern {
        Pattern::Regex(Regex::Automaton(dfa)) | Pattern::Marked(Regex::Automaton(dfa)) => {
            write!(f, " = automaton of {} states", dfa.state_count())?;
            match dfa.shortest() {
                Some(text) => write!(f, ", shortest {:?}", String::from_utf8_lossy(&text)),
                None => write!(f, ", matches nothing"),
            }
        }
        Pattern::Regex(regex) | Pattern::Marked(regex) => write!(f, " = {regex:?}"),
        Pattern::Limited(texts, most) => {
            write_pattern(f, texts)?;
            write!(f, ", at most {most} tokens")
        }
        Pattern::Counted(strings, most) => {
            write_pattern(f, &Pattern::Regex(strings.clone()))?;
            write!(f, ", at most {most} characters")
        }
        Pattern::WithRole(texts, role) => {
            write_pattern(f, texts)?;
            match role {
                Role::List(role) => write_list_role(f, *role),
                Role::Object(role) => write_key_role(f, role),
                Role::Same(role) => write_same_role(f, *role),
            }
        }
        Pattern::Token(selectors) => {
            write!(f, " = tokens")?;
            write_selectors(f, selectors)
        }
    }
}

fn write_list_role(f: &mut fmt::Formatter<'_>, role: ListRole) -> fmt::Result {
    f.write_str(match role {
        ListRole::Item => ", unlike the items before it",
        ListRole::Between => ", between items",
        ListRole::Begins => ", begins an item unlike those before it",
        ListRole::Ends => ", ends an item unlike those before it",
        ListRole::Part => ", part of an item",
        ListRole::BeginsEndless => ", begins an item unlike those before it, of which there are always more",
        ListRole::Name => ", a name unlike those before it in its object",
        ListRole::Opens => ", opens an object of names",
        ListRole::Closes => ", closes an object of names",
    })
}

fn write_same_role(f: &mut fmt::Formatter<'_>, role: SameRole) -> fmt::Result {
    f.write_str(match role {
        SameRole::Remembered(_) => ", remembered",
        SameRole::Repeated(_) => ", the last remembered text",
        SameRole::Forgotten(_) => ", forgets the last remembered text",
    })
}

fn write_key_role(f: &mut fmt::Formatter<'_>, role: &KeyRole) -> fmt::Result {
    match role {
        KeyRole::Opens(record) => {
            let KeyRecord { keys, clauses, choices, .. } = &**record;
            let conditions = clauses.len() + choices.len();
            write!(f, ", opens an object of {keys} declared keys with {conditions} conditions")
        }
        KeyRole::Key { then, .. } => f.write_str(match then {
            Then::More => ", a key before another one",
            Then::Either => ", a key",
            Then::End => ", the last key",
        }),
        KeyRole::Comma => f.write_str(", before a key"),
        KeyRole::Closes => f.write_str(", closes an object whose keys are remembered"),
    }
}

fn write_selectors(f: &mut fmt::Formatter<'_>, selectors: &[TokenSelector]) -> fmt::Result {
    selectors.iter().try_for_each(|selector| match selector {
        TokenSelector::Name(name) => write!(f, " {name}"),
        TokenSelector::Ids(low, high) => write!(f, " {low}-{high}"),
        TokenSelector::AnyBut(except) => write_except(f, "all", except),
        TokenSelector::SpecialBut(except) => write_except(f, "all special ones", except),
        TokenSelector::TextsBut(_, except) => write_except(f, "texts", except),
        TokenSelector::Matching(names) => {
            let shortest = names.shortest().unwrap_or_default();
            write!(f, " by name, such as {}", String::from_utf8_lossy(&shortest))
        }
        TokenSelector::Spelled(texts) => {
            let shortest = texts.shortest().unwrap_or_default();
            write!(f, " by text, such as {:?}", String::from_utf8_lossy(&shortest))
        }
    })
}

fn write_except(f: &mut fmt::Formatter<'_>, what: &str, except: &[TokenSelector]) -> fmt::Result {
    write!(f, " {what} but (")?;
    write_selectors(f, except)?;
    write!(f, " )")
}

/// What is still to be written of an expression, the next piece last.
enum Piece<'e> {
    Text(&'static str),
    /// An expression. If `tight`, an operator binds to it, so several parts need parentheses.
    Expr {
        expr: &'e Expr,
        tight: bool,
    },
    /// How often the expression before is repeated.
    Times(u32, Option<u32>),
}

impl Grammar {
    fn write_expr(&self, f: &mut fmt::Formatter<'_>, expr: &Expr) -> fmt::Result {
        let mut open = vec![Piece::Expr { expr, tight: false }];
        while let Some(piece) = open.pop() {
            match piece {
                Piece::Text(text) => f.write_str(text)?,
                Piece::Times(min, max) => write_times(f, min, max)?,
                Piece::Expr { expr: Expr::Symbol(symbol), .. } => f.write_str(self.symbol_name(*symbol))?,
                Piece::Expr { expr, tight } => open.extend(pieces(expr, tight).into_iter().rev()),
            }
        }
        Ok(())
    }
}

/// The pieces of an expression that is no symbol.
fn pieces(expr: &Expr, tight: bool) -> Vec<Piece<'_>> {
    let in_parentheses = |expr| vec![Piece::Text("("), Piece::Expr { expr, tight: false }, Piece::Text(")")];
    match expr {
        Expr::Sequence(parts) if parts.is_empty() => vec![Piece::Text("()")],
        Expr::Choice(parts) if parts.is_empty() => vec![Piece::Text("(nothing)")],
        Expr::Sequence(_) | Expr::Choice(_) if tight => in_parentheses(expr),
        Expr::Sequence(parts) => joined(parts, " ", true),
        Expr::Choice(parts) => joined(parts, " | ", false),
        Expr::Repeat { inner, min, max } => {
            let mut pieces = match **inner {
                Expr::Repeat { .. } => in_parentheses(inner),
                _ => vec![Piece::Expr { expr: inner, tight: true }],
            };
            pieces.push(Piece::Times(*min, *max));
            pieces
        }
        Expr::Symbol(_) => vec![Piece::Expr { expr, tight }],
    }
}

fn joined<'e>(parts: &'e [Expr], separator: &'static str, tight: bool) -> Vec<Piece<'e>> {
    let mut pieces = Vec::with_capacity(2 * parts.len());
    for part in parts {
        pieces.extend((!pieces.is_empty()).then_some(Piece::Text(separator)));
        // A choice within a choice keeps its parentheses, so that the structure shows.
        pieces.push(Piece::Expr { expr: part, tight: tight || matches!(part, Expr::Choice(_)) });
    }
    pieces
}

fn write_times(f: &mut fmt::Formatter<'_>, min: u32, max: Option<u32>) -> fmt::Result {
    match (min, max) {
        (0, Some(1)) => f.write_str("?"),
        (0, None) => f.write_str("*"),
        (1, None) => f.write_str("+"),
        (min, Some(max)) if min == max => write!(f, "~{min}"),
        (min, Some(max)) => write!(f, "~{min}..{max}"),
        (min, None) => write!(f, "{{{min},}}"),
    }
}
