//! Every stage of the compiler as an engine that decodes, so that each is compared with the oracle by itself.
//!
//! In: a grammar and a vocabulary. Out: an [`Engine`](crate::engine::Engine) for each [`Stage`], whose masks come from the interpreter of that
//! stage. A difference that first shows at some stage was made between it and the stage before.
//!
//! All engines read a text in the same way, see [`heads`]: as lexeme by lexeme and, for the parser, terminal by
//! terminal. They differ in how they find the tokens that may come next, see [`verdict`].

mod decoder;
pub(crate) mod heads;
mod prefixes;
mod verdict;

use crate::Vocabulary;
use crate::compare::{Built, Refusal, Subject};
use crate::subject::{convert, productions, refusal};
use decoder::Decoder;
use gcc_grammar_compiler::liveness::Liveness;
use gcc_grammar_compiler::parser::{self, Sources};
use gcc_grammar_compiler::sets::Sets;
use gcc_grammar_compiler::terminal::{Tokens, WalkSource, WalkTables};
use gcc_grammar_compiler::{Automata, CompileError, Limits};
use gcc_grammar_ir::{Discipline, Grammar};
use gcc_grammar_limits::{Budget, OverBudget, Resource};
use std::sync::Arc;
use verdict::{Tables, Verdict};

pub use verdict::Stage;

impl Subject for Stage {
    fn name(&self) -> &'static str {
        match self {
            Self::Productions => "productions",
            Self::LrAutomaton => "LR automaton",
            Self::TerminalDwa => "Terminal DWA",
            Self::ParserDwa => "Parser DWA",
            Self::MaskStore => "mask store",
        }
    }

    fn build(
        &self,
        grammar: &Grammar,
        vocabulary: &Vocabulary,
        body: &mut dyn FnMut(Built<'_>),
    ) -> Result<(), Refusal> {
        let vocabulary = convert(vocabulary);
        let automata = Automata::new(&grammar.clone().into(), &vocabulary, Limits::default(), &mut ())
            .map_err(refusal)?;
        if *self == Self::Productions && automata.live.pruned.is_some() {
            // The productions do not know which lexemes may follow each other.
            return Err(refusal(Budget::default().over(Resource::LrStates, 0).into()));
        }
        let over = |error: OverBudget| refusal(CompileError::from(error));
        self.decode(&automata, &vocabulary, body).map_err(over)
    }
}

impl Stage {
    /// Builds the stages after the automata, and lends an engine to `body`.
    fn decode(
        self,
        automata: &Automata,
        vocabulary: &gcc_grammar_vocabulary::Vocabulary,
        body: &mut dyn FnMut(Built<'_>),
    ) -> Result<(), OverBudget> {
        let budget = Budget::new(Limits::default());
        let tokens = Tokens::new(vocabulary, &automata.symbols);
        let any_split = automata.grammar.discipline == Discipline::AnySplit;
        let walks = Arc::new(WalkTables::new(
            automata.decoding().lexer,
            &automata.symbols,
            &tokens,
            any_split,
            &budget,
        )?);
        let mut sets = Sets::new(budget.clone());
        let sources = Sources {
            tables: automata.decoding().lr,
            contexts: automata.decoding().contexts,
            lexer: automata.decoding().lexer,
            tokens: &tokens,
            walks: WalkSource::Made(&walks),
            decides_early: any_split,
            two_parts_from: usize::MAX,
        };
        let dwa = parser::build(sources, &mut sets, &budget)?.dwa;
        let tables = Tables { automata, vocabulary, tokens: &tokens, walks: &walks, dwa: &dwa };
        let verdict = Verdict::new(self, &tables, sets, &budget)?;
        let mut decoder = Decoder::new(&tables, verdict);
        let is_certified = automata.live.liveness == Liveness::Certified;
        body(Built { engine: &mut decoder, cfg: Some(productions(&automata.cfg)), is_certified });
        Ok(())
    }
}
