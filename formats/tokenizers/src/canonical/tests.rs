//! Against the tokenizers themselves, which cut whole texts.

use super::pairs::are_left_apart;
use super::*;
use crate::builtin::{BUILTINS, Builtin};
use crate::tokenizer::{Tokenizer, TokenizerOptions};

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// Pieces of texts in which the alternatives of patterns meet.
const PIECES: &[&str] = &[
    " ",
    "  ",
    "\n",
    "\r\n",
    "\t",
    "\n\n",
    "   \n  ",
    "'",
    "'s",
    "'S",
    "'re",
    "'LL",
    "'x",
    "don't",
    "a",
    "B",
    "word",
    "Word",
    "WORD",
    "hello",
    " the",
    " The",
    "0",
    "12",
    "345",
    "6789",
    ".",
    "...",
    "/",
    "/*",
    "*/\n",
    "{\"",
    "\": \"",
    "\",",
    "é",
    "ß",
    "漢字",
    "かな",
    "\u{a0}",
    "\u{2003}",
    "😀",
    "👩‍💻",
    "\u{301}",
    "ǅ",
    "²",
    "٣",
    "_",
    "__init__",
    "(a)",
    "((",
    ")\r\n",
    "\u{85}",
    "<tool",
    "<tool_call>",
    "</think>",
    "<",
    "aaaa",
    "    if x:\n",
    "=",
    "==",
    "\u{200b}",
    "İ",
    "ſ",
];

fn canonical(builtin: &Builtin, vocabulary: &Vocabulary) -> Canonical {
    let tokenizer = Tokenizer::builtin(builtin, vocabulary, TokenizerOptions::default());
    tokenizer.expect("a tokenizer").canonical().expect("it is known")
}

fn text(random: &mut Random, others: &[&str]) -> String {
    let all = PIECES.len() + PIECES.len().min(others.len());
    let piece = |random: &mut Random| match random.below(all) {
        at if at < PIECES.len() => PIECES[at],
        _ => others[random.below(others.len())],
    };
    (0..1 + random.below(12)).map(|_| piece(random)).collect()
}

/// The texts of tokens that merging does not make.
fn wholes<'v>(canonical: &Canonical, vocabulary: &'v Vocabulary) -> Vec<&'v str> {
    let texts = canonical.pairs.unmade().iter().filter_map(|&token| vocabulary.bytes(token));
    texts.filter_map(|bytes| str::from_utf8(bytes).ok()).collect()
}

/// The tokens of canonical texts are allowed, and such texts may end.
#[test]
fn what_a_tokenizer_writes_is_allowed() {
    for builtin in &BUILTINS {
        let vocabulary = builtin.contents().into_vocabulary().expect("a vocabulary");
        let canonical = canonical(builtin, &vocabulary);
        let tokenizer =
            Tokenizer::builtin(builtin, &vocabulary, TokenizerOptions::default()).expect("a tokenizer");
        let (mut random, wholes) = (Random(7), wholes(&canonical, &vocabulary));
        for _ in 0..3000 {
            let text = text(&mut random, &wholes);
            let ids = tokenizer.tokenize(text.as_bytes()).expect("all bytes are tokens").ids;
            let mut state = canonical.begin();
            for (at, &id) in ids.iter().enumerate() {
                let next = canonical.push(&state, id, &vocabulary);
                state = next.unwrap_or_else(|| panic!("{}: {text:?} {ids:?} at {at}", builtin.name));
            }
            assert!(canonical.may_end(&state), "{}: {text:?}", builtin.name);
        }
    }
}

/// Random sequences of allowed tokens are what the tokenizer cuts from their texts, if they may end; and each beginning of one can be completed.
#[test]
fn what_is_allowed_a_tokenizer_writes() {
    for builtin in &BUILTINS {
        let vocabulary = builtin.contents().into_vocabulary().expect("a vocabulary");
        let canonical = canonical(builtin, &vocabulary);
        let tokenizer =
            Tokenizer::builtin(builtin, &vocabulary, TokenizerOptions::default()).expect("a tokenizer");
        let (mut random, wholes) = (Random(11), wholes(&canonical, &vocabulary));
        let mut ended = 0;
        // Tokens of texts as above, so that short and strange ones are tried.
        let mut pool: Vec<u32> = Vec::new();
        for _ in 0..400 {
            let bytes = text(&mut random, &wholes).into_bytes();
            for begin in 0..bytes.len() {
                let most = 1 + random.below(4);
                pool.extend(vocabulary.find(&bytes[begin..bytes.len().min(begin + most)]));
            }
        }
        pool.extend(canonical.pairs.unmade());
        pool.extend(canonical.pairs.irregular());
        for _ in 0..1500 {
            let (mut state, mut ids) = (canonical.begin(), Vec::new());
            for _ in 0..12 {
                let token = pool[random.below(pool.len())];
                let mut row = vec![0; vocabulary.width().div_ceil(32) as usize];
                row[token as usize / 32] = 1 << (token % 32);
                canonical.restrict(&state, &mut row, &vocabulary);
                let next = canonical.push(&state, token, &vocabulary);
                assert_eq!(
                    next.is_some(),
                    row[token as usize / 32] != 0,
                    "{}: {ids:?} {token}",
                    builtin.name
                );
                let Some(next) = next else { continue };
                state = next;
                ids.push(token);
                if canonical.may_end(&state) {
                    let bytes: Vec<u8> = ids
                        .iter()
                        .flat_map(|&id| vocabulary.bytes(id).unwrap_or_default())
                        .copied()
                        .collect();
                    assert!(str::from_utf8(&bytes).is_ok());
                    let cut = tokenizer.tokenize(&bytes).expect("a text").ids;
                    assert_eq!(cut, ids, "{}: {:?}", builtin.name, String::from_utf8_lossy(&bytes));
                    ended += 1;
                }
            }
        }
        assert!(ended > 3000, "{}: {ended}", builtin.name);
    }
}

/// The sets of tokens that are merged with a token in front of them are those that merging finds pair by pair.
#[test]
fn pairs_are_those_of_merging() {
    let vocabulary = BUILTINS[0].contents().into_vocabulary().expect("a vocabulary");
    let canonical = canonical(&BUILTINS[0], &vocabulary);
    let (pairs, mut random) = (&canonical.pairs, Random(5));
    assert_eq!((pairs.unmade().len(), pairs.irregular().len()), (588, 107));
    for turn in 0..60 {
        let u = match turn % 10 {
            0 => pairs.irregular()[random.below(107)],
            _ => random.below(128_000) as u32,
        };
        let mut set = vec![false; 128_000];
        pairs.merged_behind(u, &vocabulary, |token| set[token as usize] = true);
        let is_made = |token: usize| pairs.unmade().binary_search(&(token as u32)).is_err();
        if !is_made(u as usize) {
            continue;
        }
        let mut is_tried =
            |v: usize| set[v] || random.below(100) == 0 || pairs.irregular().contains(&(v as u32));
        let some = (0..128_000).filter(|&v| is_made(v) && is_tried(v));
        for v in some.take(3000) {
            assert_eq!(set[v], !are_left_apart(u, v as u32, &vocabulary), "{u} {v}");
            assert_eq!(set[v], !pairs.stay_apart(u, v as u32, &vocabulary), "{u} {v}");
        }
    }
}
