//! The oracle on bundled grammars: of their cases with one character changed it must say what the runtime says.

use gcc_grammar::{Options, compile, pipeline};
use gcc_grammar_artifact::{Fingerprint, Fingerprints, GrammarView};
use gcc_grammar_frontends::lark::{self, BuiltIn};
use gcc_grammar_grammars::{WithBundled, find};
use gcc_grammar_runtime::{Engine, Matcher, TokenId, Tokens};
use gcc_grammar_tests::oracle::{Recognizer, Unit, recognizer};
use gcc_grammar_tests::subject::productions;
use gcc_grammar_vocabulary::Vocabulary;
use std::fs;
use std::path::Path;

/// Words of scratch that no case fills.
const SCRATCH: usize = 1 << 18;

/// No tokens but one that ends the text.
struct NoTokens(Vocabulary);

impl Tokens for NoTokens {
    fn bytes(&self, _: TokenId) -> Option<&[u8]> {
        None
    }

    fn fingerprint(&self) -> Fingerprint {
        self.0.fingerprint()
    }
}

/// The texts in `grammars/NAME/accept`.
fn texts(name: &str) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
    let folder = fs::read_dir(root.join("grammars").join(name).join("accept")).expect("a folder");
    folder.map(|entry| fs::read(entry.expect("readable").path()).expect("readable")).collect()
}

/// The text, and the text with each `stride`-th byte deleted, doubled or replaced.
fn changed(text: &[u8], stride: usize) -> Vec<Vec<u8>> {
    let replacements = b"x1 \n\"'/*({)}.,;=-\\".iter().cycle();
    let mut all = vec![text.to_vec()];
    for (at, &replacement) in (0..text.len()).step_by(stride).zip(replacements) {
        let byte = text[at];
        for new in [&[][..], &[byte, byte], &[replacement], &[byte, replacement]] {
            all.push([&text[..at], new, &text[at + 1..]].concat());
        }
    }
    all
}

/// How much of the text the runtime takes, and whether it may end there.
fn taken(matcher: &mut Matcher<'_, '_>, text: &[u8]) -> (usize, bool) {
    matcher.reset();
    let taken = text.iter().take_while(|&&byte| matcher.commit_bytes(&[byte]).is_ok()).count();
    (taken, matcher.is_accepting().expect("room"))
}

/// The same of the oracle.
fn read(oracle: &mut dyn Recognizer, text: &[u8]) -> (usize, bool) {
    oracle.truncate(0);
    let read = text.iter().take_while(|&&byte| oracle.push(Unit::Byte(byte))).count();
    oracle.truncate(read);
    (read, oracle.accepts())
}

/// Compares verdicts; how many texts there were.
fn compare(name: &str, stride: usize) -> usize {
    let sources = WithBundled(BuiltIn);
    let options = lark::Options { sources: &sources, ..lark::Options::default() };
    let parsed = lark::parse_with(find(name).expect("bundled").text, &options).expect("a sound grammar");
    let vocabulary = Vocabulary::from_tokens(Vec::new(), Vec::new(), vec![0], 1).expect("one end token");
    let compiled = compile(&parsed.grammar, &vocabulary, &Options::default(), &mut ()).expect("compiles");
    let normalized =
        pipeline::normalized(&parsed.grammar, &vocabulary, &Options::default()).expect("compiles");
    let mut oracle = recognizer(&parsed.grammar, &(&vocabulary).into(), Some(productions(&normalized)));
    let fingerprints = Fingerprints { vocabulary: vocabulary.fingerprint(), ..Fingerprints::default() };
    let artifact = compiled.tables.write(fingerprints, Vec::new());
    let view = GrammarView::open(&artifact).expect("the artifact just written opens");
    let tokens = NoTokens(vocabulary);
    let engine = Engine::new(view, &tokens).expect("the vocabulary is the one compiled for");
    let mut scratch = vec![0; SCRATCH];
    let mut matcher = Matcher::new(&engine, &mut scratch, 1).expect("room for the beginning");
    let all: Vec<_> = texts(name).iter().flat_map(|text| changed(text, stride)).collect();
    for text in &all {
        let (found, expected) = (taken(&mut matcher, text), read(oracle.as_mut(), text));
        assert!(!oracle.is_exhausted(), "{name}: the oracle gave up");
        assert_eq!(found, expected, "{name}: {:?}", String::from_utf8_lossy(text));
    }
    all.len()
}

#[test]
fn the_oracle_says_of_bundled_grammars_what_the_runtime_says() {
    assert!(compare("json", 1) > 300);
    assert!(compare("lua", 3) > 300);
    assert!(compare("go", 20) > 300);
}
