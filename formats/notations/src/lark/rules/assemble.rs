//! Assembles the grammar from lowered rules: resolves precedence, numbers the terminals, applies the directives about contexts, and embeds
//! grammars.
//!
//! Input: rules with their bodies over terminals in the order of first use. Output: a grammar whose terminals are numbered in the order in
//! which they were written, and all warnings of the front end.

use super::expressions::Expressions;
use crate::embed::{Part, embed, ignore_before, make_ignored_explicit};
use crate::grammar_builder::repeat;
use crate::lark::ast::Name;
use crate::lark::contexts::Directives;
use crate::lark::indenter::Plan;
use crate::lark::layout::Layout;
use crate::lark::lexemes::{Built, Empty, Lexemes};
use crate::lark::options::{Lexer, Options};
use crate::lark::overlaps::overlaps;
use crate::lark::program::{ModuleId, Program};
use crate::lark::references::unused;
use crate::lark::terminals::Terminals;
use crate::lark::{precedence, variants};
use gcc_grammar_ir::{
    Body, Code, ContextRules, Diagnostic, Discipline, Expr, Grammar, Location, NonterminalId, Pattern, Role,
    SameRole, Symbol, TerminalId,
};
use gcc_grammar_json_schema::Report;
use gcc_grammar_regular::RegularLimits;
use std::collections::BTreeSet;

/// A grammar with warnings, and the facts about its rules and terminals that its check needs.
pub(crate) struct Lowered {
    pub(crate) grammar: Grammar,
    pub(crate) warnings: Vec<Diagnostic>,
    /// The coverage of the schemas.
    pub(crate) report: Report,
    /// Whether there are schemas, also in embedded grammars.
    pub(crate) has_schemas: bool,
    locations: Vec<Location>,
    /// The number of rules that are not those of embedded grammars.
    own_rules: usize,
    /// The rules at the deepest level of indentation; none if there is one level only, so that all rules are.
    deepest: Option<Vec<NonterminalId>>,
    /// The rules whose alternatives became alternatives of other rules.
    inlined: BTreeSet<NonterminalId>,
    /// The tokens for indentation, which are expanded once the grammar was checked.
    pub(crate) indenter: Option<Plan>,
}

impl Lowered {
    /// Whether a warning about a rule concerns the author. It does not if lowering has caused the situation: at the deepest level of
    /// indentation a rule may derive nothing, and a rule whose alternatives moved to other rules may be unreachable. Embedded grammars were
    /// checked on their own.
    pub(crate) fn concerns_author(&self, code: Code, rule: NonterminalId) -> bool {
        match code {
            _ if rule.index() >= self.own_rules => false,
            Code::UnproductiveRule => self.deepest.as_ref().is_some_and(|deepest| !deepest.contains(&rule)),
            Code::UnreachableRule => !self.inlined.contains(&rule),
            _ => true,
        }
    }

    /// Where a terminal is defined, or where it is first used if it has no name.
    pub(crate) fn terminal_location(&self, terminal: TerminalId) -> Option<Location> {
        self.locations.get(terminal.index()).cloned()
    }
}

/// Makes the grammar of the rules. `ignored` has the terminals of the `%ignore` directives.
pub(super) fn assemble(
    lowering: Expressions<'_>,
    ignored: Vec<TerminalId>,
    terminals: &Terminals,
    options: &Options<'_>,
) -> Result<Lowered, Vec<Diagnostic>> {
    let (limits, indenter) = (&options.limits, terminals.indenter.as_ref());
    let Expressions { mut table, embedded, written, errors, .. } = lowering;
    if !errors.is_empty() {
        return Err(errors);
    }
    let program = table.program;
    let mut directives = Directives::new(program, &mut table.lexemes, options.lexer);
    let mut warnings = program.warnings.clone();
    warnings.extend(embedded.warnings);
    warnings.extend(unused(program, table.used_definitions()));
    warnings.append(&mut directives.warnings);
    let resolution = precedence::resolve(program, &table.lexemes, &mut table.rules, &written)?;
    warnings.extend(resolution.warnings);
    let mut built = table.lexemes.build()?;
    repeat_texts(program, &table.lexemes, &mut built).map_err(|error| vec![error])?;
    let has_own_lexing = !directives.is_empty() || indenter.is_some();
    let looks_around = !built.followed.is_empty() || !built.preceded.is_empty();
    if !embedded.parts.is_empty() && (has_own_lexing || looks_around) {
        return Err(vec![beside_embedded(program)]);
    }
    if indenter.is_some()
        && let Some((terminal, _)) = built.preceded.first()
    {
        return Err(vec![before_beside_indenter(&built, *terminal)]);
    }
    let mut ignored: Vec<TerminalId> =
        ignored.into_iter().map(|terminal| built.numbers[terminal.index()]).collect();
    ignored.sort_unstable();
    ignored.dedup();
    let no_rules: Vec<TerminalId> =
        directives.never().iter().map(|terminal| built.numbers[terminal.index()]).collect();
    let mut contexts = directives.apply(&mut built, &ignored, limits).map_err(|error| vec![error.into()])?;
    let overlaps =
        overlaps(&built, &contexts.everywhere, &no_rules, limits).map_err(|error| vec![error.into()])?;
    warnings.extend(overlaps);
    let Built { terminals, numbers, empty, mut locations, lazy, followed, preceded } = built;
    contexts.followed = followed;
    for rule in &mut table.rules {
        if let Body::Expr(expr) = &mut rule.body {
            renumber(expr, &numbers, &empty);
        }
    }
    let all = || (0..terminals.len()).map(TerminalId::new);
    contexts.lazy = all().filter(|id| lazy[id.index()]).collect();
    if program.llguidance {
        contexts.together = all().collect();
    }
    let (start, discipline) = (NonterminalId(0), Discipline::LongestMatch);
    let own_rules = table.rules.len();
    let mut grammar = Grammar { terminals, rules: table.rules, start, ignored, discipline, contexts };
    if !program.immediate.is_empty() && !grammar.ignored.is_empty() {
        let find = |name: &Name| table.lexemes.named_or_text(&name.text, None);
        let immediate = program.immediate.iter().filter_map(find).map(|id| numbers[id.index()]);
        ignore_before(&mut grammar, &immediate.collect::<Vec<_>>());
    }
    if options.lexer == Lexer::Dynamic {
        grammar = any_split(grammar, has_own_lexing)?;
    }
    if !preceded.is_empty() {
        grammar = variants::replace(grammar, preceded, &mut locations);
    }
    if program.ignore_once && !grammar.ignored.is_empty() {
        let places: Vec<NonterminalId> = embedded.parts.iter().map(|part| part.place).collect();
        make_ignored_explicit(&mut grammar, &places, Some(1));
    }
    let plan = |names| Plan::new(names, &table.lexemes, &grammar, &numbers, &options.indenter, limits);
    let indenter = indenter.map(plan).transpose().map_err(|error| vec![error])?.flatten();
    let grammar = embed_parts(grammar, embedded.parts, limits)?;
    let one_level = table.layout.is_some_and(Layout::has_one_level);
    let deepest = (!one_level).then_some(table.deepest);
    Ok(Lowered {
        grammar,
        warnings,
        report: embedded.report,
        has_schemas: embedded.has_schemas,
        locations,
        own_rules,
        deepest,
        inlined: resolution.inlined,
        indenter,
    })
}

/// Gives terminals their roles among texts that are repeated.
fn repeat_texts(program: &Program, lexemes: &Lexemes<'_>, built: &mut Built) -> Result<(), Diagnostic> {
    let role = |place| match place {
        0 => SameRole::Remembered,
        1 => SameRole::Repeated,
        _ => SameRole::Forgotten,
    };
    for ((module, nodes), kind) in program.same.iter().zip(0..) {
        if module.index() > 0 && nodes.iter().all(|node| lexemes.find(node, *module).is_none()) {
            continue;
        }
        for (place, node) in nodes.iter().enumerate() {
            let Some(id) = lexemes.find(node, *module) else {
                let error =
                    program.error(Code::UnusedLexeme, "no rule uses this terminal", *module, &node.span);
                return Err(error.help("write it just as rules do, or leave %same out"));
            };
            let pattern = &mut built.terminals[built.numbers[id.index()].index()].pattern;
            if pattern.role().is_some() || !matches!(pattern, Pattern::Regex(_)) {
                let message = "this terminal is in a %same already, or has special tokens";
                let error = program.error(Code::Unbalanced, message, *module, &node.span);
                return Err(error.help("give it a name of its own, and let it match text"));
            }
            *pattern = pattern.clone().with_role(Role::Same(role(place)(kind)));
        }
    }
    Ok(())
}

/// The grammar under any split. There are no lexical contexts, so directives about them are refused.
fn any_split(grammar: Grammar, has_own_lexing: bool) -> Result<Grammar, Vec<Diagnostic>> {
    if has_own_lexing {
        let message = "directives about lexical contexts and tokens of an indenter do not go together with the dynamic lexer";
        let error = Diagnostic::error(Code::BadOption, message);
        return Err(vec![error.help("choose the contextual lexer, or leave them out")]);
    }
    let contexts = ContextRules { followed: grammar.contexts.followed, ..ContextRules::default() };
    Ok(Grammar { discipline: Discipline::AnySplit, contexts, ..grammar })
}

/// The error that a terminal looks at the text before it, in a grammar with the tokens of an indenter.
fn before_beside_indenter(built: &Built, terminal: TerminalId) -> Diagnostic {
    let name = &built.terminals[terminal.index()].name;
    let message =
        format!("what {name} matches depends on the text before it, beside the tokens of an indenter");
    let error = Diagnostic::error(Code::UnsupportedAssertion, message);
    error
        .at(built.locations[terminal.index()].clone())
        .help("let assertions look at the text of the terminal, or at what follows it")
}

fn embed_parts(
    grammar: Grammar,
    parts: Vec<Part>,
    limits: &RegularLimits,
) -> Result<Grammar, Vec<Diagnostic>> {
    if parts.is_empty() {
        return Ok(grammar);
    }
    embed(grammar, parts, limits).map_err(|error| {
        let message = format!("the embedded grammars are too large: {error}");
        vec![Diagnostic::error(Code::TerminalTooLarge, message).help("lower the bounds of their repetitions")]
    })
}

/// The error that directives about contexts stand beside embedded grammars. Embedding makes ignored terminals a part of rules, and a word
/// would be recognized within the texts of schemas, too.
fn beside_embedded(program: &Program) -> Diagnostic {
    let after = program.after.first().map(|after| (after.module, &after.terminal.span));
    let names = program.words.iter().chain(&program.never).chain(&program.verbatim).map(|name| &name.span);
    let place = program.basic.iter().chain(names).next().map(|span| (ModuleId(0), span)).or(after);
    let message = "%basic, %word, %never, %after, %verbatim and assertions about the text around a terminal cannot be used together with embedded grammars";
    let error = match place {
        Some((module, span)) => program.error(Code::DirectiveBesideJson, message, module, span),
        None => Diagnostic::error(Code::DirectiveBesideJson, message),
    };
    error.help("leave the directive out, write a schema as rules, or embed this grammar, too, with %lark")
}

/// Replaces the numbers of terminals by the final ones, and makes the terminals optional that may be empty.
fn renumber(expr: &mut Expr, numbers: &[TerminalId], empty: &[Empty]) {
    expr.replace(&mut |symbol| {
        let Symbol::Terminal(old) = symbol else { return None };
        let id = numbers[old.index()];
        let terminal = Expr::Symbol(Symbol::Terminal(id));
        Some(match empty[id.index()] {
            Empty::Never => terminal,
            Empty::Possible => repeat(terminal, 0, Some(1)),
            Empty::Always => Expr::Sequence(Vec::new()),
        })
    });
}
