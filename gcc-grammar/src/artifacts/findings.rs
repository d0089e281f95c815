//! The analyses of a grammar as a whole: terminals that are never chosen, and the cost of ambiguity.

use crate::text::{number, quote};
use gcc_grammar_compiler::Automata;
use gcc_grammar_compiler::analysis::ambiguity::{self, AmbiguityCost, Extent, Growth, REPETITIONS, Sample};
use gcc_grammar_compiler::analysis::shadowed_followers::{ShadowedFollowers, shadowed_followers};
use gcc_grammar_compiler::analysis::shadowed_terminals::{ShadowedTerminal, shadowed_terminals};
use gcc_grammar_compiler::liveness::Liveness;
use gcc_grammar_ir::{Code, Diagnostic, Discipline, Grammar, TerminalId};
use serde::Serialize;

/// From this expected number of heads on there is a warning.
const MANY_HEADS: f64 = 1.25;
/// From this expected number of extra parser steps a byte on there is a warning, if no growth explains it.
const MANY_STEPS: f64 = 4.0;
/// The bytes or extra parser steps that make a warning even if not all random texts were read.
const ENOUGH: usize = 1_000;

/// The number of terminals that a warning names at most.
const NAMED: usize = 3;
/// The number of terminals of a part of a text that a warning shows at most.
const SHOWN: usize = 20;

/// The findings about a grammar.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Findings {
    /// The cost of ambiguity; none if one parser stack is always enough. A compilation measures growth only.
    pub heads: Option<AmbiguityCost>,
    /// The findings as warnings.
    pub warnings: Vec<Diagnostic>,
    /// Where parser stacks multiply with the text, by names.
    pub growth: Vec<NamedGrowth>,
}

/// A recursion in which every further symbol takes longer, by names: `before left^n middle right^n`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct NamedGrowth {
    /// The rule that derives itself.
    pub rule: String,
    /// The terminals before the repetitions.
    pub before: Vec<String>,
    /// The terminals that repeat.
    pub left: Vec<String>,
    /// The terminals between the repetitions.
    pub middle: Vec<String>,
    /// The terminals that repeat as often after the middle.
    pub right: Vec<String>,
    /// The numbers of repetitions that were tried.
    pub repetitions: Vec<usize>,
    /// The extra parser steps of one symbol, for each number of repetitions.
    pub extra_steps: Vec<usize>,
    /// The degree of the polynomial that the extra steps seem to follow.
    pub degree: u32,
}

impl Findings {
    /// Whether there may be any. The terminals of a schema are made by the front end, and cut a text in one way only.
    pub(crate) fn are_possible(automata: &Automata, is_schema: bool) -> bool {
        !is_schema || automata.decoding().lr.conflicts() > 0
    }

    /// Analyzes a grammar.
    pub(crate) fn new(automata: &Automata, is_schema: bool, extent: Extent) -> Self {
        let heads = ambiguity::measure(automata, extent);
        let mut warnings = if is_schema { Vec::new() } else { about_terminals(automata) };
        let texts = Texts { automata, is_schema };
        warnings.extend(heads.as_ref().and_then(|heads| texts.many_heads(heads)));
        let growth: &[Growth] = heads.as_ref().map_or(&[], |heads| &heads.growth);
        warnings.extend(growth.iter().map(|growth| texts.warning(growth)));
        let growth = growth.iter().map(|growth| texts.named(growth)).collect();
        Self { heads, warnings, growth }
    }

    /// The cost of ambiguity in a few words, as far as it was measured; none if one head was enough.
    #[must_use]
    pub fn heads_text(&self) -> Option<String> {
        let AmbiguityCost { sample, growth, tried_all } = self.heads.as_ref()?;
        let has_one = |sample: &Sample| sample.most_heads == 1 && sample.is_whole;
        if growth.is_empty() && *tried_all && sample.as_ref().is_none_or(has_one) {
            return None;
        }
        let measured = sample.as_ref().map(measured_text);
        let grows = (!growth.is_empty()).then(|| "growing with the text".to_owned());
        let untried = (!tried_all).then(|| "not all recursions were tried".to_owned());
        let parts: Vec<String> = [measured, grows, untried].into_iter().flatten().collect();
        Some(parts.join(", "))
    }
}

/// What random texts took.
fn measured_text(sample: &Sample) -> String {
    let Sample { symbols, is_whole, mean_heads, most_heads, mean_extra_steps, .. } = sample;
    let most = number(*most_heads as u64);
    let read = if *is_whole { String::new() } else { format!(", in {} bytes", number(*symbols as u64)) };
    format!("{mean_heads:.2} expected, {most} at most; {mean_extra_steps:.2} extra parser steps a byte{read}")
}

/// Whether enough random texts take enough heads for a warning.
fn has_many_heads(sample: &Sample) -> bool {
    sample.mean_heads >= MANY_HEADS && (sample.is_whole || sample.symbols >= ENOUGH)
}

/// Whether random texts take enough steps for a warning.
fn has_many_steps(sample: &Sample) -> bool {
    let steps = sample.mean_extra_steps * sample.symbols as f64;
    sample.mean_extra_steps >= MANY_STEPS && (sample.is_whole || steps >= ENOUGH as f64)
}

/// Warns that a token may lead into a dead end, if it is not known that none does.
pub(crate) fn uncertified(liveness: &Liveness) -> Option<Diagnostic> {
    let Liveness::NotCertified(reason) = liveness else { return None };
    let message = format!("a token that is allowed may lead into a dead end: {reason}");
    let help = "no token is missing from a mask, but after some it may be impossible to complete the text";
    Some(Diagnostic::warning(Code::UncertifiedLiveness, message).help(help))
}

/// Warns of terminals that never win under longest match, and of terminals that shadow their followers.
fn about_terminals(automata: &Automata) -> Vec<Diagnostic> {
    let shadowed = shadowed_terminals(&automata.grammar, &automata.lr);
    let shadowed = shadowed.iter().map(|found| never_chosen(found, &automata.grammar));
    let followers = shadowed_followers(automata);
    shadowed.chain(followers.iter().map(|found| never_follows(found, &automata.grammar))).collect()
}

fn name(grammar: &Grammar, terminal: TerminalId) -> &str {
    &grammar.terminals[terminal.index()].name
}

fn never_follows(found: &ShadowedFollowers, grammar: &Grammar) -> Diagnostic {
    let mut others: Vec<&str> = found.followers.iter().take(NAMED).map(|&id| name(grammar, id)).collect();
    let more = format!("{} more", number((found.followers.len() - others.len()) as u64));
    if found.followers.len() > NAMED {
        others.push(&more);
    }
    let terminal = name(grammar, found.terminal);
    let message = format!(
        "after {terminal} there is never {}: the longest match goes on over what it begins with",
        others.join(", ")
    );
    let help = "let something stand between them, such as white space that is ignored, or let the first one end earlier";
    Diagnostic::warning(Code::ShadowedFollower, message).help(help)
}

fn never_chosen(found: &ShadowedTerminal, grammar: &Grammar) -> Diagnostic {
    let message = format!(
        "the terminal {} is never chosen: {} matches the same and wins",
        name(grammar, found.terminal),
        name(grammar, found.by)
    );
    let help = "give it a higher priority, as in NAME.1, or take its texts out of the other one";
    Diagnostic::warning(Code::ShadowedTerminal, message).help(help)
}

/// Texts by the names of their terminals.
struct Texts<'a> {
    automata: &'a Automata,
    is_schema: bool,
}

impl Texts<'_> {
    fn many_heads(&self, AmbiguityCost { sample, growth, .. }: &AmbiguityCost) -> Option<Diagnostic> {
        let sample = sample.as_ref()?;
        let has_many_steps = growth.is_empty() && has_many_steps(sample);
        if !has_many_steps && !has_many_heads(sample) {
            return None;
        }
        let (expected, most) = (sample.mean_heads, number(sample.most_heads as u64));
        let mut message = format!(
            "this grammar takes about {expected:.1} heads at run time, and {most} at most in random texts"
        );
        if has_many_steps {
            let (mean, most) = (sample.mean_extra_steps, number(sample.most_extra_steps as u64));
            message += &format!("; a byte takes about {mean:.0} extra parser steps, and {most} at most");
        }
        if let Some(text) = &sample.costliest {
            message += &format!(", as in {}", quote(text));
        }
        let help = format!("each head is a way to read the text, and a mask to unite; {}", self.advice());
        Some(Diagnostic::warning(Code::ManyHeads, message).help(help))
    }

    /// How the grammar may decide more.
    fn advice(&self) -> &'static str {
        if self.is_schema {
            return "let alternatives differ as early as possible, for instance by a first property with a `const`";
        }
        match self.automata.grammar.discipline {
            Discipline::LongestMatch => {
                "let the grammar say which reading is meant, for instance by %left and %right in Lark grammars, or by one rule per level of precedence (`gcc-grammar check --conflicts` shows where readings part)"
            }
            Discipline::AnySplit => {
                "let the grammar say where each part ends, for instance by a character that cannot be in it, and which reading is meant (`gcc-grammar check --conflicts` shows where they part)"
            }
        }
    }

    fn warning(&self, growth: &Growth) -> Diagnostic {
        let name = self.automata.rule_name(growth.recursion.rule);
        let and = |numbers: &[usize]| match numbers {
            [first @ .., last] => {
                let first: Vec<String> = first.iter().map(|&n| number(n as u64)).collect();
                format!("{} and {}", first.join(", "), number(*last as u64))
            }
            [] => String::new(),
        };
        let message = format!(
            "parser stacks multiply in {name}: on {}, a byte takes {} extra parser steps for n = {}",
            self.text(growth),
            and(&growth.extra_steps),
            and(&REPETITIONS[..growth.extra_steps.len()])
        );
        let warning = Diagnostic::warning(Code::GrowingHeads, message).help(self.advice());
        match self.automata.rule(growth.recursion.rule).and_then(|rule| rule.location.as_ref()) {
            Some(location) => warning.at(location.clone()),
            None => warning,
        }
    }

    fn named(&self, growth: &Growth) -> NamedGrowth {
        let names = |terminals: &[TerminalId]| terminals.iter().map(|&t| self.name(t).to_owned()).collect();
        NamedGrowth {
            rule: self.automata.rule_name(growth.recursion.rule).to_owned(),
            before: names(&growth.recursion.before),
            left: names(&growth.recursion.left),
            middle: names(&growth.recursion.middle),
            right: names(&growth.recursion.right),
            repetitions: REPETITIONS[..growth.extra_steps.len()].to_vec(),
            extra_steps: growth.extra_steps.clone(),
            degree: growth.degree(),
        }
    }

    fn text(&self, growth: &Growth) -> String {
        let repeated = |terminals: &[TerminalId]| {
            if terminals.is_empty() { Vec::new() } else { vec![format!("({})^n", self.list(terminals))] }
        };
        let once = |terminals: &[TerminalId]| {
            if terminals.is_empty() { Vec::new() } else { vec![self.list(terminals)] }
        };
        let parts: [Vec<String>; 4] = [
            once(&growth.recursion.before),
            repeated(&growth.recursion.left),
            once(&growth.recursion.middle),
            repeated(&growth.recursion.right),
        ];
        parts.concat().join(" ")
    }

    fn list(&self, terminals: &[TerminalId]) -> String {
        let shown = terminals.iter().take(SHOWN).map(|&terminal| self.name(terminal));
        let list = shown.collect::<Vec<_>>().join(" ");
        match terminals.len().saturating_sub(SHOWN) {
            0 => list,
            more => format!("{list} \u{2026} ({} more)", number(more as u64)),
        }
    }

    fn name(&self, terminal: TerminalId) -> &str {
        self.automata.terminal_name(terminal)
    }
}
