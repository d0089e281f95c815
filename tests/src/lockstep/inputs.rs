//! Random sources with vocabularies.

use crate::generate::Sample;
use crate::print::bnf;
use crate::subject::convert;
use gcc_grammar::{Notation, Source, Vocabulary};
use gcc_grammar_notations::bnf::Dialect;
use gcc_grammar_random::Random;
use std::collections::BTreeSet;

/// Grammars whose texts have several readings, whose lexemes nest, and whose stacks grow.
const GRAMMARS: [&str; 4] = [
    "start: e\ne: e \"+\" e | \"-\" e | \"(\" e \")\" | NAME | /\\d+/\nNAME: /[a-z_]\\w*/\n%ignore /[ \\n]+/\n",
    "start: (s \";\")*\ns: NAME \"=\" e | \"if\" e \"then\" s | e\ne: NAME | /[0-9]{1,12}/ | \"(\" e \")\" | e (\"+\" | \".\") e | STRING\nNAME: /[a-z]+/\nSTRING: /\"[^\"\\n]*\"/\n%ignore / +/\n",
    "start: item+\nitem: \"<\" WORD \">\" item* \"</\" WORD \">\" | WORD\nWORD: /[a-d]{1,9}/\n",
    "start: x y?\nx: \"a\" x \"b\" | \"a\" x | \"c\"\ny: (\"a\" | \"aa\" | \"b\"){0,7}\n",
];

/// Texts that span lexemes of JSON and of the grammars.
const WORDS: [&str; 24] = [
    "\":", "\": \"", "\",\"", "\": ", "\", \"", "}}", "\"}", "]}", "true", "null", "1.", "20", "ab", "aab",
    "((", "))", "a+", "-(", " \"", "é", "if ", "then", "-17", "</a>",
];

/// A source, and a vocabulary to decode with.
pub(super) struct Input {
    pub(super) source: Source,
    pub(super) vocabulary: Vocabulary,
}

impl Input {
    /// A random one.
    pub(super) fn new(random: &mut Random) -> Self {
        match random.below(4) {
            0 => Self::sample(random),
            1 => Self::with(Source::new(Notation::Lark, *random.pick(&GRAMMARS)), words(random)),
            _ => Self::with(Source::new(Notation::JsonSchema, schema(random, 2)), words(random)),
        }
    }

    /// A random grammar with tokens that are parts of its texts.
    fn sample(random: &mut Random) -> Self {
        loop {
            let Sample { grammar, vocabulary } = Sample::new(random.draw());
            let vocabulary = convert(&vocabulary);
            let texts = (0..vocabulary.width()).filter_map(|id| vocabulary.bytes(id).map(<[u8]>::to_vec));
            if let Some(text) = bnf(&grammar, Dialect::Gbnf) {
                return Self::with(Source::new(Notation::Gbnf, text), texts.collect());
            }
        }
    }

    fn with(source: Source, texts: BTreeSet<Vec<u8>>) -> Self {
        let bytes: BTreeSet<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
        let tokens = bytes.union(&texts).filter(|text| !text.is_empty()).cloned();
        let vocabulary = Vocabulary::from_tokens("lockstep", tokens).expect("a vocabulary");
        Self { source, vocabulary }
    }
}

/// Words, names of properties, and all pairs and some triples of letters: masks are near to bases, and far from them.
fn words(random: &mut Random) -> BTreeSet<Vec<u8>> {
    let letters = b'a'..=b'p';
    let pairs = letters.clone().flat_map(|a| letters.clone().map(move |b| vec![a, b]));
    let mut words: BTreeSet<Vec<u8>> = pairs.chain(WORDS.map(|word| word.as_bytes().to_vec())).collect();
    for _ in 0..random.between(0, 900) {
        words.insert((0..3).map(|_| b'a' + random.below(26) as u8).collect());
    }
    words.extend((0..6).map(|number| format!("\"{}\"", key(number)).into_bytes()));
    words
}

fn key(number: usize) -> String {
    format!("{}{number}", ["f", "name", "v"][number % 3])
}

/// A schema as people write them.
fn schema(random: &mut Random, depth: usize) -> String {
    let most = random.between(1, 40);
    match random.below(if depth == 0 { 7 } else { 10 }) {
        0 => format!(r#"{{"type":"string","maxLength":{most}}}"#),
        1 => format!(r#"{{"type":"string","pattern":"^[a-z]{{2,{}}}-[0-9]+$"}}"#, most + 2),
        2 => r#"{"type":"string","format":"date-time"}"#.to_owned(),
        3 => format!(r#"{{"type":"integer","minimum":{}}}"#, most % 4),
        4 => format!(r#"{{"enum":["v{most}","va{most}",{most},null,true]}}"#),
        5 => r#"{"type":["number","null"]}"#.to_owned(),
        6 => r#"{"type":"string"}"#.to_owned(),
        7 => {
            format!(r#"{{"type":"array","items":{},"maxItems":{}}}"#, schema(random, depth - 1), most % 6 + 1)
        }
        8 => format!(r#"{{"anyOf":[{},{}]}}"#, schema(random, depth - 1), schema(random, depth - 1)),
        _ => object(random, depth),
    }
}

fn object(random: &mut Random, depth: usize) -> String {
    let keys: Vec<String> = (0..random.between(1, 6)).map(|number| format!("\"{}\"", key(number))).collect();
    let properties: Vec<String> =
        keys.iter().map(|key| format!("{key}:{}", schema(random, depth - 1))).collect();
    let required: Vec<&str> = keys.iter().filter(|_| random.chance(60)).map(String::as_str).collect();
    let (properties, required, is_open) = (properties.join(","), required.join(","), random.chance(40));
    format!(
        r#"{{"type":"object","properties":{{{properties}}},"required":[{required}],"additionalProperties":{is_open}}}"#
    )
}
