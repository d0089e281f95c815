//! Structural tags and `TagDispatch` beside their definition: random formats, and all short texts.
//!
//! The oracle is the text of `docs/structural-tags.md` in code. It splits a text in every way and searches for words in the parts; it has
//! no automata, and shares nothing with the front end.

use super::notations::{read, tags, verdicts};
use gcc_grammar_ir::{SpecialNames, SpecialTokens};
use gcc_grammar_notations::bnf::Dialect;
use gcc_grammar_notations::structural_tag::{Options, parse};
use gcc_grammar_tests::campaign::{Report, try_sample};
use gcc_grammar_tests::generate::{Random, Sample};
use gcc_grammar_tests::subject::Way;
use gcc_grammar_tests::{Token, Vocabulary};
use std::fmt::Write;

/// A format of a structural tag.
enum Format {
    Const(String),
    AnyText { excludes: Vec<String>, max_chars: Option<usize> },
    Sequence(Vec<Format>),
    Or(Vec<Format>),
    Star(Box<Format>),
    Tag(Tag),
    TriggeredTags { triggers: Vec<String>, tags: Vec<Tag>, flags: [bool; 2], excludes: Vec<String> },
    Dispatch { rules: Vec<(String, Format)>, again: bool, excludes: Vec<String> },
}

struct Tag {
    begin: String,
    content: Box<Format>,
    ends: Vec<String>,
}

/// A text up to each of these positions.
type Positions = std::collections::BTreeSet<usize>;

/// Reads a text by the definition.
struct Reader<'t> {
    text: &'t str,
    names: &'t Names,
}

/// The names of special tokens that words may contain. In texts, a digit stands for a token.
struct Names {
    tokens: &'static [(&'static str, &'static str)],
    /// Whether a name stands for its characters, too.
    characters: bool,
}

const NONE: Names = Names { tokens: &[], characters: true };

impl Names {
    /// The first name in a word, as a tokenizer finds it: where it begins, and its token.
    fn first(&self, word: &str) -> Option<(usize, &'static str, &'static str)> {
        let at = |start: usize| {
            let here = self.tokens.iter().filter(move |(name, _)| word[start..].starts_with(name));
            here.max_by_key(|(name, _)| name.len()).map(|&(name, token)| (start, name, token))
        };
        (0..word.len()).find_map(at)
    }

    /// What a word may be written as.
    fn spellings(&self, word: &str) -> Vec<String> {
        let Some((start, name, token)) = self.first(word) else { return vec![word.to_owned()] };
        let here = [Some(token), self.characters.then_some(name)];
        let rest = self.spellings(&word[start + name.len()..]);
        let spelled = |here: &str| {
            rest.iter().map(move |rest| format!("{}{here}{rest}", &word[..start])).collect::<Vec<_>>()
        };
        here.into_iter().flatten().flat_map(spelled).collect()
    }

    /// The name of the word within which a place lies: what may stand up to its end, with the token for it, and where it ends.
    fn across(&self, word: &str, place: usize) -> Option<(Vec<String>, usize)> {
        let mut from = 0;
        while let Some((start, name, token)) = self.first(&word[from..]) {
            let (start, end) = (from + start, from + start + name.len());
            if start < place && place < end {
                let before = self.spellings(&word[..start]);
                return Some((before.into_iter().map(|before| before + token).collect(), end));
            }
            from = end;
        }
        None
    }
}

/// What ends free text, and what follows it there.
struct Call<'c> {
    spellings: Vec<String>,
    then: Box<dyn Fn(usize) -> Positions + 'c>,
}

impl Reader<'_> {
    /// Where a format that begins at `from` can end. `around` are the ends of the nearest tag around the format.
    fn format(&self, format: &Format, from: usize, around: &[String]) -> Positions {
        match format {
            Format::Const(word) => self.word(word, from),
            Format::AnyText { excludes, max_chars } => {
                let most = max_chars.unwrap_or(usize::MAX);
                let to = |to: &usize| to - from <= most && self.is_free(from, *to, &[excludes, around]);
                (from..=self.text.len()).filter(to).collect()
            }
            Format::Sequence(elements) => elements.iter().fold(Positions::from([from]), |starts, element| {
                starts.iter().flat_map(|&start| self.format(element, start, around)).collect()
            }),
            Format::Or(elements) => {
                elements.iter().flat_map(|element| self.format(element, from, around)).collect()
            }
            Format::Star(content) => self.repeated(from, &|start| self.format(content, start, around)),
            Format::Tag(tag) => self.tag(tag, from),
            Format::TriggeredTags { triggers, tags, flags: [at_least_one, stop], excludes } => {
                let any = |start: usize| tags.iter().flat_map(|tag| self.tag(tag, start)).collect();
                let calls: Vec<Call<'_>> = tags.iter().flat_map(|tag| self.calls_of(tag, triggers)).collect();
                let excluded = [&excludes[..], around].concat();
                match (at_least_one, stop) {
                    (true, true) => any(from),
                    (true, false) => {
                        let starts: Positions = any(from);
                        let rest = |&start: &usize| self.dispatch(triggers, &excluded, true, start, &calls);
                        starts.iter().flat_map(rest).collect()
                    }
                    (false, stop) => self.dispatch(triggers, &excluded, !stop, from, &calls),
                }
            }
            Format::Dispatch { rules, again, excludes } => {
                let triggers: Vec<String> = rules.iter().map(|(trigger, _)| trigger.clone()).collect();
                let calls = rules.iter().map(|(word, format)| Call {
                    spellings: self.names.spellings(word),
                    then: Box::new(move |after| self.format(format, after, around)),
                });
                let calls: Vec<Call<'_>> = calls.collect();
                self.dispatch(&triggers, &[&excludes[..], around].concat(), *again, from, &calls)
            }
        }
    }

    /// How a tag begins in free text: with its trigger, or with a special token whose name the end of the trigger lies within.
    fn calls_of<'c>(&'c self, tag: &'c Tag, triggers: &'c [String]) -> Vec<Call<'c>> {
        let Some(word) = trigger_of(&tag.begin, triggers) else { return Vec::new() };
        let call = |spellings, end: usize| Call {
            spellings,
            then: Box::new(move |after| self.after_begin(tag, self.word(&tag.begin[end..], after))),
        };
        let across = self.names.across(&tag.begin, word.len());
        let by_trigger = call(self.names.spellings(word), word.len());
        across.into_iter().map(|(spellings, end)| call(spellings, end)).chain([by_trigger]).collect()
    }

    fn tag(&self, tag: &Tag, from: usize) -> Positions {
        self.after_begin(tag, self.word(&tag.begin, from))
    }

    fn after_begin(&self, tag: &Tag, starts: Positions) -> Positions {
        let ends = starts.iter().flat_map(|&start| self.format(&tag.content, start, &tag.ends));
        let ends: Positions = ends.collect();
        ends.iter().flat_map(|&at| tag.ends.iter().flat_map(move |end| self.word(end, at))).collect()
    }

    /// Free text with triggers, and what they call.
    fn dispatch(
        &self,
        triggers: &[String],
        excludes: &[String],
        again: bool,
        from: usize,
        calls: &[Call<'_>],
    ) -> Positions {
        let called = |start: usize| -> Positions {
            let complete = |at: usize, word: &str| self.text[start..at].ends_with(word);
            let stops = || calls.iter().flat_map(|call| &call.spellings).chain(triggers);
            let is_first = |at: usize| (start..at).all(|at| !stops().any(|word| complete(at, word)));
            let mut ends = Positions::new();
            for at in (start..=self.text.len()).filter(|&at| is_first(at)) {
                for call in calls {
                    let complete = call.spellings.iter().filter(|word| complete(at, word));
                    if complete.clone().any(|word| self.is_free(start, at - word.len(), &[excludes])) {
                        ends.extend((call.then)(at));
                    }
                }
            }
            ends
        };
        let rest = |start: usize| -> Positions {
            (start..=self.text.len()).filter(|&to| self.is_free(start, to, &[excludes, triggers])).collect()
        };
        match again {
            true => self.repeated(from, &called).into_iter().flat_map(rest).collect(),
            false => called(from).into_iter().chain(rest(from)).collect(),
        }
    }

    /// Any number of repetitions.
    fn repeated(&self, from: usize, once: &dyn Fn(usize) -> Positions) -> Positions {
        let (mut known, mut todo) = (Positions::from([from]), vec![from]);
        while let Some(start) = todo.pop() {
            todo.extend(once(start).into_iter().filter(|&end| known.insert(end)));
        }
        known
    }

    fn word(&self, word: &str, from: usize) -> Positions {
        let spellings = self.names.spellings(word).into_iter();
        spellings
            .filter(|word| self.text[from..].starts_with(word.as_str()))
            .map(|word| from + word.len())
            .collect()
    }

    /// Whether the text between two positions consists of characters, and contains none of the words.
    fn is_free(&self, from: usize, to: usize, words: &[&[String]]) -> bool {
        let part = &self.text[from..to];
        !part.contains(['1', '2'])
            && words
                .iter()
                .all(|words| words.iter().all(|word| word.is_empty() || !part.contains(word.as_str())))
    }
}

/// The shortest trigger that the beginning of a tag begins with.
fn trigger_of<'t>(begin: &str, triggers: &'t [String]) -> Option<&'t String> {
    triggers.iter().filter(|trigger| begin.starts_with(trigger.as_str())).min_by_key(|trigger| trigger.len())
}

impl Format {
    /// The format as JSON.
    fn json(&self) -> String {
        match self {
            Self::Const(value) => format!(r#"{{"type": "const_string", "value": {value:?}}}"#),
            Self::AnyText { excludes, max_chars } => {
                let most = max_chars.map_or("null".to_owned(), |most| most.to_string());
                format!(r#"{{"type": "any_text", "excludes": {excludes:?}, "max_chars": {most}}}"#)
            }
            Self::Sequence(elements) => {
                format!(r#"{{"type": "sequence", "elements": {}}}"#, list(elements.iter().map(Self::json)))
            }
            Self::Or(elements) => {
                format!(r#"{{"type": "or", "elements": {}}}"#, list(elements.iter().map(Self::json)))
            }
            Self::Star(content) => format!(r#"{{"type": "star", "content": {}}}"#, content.json()),
            Self::Tag(tag) => tag.json(),
            Self::TriggeredTags { triggers, tags, flags: [first, stop], excludes } => format!(
                r#"{{"type": "triggered_tags", "triggers": {triggers:?}, "tags": {}, "at_least_one": {first}, "stop_after_first": {stop}, "excludes": {excludes:?}}}"#,
                list(tags.iter().map(Tag::json))
            ),
            Self::Dispatch { rules, again, excludes } => format!(
                r#"{{"type": "dispatch", "rules": {}, "loop": {again}, "excludes": {excludes:?}}}"#,
                list(rules.iter().map(|(trigger, format)| format!("[{trigger:?}, {}]", format.json())))
            ),
        }
    }
}

impl Tag {
    fn json(&self) -> String {
        let Self { begin, content, ends } = self;
        let ends = if let [end] = &ends[..] { format!("{end:?}") } else { format!("{ends:?}") };
        format!(r#"{{"type": "tag", "begin": {begin:?}, "content": {}, "end": {ends}}}"#, content.json())
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// Random formats over the letters a and b, whose words overlap often.
struct Formats(Random);

impl Formats {
    fn word(&mut self, most: usize) -> String {
        (0..self.0.between(1, most)).map(|_| *self.0.pick(&['a', 'b'])).collect()
    }

    fn words(&mut self, least: usize, most: usize) -> Vec<String> {
        (0..self.0.between(least, most)).map(|_| self.word(3)).collect()
    }

    fn format(&mut self, depth: usize) -> Format {
        let kind = if depth == 0 { self.0.below(4) } else { self.0.below(10) };
        match kind {
            0 => Format::Const(self.word(2)),
            1..=3 => Format::AnyText {
                excludes: self.words(0, 2),
                max_chars: self.0.chance(25).then(|| self.0.between(0, 3)),
            },
            4 => Format::Sequence((0..2).map(|_| self.format(depth - 1)).collect()),
            5 => Format::Or((0..2).map(|_| self.format(depth - 1)).collect()),
            6 => Format::Star(Box::new(self.format(depth - 1))),
            7 => Format::Tag(self.tag(depth - 1, String::new())),
            8 => self.triggered(depth - 1),
            _ => Format::Dispatch {
                rules: (0..self.0.between(1, 2)).map(|_| (self.word(3), self.format(depth - 1))).collect(),
                again: self.0.chance(70),
                excludes: self.words(0, 2),
            },
        }
    }

    fn triggered(&mut self, depth: usize) -> Format {
        let triggers = self.words(1, 2);
        let tags = (0..self.0.between(1, 2)).map(|_| {
            let trigger = self.0.pick(&triggers).clone();
            self.tag(depth, trigger)
        });
        let tags = tags.collect();
        Format::TriggeredTags {
            triggers,
            tags,
            flags: [self.0.chance(25), self.0.chance(25)],
            excludes: self.words(0, 2),
        }
    }

    /// A tag that begins with the trigger.
    fn tag(&mut self, depth: usize, trigger: String) -> Tag {
        let begin = if self.0.chance(50) { trigger } else { trigger + &self.word(1) };
        let mut ends = self.words(1, 2);
        if self.0.chance(10) {
            ends.push(String::new());
        }
        Tag { begin, content: Box::new(self.format(depth)), ends }
    }
}

/// All texts of these letters up to a length.
fn texts_of(letters: &str, longest: usize) -> Vec<String> {
    let mut texts = vec![String::new()];
    let mut from = 0;
    for _ in 0..longest {
        let longer: Vec<String> = texts[from..]
            .iter()
            .flat_map(|text| letters.chars().map(move |letter| format!("{text}{letter}")))
            .collect();
        from = texts.len();
        texts.extend(longer);
    }
    texts
}

/// All texts of the letters a and b up to a length.
fn texts(longest: u32) -> Vec<String> {
    let of_length = |length: u32| {
        (0..1u32 << length)
            .map(move |bits| (0..length).map(|at| if bits >> at & 1 == 1 { 'a' } else { 'b' }).collect())
    };
    (0..=longest).flat_map(of_length).collect()
}

#[test]
fn random_formats_follow_their_definition() {
    let texts = texts(7);
    let mut formats = Formats(Random::new(25));
    let (mut accepted, mut refused, mut empty) = (0, 0, 0);
    for _ in 0..300 {
        let format = Format::Tag(formats.tag(2, String::new()));
        let json = format.json();
        let expected =
            |text: &String| Reader { text, names: &NONE }.format(&format, 0, &[]).contains(&text.len());
        let expected: Vec<bool> = texts.iter().map(expected).collect();
        let Some(grammar) = tags_with_a_text(&json, &Options::default()) else {
            assert!(!expected.contains(&true), "{json} has no text");
            empty += 1;
            continue;
        };
        for ((text, verdict), expected) in texts.iter().zip(verdicts(&grammar, &texts)).zip(expected) {
            assert_eq!(verdict, expected, "{text:?} under {json}\n{grammar}");
            *if verdict { &mut accepted } else { &mut refused } += 1;
        }
    }
    assert!(accepted > 2_000 && refused > 2_000 && empty < 60, "{accepted} {refused} {empty}");
}

/// Words that contain the names of special tokens, in triggers, ends, excluded words and constants.
#[test]
fn random_formats_with_special_tokens_follow_their_definition() {
    const TOKENS: [(&str, &str); 2] = [("ab", "1"), ("bba", "2")];
    let texts = texts_of("ab12", 5);
    let written: Vec<String> = texts.iter().map(|text| text.replace('1', "␑").replace('2', "␒")).collect();
    let mut formats = Formats(Random::new(0));
    let mut with_tokens = 0;
    for _ in 0..500 {
        let format = Format::Tag(formats.tag(2, String::new()));
        let (json, option) = (format.json(), *formats.0.pick(SpecialTokens::ALL));
        let names = Names {
            tokens: if option == SpecialTokens::Never { &[] } else { &TOKENS },
            characters: option != SpecialTokens::Only,
        };
        let expected =
            |text: &String| Reader { text, names: &names }.format(&format, 0, &[]).contains(&text.len());
        let expected: Vec<bool> = texts.iter().map(expected).collect();
        let options =
            Options { names: SpecialNames::new([(256, "ab"), (257, "bba")], option), ..Options::default() };
        let Some(grammar) = tags_with_a_text(&json, &options) else {
            assert!(!expected.contains(&true), "{option} {json} has no text");
            continue;
        };
        for ((text, verdict), expected) in texts.iter().zip(verdicts(&grammar, &written)).zip(expected) {
            assert_eq!(verdict, expected, "{text:?} under {option} {json}\n{grammar}");
            with_tokens += usize::from(verdict && text.contains(['1', '2']));
        }
    }
    assert!(with_tokens > 500, "{with_tokens}");
}

/// The masks of such formats, with tokens that lie across their words, beside the oracle on the grammar.
#[test]
fn masks_of_formats_with_special_tokens_are_exact() {
    let text = |text: &str| Token::Text(text.as_bytes().to_vec());
    let special = |name: &str| Token::Special(name.to_owned());
    let texts = ["a", "b", "ab", "ba", "aab", "bbab"].map(text);
    let tokens = texts.into_iter().chain(["ab", "bba", "<end>"].map(special)).collect();
    let vocabulary = Vocabulary { tokens, end: vec![8], padding: 0 };
    let mut formats = Formats(Random::new(1));
    let mut report = Report::default();
    for seed in 0..150 {
        let json = Format::Tag(formats.tag(2, String::new())).json();
        let option = *formats.0.pick(SpecialTokens::ALL);
        let names = SpecialNames::new([(6, "ab"), (7, "bba")], option);
        let Some(grammar) = tags_with_a_text(&json, &Options { names, ..Options::default() }) else {
            continue;
        };
        let sample = Sample { grammar, vocabulary: vocabulary.clone() };
        match try_sample(seed, sample, &Way::of_seed(seed)) {
            Ok(same) => report += same,
            Err(wrong) => panic!("{option} {json}: {wrong}"),
        }
    }
    assert!(report.tally.masks > 3_000 && report.tally.exhausted * 20 < report.samples, "{report}");
}

/// The grammar of a format; none if it is refused because no text belongs to it.
fn tags_with_a_text(format: &str, options: &Options) -> Option<gcc_grammar_ir::Grammar> {
    let text = format!(r#"{{"type": "structural_tag", "format": {format}}}"#);
    match parse(&text, options) {
        Ok(parsed) => Some(parsed.grammar),
        Err(errors) if errors.iter().all(|error| error.code == "no-text") => None,
        Err(errors) => panic!("{format}: {errors:?}"),
    }
}

#[test]
fn random_macros_follow_their_definition() {
    let texts = texts(8);
    let mut formats = Formats(Random::new(52));
    for _ in 0..60 {
        let rules: Vec<(String, Format)> =
            (0..formats.0.between(1, 2)).map(|_| (formats.word(3), Format::Const(formats.word(2)))).collect();
        let (again, excludes) = (formats.0.chance(70), formats.words(0, 2));
        let mut text = "root ::= TagDispatch(".to_owned();
        let mut bodies = String::new();
        for (index, (trigger, format)) in rules.iter().enumerate() {
            let Format::Const(body) = format else { unreachable!("made above") };
            write!(text, "({trigger:?}, rule{index}), ").expect("memory");
            writeln!(bodies, "rule{index} ::= {body:?}").expect("memory");
        }
        let excluded: String = excludes.iter().map(|word| format!("{word:?},")).collect();
        writeln!(text, "loop_after_dispatch={again}, excludes=({excluded}))\n{bodies}").expect("memory");
        let grammar = read(&text, Dialect::XGrammar);
        let format = Format::Dispatch { rules, again, excludes };
        for (word, verdict) in texts.iter().zip(verdicts(&grammar, &texts)) {
            let expected = Reader { text: word, names: &NONE }.format(&format, 0, &[]).contains(&word.len());
            assert_eq!(verdict, expected, "{word:?} under {text}\n{grammar}");
        }
    }
}

#[test]
fn excluded_words_concern_the_text_and_not_its_end() {
    let think = |end: &str| {
        let content = r#"{"type": "any_text", "excludes": ["<c>"]}"#;
        tags(&format!(r#"{{"type": "tag", "begin": "<t>", "content": {content}, "end": {end}}}"#))
    };
    let check = |end: &str, accepted: &[&str], refused: &[&str]| {
        super::notations::check(&think(end), accepted, refused);
    };
    check(r#""<c>end""#, &["<t>abc<c>end", "<t><c>end"], &["<t>abc", "<t><c><c>end", "<t>a<c>"]);
    check(r#"["<c>end", "</t>"]"#, &["<t>abc<c>end", "<t>abc</t>"], &["<t><c></t>"]);
    check(r#""-<c>end""#, &["<t>a-<c>end", "<t>--<c>end"], &["<t>-<c>-<c>end", "<t><c>-<c>end"]);
    check(r#""c>""#, &["<t>a<c>", "<t>c>"], &["<t><c>c>", "<t>a"]);
    check(r#"">""#, &["<t>a<c>", "<t><c>"], &["<t><c>>", "<t>"]);
    let dispatch = r#"{"type": "tag", "begin": "(", "content": {"type": "dispatch", "rules": [["a:", {"type": "regex", "pattern": "[0-9]"}]],
        "excludes": ["-"]}, "end": "-)"}"#;
    super::notations::check(&tags(dispatch), &["(-)", "(a:1-)", "(x a:1 y-)"], &["(--)", "(-a:1-)", "(-"]);
    let triggered = r#"{"type": "triggered_tags", "triggers": ["<c>call"], "excludes": ["<c>"], "tags": [
        {"begin": "<c>call", "content": {"type": "const_string", "value": "!"}, "end": ""}]}"#;
    super::notations::check(
        &tags(triggered),
        &["", "x<c>call!y", "<c"],
        &["<c>", "<c>c", "<c>call", "<c><c>call!"],
    );
}

#[test]
fn free_text_anywhere_in_a_tag_does_not_contain_its_end() {
    let text = r#"{"type": "any_text"}"#;
    let then = format!(
        r#"{{"type": "tag", "begin": "<t>", "content": {{"type": "sequence", "elements": [{text}, {{"type": "const_string", "value": "x"}}]}}, "end": "</t>"}}"#
    );
    super::notations::check(&tags(&then), &["<t>x</t>", "<t>axx</t>"], &["<t></t>x</t>", "<t>a</t>"]);
    let tokens = r#"{"type": "tag", "begin": {"type": "token", "token": "<x>"}, "content": {"type": "star", "content": {"type": "exclude_token"}},
        "end": {"type": "token", "token": "<y>"}}"#;
    super::notations::check(&tags(tokens), &["␑␒", "␑a␑␒"], &["␑␒␒", "␑"]);
}
