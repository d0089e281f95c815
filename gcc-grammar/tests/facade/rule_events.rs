//! Events of rules: against all derivations of random grammars, and what they look like.

use gcc_grammar::events::{Happened, RuleEvent, RuleEvents};
use gcc_grammar::generate::RandomNumbers;
use gcc_grammar::{ErrorKind, LimitOptions, Notation, Options, Session, Source, Vocabulary, compile};
use std::collections::{BTreeMap, BTreeSet};

/// A token for each byte, an end token, and a special token.
fn vocabulary() -> Vocabulary {
    let bytes = (0..=u8::MAX).map(|byte| (u32::from(byte), vec![byte])).collect();
    let special = gcc_grammar_vocabulary::SpecialToken { id: 257, text: "<call>".to_owned() };
    let tokens = gcc_grammar_vocabulary::Vocabulary::from_tokens(bytes, vec![special], vec![256], 258);
    Vocabulary::new("bytes", tokens.expect("distinct tokens"))
}

fn events_of(source: &Source) -> RuleEvents {
    RuleEvents::of(source, &vocabulary(), &Options::default()).expect("a grammar with rules")
}

fn told(events: &[RuleEvent]) -> Vec<String> {
    let told = |RuleEvent { happened, rule, start, text, .. }: &RuleEvent| {
        format!("{} {rule} {start} {}", happened.as_str(), String::from_utf8_lossy(text))
            .trim_end()
            .to_owned()
    };
    events.iter().map(told).collect()
}

fn commits(events: &mut RuleEvents, commits: &[&str]) -> Vec<String> {
    let told = |commit: &&str| told(&events.commit_bytes(commit.as_bytes()).expect("in the language"));
    commits.iter().flat_map(told).collect()
}

const SUMS: &str = "start: statement+\n\
    statement: NAME \"=\" sum \";\" | \"call\" NAME \";\"\n\
    sum: product | sum \"+\" product\n\
    product: NUMBER | NAME | \"(\" sum \")\"\n\
    NAME: /[a-z]+/\nNUMBER: /[0-9]+/\n%ignore / +/";

#[test]
fn rules_begin_grow_and_end() {
    let mut events = events_of(&Source::lark(SUMS));
    assert_eq!(
        commits(&mut events, &["ca", "b"]),
        ["began start 0", "began statement 0", "grew statement 0 ca", "grew statement 0 cab"]
    );
    assert_eq!(
        commits(&mut events, &[" = ", "1", "0 ", "+x", " ;", "z"]),
        [
            "grew statement 0 cab =",
            "began sum 6",
            "began product 6",
            "grew product 6 1",
            "ended product 6 10",
            "ended sum 6 10",
            "began sum 6",
            "began product 10",
            "grew product 10 x",
            "ended product 10 x",
            "ended sum 6 10 +x",
            "ended statement 0 cab = 10 +x ;",
            "began statement 13",
            "grew statement 13 z",
        ]
    );
}

/// A symbol of a small grammar: a letter, or a rule.
#[derive(Clone, Copy)]
enum Symbol {
    Letter(u8),
    Rule(usize),
}

/// The alternatives of each rule.
type Grammar = Vec<Vec<Vec<Symbol>>>;

/// A rule in a derivation, and where its text begins and ends.
type Node = (usize, usize, usize);

/// A derivation of a text.
type Tree = (Vec<u8>, BTreeSet<Node>);

/// The longest texts.
const LONGEST: usize = 8;
/// The trees that are looked at, at most.
const MOST_TREES: usize = 20_000;

/// A grammar in which every rule derives a letter.
fn random_grammar(random: &mut RandomNumbers) -> Grammar {
    let rules = 2 + random.below(2);
    let symbol = |random: &mut RandomNumbers| match random.below(2) {
        0 => Symbol::Letter(b'a' + random.below(2) as u8),
        _ => Symbol::Rule(random.below(rules)),
    };
    let alternative = |random: &mut RandomNumbers| {
        let length = 1 + random.below(2);
        (0..length).map(|_| symbol(random)).collect::<Vec<Symbol>>()
    };
    let mut rule = |number: usize| {
        let mut alternatives = vec![vec![Symbol::Letter(b"abc"[number])]];
        for _ in 0..1 + random.below(2) {
            let alternative = alternative(random);
            // A rule derives no later one, nor itself, alone: there would be no end of derivations.
            if !matches!(alternative[..], [Symbol::Rule(other)] if other >= number) {
                alternatives.push(alternative);
            }
        }
        alternatives
    };
    (0..rules).map(&mut rule).collect()
}

/// The last rule is the start.
fn written(grammar: &Grammar) -> String {
    let symbol = |symbol: &Symbol| match symbol {
        Symbol::Letter(letter) => format!("\"{}\"", *letter as char),
        Symbol::Rule(rule) => format!("r{rule}"),
    };
    let alternative = |symbols: &Vec<Symbol>| symbols.iter().map(symbol).collect::<Vec<_>>().join(" ");
    let rule = |(number, alternatives): (usize, &Vec<Vec<Symbol>>)| {
        format!("r{number} ::= {}\n", alternatives.iter().map(alternative).collect::<Vec<_>>().join(" | "))
    };
    format!("root ::= r{}\n{}", grammar.len() - 1, grammar.iter().enumerate().map(rule).collect::<String>())
}

/// All derivations of all texts of each length; none if they are too many.
fn trees(grammar: &Grammar) -> Option<Vec<Tree>> {
    // By length, then by rule.
    let mut all: Vec<Vec<Vec<Tree>>> = vec![vec![Vec::new(); grammar.len()]];
    for length in 1..=LONGEST {
        all.push(vec![Vec::new(); grammar.len()]);
        for rule in 0..grammar.len() {
            let mut of_rule = Vec::new();
            for alternative in &grammar[rule] {
                of_rule.extend(sequences(&all, alternative, length)?);
            }
            for (_, nodes) in &mut of_rule {
                assert!(nodes.insert((rule, 0, length)), "no rule derives itself alone");
            }
            if of_rule.len() > MOST_TREES {
                return None;
            }
            all[length][rule] = of_rule;
        }
    }
    Some(all.into_iter().filter_map(|mut rules| rules.pop()).flatten().collect())
}

/// All derivations of texts of a length from a sequence of symbols.
fn sequences(all: &[Vec<Vec<Tree>>], symbols: &[Symbol], length: usize) -> Option<Vec<Tree>> {
    let mut found: Vec<Tree> = vec![(Vec::new(), BTreeSet::new())];
    for (number, symbol) in symbols.iter().enumerate() {
        let behind = symbols.len() - number - 1;
        let mut longer = Vec::new();
        for (text, nodes) in &found {
            let most = length.saturating_sub(text.len() + behind);
            let least = if behind == 0 { most } else { 1 };
            let lengths = all.iter().enumerate().take(most + 1).skip(least.max(1));
            for (next, of_length) in lengths {
                let letter;
                let parts: &[Tree] = match *symbol {
                    Symbol::Letter(byte) if next == 1 => {
                        letter = [(vec![byte], BTreeSet::new())];
                        &letter
                    }
                    Symbol::Letter(_) => &[],
                    Symbol::Rule(rule) => &of_length[rule],
                };
                for (part, inner) in parts {
                    let at = text.len();
                    let moved = inner.iter().map(|&(rule, start, end)| (rule, start + at, end + at));
                    longer.push(([&text[..], part].concat(), nodes.iter().copied().chain(moved).collect()));
                }
            }
        }
        if longer.len() > MOST_TREES {
            return None;
        }
        found = longer;
    }
    found.retain(|(text, _)| text.len() == length);
    Some(found)
}

/// What some derivations have in common.
fn common<'t>(mut trees: impl Iterator<Item = &'t BTreeSet<Node>>) -> BTreeSet<Node> {
    let first = trees.next().cloned().unwrap_or_default();
    trees.fold(first, |all, tree| &all & tree)
}

/// The rules that ended, by number; the start has none.
fn ended(events: &[RuleEvent]) -> BTreeSet<Node> {
    let number = |event: &RuleEvent| event.rule.strip_prefix('r')?.parse::<usize>().ok();
    let node = |event: &RuleEvent| Some((number(event)?, event.start, event.start + event.text.len()));
    events.iter().filter(|event| event.happened == Happened::Ended).filter_map(node).collect()
}

/// What is told is what all derivations have in common, of all texts that begin like this while it is written, and of the text at its end. Both directions: nothing
/// is told that some derivation lacks, and nothing is missing that all of them have, as far as short texts show it.
#[test]
fn what_all_derivations_agree_on_is_told() {
    let mut random = RandomNumbers(48);
    let (mut compared, mut early) = (0, 0);
    for _ in 0..150 {
        let grammar = random_grammar(&mut random);
        let Some(trees) = trees(&grammar) else { continue };
        let source = Source::gbnf(written(&grammar));
        let Ok(mut events) = RuleEvents::of(&source, &vocabulary(), &Options::default()) else { continue };
        let mut texts: Vec<&Vec<u8>> = trees.iter().map(|(text, _)| text).collect();
        texts.dedup();
        for _ in 0..12 {
            let text = texts[random.below(texts.len())];
            let mut all: Vec<RuleEvent> = Vec::new();
            for length in 1..=text.len() {
                all.extend(events.commit_bytes(&text[length - 1..length]).expect("in the language"));
                let begin_so: Vec<&BTreeSet<Node>> = trees
                    .iter()
                    .filter(|(other, _)| other.starts_with(&text[..length]))
                    .map(|(_, tree)| tree)
                    .collect();
                let certain: BTreeSet<Node> = common(begin_so.iter().copied())
                    .into_iter()
                    .filter(|&(_, _, end)| end <= length)
                    .collect();
                let told = ended(&all);
                assert!(told.is_subset(&certain), "{source:?} {text:?} {length} {told:?} {certain:?}");
                if length <= 2 {
                    assert_eq!(told, certain, "{source:?} {text:?} {length}");
                    early += told.len();
                }
                begun_as_often(&all, &begin_so);
            }
            all.extend(events.end().expect("within the limits"));
            let of_text = trees.iter().filter(|(other, _)| other == text).map(|(_, tree)| tree);
            assert_eq!(ended(&all), common(of_text), "{source:?} {text:?}");
            compared += 1;
            events.rollback(text.len()).expect("as many commits");
        }
    }
    assert!(compared > 500 && early > 100, "{compared} {early}");
}

/// No rule is told to have begun more often at a place than in every derivation, and each begins before it ends.
fn begun_as_often(events: &[RuleEvent], trees: &[&BTreeSet<Node>]) {
    let mut begun: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut open: BTreeMap<(&str, usize), usize> = BTreeMap::new();
    for event in events {
        let rule = (&*event.rule, event.start);
        match event.happened {
            Happened::Began => *open.entry(rule).or_default() += 1,
            Happened::Ended => {
                let open = open.get_mut(&rule).expect("it has begun");
                *open = open.checked_sub(1).expect("it has begun as often");
            }
            _ => assert!(open[&rule] > 0),
        }
        if let (Happened::Began, Some(Ok(number))) =
            (event.happened, event.rule.strip_prefix('r').map(str::parse))
        {
            *begun.entry((number, event.start)).or_default() += 1;
        }
    }
    for (&(rule, start), &count) in &begun {
        let in_tree =
            |tree: &&BTreeSet<Node>| tree.iter().filter(|node| (node.0, node.1) == (rule, start)).count();
        assert!(trees.iter().map(in_tree).min() >= Some(count));
    }
}

/// After a rollback, everything is as if what was taken back had never been, at every place of a text, and wherever commits are cut.
#[test]
fn what_is_taken_back_leaves_no_trace() {
    let text = "ab = (1 + 23)+x ; call y; z=1 ;".as_bytes();
    let wrong = "call zz; y = ((2".as_bytes();
    for length in 1..4 {
        let (mut plain, mut wandering) = (events_of(&Source::lark(SUMS)), events_of(&Source::lark(SUMS)));
        for (index, commit) in text.chunks(length).enumerate() {
            let detour = wrong.chunks(1 + index % 3).take(index % 5);
            let taken = detour.filter(|commit| wandering.commit_bytes(commit).is_ok()).count();
            assert_eq!(wandering.rollback(taken), Ok(()));
            assert_eq!(wandering.end().expect("within the limits"), plain.end().expect("within the limits"));
            assert_eq!(
                wandering.commit_bytes(commit).expect("allowed"),
                plain.commit_bytes(commit).expect("allowed")
            );
            assert_eq!(wandering.text(), plain.text());
        }
        assert_eq!(wandering.rollback(1000), Err(wandering.commits()));
    }
}

/// The artifact says what it was compiled from, so its session is enough; special tokens are read as a whole, and the end token ends nothing by itself.
#[test]
fn sessions_have_events_of_their_rules() {
    let text = "start: call+\ncall: <call> name \";\"\nname: LETTER+\n%import common.LETTER";
    let artifact = compile(&Source::lark(text), &vocabulary(), &Options::default()).expect("valid");
    let session = Session::new(artifact, &vocabulary()).expect("of this vocabulary");
    let mut events = RuleEvents::new(&session, &Options::default()).expect("a grammar with rules");
    let mut all = Vec::new();
    for token in [257, u32::from(b'x'), u32::from(b'y'), u32::from(b';')] {
        all.extend(told(&events.commit(token).expect("allowed")));
    }
    let refused = events.commit(u32::from(b';')).expect_err("not allowed");
    assert!(refused.to_string().contains("does not allow"), "{refused}");
    assert_eq!(
        all,
        [
            "began start 0",
            "began call 0",
            "grew call 0 <call>",
            "began name 6",
            "grew name 6 x",
            "grew name 6 xy",
            "ended name 6 xy",
            "ended call 0 <call>xy;"
        ]
    );
    assert_eq!(told(&events.commit(256).expect("allowed")), [""; 0]);
    assert_eq!(told(&events.end().expect("within the limits")), ["ended start 0 <call>xy;"]);
}

/// In texts of real languages, every rule that begins ends, from the inside out, and the start has the whole text.
#[test]
fn rules_of_bundled_grammars_begin_and_end() {
    let texts = [
        ("json", "{\"a\": [1, 2.5e3, {\"b\": null}], \"é\": \"\\u00e9\"}"),
        (
            "c",
            "/* sum */\nint sum(int *a, int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++) s += a[i] * 2; // all\n  return s;\n}\n",
        ),
        ("lua", "local t = {1, x = \"y\"}\nfor i = 1, #t do print(t[i] + 1) end\n"),
    ];
    for (name, text) in texts {
        let mut events = events_of(&Source::bundled(name).expect("bundled"));
        let mut all = Vec::new();
        for part in text.as_bytes().chunks(3) {
            all.extend(events.commit_bytes(part).expect("in the language"));
        }
        all.extend(events.end().expect("within the limits"));
        let count = |happened| all.iter().filter(|event| event.happened == happened).count();
        assert_eq!(count(Happened::Began), count(Happened::Ended), "{name}");
        let last = all.last().expect("the start");
        assert_eq!((last.happened, &*last.rule), (Happened::Ended, "start"), "{name}");
        assert_eq!(last.text.trim_ascii(), text.as_bytes()[last.start..].trim_ascii(), "{name}");
    }
}

#[test]
fn what_has_no_rules_has_no_events_of_rules() {
    let vocabulary = vocabulary();
    for source in [Source::json_schema("{}"), Source::regex("a+"), Source::choices(["a"])] {
        let error = RuleEvents::of(&source, &vocabulary, &Options::default()).expect_err("no rules");
        assert!(error.to_string().contains("has no rules"), "{error}");
    }
}

/// In a grammar of tree-sitter, hidden rules are rules, and names of fields, aliases and precedences are none.
#[test]
fn grammars_of_tree_sitter_have_events() {
    let grammar = r#"{"name": "lists", "rules": {
        "source": {"type": "REPEAT1", "content": {"type": "SYMBOL", "name": "_item"}},
        "_item": {"type": "CHOICE", "members": [{"type": "SYMBOL", "name": "list"}, {"type": "ALIAS", "named": true, "value": "name", "content": {"type": "SYMBOL", "name": "word"}}]},
        "list": {"type": "SEQ", "members": [{"type": "STRING", "value": "("},
            {"type": "FIELD", "name": "items", "content": {"type": "PREC_LEFT", "value": 1, "content": {"type": "REPEAT", "content": {"type": "SYMBOL", "name": "_item"}}}}, {"type": "STRING", "value": ")"}]},
        "word": {"type": "PATTERN", "value": "[a-z]+"}
    }, "extras": [{"type": "PATTERN", "value": "\\s"}]}"#;
    let mut events = events_of(&Source::new(Notation::TreeSitter, grammar));
    let mut all = commits(&mut events, &["(ab", " c", ") d"]);
    all.extend(told(&events.end().expect("within the limits")));
    let of = |rule: &str| all.iter().filter(|told| told.split(' ').nth(1) == Some(rule)).count();
    assert_eq!(all[..3], ["began source 0", "began _item 0", "began list 0"]);
    for ended in ["ended list 0 (ab c)", "ended _item 0 (ab c)", "ended _item 7 d", "ended source 0 (ab c) d"]
    {
        assert!(all.iter().any(|told| told == ended), "{ended}: {all:#?}");
    }
    assert_eq!((of("name"), of("items")), (0, 0), "{all:#?}");
}

#[test]
fn limits_on_tokens_have_no_events() {
    let limited = Source::lark("start: \"(\" text \")\"\ntext[max_tokens=2]: /[a-z]*/\n");
    let error = RuleEvents::of(&limited, &vocabulary(), &Options::default()).expect_err("a limit");
    assert!(error.to_string().contains("no events of rules with a limit on tokens"), "{error}");
    let artifact = compile(&limited, &vocabulary(), &Options::default()).expect("valid");
    let session = Session::new(artifact, &vocabulary()).expect("of this vocabulary");
    assert!(RuleEvents::new(&session, &Options::default()).is_err());
}

/// What the events cost is charged, grows with the text, and ends with an error that changes nothing.
#[test]
fn events_end_within_the_limits() {
    let limited = |limits| {
        RuleEvents::of(
            &Source::gbnf("root ::= \"a\" root | \"a\""),
            &vocabulary(),
            &Options { limits, ..Options::default() },
        )
    };
    for limits in [
        LimitOptions { work: Some(100_000), ..LimitOptions::default() },
        LimitOptions { bytes: Some(1_000_000), ..LimitOptions::default() },
    ] {
        let mut events = limited(limits).expect("small");
        let error = (0..100_000).find_map(|_| events.commit_bytes(b"a").err()).expect("over a limit");
        assert_eq!(error.kind(), ErrorKind::OverBudget);
        assert!(error.to_string().contains("in stage events"), "{error}");
        assert_eq!(events.text().len(), events.commits());
    }
}
