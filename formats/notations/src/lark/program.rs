//! All files of a grammar as one set of definitions.
//!
//! Every file is a module with a scope of its own. An import is an entry of the scope that points to another
//! module, so mangled names are never needed: what an imported rule refers to is looked up where it was written. A
//! definition is a list of clauses, each with the module whose scope it is read in, because `%override` and
//! `%extend` let one file write parts of a definition of another.

use super::ast::{Alternative, Attribute, Definition, Import, Item, Name, Node, Precedence};
use super::attributes::{self, Remark, Shortest};
use super::sources::{Source, Sources};
use super::token::Span;
use super::{Module, syntax_tree};
use gcc_grammar_ir::diagnostic::line_and_column;
use gcc_grammar_ir::spelling::similar;
use gcc_grammar_ir::{Code, Diagnostic, Location, Severity, index_newtype};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

index_newtype! {
    vis pub(super),
    /// A file; 0 is the one that was given.
    ModuleId;
    /// A rule, template or terminal of any file.
    DefinitionId;
}

/// How many files one grammar may consist of.
const MAX_MODULES: usize = 100;

/// One alternative and the scope its names are looked up in.
#[derive(Clone)]
pub(super) struct Clause {
    pub(super) module: ModuleId,
    pub(super) alternative: Alternative,
}

/// A rule, template or terminal.
pub(super) struct Defined {
    pub(super) name: Name,
    pub(super) module: ModuleId,
    pub(super) parameters: Vec<Name>,
    pub(super) priority: Option<i64>,
    pub(super) clauses: Vec<Clause>,
    /// By attributes: a rule that is one lexeme.
    pub(super) shortest: Option<Shortest>,
    /// By `%declare`: nothing says what it matches.
    pub(super) declared_only: bool,
}

impl Defined {
    /// Is it matched by the lexer, as one lexeme?
    pub(super) fn is_terminal(&self) -> bool {
        self.name.is_terminal() || self.shortest.is_some()
    }
}

/// What a name stands for in a module.
#[derive(Clone)]
enum Binding {
    Own(DefinitionId),
    Imported { module: ModuleId, name: String },
}

/// What is ignored between lexemes.
pub(super) struct Ignored {
    pub(super) clauses: Vec<Clause>,
    pub(super) span: Span,
}

/// A terminal that is recognized after certain lexemes only.
pub(super) struct After {
    pub(super) module: ModuleId,
    pub(super) lexemes: Vec<Node>,
    pub(super) terminal: Node,
}

/// Line breaks and indentation that have meaning.
pub(super) struct Layout {
    pub(super) module: ModuleId,
    /// Without it, the indentation is part of terminals only.
    pub(super) newline: Option<Name>,
    pub(super) indent: Name,
    pub(super) unit: Node,
}

/// Terminals between which line breaks are ignored.
pub(super) struct Enclose {
    pub(super) module: ModuleId,
    pub(super) open: Node,
    pub(super) close: Node,
}

pub(super) struct Program {
    pub(super) modules: Vec<Module>,
    scopes: Vec<FxHashMap<String, Binding>>,
    pub(super) definitions: Vec<Defined>,
    /// Only those of the given file: as in Lark, imports do not bring directives along.
    pub(super) ignored: Vec<Ignored>,
    /// Where the given file says `%basic`.
    pub(super) basic: Option<Span>,
    /// What the given file says with `%contextual`.
    pub(super) contextual: Vec<Name>,
    /// What the given file says with `%word`.
    pub(super) words: Vec<Name>,
    /// What the given file says with `%never`.
    pub(super) never: Vec<Name>,
    /// What the given file says with `%verbatim`.
    pub(super) verbatim: Vec<Name>,
    /// Those of all files: they are about the terminals that they name.
    pub(super) after: Vec<After>,
    /// Those of all files, in the order of each file: they are about its own rules.
    pub(super) precedences: Vec<(ModuleId, Precedence)>,
    /// That of any file: it is about the line break that it names.
    pub(super) layout: Option<Layout>,
    /// Those of all files.
    pub(super) enclose: Vec<Enclose>,
    /// Names that the given file imports, and where.
    pub(super) imported: Vec<Name>,
    /// The given file says `%llguidance`.
    pub(super) llguidance: bool,
    pub(super) warnings: Vec<Diagnostic>,
}

impl Program {
    /// Reads the given file and all that it imports.
    pub(super) fn load(text: &str, sources: &dyn Sources) -> Result<Self, Vec<Diagnostic>> {
        let mut loader = Loader::new(sources);
        loader.add_module(Source { name: String::new(), text: text.to_string() }, None)?;
        while let Some((module, items)) = loader.pending.pop_front() {
            items.into_iter().for_each(|item| loader.item(module, item));
        }
        loader.finish()
    }

    /// What `name` stands for in `module`.
    pub(super) fn find(&self, module: ModuleId, name: &str) -> Option<DefinitionId> {
        let (mut module, mut name) = (module, name);
        // An import of an import of … ends after as many steps as there are modules, or never.
        for _ in 0..=self.modules.len() {
            match self.scopes[module.index()].get(name)? {
                Binding::Own(definition) => return Some(*definition),
                Binding::Imported { module: next, name: original } => (module, name) = (*next, original),
            }
        }
        None
    }

    /// A name of `module`'s scope that `name` may be a misspelling of.
    pub(super) fn similar(&self, module: ModuleId, name: &str) -> Option<&str> {
        let mut known: Vec<&str> = self.scopes[module.index()].keys().map(String::as_str).collect();
        known.sort_unstable();
        similar(name, known.into_iter())
    }

    /// Where `span` of `module` is for a reader of the given file, and what to say first if it is elsewhere.
    pub(super) fn place(&self, module: ModuleId, span: &Span) -> (Location, String) {
        place(&self.modules, module, span)
    }

    /// An error in `module`.
    pub(super) fn error(&self, code: Code, message: &str, module: ModuleId, span: &Span) -> Diagnostic {
        let (location, prefix) = self.place(module, span);
        Diagnostic::error(code, format!("{prefix}{message}")).at(location)
    }
}

fn place(modules: &[Module], module: ModuleId, span: &Span) -> (Location, String) {
    let Module { name, text, imported_at } = &modules[module.index()];
    match imported_at {
        None => (Location::Span(span.clone()), String::new()),
        Some(import) => {
            let (line, column) = line_and_column(text, span.start);
            (
                Location::Span(import.clone()),
                format!("in the imported {name}, line {line}, column {column}: "),
            )
        }
    }
}

/// A change of a definition that may not have been read yet.
struct Change {
    module: ModuleId,
    definition: Definition,
    replaces: bool,
}

struct Loader<'s> {
    sources: &'s dyn Sources,
    program: Program,
    by_name: FxHashMap<String, ModuleId>,
    pending: VecDeque<(ModuleId, Vec<Item>)>,
    changes: Vec<Change>,
    errors: Vec<Diagnostic>,
}

impl<'s> Loader<'s> {
    fn new(sources: &'s dyn Sources) -> Self {
        let program = Program {
            modules: Vec::new(),
            scopes: Vec::new(),
            definitions: Vec::new(),
            ignored: Vec::new(),
            basic: None,
            contextual: Vec::new(),
            words: Vec::new(),
            never: Vec::new(),
            verbatim: Vec::new(),
            after: Vec::new(),
            precedences: Vec::new(),
            layout: None,
            enclose: Vec::new(),
            imported: Vec::new(),
            llguidance: false,
            warnings: Vec::new(),
        };
        let (by_name, pending, changes, errors) = Default::default();
        Self { sources, program, by_name, pending, changes, errors }
    }

    /// Parses a file and queues its items.
    fn add_module(&mut self, source: Source, imported_at: Option<Span>) -> Result<ModuleId, Vec<Diagnostic>> {
        let module = ModuleId::new(self.program.modules.len());
        let items = syntax_tree(&source.text);
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
                let (parameters, attributes, body) = Default::default();
                self.define(module, Definition { name, parameters, attributes, priority: None, body }, true);
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
            Item::Llguidance { options, span } if module.index() == 0 => self.llguidance(&options, &span),
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
        let (parameters, attributes, body) = Default::default();
        let name = layout.indent.clone();
        self.define(layout.module, Definition { name, parameters, attributes, priority: None, body }, true);
        self.program.layout = Some(layout);
    }

    fn define(&mut self, module: ModuleId, definition: Definition, declared_only: bool) {
        let id = DefinitionId::new(self.program.definitions.len());
        self.bind(module, &definition.name, Binding::Own(id));
        let Definition { name, parameters, attributes, priority, body } = definition;
        let clauses = clauses(module, body);
        let shortest = self.attributes(module, attributes);
        let defined = Defined { name, module, parameters, priority, clauses, shortest, declared_only };
        self.program.definitions.push(defined);
    }

    fn attributes(&mut self, module: ModuleId, attributes: Vec<Attribute>) -> Option<Shortest> {
        let (shortest, remarks) = attributes::read(attributes);
        for Remark { span, diagnostic } in remarks {
            self.report(module, diagnostic.at(Location::Span(span)));
        }
        shortest
    }

    fn report(&mut self, module: ModuleId, diagnostic: Diagnostic) {
        let diagnostic = self.relocate(module, diagnostic);
        match diagnostic.severity {
            Severity::Error => self.errors.push(diagnostic),
            Severity::Warning => self.program.warnings.push(diagnostic),
        }
    }

    /// Options that change the language are few; what cannot be followed is said.
    fn llguidance(&mut self, options: &str, span: &Span) {
        self.program.llguidance = true;
        let diagnostic = match serde_json::from_str::<serde_json::Value>(options) {
            Err(error) => Diagnostic::error(Code::BadJson, format!("the options are no JSON: {error}")),
            Ok(options) if options["skip_repetition"] == "once" => Diagnostic::warning(
                Code::NotEnforced,
                "`skip_repetition` is not enforced: what is ignored may be repeated",
            ),
            Ok(_) => return,
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
        let Some(target) = self.module_of(module, import, file) else { return };
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
    fn module_of(&mut self, module: ModuleId, import: &Import, file: &[Name]) -> Option<ModuleId> {
        let path: Vec<&str> = file.iter().map(|name| name.text.as_str()).collect();
        let importer = &self.program.modules[module.index()];
        let at = importer.imported_at.clone().unwrap_or_else(|| import.span.clone());
        let found = self.sources.find(&importer.name, import.relative, &path);
        let source = match found {
            Ok(source) => source,
            Err(message) => {
                let error = self.program.error(Code::BadImport, &message, module, &import.span);
                self.errors.push(
                    error.help("the built-in file is `common`; others are found next to the importing file"),
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

    /// Applies the changes, checks that imports exist, and hands out the program if there was no error.
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
            None => error,
        }
    }

    fn apply(&mut self, change: Change) {
        let Definition { name, parameters, attributes, priority, body } = change.definition;
        let shortest = self.attributes(change.module, attributes);
        let Some(target) = self.program.find(change.module, &name.text) else {
            let message = format!("`{}` cannot be changed: it is not defined or imported", name.text);
            self.errors.push(self.program.error(Code::UndefinedName, &message, change.module, &name.span));
            return;
        };
        let target = &mut self.program.definitions[target.index()];
        let added = clauses(change.module, body);
        if change.replaces {
            target.clauses = added;
            (target.parameters, target.shortest, target.declared_only) = (parameters, shortest, false);
            target.priority = priority.or(target.priority);
        } else {
            target.declared_only = false;
            target.clauses.extend(added);
        }
    }
}

fn clauses(module: ModuleId, body: Vec<Alternative>) -> Vec<Clause> {
    body.into_iter().map(|alternative| Clause { module, alternative }).collect()
}
