//! What every grammar must satisfy, whichever front end made it.
//!
//! After a check without errors: all ids are defined, no terminal matches the empty string, the start rule derives some
//! text, and no rule derives itself alone. Rules that derive nothing, or that the start rule does not reach, are
//! warnings; the compiler drops them.

use crate::Code;
use crate::{
    Body, Diagnostic, Expr, Grammar, Location, NonterminalId, Pattern, Rule, Symbol, SymbolDfa, TerminalId,
};
use gcc_grammar_regular::Regex;

/// Errors and warnings about a grammar. `terminal_location` says where a terminal was written, if anywhere.
pub fn check(
    grammar: &Grammar,
    terminal_location: impl Fn(TerminalId) -> Option<Location>,
) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    check_filtered(grammar, terminal_location, |_, _| true)
}

/// The same without the warnings about rules for which `reports` is false: a front end that makes rules of its own may know the reason of
/// a warning about one of them.
pub fn check_filtered(
    grammar: &Grammar,
    terminal_location: impl Fn(TerminalId) -> Option<Location>,
    reports: impl Fn(Code, NonterminalId) -> bool,
) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let undefined = undefined_ids(grammar);
    if !undefined.is_empty() {
        return (undefined, Vec::new());
    }
    let mut errors = Vec::new();
    let mut warnings = Vec::new();
    for (index, terminal) in grammar.terminals.iter().enumerate() {
        let Pattern::Regex(regex) = &terminal.pattern else { continue };
        let location = terminal_location(TerminalId::new(index));
        if regex.matches_empty() {
            errors.push(located(empty_terminal(&terminal.name), location));
        } else if matches_nothing(&terminal.pattern) {
            let message = format!("the terminal {} matches nothing", terminal.name);
            warnings.push(located(Diagnostic::warning(Code::UnmatchableTerminal, message), location));
        }
    }
    let productive = productive(grammar);
    let reachable = reachable(grammar);
    for (index, rule) in grammar.rules.iter().enumerate() {
        let reported = |code| reports(code, NonterminalId::new(index));
        if grammar.start.index() == index && !productive[index] {
            let message = format!("the start rule `{}` derives no text", rule.name);
            let help = "give every recursion a way to end, and check that its terminals can match";
            errors.push(located(Diagnostic::error(Code::NoText, message).help(help), rule.location.clone()));
        } else if !productive[index] {
            if !reported(Code::UnproductiveRule) {
                continue;
            }
            let message = format!("the rule `{}` derives no text", rule.name);
            let help = "give its recursion a way to end, or remove it";
            warnings.push(located(
                Diagnostic::warning(Code::UnproductiveRule, message).help(help),
                rule.location.clone(),
            ));
        } else if !reachable[index] && reported(Code::UnreachableRule) {
            let message = format!("the rule `{}` is never reached from the start rule", rule.name);
            warnings
                .push(located(Diagnostic::warning(Code::UnreachableRule, message), rule.location.clone()));
        }
    }
    errors.extend(cyclic_rules(grammar));
    (errors, warnings)
}

fn located(diagnostic: Diagnostic, location: Option<Location>) -> Diagnostic {
    Diagnostic { location, ..diagnostic }
}

fn empty_terminal(name: &str) -> Diagnostic {
    Diagnostic::error(Code::EmptyTerminal, format!("the terminal {name} matches the empty string"))
        .help("let it match at least one character, and make its uses optional instead, as in `X?`")
}

/// Errors for ids without a definition. Front ends that resolve names never make them.
fn undefined_ids(grammar: &Grammar) -> Vec<Diagnostic> {
    let error = |what: &str, index: usize, rule: Option<&Rule>| {
        let place = rule.map_or(String::new(), |rule| format!(" in the rule `{}`", rule.name));
        let message = format!("{what} {index} is used{place} but does not exist");
        located(
            Diagnostic::error(Code::UndefinedSymbol, message),
            rule.and_then(|rule| rule.location.clone()),
        )
    };
    let mut errors = Vec::new();
    if grammar.start.index() >= grammar.rules.len() {
        errors.push(error("nonterminal", grammar.start.index(), None));
    }
    let after = grammar.contexts.after.iter().flat_map(|after| after.lexemes.iter().chain([&after.terminal]));
    let outside_of_rules = grammar.ignored.iter().chain(&grammar.contexts.everywhere).chain(after);
    let outside_of_rules = outside_of_rules.chain(&grammar.contexts.verbatim);
    let ignored = outside_of_rules.filter(|terminal| terminal.index() >= grammar.terminals.len());
    errors.extend(ignored.map(|terminal| error("terminal", terminal.index(), None)));
    for rule in &grammar.rules {
        for_each_symbol(&rule.body, &mut |symbol| match symbol {
            Symbol::Terminal(id) if id.index() >= grammar.terminals.len() => {
                errors.push(error("terminal", id.index(), Some(rule)));
            }
            Symbol::Nonterminal(id) if id.index() >= grammar.rules.len() => {
                errors.push(error("nonterminal", id.index(), Some(rule)));
            }
            _ => {}
        });
        if let Body::Automaton(automaton) = &rule.body {
            let targets =
                automaton.states.iter().flat_map(|state| &state.transitions).map(|&(_, target)| target);
            let missing = targets.filter(|&target| target as usize >= automaton.states.len());
            errors.extend(missing.map(|target| error("state", target as usize, Some(rule))));
            if automaton.states.is_empty() {
                errors.push(error("state", 0, Some(rule)));
            }
        }
    }
    errors
}

/// Calls `visit` with the symbols of a right part, several times if they stand there so.
pub fn for_each_symbol(body: &Body, visit: &mut impl FnMut(Symbol)) {
    match body {
        Body::Expr(expr) => for_each_in_expr(expr, visit),
        Body::Automaton(automaton) => {
            automaton
                .states
                .iter()
                .flat_map(|state| &state.transitions)
                .for_each(|&(symbol, _)| visit(symbol));
        }
    }
}

/// The same for an expression.
pub fn for_each_in_expr(expr: &Expr, visit: &mut impl FnMut(Symbol)) {
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        match expr {
            Expr::Symbol(symbol) => visit(*symbol),
            Expr::Sequence(parts) | Expr::Choice(parts) => open.extend(parts),
            Expr::Repeat { inner, .. } => open.push(inner),
        }
    }
}

/// Known to match nothing; expressions that would have to be compiled to know count as matching something.
fn matches_nothing(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Regex(Regex::Automaton(dfa)) => dfa.is_empty(),
        Pattern::Regex(Regex::Union(alternatives)) => alternatives.is_empty(),
        Pattern::Regex(_) => false,
        Pattern::Token(selectors) => selectors.is_empty(),
    }
}

/// Can the body be passed through using only symbols that `passes` lets through?
fn passable(body: &Body, passes: &impl Fn(Symbol) -> bool) -> bool {
    match body {
        Body::Expr(expr) => expr_passable(expr, passes),
        Body::Automaton(automaton) => {
            let reached = forward(automaton, passes, vec![0]);
            automaton.states.iter().zip(reached).any(|(state, reached)| reached && state.accepting)
        }
    }
}

fn expr_passable(expr: &Expr, passes: &impl Fn(Symbol) -> bool) -> bool {
    match expr {
        Expr::Symbol(symbol) => passes(*symbol),
        Expr::Sequence(parts) => parts.iter().all(|part| expr_passable(part, passes)),
        Expr::Choice(parts) => parts.iter().any(|part| expr_passable(part, passes)),
        Expr::Repeat { inner, min, max } => {
            max.is_none_or(|max| *min <= max) && (*min == 0 || expr_passable(inner, passes))
        }
    }
}

/// The states reached from `from` over symbols that `passes` lets through.
fn forward(automaton: &SymbolDfa, passes: &impl Fn(Symbol) -> bool, from: Vec<u32>) -> Vec<bool> {
    let mut reached = vec![false; automaton.states.len()];
    let mut open = from;
    while let Some(state) = open.pop() {
        if !std::mem::replace(&mut reached[state as usize], true) {
            let transitions = automaton.states[state as usize].transitions.iter();
            open.extend(transitions.filter(|(symbol, _)| passes(*symbol)).map(|&(_, target)| target));
        }
    }
    reached
}

/// The least set of rules whose body passes over members of the set and symbols for which `base` holds.
fn least_rules(rules: &[Rule], base: impl Fn(TerminalId) -> bool) -> Vec<bool> {
    let mut users: Vec<Vec<NonterminalId>> = vec![Vec::new(); rules.len()];
    for (index, rule) in rules.iter().enumerate() {
        for_each_symbol(&rule.body, &mut |symbol| {
            if let Symbol::Nonterminal(used) = symbol {
                users[used.index()].push(NonterminalId::new(index));
            }
        });
    }
    let mut member = vec![false; rules.len()];
    let mut open: Vec<NonterminalId> = (0..rules.len()).map(NonterminalId::new).collect();
    while let Some(id) = open.pop() {
        let passes = |symbol| match symbol {
            Symbol::Terminal(terminal) => base(terminal),
            Symbol::Nonterminal(nonterminal) => member[nonterminal.index()],
        };
        if !member[id.index()] && passable(&rules[id.index()].body, &passes) {
            member[id.index()] = true;
            open.append(&mut users[id.index()]);
        }
    }
    member
}

/// Which rules derive some text.
fn productive(grammar: &Grammar) -> Vec<bool> {
    least_rules(&grammar.rules, |terminal| !matches_nothing(&grammar.terminals[terminal.index()].pattern))
}

/// Which rules derive the empty text.
pub fn nullable(rules: &[Rule]) -> Vec<bool> {
    least_rules(rules, |_| false)
}

/// Which rules the start rule uses, directly or not.
fn reachable(grammar: &Grammar) -> Vec<bool> {
    let mut reached = vec![false; grammar.rules.len()];
    let mut open = vec![grammar.start];
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut reached[id.index()], true) {
            continue;
        }
        for_each_symbol(&grammar.rules[id.index()].body, &mut |symbol| {
            if let Symbol::Nonterminal(used) = symbol {
                open.push(used);
            }
        });
    }
    reached
}

/// Errors for rules that derive themselves and nothing else: such a derivation can be repeated without end.
fn cyclic_rules(grammar: &Grammar) -> Vec<Diagnostic> {
    let nullable = nullable(&grammar.rules);
    let alone: Vec<Vec<NonterminalId>> =
        grammar.rules.iter().map(|rule| alone(&rule.body, &nullable)).collect();
    cycles(&alone).into_iter().map(|cycle| cyclic_rule(grammar, &cycle)).collect()
}

fn cyclic_rule(grammar: &Grammar, cycle: &[NonterminalId]) -> Diagnostic {
    let rule = &grammar.rules[cycle[0].index()];
    let names = cycle.iter().chain(&cycle[..1]).map(|id| format!("`{}`", grammar.rules[id.index()].name));
    let message = format!(
        "the rule `{}` derives itself and nothing else: {}",
        rule.name,
        names.collect::<Vec<_>>().join(" → ")
    );
    let help = "remove the alternative that leads back, or make what surrounds it match something";
    located(Diagnostic::error(Code::CyclicRule, message).help(help), rule.location.clone())
}

/// The nonterminals that the body can derive alone, all else becoming empty.
fn alone(body: &Body, nullable: &[bool]) -> Vec<NonterminalId> {
    let vanishes = |symbol| matches!(symbol, Symbol::Nonterminal(id) if nullable[id.index()]);
    let mut found = Vec::new();
    match body {
        Body::Expr(expr) => alone_in_expr(expr, &vanishes, &mut found),
        Body::Automaton(automaton) => alone_in_automaton(automaton, &vanishes, &mut found),
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn alone_in_expr(expr: &Expr, vanishes: &impl Fn(Symbol) -> bool, found: &mut Vec<NonterminalId>) {
    match expr {
        Expr::Symbol(Symbol::Nonterminal(id)) => found.push(*id),
        Expr::Symbol(Symbol::Terminal(_)) => {}
        Expr::Choice(parts) => parts.iter().for_each(|part| alone_in_expr(part, vanishes, found)),
        Expr::Sequence(parts) => {
            let solid: Vec<usize> =
                (0..parts.len()).filter(|&at| !expr_passable(&parts[at], vanishes)).collect();
            match solid[..] {
                [] => parts.iter().for_each(|part| alone_in_expr(part, vanishes, found)),
                [only] => alone_in_expr(&parts[only], vanishes, found),
                _ => {}
            }
        }
        Expr::Repeat { inner, min, max } => {
            if *max != Some(0) && (*min <= 1 || expr_passable(inner, vanishes)) {
                alone_in_expr(inner, vanishes, found);
            }
        }
    }
}

fn alone_in_automaton(
    automaton: &SymbolDfa,
    vanishes: &impl Fn(Symbol) -> bool,
    found: &mut Vec<NonterminalId>,
) {
    let before = forward(automaton, vanishes, vec![0]);
    for (state, _) in automaton.states.iter().zip(before).filter(|(_, reached)| *reached) {
        for &(symbol, target) in &state.transitions {
            let Symbol::Nonterminal(id) = symbol else { continue };
            let after = forward(automaton, vanishes, vec![target]);
            if automaton.states.iter().zip(after).any(|(state, reached)| reached && state.accepting) {
                found.push(id);
            }
        }
    }
}

/// Some cycles of the graph, at least one if there is any; depth-first search with an explicit stack.
fn cycles(edges: &[Vec<NonterminalId>]) -> Vec<Vec<NonterminalId>> {
    let mut done = vec![false; edges.len()];
    let mut place_on_path = vec![None; edges.len()];
    let mut cycles = Vec::new();
    for root in (0..edges.len()).map(NonterminalId::new) {
        let mut path: Vec<(NonterminalId, usize)> = Vec::new();
        let mut enter = (!done[root.index()]).then_some(root);
        loop {
            if let Some(id) = enter.take() {
                place_on_path[id.index()] = Some(path.len());
                done[id.index()] = true;
                path.push((id, 0));
            }
            let Some((id, next)) = path.last_mut() else { break };
            match edges[id.index()].get(*next) {
                None => {
                    place_on_path[id.index()] = None;
                    path.pop();
                }
                Some(&target) => {
                    *next += 1;
                    if let Some(start) = place_on_path[target.index()] {
                        cycles.push(path[start..].iter().map(|&(id, _)| id).collect());
                    } else if !done[target.index()] {
                        enter = Some(target);
                    }
                }
            }
        }
    }
    cycles
}
