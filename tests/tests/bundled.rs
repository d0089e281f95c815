//! Every bundled grammar on its own cases: what is in `accept/` is accepted, and what is in `reject/` is not.

use gcc_grammar::{Options, compile};
use gcc_grammar_artifact::{Fingerprint, Fingerprints, GrammarView};
use gcc_grammar_frontends::diagnostic::render_text;
use gcc_grammar_frontends::lark::{self, BuiltIn};
use gcc_grammar_grammars::{ALL, Bundled, WithBundled};
use gcc_grammar_runtime::{Engine, Matcher, TokenId, Tokens};
use gcc_grammar_vocabulary::Vocabulary;
use std::fs;
use std::path::{Path, PathBuf};

/// Words of scratch that no case fills.
const SCRATCH: usize = 1 << 18;

/// No tokens but one that ends the text. Texts are committed as bytes: whether they are accepted does not depend on tokens, and
/// without masks to make, compiling is quick.
struct NoTokens(Vocabulary);

impl Tokens for NoTokens {
    fn bytes(&self, _: TokenId) -> Option<&[u8]> {
        None
    }

    fn fingerprint(&self) -> Fingerprint {
        self.0.fingerprint()
    }
}

/// The files of `grammars/NAME/KIND`.
fn cases(name: &str, kind: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
    let folder = root.join("grammars").join(name).join(kind);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files
}

/// How much of the text is taken, and whether it may end there.
fn read(matcher: &mut Matcher<'_, '_>, text: &[u8]) -> (usize, bool) {
    matcher.reset();
    let taken = text.iter().take_while(|&&byte| matcher.commit_bytes(&[byte]).is_ok()).count();
    (taken, matcher.is_accepting().expect("room"))
}

fn judge(bundled: &Bundled) {
    let sources = WithBundled(BuiltIn);
    let options = lark::Options { sources: &sources, ..lark::Options::default() };
    let parsed = lark::parse_with(bundled.text, &options).unwrap_or_else(|errors| {
        let errors = errors.iter().map(|error| render_text(error, bundled.name, bundled.text, false));
        panic!("{}", errors.collect::<String>())
    });
    let vocabulary = Vocabulary::from_tokens(Vec::new(), Vec::new(), vec![0], 1).expect("one end token");
    let compiled = compile(&parsed.grammar, &vocabulary, &Options::default(), &mut ());
    let compiled = compiled.unwrap_or_else(|error| panic!("{}: {error:?}", bundled.name));
    let fingerprints = Fingerprints { vocabulary: vocabulary.fingerprint(), ..Fingerprints::default() };
    let artifact = compiled.tables.write(fingerprints, Vec::new());
    let view = GrammarView::open(&artifact).expect("the artifact just written opens");
    let tokens = NoTokens(vocabulary);
    let engine = Engine::new(view, &tokens).expect("the vocabulary is the one compiled for");
    let mut scratch = vec![0; SCRATCH];
    let mut matcher = Matcher::new(&engine, &mut scratch, 1).expect("room for the beginning");
    for file in cases(bundled.name, "accept") {
        let text = fs::read(&file).expect("readable");
        let (taken, complete) = read(&mut matcher, &text);
        let rest = String::from_utf8_lossy(&text[taken..]);
        assert!(taken == text.len() && complete, "{} is refused at {rest:?}", file.display());
    }
    for file in cases(bundled.name, "reject") {
        let text = fs::read(&file).expect("readable");
        assert_ne!(read(&mut matcher, &text), (text.len(), true), "{}", file.display());
    }
}

#[test]
fn bundled_grammars_accept_and_reject_their_cases() {
    ALL.iter().for_each(judge);
}
