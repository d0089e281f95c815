//! Grammars that are embedded at the same place and at different places have the masks that follow from each of them alone.
//!
//! Each part is read by the oracle as a grammar of its own. What a text with parts may be is defined here, by trying all ways to divide it;
//! the masks of the combined grammar must be those of the definition, at every prefix of many texts and for tokens that reach over the ends
//! of lexemes and parts.

use gcc_grammar_ir::Grammar;
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_notations::bnf::{self, Dialect};
use gcc_grammar_notations::{lark, structural_tag};
use gcc_grammar_tests::compare::{Built, Subject};
use gcc_grammar_tests::generate::Random;
use gcc_grammar_tests::oracle::{Recognizer, Unit, recognizer};
use gcc_grammar_tests::subject::Way;
use gcc_grammar_tests::{Token, Vocabulary};
use std::collections::HashMap;

/// Parts whose languages, or the terminals in which they are written, overlap.
const SCHEMAS: [&str; 12] = [
    r#"{"type": "string"}"#,
    r#"{"type": "string", "pattern": "^a+$"}"#,
    r#"{"type": "string", "maxLength": 2}"#,
    r#"{"enum": ["a", "ab", 1, 12]}"#,
    r#"{"type": "integer"}"#,
    r#"{"type": "number", "minimum": 1}"#,
    r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false}"#,
    r#"{"type": "object", "properties": {"a": {"type": "string", "pattern": "^a+b?$"}, "b": {"type": "integer"}}}"#,
    r#"{"type": "object", "additionalProperties": {"type": "integer"}}"#,
    r##"{"type": "object", "properties": {"a": {"$ref": "#"}, "b": {"enum": ["a"]}}, "additionalProperties": false}"##,
    r#"{"type": "array", "items": {"type": "string", "pattern": "^a*$"}}"#,
    "{}",
];

/// Parts in XGrammar's notation.
const GRAMMARS: [&str; 3] =
    [r#"root ::= "(" root ")" | [a-c]+"#, r#"root ::= [ab] root? [bc]"#, r#"root ::= ("a" | "ab" | [0-9])*"#];

const INSTANCES: [&str; 14] = [
    r#""aaa""#,
    r#""ab""#,
    r#""\u0061é""#,
    "12",
    "1.5e2",
    "-0",
    r#"{"a": "ab"}"#,
    r#"{"a": "aa", "b": 12}"#,
    r#"{"a": {"a": {}, "b": "a"}}"#,
    r#"{"a": 1, "ab": 2}"#,
    r#"["a", "aa", "b"]"#,
    "[\n  \"\",\n  true\n]",
    "((ab))",
    "aabbcc12",
];

/// A grammar alone, and what is known of texts under it.
pub(crate) struct Part {
    /// As the content of a structural tag.
    content: String,
    /// As an expression of Lark, which has no notation for the others.
    lark: Option<String>,
    alone: Box<dyn Recognizer>,
    read: Vec<u8>,
    known: HashMap<Vec<u8>, Verdict>,
}

/// Whether a text can be continued to one of the language, and whether it is in the language.
pub(crate) type Verdict = (bool, bool);

impl Part {
    pub(crate) fn schema(text: &str, vocabulary: &Vocabulary) -> Self {
        let compiled = json_schema::compile(text, &json_schema::Options::default());
        let grammar = compiled.unwrap_or_else(|errors| panic!("{text}: {errors:?}")).grammar;
        let content = format!(r#"{{"type": "json_schema", "json_schema": {text}}}"#);
        Self::new(content, Some(format!("%json {text}")), &grammar, vocabulary)
    }

    fn grammar(text: &str, vocabulary: &Vocabulary) -> Self {
        let parsed = bnf::parse(text, Dialect::XGrammar, &Default::default());
        let grammar = parsed.unwrap_or_else(|errors| panic!("{text}: {errors:?}")).grammar;
        Self::new(format!(r#"{{"type": "grammar", "grammar": {text:?}}}"#), None, &grammar, vocabulary)
    }

    fn new(content: String, lark: Option<String>, grammar: &Grammar, vocabulary: &Vocabulary) -> Self {
        let alone = recognizer(grammar, vocabulary, None);
        Self { content, lark, alone, read: Vec::new(), known: HashMap::new() }
    }

    pub(crate) fn verdict(&mut self, text: &[u8]) -> Verdict {
        if let Some(&known) = self.known.get(text) {
            return known;
        }
        let common = self.read.iter().zip(text).take_while(|(a, b)| a == b).count();
        self.alone.truncate(common);
        for &byte in &text[common..] {
            self.alone.push(Unit::Byte(byte));
        }
        self.read = text.to_vec();
        assert!(!self.alone.is_exhausted(), "{}", self.content);
        let verdict = (self.alone.is_viable(), self.alone.accepts());
        self.known.insert(text.to_vec(), verdict);
        verdict
    }
}

/// How the parts stand in a text.
#[derive(Clone, Copy, Debug)]
enum Layout {
    /// One of them.
    Choice,
    /// One of them, between `<f=N>` and `</f>`.
    Tags,
    /// One after the other.
    Sequence,
}

/// The end of tags.
const END: &[u8] = b"</f>";

fn begin(index: usize) -> String {
    format!("<f={index}>")
}

/// The definition: the verdict on a text with these parts.
fn define(parts: &mut [Part], chosen: &[usize], layout: Layout, text: &[u8]) -> Verdict {
    let or = |a: Verdict, b: Verdict| (a.0 || b.0, a.1 || b.1);
    match layout {
        Layout::Choice => chosen.iter().map(|&part| parts[part].verdict(text)).fold((false, false), or),
        Layout::Tags => {
            let tag = |(index, &part): (usize, &usize)| {
                let begin = begin(index).into_bytes();
                match text.strip_prefix(&begin[..]) {
                    Some(rest) => inside_tag(&mut parts[part], rest),
                    None => (begin.starts_with(text), false),
                }
            };
            chosen.iter().enumerate().map(tag).fold((false, false), or)
        }
        Layout::Sequence => in_sequence(parts, chosen, text),
    }
}

/// The verdict on the text behind the beginning of a tag.
fn inside_tag(part: &mut Part, text: &[u8]) -> Verdict {
    let (mut viable, mut accepted) = (part.verdict(text).0, false);
    for at in text.len().saturating_sub(END.len())..=text.len() {
        if END.starts_with(&text[at..]) && part.verdict(&text[..at]).1 {
            viable = true;
            accepted |= text.len() - at == END.len();
        }
    }
    (viable, accepted)
}

/// The verdict on a text of these parts one after the other.
fn in_sequence(parts: &mut [Part], chosen: &[usize], text: &[u8]) -> Verdict {
    let Some((&first, rest)) = chosen.split_first() else { return (text.is_empty(), text.is_empty()) };
    let (mut viable, mut accepted) = (parts[first].verdict(text).0, false);
    for at in 0..=text.len() {
        if parts[first].verdict(&text[..at]).1 {
            let verdict = in_sequence(parts, rest, &text[at..]);
            (viable, accepted) = (viable || verdict.0, accepted || verdict.1);
        }
    }
    (viable, accepted)
}

/// The structural tags of the parts.
fn tags(parts: &[Part], chosen: &[usize], layout: Layout) -> Grammar {
    let element = |(index, &part): (usize, &usize)| match layout {
        Layout::Tags => format!(
            r#"{{"type": "tag", "begin": "{}", "content": {}, "end": "</f>"}}"#,
            begin(index),
            parts[part].content
        ),
        Layout::Choice | Layout::Sequence => parts[part].content.clone(),
    };
    let elements: Vec<String> = chosen.iter().enumerate().map(element).collect();
    let kind = if matches!(layout, Layout::Sequence) { "sequence" } else { "or" };
    let text = format!(
        r#"{{"type": "structural_tag", "format": {{"type": "{kind}", "elements": [{}]}}}}"#,
        elements.join(", ")
    );
    let parsed = structural_tag::parse(&text, &structural_tag::Options::default());
    parsed.unwrap_or_else(|errors| panic!("{text}: {errors:?}")).grammar
}

/// The Lark grammar of the parts, under longest match; none if one of them is not a schema.
fn lark(parts: &[Part], chosen: &[usize], layout: Layout) -> Option<Grammar> {
    let alternative = |(index, &part): (usize, &usize)| {
        let expression = parts[part].lark.as_ref()?;
        Some(match layout {
            Layout::Tags => format!("{:?} {expression} \"</f>\"", begin(index)),
            Layout::Choice | Layout::Sequence => expression.clone(),
        })
    };
    let alternatives: Option<Vec<String>> = chosen.iter().enumerate().map(alternative).collect();
    let text = format!("start: {}\n", alternatives?.join("\n  | "));
    Some(lark::parse(&text).unwrap_or_else(|errors| panic!("{text}: {errors:?}")).grammar)
}

/// The characters of the texts, tokens that reach over the ends of lexemes, and the end token.
pub(crate) fn vocabulary() -> Vocabulary {
    let single: Vec<u8> = b" \n\"\\/-+.,:0123456789Eabcdefnrstu<>=[](){}\xc3\xa9\x80".to_vec();
    let longer = [
        "\"a", "a\"", "\": ", "\",", "\"}", "\"]", "\": \"", "ab", "aa\"", "12", "1}", ", \"", "{\"a\"",
        "}}", "</", ">\"", "\"</f>", "}</f", "2</", "=1>", "))", "b)", "bc", "\n  ", "\",\n",
    ];
    let single = single.into_iter().map(|byte| Token::Text(vec![byte]));
    let longer = longer.into_iter().map(|text| Token::Text(text.as_bytes().to_vec()));
    let mut tokens: Vec<Token> = single.chain(longer).collect();
    tokens.push(Token::Special("<end>".to_owned()));
    let end = u32::try_from(tokens.len() - 1).expect("a small number");
    Vocabulary { tokens, end: vec![end], padding: 0 }
}

/// Compares the masks of a grammar with the definition along a text, up to its first byte that is refused. Returns their number.
pub(crate) fn follow(
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    texts: &[Vec<u8>],
    define: &mut dyn FnMut(&[u8]) -> Verdict,
) -> usize {
    let byte = |byte: u8| vocabulary.tokens.iter().position(|token| *token == Token::Text(vec![byte]));
    let mut masks = 0;
    let mut compare = |Built { engine, .. }: Built<'_>| {
        for text in texts {
            engine.reset();
            for length in 0..=text.len() {
                let read = &text[..length];
                let mask = engine.mask().expect("room");
                for (token, &allowed) in vocabulary.tokens.iter().zip(&mask) {
                    let expected = match token {
                        Token::Text(bytes) => define(&[read, bytes].concat()).0,
                        _ => define(read).1,
                    };
                    let shown = String::from_utf8_lossy(read);
                    assert_eq!(allowed, expected, "{token:?} after {shown:?}\n{grammar}");
                }
                masks += 1;
                let Some(&next) = text.get(length) else { break };
                let next = byte(next).and_then(|token| u32::try_from(token).ok()).expect("a single byte");
                if !engine.commit(next).expect("room") {
                    break;
                }
            }
        }
    };
    let built = Way::Rows.build(grammar, vocabulary, &mut compare);
    built.unwrap_or_else(|refusal| panic!("{refusal:?}\n{grammar}"));
    masks
}

/// Texts for these parts: the instances, or the instances in tags, or pairs of instances.
fn texts(random: &mut Random, count: usize, layout: Layout) -> Vec<Vec<u8>> {
    let text = |random: &mut Random| {
        let instance = *random.pick(&INSTANCES);
        match layout {
            Layout::Choice => instance.to_owned(),
            Layout::Tags => format!("{}{instance}</f>", begin(random.between(0, count - 1))),
            Layout::Sequence => format!("{instance}{}", random.pick(&INSTANCES)),
        }
    };
    (0..6).map(|_| text(random).into_bytes()).collect()
}

#[test]
fn masks_follow_from_each_part_alone() {
    let vocabulary = vocabulary();
    let schemas = SCHEMAS.iter().map(|text| Part::schema(text, &vocabulary));
    let grammars = GRAMMARS.iter().map(|text| Part::grammar(text, &vocabulary));
    let mut parts: Vec<Part> = schemas.chain(grammars).collect();
    let mut masks = 0;
    for seed in 0..90 {
        let mut random = Random::new(seed);
        let layout =
            [Layout::Choice, Layout::Tags, Layout::Sequence][usize::try_from(seed % 3).expect("small")];
        let under_longest_match = seed % 2 == 0 && !matches!(layout, Layout::Sequence);
        let of = if under_longest_match { SCHEMAS.len() } else { parts.len() };
        let most = if matches!(layout, Layout::Sequence) { 2 } else { 5 };
        let chosen: Vec<usize> = (0..random.between(2, most)).map(|_| random.below(of)).collect();
        let grammar = match under_longest_match {
            true => lark(&parts, &chosen, layout).expect("schemas"),
            false => tags(&parts, &chosen, layout),
        };
        let texts = texts(&mut random, chosen.len(), layout);
        masks += follow(&grammar, &vocabulary, &texts, &mut |text| define(&mut parts, &chosen, layout, text));
    }
    assert!(masks > 3_000, "{masks}");
}
