//! Words: the tokens of the vocabulary by what the lexer sees of them.
//!
//! The lexer reads symbol classes. Two tokens whose bytes have the same classes one after the other are the same *word*: they lead
//! every configuration to the same configuration. The words are a trie in preorder, like that of the vocabulary, but over classes,
//! so it is several times smaller. Special tokens are words of one class, which only they have.

use gcc_grammar::Session;
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::SymbolClass;
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_runtime::TokenId;

/// The number of a word. Words are numbered by their least token.
pub(crate) type Word = u32;

/// A node of the trie.
pub(crate) struct Node {
    /// One past the last node of the subtree.
    pub(crate) subtree_end: u32,
    /// The number of classes on the path to the node, at least 1.
    pub(crate) depth: u32,
    pub(crate) class: SymbolClass,
    /// The word that ends at the node.
    pub(crate) word: Option<Word>,
}

/// All words.
pub(crate) struct Words {
    /// The trie in preorder, without the root.
    pub(crate) nodes: Vec<Node>,
    /// The word of the end tokens, if the grammar has end tokens.
    pub(crate) end: Option<Word>,
    /// By word: its tokens, ascending.
    tokens: Vec<Vec<u32>>,
}

impl Words {
    pub(crate) fn new(session: &Session, budget: &Budget) -> Result<Self, OverBudget> {
        let grammar = session.engine().grammar();
        let spelled = spelled(session, grammar);
        let bytes: usize = spelled.iter().map(|(classes, _)| 32 + 4 * classes.len()).sum();
        budget.charge_bytes(bytes as u64)?;
        budget.charge_work(spelled.len() as u64)?;
        let mut groups: Vec<(&[u32], Vec<u32>)> = spelled
            .chunk_by(|a, b| a.0 == b.0)
            .map(|group| (group[0].0.as_slice(), group.iter().map(|&(_, token)| token).collect()))
            .collect();
        let mut order: Vec<usize> = (0..groups.len()).collect();
        order.sort_unstable_by_key(|&group| groups[group].1[0]);
        let mut numbers = vec![0; groups.len()];
        order.iter().enumerate().for_each(|(number, &group)| numbers[group] = number as Word);
        let is_end = |classes: &[u32]| classes.len() == 1 && grammar.is_end(SymbolClass(classes[0]));
        let end = groups.iter().position(|(classes, _)| is_end(classes)).map(|group| numbers[group]);
        let read = groups.iter().zip(&numbers).filter(|((classes, _), _)| !is_end(classes));
        let nodes = trie(read.map(|((classes, _), &word)| (*classes, word)));
        let tokens = order.iter().map(|&group| std::mem::take(&mut groups[group].1)).collect();
        Ok(Self { nodes, end, tokens })
    }

    /// The tokens of words, ascending.
    pub(crate) fn tokens_of(&self, words: &[Word]) -> Vec<u32> {
        let mut tokens: Vec<u32> =
            words.iter().flat_map(|&word| self.tokens[word as usize].iter().copied()).collect();
        tokens.sort_unstable();
        tokens
    }
}

/// The tokens that a grammar can read, with their classes, sorted. Empty tokens are never allowed.
fn spelled(session: &Session, grammar: &GrammarView<'_>) -> Vec<(Vec<u32>, u32)> {
    let vocabulary = session.vocabulary().tokens();
    let classes_of = |token: u32| {
        if let Some(class) = grammar.special_symbol(TokenId(token)) {
            return Some(vec![class.0]);
        }
        let bytes = vocabulary.bytes(token).filter(|bytes| !bytes.is_empty())?;
        Some(bytes.iter().map(|&byte| grammar.byte_symbol(byte).0).collect())
    };
    let mut spelled: Vec<(Vec<u32>, u32)> =
        (0..vocabulary.ids()).filter_map(|token| Some((classes_of(token)?, token))).collect();
    spelled.sort_unstable();
    spelled
}

/// The trie of sorted, distinct sequences of classes.
fn trie<'w>(words: impl Iterator<Item = (&'w [u32], Word)>) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut path: Vec<usize> = Vec::new();
    for (classes, word) in words {
        let is_on = |&(&node, &class): &(&usize, &u32)| nodes[node].class.0 == class;
        let shared = path.iter().zip(classes).take_while(is_on).count();
        close(&mut nodes, path.drain(shared..));
        for (depth, &class) in classes.iter().enumerate().skip(shared) {
            path.push(nodes.len());
            let class = SymbolClass(class);
            nodes.push(Node { subtree_end: 0, depth: depth as u32 + 1, class, word: None });
        }
        nodes[path[classes.len() - 1]].word = Some(word);
    }
    close(&mut nodes, path.drain(..));
    nodes
}

/// Sets the end of the subtrees of nodes below which nothing more comes.
fn close(nodes: &mut [Node], closed: impl Iterator<Item = usize>) {
    let end = nodes.len() as u32;
    closed.for_each(|node| nodes[node].subtree_end = end);
}
