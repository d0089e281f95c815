//! Loads a grammar: parses the given file and the files that it imports, and enters their definitions and directives in a [`Program`].
//!
//! Input: the text of the given file, and the sources of imported files. Output: a program in which all imports of the given file are
//! resolved and all changes by `%override` and `%extend` are applied, or diagnostics located in the given file.

use super::ast::{Attribute, Definition, Import, Item, Name};
use super::attributes::{self, Remark};
use super::options::{Dialect, Options};
use super::program::{
    After, Binding, Clause, Defined, DefinitionId, Enclose, Ignored, Layout, Module, ModuleId, OneLexeme,
    Program, clauses, place,
};
use super::sources::{Source, Sources, library};
use super::syntax_tree;
use super::token::Span;
use gcc_grammar_ir::json::Members;
use gcc_grammar_ir::{Code, Diagnostic, Location, Severity};
use gcc_grammar_json_schema::Unenforced;
use gcc_grammar_limits::Budget;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The largest number of files of one grammar.
const MAX_MODULES: usize = 100;
/// The most names of an imported file that an error shows.
const SHOWN_NAMES: usize = 40;

/// Reads the given file and all files that it imports, directly or not.
pub(super) fn load(text: &str, options: &Options<'_>) -> Result<Program, Vec<Diagnostic>> {
    let mut loader = Loader::new(options);
    loader.add_module(Source { name: String::new(), text: text.to_string() }, None)?;
    while let Some((module, items)) = loader.pending.pop_front() {
        items.into_iter().for_each(|item| loader.item(module, item));
    }
    loader.finish()
}

/// A file of a grammar in another notation.
pub(crate) struct File {
    /// Its name, for messages; empty for the given file.
    pub(crate) name: String,
    pub(crate) text: String,
    /// Where the given file imports it.
    pub(crate) imported_at: Option<Span>,
    pub(crate) items: Vec<Item>,
}

/// Enters the files of a grammar, all names of which are known in all of them: those of a file itself, and then those of the first file that has them.
pub(super) fn load_files(files: Vec<File>, options: &Options<'_>) -> Result<Program, Vec<Diagnostic>> {
    let mut loader = Loader::new(options);
    for (index, File { name, text, imported_at, items }) in files.into_iter().enumerate() {
        let module = ModuleId::new(index);
        loader.program.modules.push(Module { name, text, imported_at });
        loader.program.scopes.push(FxHashMap::default());
        items.into_iter().for_each(|item| loader.item(module, item));
    }
    let mut all: FxHashMap<String, DefinitionId> = FxHashMap::default();
    for scope in &loader.program.scopes {
        for (name, binding) in scope {
            if let Binding::Own(id) = binding {
                let first = all.entry(name.clone()).or_insert(*id);
                *first = (*first).min(*id);
            }
        }
    }
    for scope in &mut loader.program.scopes {
        for (name, id) in &all {
            scope.entry(name.clone()).or_insert(Binding::Own(*id));
        }
    }
    loader.finish()
}

/// The options after `%llguidance`. Those that do not concern what is ignored concern how llguidance works.
const LLGUIDANCE_OPTIONS: [&str; 5] =
    ["allow_initial_skip", "allow_invalid_utf8", "ignore_once", "no_forcing", "skip_repetition"];
/// The options after `%grammar_options`.
const GRAMMAR_OPTIONS: [&str; 1] = ["allow_initial_skip"];

/// A change of a definition that may not be loaded yet.
struct Change {
    module: ModuleId,
    definition: Definition,
    replaces: bool,
}

/// A program in the course of loading.
struct Loader<'s> {
    sources: &'s dyn Sources,
    dialect: Dialect,
    budget: &'s Budget,
    /// Whether limits that cannot be kept are left out with a warning.
    leaves_out: bool,
    program: Program,
    by_name: FxHashMap<String, ModuleId>,
    pending: VecDeque<(ModuleId, Vec<Item>)>,
    changes: Vec<Change>,
    errors: Vec<Diagnostic>,
}

impl<'s> Loader<'s> {
    fn new(options: &'s Options<'_>) -> Self {
        let &Options { sources, dialect, json, ref limits, .. } = options;
        let (by_name, pending, changes, errors) = Default::default();
        let leaves_out = json.is_some_and(|json| json.unenforced == Unenforced::Allow);
        let program = Program { llguidance: dialect == Dialect::Llguidance, ..Program::default() };
        Self {
            sources,
            dialect,
            budget: &limits.budget,
            leaves_out,
            program,
            by_name,
            pending,
            changes,
            errors,
        }
    }

    /// Parses a file and queues its items.
    fn add_module(&mut self, source: Source, imported_at: Option<Span>) -> Result<ModuleId, Vec<Diagnostic>> {
        let module = ModuleId::new(self.program.modules.len());
        let dialect = if module.index() == 0 { self.dialect } else { Dialect::Lark };
        let items = syntax_tree::parse(&source.text, dialect, self.budget);
        if let Ok(items) = &items {
            let ignores = items.iter().any(|item| matches!(item, Item::Ignore { .. }));
            self.program.ignoring.extend(ignores.then_some(module));
        }
        self.by_name.insert(source.name.clone(), module);
        self.program.modules.push(Module { name: source.name, text: source.text, imported_at });
        self.program.scopes.push(FxHashMap::default());
        let items = items.map_err(|error| vec![self.relocate(module, error)])?;
        self.pending.push_back((module, items));
        Ok(module)
    }

    /// Moves an error with a span of `module` to where the reader can see it.
    fn relocate(&self, module: ModuleId, mut error: Diagnostic) -> Diagnostic {
        if let Some(Location::Span(span)) = &error.location {
            let (location, prefix) = place(&self.program.modules, module, span);
            error.message = format!("{prefix}{}", error.message);
            error.location = Some(location);
        }
        error
    }

    fn item(&mut self, module: ModuleId, item: Item) {
        match item {
            Item::Define(definition) => self.define(module, definition, false),
            Item::Declare(names) => names.into_iter().for_each(|name| {
                self.define(module, Definition::named(name), true);
            }),
            Item::Override(definition) => self.changes.push(Change { module, definition, replaces: true }),
            Item::Extend(definition) => self.changes.push(Change { module, definition, replaces: false }),
            Item::Ignore { body, span } if module.index() == 0 => {
                self.program.ignored.push(Ignored { clauses: clauses(module, body), span });
            }
            Item::Word(name) if module.index() == 0 => self.program.words.push(name),
            Item::Never(name) if module.index() == 0 => self.program.never.push(name),
            Item::Verbatim(name) if module.index() == 0 => self.program.verbatim.push(name),
            Item::Basic(span) if module.index() == 0 => self.program.basic = Some(span),
            Item::Contextual(name) if module.index() == 0 => self.program.contextual.push(name),
            Item::Ignore { .. }
            | Item::Basic(_)
            | Item::Contextual(_)
            | Item::Word(_)
            | Item::Never(_)
            | Item::Verbatim(_) => {}
            Item::After { lexemes, terminal } => {
                self.program.after.push(After { module, lexemes, terminal });
            }
            Item::Precedence(precedence) => self.program.precedences.push((module, precedence)),
            Item::Layout { newline, indent, unit } => self.layout(Layout { module, newline, indent, unit }),
            Item::Enclose { open, close } => self.program.enclose.push(Enclose { module, open, close }),
            Item::Same(terminals) => self.program.same.push((module, terminals)),
            Item::Llguidance { options, span } if module.index() == 0 => {
                self.options(&options, &span, &LLGUIDANCE_OPTIONS);
            }
            Item::GrammarOptions { options, span } if module.index() == 0 => {
                self.options(&options, &span, &GRAMMAR_OPTIONS);
            }
            Item::GrammarOptions { .. } => {}
            Item::Llguidance { .. } => {}
            Item::Import(import) => self.import(module, &import),
        }
    }

    fn layout(&mut self, layout: Layout) {
        if self.program.layout.is_some() {
            let message = "there is a second %layout";
            let error = self.program.error(Code::BadLayout, message, layout.module, &layout.indent.span);
            self.errors.push(error.help("a grammar, with all that it imports, has one kind of indentation"));
        }
        let name = layout.indent.clone();
        self.define(layout.module, Definition::named(name), true);
        self.program.layout = Some(layout);
    }

    fn define(&mut self, module: ModuleId, definition: Definition, declared_only: bool) {
        let id = DefinitionId::new(self.program.definitions.len());
        self.bind(module, &definition.name, Binding::Own(id));
        let Definition { name, parameters, parametric, attributes, priority, body } = definition;
        let mut clauses = clauses(module, body);
        let lexeme = self.attributes(module, attributes, &mut clauses);
        let defined =
            Defined { name, module, parameters, parametric, priority, clauses, lexeme, declared_only };
        self.program.definitions.push(defined);
    }

    fn attributes(
        &mut self,
        module: ModuleId,
        attributes: Vec<Attribute>,
        clauses: &mut [Clause],
    ) -> Option<OneLexeme> {
        let (lexeme, remarks) = attributes::read(attributes, clauses);
        for Remark { span, mut diagnostic } in remarks {
            if self.leaves_out && diagnostic.code == Code::NotEnforced {
                diagnostic.severity = Severity::Warning;
            }
            self.report(module, diagnostic.at(Location::Span(span)));
        }
        lexeme
    }

    fn report(&mut self, module: ModuleId, diagnostic: Diagnostic) {
        let diagnostic = self.relocate(module, diagnostic);
        match diagnostic.severity {
            Severity::Error => self.errors.push(diagnostic),
            Severity::Warning => self.program.warnings.push(diagnostic),
        }
    }

    /// Reads the options of a grammar in the dialect of llguidance. Only what is ignored depends on them.
    fn options(&mut self, options: &str, span: &Span, known: &[&str]) {
        self.program.llguidance = true;
        let diagnostic = match serde_json::from_str::<Members<serde_json::Value>>(options)
            .map(|options| options.0)
        {
            Err(error) => {
                Diagnostic::error(Code::BadJson, format!("the options are not valid JSON: {error}"))
            }
            Ok(options) => {
                let unknown = options.iter().map(|(key, _)| key).find(|key| !known.contains(&key.as_str()));
                match (unknown, options.iter().find(|(_, value)| !value.is_boolean())) {
                    (Some(key), _) => {
                        Diagnostic::error(Code::BadOption, format!("there is no option {key:?}"))
                            .help(format!("the options are {}", known.join(", ")))
                    }
                    (None, Some((key, value))) => {
                        Diagnostic::error(Code::BadOption, format!("the option {key:?} is {value}"))
                            .help("write true or false")
                    }
                    (None, None) => {
                        let once = options.iter().find(|(key, _)| key == "ignore_once");
                        let once = once.and_then(|(_, value)| value.as_bool());
                        self.program.ignore_once = once.unwrap_or(self.program.ignore_once);
                        return;
                    }
                }
            }
        };
        self.report(ModuleId(0), diagnostic.at(Location::Span(span.clone())));
    }

    fn bind(&mut self, module: ModuleId, name: &Name, binding: Binding) {
        let previous = self.program.scopes[module.index()].insert(name.text.clone(), binding);
        if previous.is_some() {
            let message = format!("`{}` is defined twice", name.text);
            let error = self.program.error(Code::DuplicateDefinition, &message, module, &name.span);
            self.errors.push(
                error.help(
                    "join the definitions with |, or use %override or %extend to change an imported one",
                ),
            );
        }
    }

    fn import(&mut self, module: ModuleId, import: &Import) {
        let (file, names) = match (&import.names, import.path.split_last()) {
            (Some(names), _) => (&import.path[..], names.clone()),
            (None, Some((last, file))) => (file, vec![last.clone()]),
            (None, None) => return,
        };
        let Some(target) = self.module_of(module, import, file, &names) else { return };
        if self.program.ignoring.contains(&target) && names.iter().any(|name| !name.is_terminal()) {
            let path: Vec<&str> = file.iter().map(|name| name.text.as_str()).collect();
            let path = format!("{}{}", if import.relative { "." } else { "" }, path.join("."));
            let message =
                format!("rules of {path} come without the text that {path} ignores, such as white space");
            let help = format!(
                "write `%language {path}` in the place of the rule for the whole language, or ignore the text here, too"
            );
            let warning =
                Diagnostic::warning(Code::IgnoredLeftOut, message).at(Location::Span(import.span.clone()));
            self.report(module, warning.help(help));
        }
        for name in names {
            let local = match &import.rename {
                Some(rename) if import.names.is_none() => rename.clone(),
                _ => name.clone(),
            };
            if module.index() == 0 {
                self.program.imported.push(local.clone());
            }
            self.bind(module, &local, Binding::Imported { module: target, name: name.text });
        }
    }

    /// The module that an import names, loaded if it has not been yet.
    fn module_of(
        &mut self,
        module: ModuleId,
        import: &Import,
        file: &[Name],
        names: &[Name],
    ) -> Option<ModuleId> {
        let path: Vec<&str> = file.iter().map(|name| name.text.as_str()).collect();
        let importer = &self.program.modules[module.index()];
        let at = importer.imported_at.clone().unwrap_or_else(|| import.span.clone());
        let found = library(&path, names).filter(|_| !import.relative);
        let found = found.map_or_else(|| self.sources.find(&importer.name, import.relative, &path), Ok);
        let source = match found {
            Ok(source) => source,
            Err(message) => {
                let error = self.program.error(Code::BadImport, &message, module, &import.span);
                self.errors.push(
                    error.help("the built-in files are `common`, `python`, `unicode` and `lark`; others are found next to the importing file and in --import-dir"),
                );
                return None;
            }
        };
        if let Some(&known) = self.by_name.get(&source.name) {
            return Some(known);
        }
        if self.program.modules.len() >= MAX_MODULES {
            let message = format!("a grammar may import at most {MAX_MODULES} files");
            self.errors.push(self.program.error(Code::TooManyImports, &message, module, &import.span));
            return None;
        }
        self.add_module(source, Some(at)).map_err(|errors| self.errors.extend(errors)).ok()
    }

    /// Applies the changes and checks that imported names exist.
    fn finish(mut self) -> Result<Program, Vec<Diagnostic>> {
        for change in std::mem::take(&mut self.changes) {
            self.apply(change);
        }
        for name in self.program.imported.clone() {
            if self.program.find(ModuleId(0), &name.text).is_none() {
                self.errors.push(self.missing_import(&name));
            }
        }
        if self.errors.is_empty() { Ok(self.program) } else { Err(self.errors) }
    }

    fn missing_import(&self, name: &Name) -> Diagnostic {
        let Some(Binding::Imported { module, name: original }) = self.program.scopes[0].get(&name.text)
        else {
            return self.program.error(
                Code::BadImport,
                "this import does not exist",
                ModuleId(0),
                &name.span,
            );
        };
        let file = &self.program.modules[module.index()].name;
        let message = format!("{file} has no definition of `{original}`");
        let error = self.program.error(Code::BadImport, &message, ModuleId(0), &name.span);
        match self.program.similar(*module, original) {
            Some(similar) => error.help(format!("did you mean `{similar}`?")),
            None => {
                let names = self.program.names(*module);
                let more = if names.len() > SHOWN_NAMES { " and others" } else { "" };
                let shown = names[..names.len().min(SHOWN_NAMES)].join(", ");
                error.help(format!("it defines {shown}{more}"))
            }
        }
    }

    fn apply(&mut self, change: Change) {
        let Definition { name, parameters, parametric, attributes, priority, body } = change.definition;
        let mut added = clauses(change.module, body);
        // An extension adds to a definition, which keeps its own attributes.
        let lexeme = match change.replaces {
            true => self.attributes(change.module, attributes, &mut added),
            false => self.attributes(change.module, attributes, &mut added.clone()),
        };
        let Some(target) = self.program.find(change.module, &name.text) else {
            let message = format!("`{}` cannot be changed: it is not defined or imported", name.text);
            self.errors.push(self.program.error(Code::UndefinedName, &message, change.module, &name.span));
            return;
        };
        let target = &mut self.program.definitions[target.index()];
        if change.replaces {
            target.clauses = added;
            (target.parameters, target.parametric) = (parameters, parametric);
            (target.lexeme, target.declared_only) = (lexeme, false);
            target.priority = priority.or(target.priority);
        } else {
            target.declared_only = false;
            target.clauses.extend(added);
        }
    }
}
