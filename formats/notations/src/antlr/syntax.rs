//! Parses the text of a grammar. Groups that are open lie on a stack, so nothing recurses.

use super::ast::{
    Alternative, Command, Element, ElementKind, Grammar, Import, Kind, Name, Rule, unsupported,
};
use super::text;
use crate::scanner::{Scanner, charge, check_depth, error};
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_limits::Budget;
use std::ops::Range;

/// Estimated bytes of an element, and the work to read it.
const BYTES_PER_ELEMENT: u64 = 1_200;
const WORK_PER_ELEMENT: u64 = 50;

/// The mode in which a lexer begins.
pub(super) const DEFAULT_MODE: &str = "DEFAULT_MODE";

/// Reads the grammar of one file. Where it is merged into another grammar, `ignores_case` is the option of that one.
pub(super) fn read(text: &str, ignores_case: Option<bool>, budget: &Budget) -> Result<Grammar, Diagnostic> {
    budget.charge_work(text.len() as u64 / 8)?;
    let name = Name { text: String::new(), span: 0..0 };
    let (imports, declared, rules, actions) = Default::default();
    let (kind, case_insensitive) = (Kind::Combined, ignores_case.unwrap_or(false));
    let grammar =
        Grammar { kind, name, imports, case_insensitive, declared, rules, actions, super_class: None };
    let is_merged = ignores_case.is_some();
    let scanner = Scanner::new(text);
    let mut parser =
        Parser { scanner, budget, is_merged, ignore_case: case_insensitive, mode: None, grammar };
    parser.grammar()?;
    Ok(parser.grammar)
}

/// Where an element begins: with the actions and labels before it, and itself.
#[derive(Clone, Copy, Default)]
struct Start {
    actions: usize,
    element: usize,
    /// Whether `~` stands before it.
    is_negated: bool,
}

/// A choice that is being read: a whole rule, or a group.
#[derive(Default)]
struct Level {
    /// The beginning of the group, and where its parenthesis stands.
    start: Start,
    open: usize,
    /// The finished alternatives.
    alternatives: Vec<Alternative>,
    /// The elements of the last one.
    elements: Vec<Element>,
    /// Whether the last one begins with code.
    begins_with_code: bool,
    /// How much code stands behind elements of the last one.
    code_behind: usize,
}

struct Parser<'t> {
    scanner: Scanner<'t>,
    budget: &'t Budget,
    /// Whether the grammar is merged into another one, whose options count.
    is_merged: bool,
    /// Whether the rule at hand matches letters in either case.
    ignore_case: bool,
    /// The mode of the tokens that follow; none for the default mode.
    mode: Option<Name>,
    grammar: Grammar,
}

impl Parser<'_> {
    fn grammar(&mut self) -> Result<(), Diagnostic> {
        self.space()?;
        if self.eat_word("lexer")? {
            self.grammar.kind = Kind::Lexer;
        } else if self.eat_word("parser")? {
            self.grammar.kind = Kind::Parser;
        }
        if !self.eat_word("grammar")? {
            let error = self.scanner.expected("`grammar`, `lexer grammar` or `parser grammar`");
            return Err(error.help("begin with `grammar NAME;`, NAME as the file is called"));
        }
        self.grammar.name = self.name("the name of the grammar")?;
        self.eat(";")?;
        while self.scanner.peek().is_some() {
            self.part()?;
        }
        Ok(())
    }

    /// Moves over white space and comments.
    fn space(&mut self) -> Result<(), Diagnostic> {
        loop {
            self.scanner.take_while(char::is_whitespace);
            if !self.scanner.comment()? {
                return Ok(());
            }
        }
    }

    fn at_word(&self, word: &str) -> bool {
        let rest = self.scanner.rest();
        rest.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_part))
    }

    fn eat_word(&mut self, word: &str) -> Result<bool, Diagnostic> {
        let found = self.at_word(word);
        if found {
            self.scanner.at += word.len();
            self.space()?;
        }
        Ok(found)
    }

    /// Moves over a sign that must come next.
    fn eat(&mut self, sign: &str) -> Result<(), Diagnostic> {
        if !self.scanner.eat(sign) {
            let error = self.scanner.expected(&format!("`{sign}`"));
            let is_set = self.scanner.peek() == Some('[');
            let help = "sets of characters stand in tokens, whose names begin with a capital letter";
            return Err(if is_set { error.help(help) } else { error });
        }
        self.space()
    }

    /// Moves over a sign, if it comes next.
    fn eats(&mut self, sign: &str) -> Result<bool, Diagnostic> {
        let found = self.scanner.eat(sign);
        if found {
            self.space()?;
        }
        Ok(found)
    }

    fn name(&mut self, what: &str) -> Result<Name, Diagnostic> {
        let start = self.scanner.at;
        if !self.scanner.peek().is_some_and(|c| c.is_alphabetic() || c == '_') {
            return Err(self.scanner.expected(what));
        }
        let text = self.scanner.take_while(is_part).to_owned();
        let span = start..self.scanner.at;
        self.space()?;
        Ok(Name { text, span })
    }

    /// Options, imports, actions, or a rule.
    fn part(&mut self) -> Result<(), Diagnostic> {
        let start = self.scanner.at;
        if self.at_block("options") {
            let options = self.options()?;
            self.grammar_options(options);
            return Ok(());
        }
        if self.at_block("tokens") {
            let declared = self.names()?;
            self.grammar.declared.extend(declared);
            return Ok(());
        }
        if self.at_block("channels") {
            return self.names().map(|_| ());
        }
        if self.scanner.eat("@") {
            self.scanner.take_while(|c| c != '{');
            return self.code().and_then(|()| self.space());
        }
        if self.eat_word("mode")? {
            let name = self.name("the name of the mode")?;
            if self.grammar.kind != Kind::Lexer {
                let help = "put the tokens into a `lexer grammar`, which the parser names with `options { tokenVocab = …; }`";
                let what = format!("the mode `{}` in a grammar with rules of a parser is", name.text);
                return Err(unsupported(&what, start..name.span.end, help));
            }
            self.mode = Some(name).filter(|name| name.text != DEFAULT_MODE);
            return self.eat(";");
        }
        if self.eat_word("import")? {
            loop {
                let name = self.name("the name of a grammar")?;
                self.grammar.imports.push(Import { name, merges: true });
                if !self.eats(",")? {
                    return self.eat(";");
                }
            }
        }
        self.rule()
    }

    fn at_block(&self, word: &str) -> bool {
        let rest = self.scanner.rest();
        rest.strip_prefix(word).is_some_and(|rest| rest.trim_start().starts_with('{'))
    }

    /// The options in braces: their names and values.
    fn options(&mut self) -> Result<Vec<(Name, Name)>, Diagnostic> {
        let mut options = Vec::new();
        self.eat_word("options")?;
        self.eat("{")?;
        while !self.eats("}")? {
            let option = self.name("an option or `}`")?;
            self.eat("=")?;
            let start = self.scanner.at;
            let text = self.scanner.take_while(|c| c != ';' && c != '}').trim().trim_matches('\'').to_owned();
            options.push((option, Name { text, span: start..self.scanner.at }));
            self.scanner.eat(";");
            self.space()?;
        }
        Ok(options)
    }

    /// Takes the options of the grammar.
    fn grammar_options(&mut self, options: Vec<(Name, Name)>) {
        if !self.is_merged {
            let own = ignores_case(&options);
            self.grammar.case_insensitive = own.unwrap_or(self.grammar.case_insensitive);
        }
        for (option, value) in options {
            match option.text.as_str() {
                "tokenVocab" => self.grammar.imports.push(Import { name: value, merges: false }),
                "superClass" => self.grammar.super_class = Some(value.span),
                _ => {}
            }
        }
    }

    fn names(&mut self) -> Result<Vec<Name>, Diagnostic> {
        self.scanner.take_to("{");
        self.space()?;
        let mut names = Vec::new();
        while !self.eats("}")? {
            names.push(self.name("a name or `}`")?);
            let _ = self.eats(",")? || self.eats(";")?;
        }
        Ok(names)
    }

    /// Moves over code in braces, in which strings and comments may have braces.
    fn code(&mut self) -> Result<(), Diagnostic> {
        let start = self.scanner.at;
        let mut depth = 0_usize;
        while let Some(c) = self.scanner.next() {
            match c {
                '{' => depth += 1,
                '}' if depth <= 1 => return Ok(()),
                '}' => depth -= 1,
                '\\' => _ = self.scanner.next(),
                '/' if self.scanner.eat("/") => _ = self.scanner.take_while(|c| c != '\n'),
                '/' if self.scanner.eat("*") => _ = self.scanner.take_to("*/"),
                '"' | '\'' => self.quoted(c),
                _ => {}
            }
        }
        Err(error(Code::Syntax, "this `{` is not closed", start..start + 1))
    }

    /// Moves behind the end of a string of the author's language, which ends on its line.
    fn quoted(&mut self, quote: char) {
        let rest = self.scanner.rest();
        let mut escaped = false;
        for (at, c) in rest.char_indices() {
            match c {
                '\n' => return,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if c == quote => {
                    self.scanner.at += at + 1;
                    return;
                }
                _ => {}
            }
        }
    }

    /// Moves over arguments in brackets.
    fn arguments(&mut self) -> Result<(), Diagnostic> {
        let start = self.scanner.at;
        self.scanner.next();
        let mut depth = 1_usize;
        while let Some(c) = self.scanner.next() {
            match c {
                '[' => depth += 1,
                ']' if depth == 1 => return self.space(),
                ']' => depth -= 1,
                '"' | '\'' => self.quoted(c),
                _ => {}
            }
        }
        Err(error(Code::Syntax, "this `[` is not closed", start..start + 1))
    }

    fn rule(&mut self) -> Result<(), Diagnostic> {
        for modifier in ["public", "private", "protected"] {
            self.eat_word(modifier)?;
        }
        let is_fragment = self.eat_word("fragment")?;
        let name = self.name("a rule")?;
        self.ignore_case = self.grammar.case_insensitive;
        loop {
            if self.scanner.peek() == Some('[') {
                self.arguments()?;
            } else if self.eat_word("returns")? || self.eat_word("locals")? {
            } else if self.eat_word("throws")? {
                self.scanner.take_while(|c| c != '{' && c != ':' && c != '@');
            } else if self.at_block("options") {
                let own = ignores_case(&self.options()?).filter(|_| name.is_token());
                self.ignore_case = own.unwrap_or(self.ignore_case);
            } else if self.scanner.eat("@") {
                self.scanner.take_while(|c| c != '{');
                self.code()?;
                self.space()?;
            } else {
                break;
            }
        }
        self.eat(":")?;
        let alternatives = self.alternatives(name.is_token())?;
        self.eat(";")?;
        while self.eat_word("catch")? || self.eat_word("finally")? {
            if self.scanner.peek() == Some('[') {
                self.arguments()?;
            }
            self.code()?;
            self.space()?;
        }
        let mode = self.mode.clone();
        self.grammar.rules.push(Rule {
            name,
            is_fragment,
            mode,
            alternatives,
            begins_with_none_of: Vec::new(),
        });
        Ok(())
    }

    /// The alternatives of a rule, with the groups in them.
    fn alternatives(&mut self, in_token: bool) -> Result<Vec<Alternative>, Diagnostic> {
        let (mut level, mut open) = (Level::default(), Vec::new());
        self.begin_alternative()?;
        loop {
            let actions = self.grammar.actions.len();
            let start = self.begin_element()?;
            match self.grammar.actions.len() - actions {
                0 => {}
                _ if level.elements.is_empty() => level.begins_with_code = true,
                count => level.code_behind += count,
            }
            let (kind, start) = if self.scanner.rest().starts_with('(') {
                open.push(std::mem::take(&mut level));
                level = self.open_group(start, open.len())?;
                continue;
            } else if let Some(kind) = self.atom(in_token)? {
                (kind, start)
            } else if start.is_negated {
                return Err(self.scanner.expected("what is left out, behind `~`"));
            } else {
                self.end_alternative(&mut level)?;
                if self.eats("|")? {
                    self.begin_alternative()?;
                    continue;
                }
                let Some(outer) = open.pop() else { return Ok(level.alternatives) };
                self.close_group(std::mem::replace(&mut level, outer))?
            };
            level.elements.push(self.element(kind, start, in_token)?);
        }
    }

    fn begin_alternative(&mut self) -> Result<(), Diagnostic> {
        if self.scanner.peek() == Some('<') { self.element_options() } else { Ok(()) }
    }

    /// Makes the last elements an alternative, with what stands behind them.
    fn end_alternative(&mut self, level: &mut Level) -> Result<(), Diagnostic> {
        let (elements, mut commands) = (std::mem::take(&mut level.elements), Vec::new());
        if self.eats("->")? {
            commands = self.commands()?;
        }
        if self.eats("#")? {
            self.name("the name of the alternative")?;
        }
        let begins_with_code = std::mem::take(&mut level.begins_with_code);
        let code_behind = std::mem::take(&mut level.code_behind);
        level.alternatives.push(Alternative { elements, commands, begins_with_code, code_behind });
        Ok(())
    }

    fn commands(&mut self) -> Result<Vec<Command>, Diagnostic> {
        let mut commands = Vec::new();
        loop {
            let name = self.name("a command such as `skip`")?;
            let mut argument = None;
            if self.scanner.eat("(") {
                argument = Some(self.scanner.take_while(|c| c != ')').trim().to_owned());
                self.eat(")")?;
            }
            commands.push(Command { name, argument });
            if !self.eats(",")? {
                return Ok(commands);
            }
        }
    }

    /// Moves over `<assoc=right>`.
    fn element_options(&mut self) -> Result<(), Diagnostic> {
        self.scanner.take_while(|c| c != '>' && c != ';' && c != '\n');
        self.eat(">")
    }

    /// Moves over the actions, the label and the `~` before an element.
    fn begin_element(&mut self) -> Result<Start, Diagnostic> {
        let actions = self.scanner.at;
        while self.scanner.peek() == Some('{') {
            let action = self.scanner.at;
            self.code()?;
            self.grammar.actions.push(action..self.scanner.at);
            self.space()?;
            self.eats("?")?;
            if self.scanner.peek() == Some('<') {
                self.element_options()?;
            }
        }
        self.label()?;
        let element = self.scanner.at;
        let is_negated = self.eats("~")?;
        Ok(Start { actions, element, is_negated })
    }

    /// The element of this kind, with its suffix.
    fn element(&mut self, kind: ElementKind, start: Start, in_token: bool) -> Result<Element, Diagnostic> {
        let span = start.element..self.scanner.at;
        let kind = if start.is_negated { negated(kind, &span)? } else { kind };
        self.space()?;
        if self.scanner.peek() == Some('[') && !in_token {
            self.arguments()?;
        }
        if self.scanner.peek() == Some('<') {
            self.element_options()?;
        }
        let bytes = BYTES_PER_ELEMENT + 6 * (self.scanner.at - start.actions) as u64;
        charge(self.budget, WORK_PER_ELEMENT, bytes, span.clone())?;
        self.suffix(Element { kind, span })
    }

    /// Moves over a label, `x=` or `x+=`.
    fn label(&mut self) -> Result<(), Diagnostic> {
        let mut ahead = self.scanner;
        if ahead.take_while(is_part).is_empty() {
            return Ok(());
        }
        ahead.take_while(char::is_whitespace);
        if ahead.eat("+=") || ahead.eat("=") {
            self.scanner = ahead;
            self.space()?;
        }
        Ok(())
    }

    fn suffix(&mut self, element: Element) -> Result<Element, Diagnostic> {
        let Some((min, max)) = self.scanner.suffix() else { return Ok(element) };
        self.scanner.next();
        let lazy = self.scanner.eat("?");
        let span = element.span.start..self.scanner.at;
        self.space()?;
        Ok(Element { kind: ElementKind::Repeat { inner: Box::new(element), min, max, lazy }, span })
    }

    /// The next element that is no group, without its suffix; none at the end of the alternative.
    fn atom(&mut self, in_token: bool) -> Result<Option<ElementKind>, Diagnostic> {
        Ok(Some(match self.scanner.peek() {
            Some('\'') => self.text_or_range()?,
            Some('[') if in_token => text::set(&mut self.scanner, self.ignore_case)?,
            Some('.') => {
                self.scanner.next();
                ElementKind::Any
            }
            Some(c) if c.is_alphabetic() || c == '_' => {
                ElementKind::Name(self.scanner.take_while(is_part).to_owned())
            }
            Some('?' | '*' | '+') => return Err(self.scanner.expected("something before the repetition")),
            Some('"') => {
                return Err(self.scanner.expected("a string in single quotes, as in 'x',"));
            }
            _ => return Ok(None),
        }))
    }

    fn text_or_range(&mut self) -> Result<ElementKind, Diagnostic> {
        let start = self.scanner.at;
        let low = text::code_point(&mut self.scanner);
        let text = match low {
            Some(low) => char::from_u32(low).map(String::from),
            None => Some(text::string(&mut self.scanner)?),
        };
        let before = self.scanner;
        self.space()?;
        if !self.scanner.eat("..") {
            self.scanner = before;
            let ignore_case = self.ignore_case;
            // No text has a surrogate.
            return Ok(match text {
                Some(text) => ElementKind::Text { text, ignore_case },
                None => ElementKind::Set(String::new()),
            });
        }
        self.space()?;
        if self.scanner.peek() != Some('\'') {
            return Err(self.scanner.expected("the upper end of the range"));
        }
        match (low, text::code_point(&mut self.scanner)) {
            (Some(low), Some(high)) if low <= high => Ok(ElementKind::Set(match self.ignore_case {
                true => text::range_in_any_case(low, high),
                false => text::range_in_class(low, high),
            })),
            _ => Err(error(
                Code::BadRange,
                "a range goes from one character to a later one",
                start..self.scanner.at,
            )),
        }
    }

    /// Moves over the beginning of the group on this level.
    fn open_group(&mut self, start: Start, depth: usize) -> Result<Level, Diagnostic> {
        let open = self.scanner.at;
        self.scanner.next();
        check_depth(depth, open..open + 1)?;
        self.space()?;
        if self.at_block("options") {
            self.options()?;
        }
        self.eats(":")?;
        self.begin_alternative()?;
        Ok(Level { start, open, ..Level::default() })
    }

    /// Moves over the end of a group.
    fn close_group(&mut self, level: Level) -> Result<(ElementKind, Start), Diagnostic> {
        match self.scanner.peek() {
            Some(')') => {
                self.scanner.next();
                Ok((ElementKind::Group(level.alternatives), level.start))
            }
            None | Some(';') => {
                let message = "this `(` is not closed before the end of the rule";
                Err(error(Code::UnclosedParenthesis, message, level.open..level.open + 1))
            }
            Some(_) => Err(self.scanner.expected("`)`, `|` or another element")),
        }
    }
}

/// What is left out by `~` before one element, or before a choice of them in parentheses.
fn negated(kind: ElementKind, span: &Range<usize>) -> Result<ElementKind, Diagnostic> {
    let ElementKind::Group(alternatives) = kind else {
        // Behind the sign.
        let span = span.start + 1..span.end;
        return Ok(ElementKind::Not(vec![Element { kind, span }]));
    };
    let only = |alternative: Alternative| <[Element; 1]>::try_from(alternative.elements).ok();
    let single: Option<Vec<Element>> =
        alternatives.into_iter().map(|one| only(one).map(|[element]| element)).collect();
    single
        .map(ElementKind::Not)
        .ok_or_else(|| error(Code::Syntax, "`~` stands before single characters or tokens", span.clone()))
}

/// What options say about the case of letters, as ANTLR takes it: other values than these two say nothing.
fn ignores_case(options: &[(Name, Name)]) -> Option<bool> {
    let values = options.iter().filter(|(option, _)| option.text == "caseInsensitive");
    let mut values = values.filter_map(|(_, value)| match value.text.as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    });
    values.next_back()
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
