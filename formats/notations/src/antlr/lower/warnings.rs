//! What a reader is told of what is left out of a grammar, or has a bound.

use super::Lowering;
use crate::antlr::Loaded;
use crate::antlr::ast::{Element, ElementKind, with_inner};
use crate::antlr::commands::{Commands, TokenAction};
use crate::antlr::modes::tokens;
use crate::antlr::start::END;
use crate::scanner::warning;
use gcc_grammar_ir::Code;
use gcc_grammar_ir::spelling::similar;
use rustc_hash::FxHashMap;
use std::ops::Range;

impl Lowering<'_> {
    /// Warns about code that is left out.
    pub(super) fn left_out(&mut self) {
        for file in self.loaded {
            let Loaded { name, grammar, .. } = file;
            let within = if name.is_empty() { String::new() } else { format!("in {name}: ") };
            if let Some(first) = grammar.actions.first() {
                let count = grammar.actions.len();
                let message = format!(
                    "{within}{count} actions and predicates are left out; where a predicate decides, more texts are accepted"
                );
                self.out.warnings.push(
                    warning(Code::ActionLeftOut, message, file.place(first))
                        .help("write what they decide as rules"),
                );
            }
            if let Some(span) = &grammar.super_class {
                let message = format!("{within}the code of a class is left out, which may change the tokens");
                self.out.warnings.push(
                    warning(Code::ActionLeftOut, message, file.place(span))
                        .help("write what it does as rules"),
                );
            }
        }
    }

    pub(super) fn warn_about_nesting(&mut self, file: usize, message: String, span: &Range<usize>) {
        let place = self.loaded[file].place(span);
        let warning = warning(Code::NestingBounded, message, place);
        self.out.warnings.push(warning.help("nothing has to be done if no text goes deeper"));
    }

    /// Warns about the first token that the grammar calls an error.
    pub(super) fn warn_about_errors(&mut self, commands: &FxHashMap<&str, Commands>) {
        let mut errors = tokens(self.loaded, self.rules).filter(|(_, rule)| {
            let name = rule.name.text.as_str();
            self.modes.has(name) && commands[name].action == TokenAction::Error
        });
        let Some((file, rule)) = errors.next() else { return };
        let which = if errors.next().is_some() { "and other tokens are" } else { "is" };
        let message =
            format!("`{}` {which} on a channel for errors: texts that have one are refused", rule.name.text);
        let place = self.loaded[file].place(&rule.name.span);
        self.out.warnings.push(
            warning(Code::ErrorChannel, message, place).help(
                "nothing has to be done; to ignore such texts as ANTLR does, write `-> channel(HIDDEN)`",
            ),
        );
    }

    /// Warns about a token that is only declared, and used.
    pub(super) fn warn_about_declared(&mut self) {
        let used =
            self.loaded.iter().flat_map(|file| file.grammar.declared.iter().map(move |name| (file, name)));
        let mut used = used.filter(|(_, name)| {
            let text = name.text.as_str();
            self.known.declared.contains(text)
                && self.reached.names.contains(text)
                && !self.known.also.contains_key(text)
        });
        if let Some((file, name)) = used.next() {
            let message = format!(
                "`{}` is declared, and no rule says what it matches: what needs it is left out",
                name.text
            );
            let place = file.place(&name.span);
            let warning = warning(Code::ActionLeftOut, message, place).help("define the token");
            self.out.warnings.push(warning);
        }
    }

    /// Leaves out what needs tokens that no rule defines, with a warning, as ANTLR does.
    pub(super) fn warn_about_undefined(&mut self) {
        let mut first: Option<(usize, &Element, &str)> = None;
        for (file, Loaded { grammar, .. }) in self.loaded.iter().enumerate() {
            let rules =
                grammar.rules.iter().filter(|rule| !rule.name.is_token() && self.rules.counts(file, rule));
            let rules = rules.filter(|rule| self.reached.names.contains(rule.name.text.as_str()));
            let elements = rules.flat_map(|rule| &rule.alternatives).flat_map(|one| &one.elements);
            for element in with_inner(elements) {
                let ElementKind::Name(name) = &element.kind else { continue };
                let is_token = name.starts_with(char::is_uppercase) && name != END;
                if is_token
                    && !self.modes.has(name)
                    && !self.known.also.contains_key(name)
                    && self.known.declared.insert(name)
                {
                    first = first.or(Some((file, element, name)));
                }
            }
        }
        let Some((file, element, name)) = first else { return };
        let place = self.loaded[file].place(&element.span);
        let message = format!("no rule defines the token `{name}`: what needs it is left out");
        let near = similar(name, self.known.tokens.iter().copied());
        let help =
            near.map_or_else(|| "define the token".to_owned(), |near| format!("did you mean `{near}`?"));
        self.out.warnings.push(warning(Code::ActionLeftOut, message, place).help(help));
    }
}
