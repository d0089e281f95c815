//! Prints a grammar as text for people (`Display`): the debug view of the output of a front end.
//!
//! Rules are written in Lark's notation, so rules without automata can be read back. Automata are listed state by state.

use crate::grammar::{
    After, Body, Discipline, Expr, Followed, Grammar, ListRole, Pattern, Preceded, Symbol, SymbolDfa,
    Terminal, TokenSelector,
};
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
                Body::Expr(expr) => writeln!(f, "{}", Shown { grammar: self, expr, tight: false })?,
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
        Pattern::InList(texts, role) => {
            write_pattern(f, texts)?;
            f.write_str(match role {
                ListRole::Item => ", unlike the items before it",
                ListRole::Between => ", between items",
            })
        }
        Pattern::Token(selectors) => {
            write!(f, " = tokens")?;
            write_selectors(f, selectors)
        }
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

/// Prints an expression. If `tight`, an operator binds to it, so several parts need parentheses.
struct Shown<'g> {
    grammar: &'g Grammar,
    expr: &'g Expr,
    tight: bool,
}

impl Shown<'_> {
    fn part<'g>(&'g self, expr: &'g Expr, tight: bool) -> Shown<'g> {
        Shown { grammar: self.grammar, expr, tight }
    }

    fn join(&self, f: &mut fmt::Formatter<'_>, parts: &[Expr], separator: &str, tight: bool) -> fmt::Result {
        for (index, part) in parts.iter().enumerate() {
            let separator = if index == 0 { "" } else { separator };
            // A choice within a choice keeps its parentheses, so that the structure shows.
            let tight = tight || matches!(part, Expr::Choice(_));
            write!(f, "{separator}{}", self.part(part, tight))?;
        }
        Ok(())
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.expr {
            Expr::Symbol(symbol) => f.write_str(self.grammar.symbol_name(*symbol)),
            Expr::Sequence(parts) if parts.is_empty() => f.write_str("()"),
            Expr::Choice(parts) if parts.is_empty() => f.write_str("(nothing)"),
            Expr::Sequence(_) | Expr::Choice(_) if self.tight => {
                write!(f, "({})", self.part(self.expr, false))
            }
            Expr::Sequence(parts) => self.join(f, parts, " ", true),
            Expr::Choice(parts) => self.join(f, parts, " | ", false),
            Expr::Repeat { inner, min, max } => {
                match **inner {
                    Expr::Repeat { .. } => write!(f, "({})", self.part(inner, false))?,
                    _ => write!(f, "{}", self.part(inner, true))?,
                }
                match (min, max) {
                    (0, Some(1)) => f.write_str("?"),
                    (0, None) => f.write_str("*"),
                    (1, None) => f.write_str("+"),
                    (min, Some(max)) if min == max => write!(f, "~{min}"),
                    (min, Some(max)) => write!(f, "~{min}..{max}"),
                    (min, None) => write!(f, "{{{min},}}"),
                }
            }
        }
    }
}
