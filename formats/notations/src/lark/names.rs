//! Checks the uses of names: that every name is defined, and that rules, terminals and templates are used as such.
//!
//! Input: a loaded program. After a check without errors, every later pass finds the definition of every name, terminals use terminals only,
//! templates get as many arguments as they have parameters, and the bounds of repetitions fit.

use super::ast::{Alternative, Name, Node, NodeKind, Precedence};
use super::layout::Indented;
use super::parameters::{Condition, Value};
use super::program::{After, Clause, Defined, Enclose, Layout, ModuleId, OneLexeme, Program};
use super::references::indented_terminals;
use super::token::Span;
use gcc_grammar_ir::spelling::MOST_GUESSES;
use gcc_grammar_ir::{Code, Diagnostic};

/// Checks the names in all definitions and directives.
pub(super) fn check_names(program: &Program) -> Result<(), Vec<Diagnostic>> {
    let indented = indented_terminals(program);
    let mut checker = NameChecker {
        program,
        errors: Vec::new(),
        in_terminal: false,
        parameters: &[],
        parametric: false,
        indented,
    };
    for defined in &program.definitions {
        checker.in_terminal = defined.is_terminal();
        checker.parameters = &defined.parameters;
        checker.parametric = defined.parametric;
        checker.head(defined);
        checker.clauses(&defined.clauses);
        if let Some(OneLexeme { suffix: Some(suffix), .. }) = &defined.lexeme {
            checker.node(suffix, defined.module);
        }
    }
    (checker.in_terminal, checker.parameters, checker.parametric) = (true, &[], false);
    program.ignored.iter().for_each(|ignored| checker.clauses(&ignored.clauses));
    let of_modes = program.modes.iter().flat_map(|mode| [&mode.terminals, &mode.behind]);
    let named = [&program.contextual, &program.words, &program.never, &program.verbatim];
    let named = named.into_iter().chain(of_modes);
    for Name { text, span } in named.flatten() {
        checker.lexeme(text, (ModuleId(0), span));
    }
    for After { module, lexemes, terminal } in &program.after {
        for node in lexemes.iter().chain([terminal]) {
            if let NodeKind::Name(name) = &node.kind {
                checker.lexeme(name, (*module, &node.span));
            }
        }
    }
    for (module, Precedence { operators, .. }) in &program.precedences {
        operators.iter().for_each(|node| checker.operator(node, *module));
    }
    if let Some(Layout { module, newline, indent, .. }) = &program.layout {
        if let Some(newline) = newline {
            checker.lexeme(&newline.text, (*module, &newline.span));
        }
        checker.lexeme(&indent.text, (*module, &indent.span));
    }
    let enclose =
        program.enclose.iter().flat_map(|Enclose { module, open, close }| [(module, open), (module, close)]);
    let same = program.same.iter().flat_map(|(module, nodes)| nodes.iter().map(move |node| (module, node)));
    for (module, node) in enclose.chain(same) {
        if let NodeKind::Name(name) = &node.kind {
            checker.lexeme(name, (*module, &node.span));
        }
    }
    if checker.errors.is_empty() { Ok(()) } else { Err(checker.errors) }
}

/// A place in a file.
type Place<'s> = (ModuleId, &'s Span);

/// A part of a definition that is still to be checked.
enum Part<'p> {
    Alternative(&'p Alternative),
    /// An alternative of a group.
    Inner(&'p Alternative),
    Condition(&'p Name),
    Node(&'p Node),
}

struct NameChecker<'p> {
    program: &'p Program,
    errors: Vec<Diagnostic>,
    in_terminal: bool,
    parameters: &'p [Name],
    /// Whether the rule has a number as its parameter.
    parametric: bool,
    /// Per definition, whether it is a terminal that uses the indentation.
    indented: Vec<bool>,
}

impl<'p> NameChecker<'p> {
    fn error(&mut self, code: Code, message: &str, at: Place<'_>, help: &str) {
        let error = self.program.error(code, message, at.0, at.1);
        self.errors.push(if help.is_empty() { error } else { error.help(help) });
    }

    fn head(&mut self, defined: &'p Defined) {
        let Defined { name, module, parameters, priority, .. } = defined;
        if defined.is_terminal() && (!parameters.is_empty() || defined.parametric) {
            let help = "write the template as a rule, with a lower-case name";
            self.error(
                Code::TerminalTemplate,
                "a terminal cannot have parameters",
                (*module, &name.span),
                help,
            );
        }
        if priority.is_some_and(|priority| i32::try_from(priority).is_err()) {
            self.error(
                Code::BadNumber,
                "this priority is out of range",
                (*module, &name.span),
                "use a 32-bit integer",
            );
        }
    }

    fn clauses(&mut self, clauses: &'p [Clause]) {
        for Clause { module, alternative } in clauses {
            if self.in_terminal {
                self.without_precedence(alternative, *module);
            }
            self.alternative(alternative, *module);
        }
    }

    /// Reports `%prec`, which concerns whole alternatives of rules.
    fn without_precedence(&mut self, alternative: &'p Alternative, module: ModuleId) {
        if let Some(node) = &alternative.precedence {
            let message =
                "%prec stands at the end of an alternative of a rule, not within it and not in terminals";
            let help = "move the alternative to a rule of its own, or write the alternatives out";
            self.error(Code::BadPrecedence, message, (module, &node.span), help);
        }
    }

    /// Checks an operand of `%left`, `%right` or `%nonassoc`: a terminal, or a name that `%prec` uses.
    fn operator(&mut self, node: &'p Node, module: ModuleId) {
        let NodeKind::Name(name) = &node.kind else { return };
        let own = self.program.definitions.iter().filter(|defined| defined.module == module);
        let mut named = own
            .flat_map(|defined| &defined.clauses)
            .filter_map(|clause| clause.alternative.precedence.as_ref());
        let has_name = |other: &Node| matches!(&other.kind, NodeKind::Name(other) if other == name);
        if self.program.find(module, name).is_some() || !named.any(has_name) {
            self.lexeme(name, (module, &node.span));
        }
    }

    fn alternative(&mut self, alternative: &'p Alternative, module: ModuleId) {
        self.visit(Part::Alternative(alternative), module);
    }

    fn node(&mut self, node: &'p Node, module: ModuleId) {
        self.visit(Part::Node(node), module);
    }

    /// Checks a part with all that is within it, each before what is within it and behind it.
    fn visit(&mut self, part: Part<'p>, module: ModuleId) {
        let mut open = vec![part];
        while let Some(part) = open.pop() {
            match part {
                Part::Alternative(alternative) => {
                    self.conjuncts(alternative, module);
                    open.extend(alternative.condition.as_ref().map(Part::Condition));
                    open.extend(alternative.conjuncts.iter().flatten().rev().map(Part::Node));
                }
                Part::Inner(alternative) => {
                    self.without_precedence(alternative, module);
                    open.push(Part::Alternative(alternative));
                }
                Part::Condition(condition) => self.condition(condition, module),
                Part::Node(node) => self.own(node, module, &mut open),
            }
        }
    }

    fn conjuncts(&mut self, alternative: &'p Alternative, module: ModuleId) {
        if let (true, Some(node)) = (
            alternative.conjuncts.len() > 1 && !self.in_terminal,
            alternative.conjuncts.iter().flatten().next(),
        ) {
            self.only_in_terminals("`&`", (module, &node.span));
        }
    }

    fn condition(&mut self, Name { text, span }: &'p Name, module: ModuleId) {
        match Condition::parse(text) {
            Err(message) => self.bad_parameter(&message, (module, span)),
            Ok(_) if !self.parametric => self.no_parameter((module, span)),
            Ok(_) => {}
        }
    }

    /// A rule with a value of its parameter.
    fn parametric(&mut self, name: &str, value: &'p Name, at: Place<'_>) {
        match Value::parse(&value.text) {
            Err(message) => self.bad_parameter(&message, (at.0, &value.span)),
            Ok(value_of) if value_of.needs_parameter() && !self.parametric => {
                self.no_parameter((at.0, &value.span));
            }
            Ok(_) => {}
        }
        match self.program.find(at.0, name) {
            None => self.undefined(name, at),
            Some(id) if !self.program.definitions[id.index()].parametric => {
                let message = format!("the rule `{name}` has no parameter");
                let help = format!("define it as in `{name}::_: …`, or leave the parameter out");
                self.error(Code::BadParameter, &message, at, &help);
            }
            Some(_) => {}
        }
    }

    fn bad_parameter(&mut self, message: &str, at: Place<'_>) {
        let help = "write it as in `a::incr(_)`, `a::0x3` or `%if lt(_, 20)`";
        self.error(Code::BadParameter, message, at, help);
    }

    fn no_parameter(&mut self, at: Place<'_>) {
        let message = "this rule has no parameter that the expression could be about";
        let help = "define the rule as in `name::_: …`, or write a number, as in `name::0x3`";
        self.error(Code::BadParameter, message, at, help);
    }

    fn only_in_terminals(&mut self, operator: &str, at: Place<'_>) {
        let message = format!("{operator} works on regular expressions, so it is possible in terminals only");
        self.error(
            Code::OnlyInTerminals,
            &message,
            at,
            "define a terminal, with an upper-case name, and use that",
        );
    }

    /// Checks a node, and adds what is within it to what is still to be checked.
    fn own(&mut self, node: &'p Node, module: ModuleId, open: &mut Vec<Part<'p>>) {
        let at = (module, &node.span);
        match &node.kind {
            NodeKind::Name(name) => self.name(name, None, at),
            NodeKind::Template { name, arguments } => {
                self.name(name, Some(arguments.len()), at);
                open.extend(arguments.iter().rev().map(Part::Node));
            }
            NodeKind::Range(low, high) => self.range(low, high, at),
            NodeKind::Group(alternatives) => open.extend(alternatives.iter().rev().map(Part::Inner)),
            NodeKind::Repeat { inner, min, max } => {
                self.bounds(*min, *max, at);
                open.push(Part::Node(inner));
            }
            NodeKind::Lazy(inner) => open.push(Part::Node(inner)),
            NodeKind::Not(inner) => {
                if !self.in_terminal {
                    self.only_in_terminals("`~`", at);
                }
                open.push(Part::Node(inner));
            }
            NodeKind::Parametric { name, value } => self.parametric(name, value, at),
            NodeKind::Text { .. }
            | NodeKind::Pattern { .. }
            | NodeKind::Special(_)
            | NodeKind::Structured(_)
            | NodeKind::Json { .. }
            | NodeKind::Lark { .. }
            | NodeKind::Language { .. } => {}
        }
    }

    fn bounds(&mut self, min: i64, max: Option<i64>, at: Place<'_>) {
        if max.is_some_and(|max| max < min) {
            let help = "write the smaller number first";
            self.error(Code::BadRepetition, "the second bound is less than the first", at, help);
        }
        if u32::try_from(min).is_err() || max.is_some_and(|max| u32::try_from(max).is_err()) {
            self.error(Code::BadNumber, "this bound is out of range", at, "");
        }
    }

    fn range(&mut self, low: &str, high: &str, at: Place<'_>) {
        let single = low.chars().count() == 1 && high.chars().count() == 1;
        if !single || low.chars().next() > high.chars().next() {
            let help = "write it as in \"a\"..\"z\"";
            self.error(Code::BadRange, "a range goes from one character to a later one", at, help);
        }
    }

    fn name(&mut self, name: &str, arguments: Option<usize>, at: Place<'_>) {
        if self.parameters.iter().any(|parameter| parameter.text == name) {
            if arguments.is_some() {
                self.error(Code::BadTemplate, "a parameter cannot have arguments", at, "");
            }
            return;
        }
        let Some(id) = self.program.find(at.0, name) else {
            if !(Indented::named(name).is_some() && arguments == Some(1) && self.program.layout.is_some()) {
                self.undefined(name, at);
            }
            return;
        };
        let defined = &self.program.definitions[id.index()];
        let wanted = defined.parameters.len();
        if self.in_terminal && !defined.is_terminal() {
            let message = format!("a terminal cannot use the rule `{name}`");
            self.error(
                Code::RuleInTerminal,
                &message,
                at,
                "make the terminal a rule, or the rule a terminal",
            );
        } else if defined.parametric {
            let message = format!("the rule `{name}` takes a parameter");
            let help = format!("write it as in `{name}::0`, or `{name}::_` for the same parameter");
            self.error(Code::BadParameter, &message, at, &help);
        } else if arguments.unwrap_or(0) != wanted {
            let message =
                format!("`{name}` takes {wanted} arguments and is given {}", arguments.unwrap_or(0));
            self.error(Code::BadTemplate, &message, at, "");
        }
    }

    /// Checks a name in a directive about one terminal.
    fn lexeme(&mut self, name: &str, at: Place<'_>) {
        match self.program.find(at.0, name) {
            None => self.undefined(name, at),
            Some(id) if self.indented[id.index()] => {
                let message =
                    format!("`{name}` uses the indentation, and this directive is about one terminal");
                let help = "such a terminal is made once per level; name a terminal without indentation";
                self.error(Code::IndentedLexeme, &message, at, help);
            }
            Some(id) if self.program.definitions[id.index()].is_terminal() => {}
            Some(_) => {
                let message = format!("`{name}` is a rule, and this directive is about terminals");
                self.error(Code::RuleAsLexeme, &message, at, "name its terminals one by one");
            }
        }
    }

    fn undefined(&mut self, name: &str, at: Place<'_>) {
        let may_guess = self.errors.len() < MOST_GUESSES;
        let help = match may_guess.then(|| self.program.similar(at.0, name)).flatten() {
            _ if is_range(name) => format!("a set of characters is a regular expression: write `/[{name}]/`"),
            Some(similar) => format!("did you mean `{similar}`?"),
            None if is_flags(name) => {
                "define it; if it stands behind a regular expression, the flags there are i, m, s, u and x"
                    .to_owned()
            }
            None if name.bytes().all(|byte| !byte.is_ascii_lowercase()) => {
                format!("define it, or import it as in `%import common.{name}`")
            }
            None => "define it".to_string(),
        };
        self.error(Code::UndefinedName, &format!("`{name}` is not defined"), at, &help);
    }
}

/// Whether a name is a range of characters that stands outside of slashes, as in `[a-z]`.
fn is_range(name: &str) -> bool {
    matches!(name.as_bytes(), [low, b'-', high] if low < high)
}

/// Whether a name may be the flags of a regular expression in JavaScript.
fn is_flags(name: &str) -> bool {
    name.len() <= 3 && name.bytes().all(|byte| b"dgimsuvy".contains(&byte))
}
