//! The pipeline, stage by stage.

use crate::emit;
use crate::error::CompileError;
use crate::ids::{LexState, SetId};
use crate::lexer::{self, Contexts, Lexer, Symbols};
use crate::limits::Budget;
use crate::lr::{self, LrTables};
use crate::masks::{self, MaskStore};
use crate::normalize::{self, Cfg};
use crate::options::Options;
use crate::parser::{self, Dwa, ParserDwa, Sources};
use crate::sets::Sets;
use crate::terminal::{Tokens, WalkTables};
use crate::terminals;
use gcc_grammar_artifact::grammar::GrammarTables;
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Discipline, Grammar, NonterminalId, Rule};
use gcc_grammar_vocabulary::Vocabulary;
use rustc_hash::FxHashMap;

/// Longest token the compiler takes: the composition recurses once per lexeme of a token.
const MAX_TOKEN_BYTES: usize = 1024;

/// Is told about progress. All of it is optional.
pub trait Observer {
    /// A stage begins.
    fn stage(&mut self, _name: &'static str) {}

    /// The parser and the lexer are done; what comes next depends on the vocabulary.
    fn front(&mut self, _front: &Front<'_>) {}
}

/// Hears nothing.
impl Observer for () {}

/// A grammar as the parser and the lexer see it.
#[derive(Clone, Copy, Debug)]
pub struct Front<'a> {
    /// What was compiled.
    pub grammar: &'a Grammar,
    /// Its productions.
    pub cfg: &'a Cfg,
    /// The parser of these productions.
    pub lr: &'a LrTables,
    /// The alphabet of the lexer.
    pub symbols: &'a Symbols,
    /// The lexer, built for this parser.
    pub lexer: &'a Lexer,
    /// Which lexemes may start in each state of the parser.
    pub contexts: &'a Contexts,
}

impl<'a> Front<'a> {
    /// The rule that a nonterminal was made for: helpers have its name in front of their own.
    #[must_use]
    pub fn rule(&self, nonterminal: NonterminalId) -> Option<&'a Rule> {
        let name = &self.cfg.names[nonterminal.index()];
        let rules = self.grammar.rules.iter().filter(|rule| {
            name.strip_prefix(&rule.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        });
        rules.max_by_key(|rule| rule.name.len())
    }

    /// The name of that rule; its own if there is none.
    #[must_use]
    pub fn rule_name(&self, nonterminal: NonterminalId) -> &'a str {
        self.rule(nonterminal).map_or(&self.cfg.names[nonterminal.index()], |rule| &rule.name)
    }
}

/// How large everything became.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(missing_docs, reason = "counts, named after what they count")]
pub struct Stats {
    pub terminals: usize,
    pub productions: usize,
    pub lr_states: usize,
    pub conflicts: usize,
    pub contexts: usize,
    pub symbol_classes: usize,
    pub lexer_states: usize,
    pub terminal_nodes: usize,
    pub terminal_arcs: usize,
    pub token_sets: usize,
    pub raw_dwa_states: usize,
    pub dwa_states: usize,
    pub dwa_transitions: usize,
    pub masks: usize,
    pub bases: usize,
    pub max_delta: usize,
    pub work: u64,
    pub bytes: u64,
}

/// A compiled grammar.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// What the artifact is made of.
    pub tables: GrammarTables,
    /// Sizes of all stages.
    pub stats: Stats,
}

/// Everything the tables are emitted from.
pub(crate) struct Stages<'a> {
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) symbols: &'a Symbols,
    pub(crate) lexer: &'a Lexer,
    pub(crate) contexts: &'a Contexts,
    pub(crate) lr: &'a LrTables,
    pub(crate) dwa: &'a Dwa,
    /// Mask number of every set that a transition puts out.
    pub(crate) mask_of: &'a FxHashMap<SetId, u32>,
    pub(crate) masks: MaskStore,
}

/// Compiles `grammar` for `vocabulary`.
pub fn compile(
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Compiled, CompileError> {
    check_vocabulary(vocabulary)?;
    let budget = Budget::new(options.limits);
    observer.stage("terminals");
    let terminals = terminals::build(grammar, vocabulary, &budget)?;
    observer.stage("normalize");
    let cfg = normalize::normalize(grammar, &terminals.usable, &budget)?;
    observer.stage("lr");
    let lr = lr::build(&cfg, &budget)?;
    let lr = lr::minimize(&lr, &lexer::kinds(grammar, lr.terminals), &budget)?;
    observer.stage("lexer");
    let symbols = Symbols::new(&terminals.dfas, &terminals.special, cfg.end);
    let (lexer, contexts) = lexer::build(grammar, &lr, &symbols, &budget)?;
    observer.front(&Front {
        grammar,
        cfg: &cfg,
        lr: &lr,
        symbols: &symbols,
        lexer: &lexer,
        contexts: &contexts,
    });
    observer.stage("parser");
    let tokens = Tokens::new(vocabulary, &symbols);
    let ranks = tokens.count() as usize;
    let any_split = grammar.discipline == Discipline::AnySplit;
    let walks = WalkTables::new(&lexer, &symbols, &tokens, any_split, &budget)?;
    let mut sets = Sets::new(budget.stage("sets"));
    let sources = Sources {
        tables: &lr,
        contexts: &contexts,
        lexer: &lexer,
        tokens: &tokens,
        walks: &walks,
        decides_early: any_split,
        two_parts_from: options.two_parts_from,
    };
    let parser = parser::build(sources, &mut sets, &budget)?;
    observer.stage("masks");
    let ParserDwa { dwa, raw_states, terminal_size: (terminal_nodes, terminal_arcs) } = parser;
    let (outputs, mask_of) = outputs(&dwa);
    let special = symbols.special_class.iter().map(|&(token, _)| token);
    let token_of: Vec<u32> = vocabulary.order().iter().copied().chain(special).collect();
    debug_assert_eq!(token_of.len(), ranks);
    let store = masks::build(&sets, &outputs, &token_of, vocabulary.width(), &budget)?;
    observer.stage("emit");
    let bases = store.bases.len().checked_div(store.words).unwrap_or(0);
    let tables = emit::emit(Stages {
        vocabulary,
        symbols: &symbols,
        lexer: &lexer,
        contexts: &contexts,
        lr: &lr,
        dwa: &dwa,
        mask_of: &mask_of,
        masks: store,
    });
    let (work, bytes) = budget.spent();
    let stats = Stats {
        terminals: lr.terminals,
        productions: lr.productions.len(),
        lr_states: lr.states(),
        conflicts: lr.conflicts(),
        contexts: contexts.terminals.len(),
        symbol_classes: symbols.classes,
        lexer_states: lexer.states(),
        terminal_nodes,
        terminal_arcs,
        token_sets: sets.len(),
        raw_dwa_states: raw_states,
        dwa_states: dwa.states(),
        dwa_transitions: dwa.transitions(),
        masks: outputs.len(),
        bases,
        max_delta: tables.max_delta() as usize,
        work,
        bytes,
    };
    Ok(Compiled { tables, stats })
}

/// The grammar as the parser sees it: epsilon-free productions (for tests and debug views).
pub fn normalized(
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    options: &Options,
) -> Result<Cfg, CompileError> {
    let budget = Budget::new(options.limits);
    let terminals = terminals::build(grammar, vocabulary, &budget)?;
    Ok(normalize::normalize(grammar, &terminals.usable, &budget)?)
}

fn check_vocabulary(vocabulary: &Vocabulary) -> Result<(), CompileError> {
    let longest = vocabulary.max_token_len();
    if longest <= MAX_TOKEN_BYTES {
        return Ok(());
    }
    let message =
        format!("the vocabulary has a token of {longest} bytes; at most {MAX_TOKEN_BYTES} are supported");
    Err(CompileError::Grammar(vec![
        Diagnostic::error(Code::LongToken, message).help("check that the tokenizer file is not damaged"),
    ]))
}

/// The distinct sets that transitions put out, in order of first occurrence, and their mask numbers (the empty set is mask 0).
fn outputs(dwa: &Dwa) -> (Vec<SetId>, FxHashMap<SetId, u32>) {
    let mut order = Vec::new();
    let mut mask_of = FxHashMap::from_iter([(Sets::EMPTY, 0)]);
    for state in 0..dwa.states() {
        let row = dwa.exceptions[state].iter().map(|(_, t)| t);
        for transition in dwa.default[state].iter().chain(row) {
            mask_of.entry(transition.output).or_insert_with(|| {
                order.push(transition.output);
                order.len() as u32
            });
        }
    }
    debug_assert!(dwa.start.first() == Some(&crate::ids::DwaState(0)), "{:?} is dead", LexState(0));
    (order, mask_of)
}
