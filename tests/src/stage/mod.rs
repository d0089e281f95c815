//! Every stage of the compiler as an engine that decodes, so that each is compared with the oracle by itself.
//!
//! In: a grammar and a vocabulary. Out: an [`Engine`] for each [`Stage`], whose masks come from the interpreter of that
//! stage. A difference that first shows at some stage was made between it and the stage before.
//!
//! All engines read a text in the same way, see [`heads`]: as lexeme by lexeme and, for the parser, terminal by
//! terminal. They differ in how they find the tokens that may come next, see [`verdict`].

pub(crate) mod heads;
mod prefixes;
mod verdict;

use crate::Vocabulary;
use crate::compare::{Built, Engine, Overflow, Refusal, Subject};
use crate::subject::{convert, productions, refusal};
use gcc_grammar_compiler::ids::SymbolClass;
use gcc_grammar_compiler::limits::{Budget, OverBudget};
use gcc_grammar_compiler::parser::{self, Sources};
use gcc_grammar_compiler::sets::Sets;
use gcc_grammar_compiler::terminal::{Tokens, WalkTables};
use gcc_grammar_compiler::{Automata, CompileError, Limits};
use gcc_grammar_ir::{Discipline, Grammar};
use heads::{Head, Reader};
use verdict::{Tables, Verdict};

/// A stage of the compiler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The lexer cuts a text into terminals, and the productions derive them.
    Productions,
    /// The lexer cuts a text into terminals, and the LR automaton takes them.
    LrAutomaton,
    /// The Terminal DWA gives the terminals of each token, and the LR automaton takes them.
    TerminalDwa,
    /// The Parser DWA reads the stacks of the parser and puts out sets of tokens.
    ParserDwa,
    /// The Parser DWA reads the stacks of the parser and puts out masks of the mask store.
    MaskStore,
}

impl Stage {
    /// All stages, in the order of the pipeline.
    pub const ALL: [Self; 5] =
        [Self::Productions, Self::LrAutomaton, Self::TerminalDwa, Self::ParserDwa, Self::MaskStore];
}

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
        let automata = Automata::new(grammar, &vocabulary, Limits::default(), &mut ()).map_err(refusal)?;
        let over = |error: OverBudget| refusal(CompileError::from(error));
        self.decode(&automata, &vocabulary, body).map_err(over)
    }
}

impl Stage {
    /// Builds the stages after the automata, and lends an engine to `body`.
    fn decode(
        self,
        automata: &Automata<'_>,
        vocabulary: &gcc_grammar_vocabulary::Vocabulary,
        body: &mut dyn FnMut(Built<'_>),
    ) -> Result<(), OverBudget> {
        let budget = Budget::new(Limits::default());
        let tokens = Tokens::new(vocabulary, &automata.symbols);
        let any_split = automata.grammar.discipline == Discipline::AnySplit;
        let walks = WalkTables::new(&automata.lexer, &automata.symbols, &tokens, any_split, &budget)?;
        let mut sets = Sets::new(budget.clone());
        let sources = Sources {
            tables: &automata.lr,
            contexts: &automata.contexts,
            lexer: &automata.lexer,
            tokens: &tokens,
            walks: &walks,
            decides_early: any_split,
            two_parts_from: usize::MAX,
        };
        let dwa = parser::build(sources, &mut sets, &budget)?.dwa;
        let tables = Tables { automata, vocabulary, tokens: &tokens, walks: &walks, dwa: &dwa };
        let verdict = Verdict::new(self, &tables, sets, &budget)?;
        let reader = Reader::new(automata);
        let mut decoder =
            Decoder { tables: &tables, verdict, heads: Vec::new(), reader, history: Vec::new() };
        decoder.reset();
        body(Built { engine: &mut decoder, cfg: Some(productions(&automata.cfg)) });
        Ok(())
    }
}

/// Decodes with the tables of one stage.
struct Decoder<'a> {
    tables: &'a Tables<'a>,
    verdict: Verdict<'a>,
    reader: Reader<'a>,
    /// All ways to read the text so far; none after an end token.
    heads: Vec<Head>,
    /// The heads before each committed token.
    history: Vec<Vec<Head>>,
}

impl Decoder<'_> {
    /// The viable heads after one more token or byte.
    fn read(&mut self, heads: &[Head], symbols: &[SymbolClass]) -> Result<Vec<Head>, Overflow> {
        let mut next = Vec::new();
        for head in heads {
            for head in self.reader.read(head, symbols) {
                if self.verdict.is_viable(&mut self.reader, &head) {
                    next.push(head);
                }
            }
        }
        next.sort();
        next.dedup();
        if next.len() > heads::MOST { Err(Overflow) } else { Ok(next) }
    }

    /// Whether the text may end after these heads.
    fn ends(&mut self, heads: &[Head]) -> Result<bool, Overflow> {
        let end = self.tables.automata.symbols.end_class;
        Ok(!self.read(heads, &[end])?.is_empty())
    }

    /// Whether a special token other than one that ends the text may come after these heads.
    fn takes_special(&mut self, heads: &[Head]) -> Result<bool, Overflow> {
        let symbols = &self.tables.automata.symbols;
        for class in (symbols.byte_classes..symbols.classes).map(SymbolClass::new) {
            if class != symbols.end_class && !self.read(heads, &[class])?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Engine for Decoder<'_> {
    fn mask(&mut self) -> Result<Vec<bool>, Overflow> {
        let mut mask = vec![false; self.tables.vocabulary.width() as usize];
        for head in &self.heads {
            for token in self.verdict.allowed(&mut self.reader, head) {
                mask[token as usize] = true;
            }
        }
        Ok(mask)
    }

    fn commit(&mut self, token: u32) -> Result<bool, Overflow> {
        let Some(symbols) = self.tables.symbols_of(token) else { return Ok(false) };
        let heads = self.heads.clone();
        let next = self.read(&heads, &symbols)?;
        if next.is_empty() {
            return Ok(false);
        }
        self.history.push(heads);
        self.heads = if symbols == [self.tables.automata.symbols.end_class] { Vec::new() } else { next };
        Ok(true)
    }

    fn rollback(&mut self, tokens: usize) -> bool {
        let Some(left) = self.history.len().checked_sub(tokens) else { return false };
        if let Some(heads) = self.history.drain(left..).next() {
            self.heads = heads;
        }
        true
    }

    fn reset(&mut self) {
        self.history.clear();
        self.heads = vec![self.reader.start()];
    }

    fn forced(&mut self, longest: usize) -> Result<Vec<u8>, Overflow> {
        let symbols = &self.tables.automata.symbols;
        let mut heads = self.heads.clone();
        let mut forced = Vec::new();
        while forced.len() < longest && !self.ends(&heads)? && !self.takes_special(&heads)? {
            let mut possible = Vec::new();
            for class in (0..symbols.byte_classes).map(SymbolClass::new) {
                let next = self.read(&heads, &[class])?;
                let bytes = (0..=255u8).filter(|&byte| !next.is_empty() && symbols.class_of(byte) == class);
                possible.extend(bytes.map(|byte| (byte, next.clone())));
            }
            let [(byte, next)] = &possible[..] else { break };
            forced.push(*byte);
            heads = next.clone();
        }
        Ok(forced)
    }

    fn is_accepting(&mut self) -> Result<bool, Overflow> {
        let heads = self.heads.clone();
        Ok(self.is_terminated() || self.ends(&heads)?)
    }

    fn is_terminated(&mut self) -> bool {
        self.heads.is_empty()
    }
}
