//! `difference` agrees with the sets of all short texts of random grammars, which are computed by the definition of a grammar's language; and with
//! what is known of pairs of schemas.

use gcc_grammar::difference::{Difference, Texts, difference};
use gcc_grammar::generate::RandomNumbers as Random;
use gcc_grammar::{LimitOptions, Options, Source, Tracer, parse};
use std::collections::BTreeSet;

/// The longest texts that are listed.
const LONGEST: usize = 5;

type Language = BTreeSet<String>;

/// A symbol of an alternative: a letter, or a rule; and how often it may come.
#[derive(Clone)]
struct Item {
    symbol: Symbol,
    often: &'static str,
}

#[derive(Clone, Copy)]
enum Symbol {
    Letter(char),
    Rule(usize),
}

/// A grammar: the alternatives of each rule, the first of which is the start.
#[derive(Clone)]
struct Rules(Vec<Vec<Vec<Item>>>);

impl Rules {
    fn random(random: &mut Random) -> Self {
        let count = 1 + random.below(3);
        let alternatives = |random: &mut Random| {
            let many = 1 + random.below(3);
            (0..many).map(|_| alternative(random, count)).collect()
        };
        Self((0..count).map(|_| alternatives(random)).collect())
    }

    /// The same grammar with another alternative at one place, or one more or less.
    fn changed(&self, random: &mut Random) -> Self {
        let mut changed = self.clone();
        let count = changed.0.len();
        let rule = random.below(count);
        let alternatives = &mut changed.0[rule];
        let at = random.below(alternatives.len());
        match random.below(3) {
            0 => alternatives[at] = alternative(random, count),
            1 => alternatives.push(alternative(random, count)),
            _ if alternatives.len() > 1 => drop(alternatives.remove(at)),
            _ => {}
        }
        changed
    }

    fn lark(&self) -> String {
        let item = |Item { symbol, often }: &Item| match symbol {
            Symbol::Letter(letter) => format!("\"{letter}\"{often}"),
            Symbol::Rule(rule) => format!("r{rule}{often}"),
        };
        let alternative = |items: &Vec<Item>| items.iter().map(item).collect::<Vec<_>>().join(" ");
        let mut text = "start: r0\n".to_owned();
        for (rule, alternatives) in self.0.iter().enumerate() {
            let alternatives: Vec<String> = alternatives.iter().map(alternative).collect();
            text += &format!("r{rule}: {}\n", alternatives.join(" | "));
        }
        text
    }

    /// All texts of at most [`LONGEST`] letters: the least solution of the rules, read as equations of sets of texts.
    fn language(&self) -> Language {
        let mut languages = vec![Language::new(); self.0.len()];
        loop {
            let mut next = languages.clone();
            for (language, alternatives) in next.iter_mut().zip(&self.0) {
                for items in alternatives {
                    language.extend(texts_of(items, &languages));
                }
            }
            if next == languages {
                return languages.swap_remove(0);
            }
            languages = next;
        }
    }
}

fn alternative(random: &mut Random, rules: usize) -> Vec<Item> {
    let items = random.below(4);
    (0..items)
        .map(|_| Item {
            symbol: match random.below(3) {
                0 => Symbol::Rule(random.below(rules)),
                _ => Symbol::Letter(['a', 'b', '(', ')'][random.below(4)]),
            },
            often: ["", "", "", "", "?", "*", "+"][random.below(7)],
        })
        .collect()
}

fn texts_of(items: &[Item], languages: &[Language]) -> Language {
    let mut texts = Language::from([String::new()]);
    for Item { symbol, often } in items {
        let once = match symbol {
            Symbol::Letter(letter) => Language::from([letter.to_string()]),
            Symbol::Rule(rule) => languages[*rule].clone(),
        };
        let mut times = match *often {
            "" | "+" => once.clone(),
            _ => once.iter().cloned().chain([String::new()]).collect(),
        };
        if matches!(*often, "*" | "+") {
            times = closure(times, &once);
        }
        texts = joined(&texts, &times);
    }
    texts
}

fn closure(mut texts: Language, once: &Language) -> Language {
    loop {
        let more: Language = texts.union(&joined(&texts, once)).cloned().collect();
        if more == texts {
            return texts;
        }
        texts = more;
    }
}

fn joined(first: &Language, second: &Language) -> Language {
    let pairs = first.iter().flat_map(|a| second.iter().map(move |b| (a, b)));
    pairs.filter(|(a, b)| a.len() + b.len() <= LONGEST).map(|(a, b)| a.clone() + b).collect()
}

fn limited(work: u64) -> Options {
    let limits = LimitOptions { work: Some(work), ..LimitOptions::default() };
    Options { limits, ..Options::default() }
}

fn compare(first: &Source, second: &Source, work: u64) -> Option<Difference> {
    let options = limited(work);
    let (first, second) = (parse(first, &options).ok()?, parse(second, &options).ok()?);
    difference(&first, &second, &options).ok()
}

/// Whether a grammar accepts a text, for texts that are longer than those that are listed.
fn accepts(source: &Source, text: &[u8]) -> bool {
    let parsed = parse(source, &Options::default()).expect("it was parsed before");
    let tracer = Tracer::new(&parsed, &Options::default()).expect("it was compiled before");
    tracer.trace(text).expect("a short text").is_accepted
}

/// Compares an answer with the short texts that only one grammar has. Returns whether it is a proof or a text.
fn judge(answer: &Texts, only: &Language, (has, lacks): (&Source, &Source), context: &str) -> bool {
    let shortest = only.iter().map(String::len).min();
    match answer {
        Texts::None => assert_eq!(shortest, None, "{context}: {only:?}"),
        Texts::Shortest(text) if text.len() > LONGEST => {
            assert_eq!(shortest, None, "{context}: {text:?} is no shortest text");
            assert!(accepts(has, text) && !accepts(lacks, text), "{context}: {text:?}");
        }
        Texts::Shortest(text) => {
            let text = String::from_utf8(text.clone()).expect("ASCII");
            assert!(only.contains(&text), "{context}: {text:?} is no difference");
            assert_eq!(shortest, Some(text.len()), "{context}: {text:?} is no shortest text");
        }
        Texts::Unknown { fewer_than } => {
            assert!(shortest.is_none_or(|shortest| shortest >= *fewer_than as usize), "{context}");
            return false;
        }
        _ => panic!("{context}: an unknown answer"),
    }
    true
}

#[test]
fn answers_agree_with_all_short_texts_of_random_grammars() {
    let (mut known, mut equal, mut unknown) = (0, 0, 0);
    for seed in 0..600 {
        let mut random = Random(seed);
        let first = Rules::random(&mut random);
        let second = match seed % 5 {
            0 => Rules::random(&mut random),
            1 => first.changed(&mut random).changed(&mut random),
            _ => first.changed(&mut random),
        };
        let (texts_of_first, texts_of_second) = (first.language(), second.language());
        let (first, second) = (Source::lark(first.lark()), Source::lark(second.lark()));
        let Some(difference) = compare(&first, &second, 1_000_000) else { continue };
        let only_first = texts_of_first.difference(&texts_of_second).cloned().collect();
        let only_second = texts_of_second.difference(&texts_of_first).cloned().collect();
        let context = format!("seed {seed}\n{}\n{}", first.text().text, second.text().text);
        let answers = [
            judge(&difference.only_first, &only_first, (&first, &second), &context),
            judge(&difference.only_second, &only_second, (&second, &first), &context),
        ];
        known += usize::from(answers == [true; 2]);
        unknown += usize::from(answers != [true; 2]);
        equal += usize::from(difference.are_equal() == Some(true));
    }
    println!("known {known}, unknown {unknown}, equal {equal}");
    assert!(known > 200 && equal > 20, "known {known}, unknown {unknown}, equal {equal}");
}

#[test]
fn an_answer_within_a_limit_tells_what_was_searched() {
    // One parser reduces after each letter, and the other after all of them: no search proves that the texts are the same.
    let left = Source::lark("start: \"(\" r \")\"\nr: \"a\" | r \"a\"\n");
    let right = Source::lark("start: \"(\" r \")\"\nr: \"a\" | \"a\" r\n");
    let difference = compare(&left, &right, 1_000_000).expect("both compile");
    assert_eq!(difference.are_equal(), None);
    for texts in [difference.only_first, difference.only_second] {
        assert!(matches!(texts, Texts::Unknown { fewer_than: 10.. }), "{texts:?}");
    }
}

fn schemas(first: &str, second: &str) -> Difference {
    compare(&Source::json_schema(first), &Source::json_schema(second), 500_000_000).expect("both compile")
}

/// Objects that are open nest without a bound, and still there are proofs.
#[test]
fn schemas_that_allow_any_further_member_are_decided() {
    let with = |id: &str| {
        format!(
            r#"{{"type": "object", "properties": {{"id": {id}, "name": {{"type": "string"}}}}, "required": ["id"]}}"#
        )
    };
    let renamed = r##"{"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"id": {"$ref": "#/$defs/b"}, "name": {"type": "string"}},
        "type": "object", "required": ["id"]}, "b": {"type": "integer"}}}"##;
    assert_eq!(schemas(&with(r#"{"type": "integer"}"#), renamed).are_equal(), Some(true));
    let wider = schemas(&with(r#"{"type": "integer"}"#), &with(r#"{"type": ["integer", "null"]}"#));
    assert_eq!(wider.only_first, Texts::None);
    assert_eq!(wider.only_second, Texts::Shortest(br#"{"id":null}"#.to_vec()));
}

#[test]
fn special_tokens_of_both_grammars_are_compared_by_name() {
    let tokens = |name: &str| Source::lark(format!("start: <|{name}|> \"x\"\n"));
    let same = compare(&tokens("a"), &tokens("a"), 1_000_000).expect("both compile");
    assert_eq!(same.are_equal(), Some(true));
    let other = compare(&tokens("a"), &tokens("b"), 1_000_000).expect("both compile");
    assert_eq!(other.only_first, Texts::Shortest(b"<|a|>x".to_vec()));
    assert_eq!(other.only_second, Texts::Shortest(b"<|b|>x".to_vec()));
}
