//! Grammars of ANTLR whose lexers have modes, beside a reader of its own: a lexer that does what ANTLR's documentation says of modes, and a parser that
//! tries everything. All short texts are compared.

use gcc_grammar::vocabulary::SpecialToken;
use gcc_grammar::{Options, Session, Source, Vocabulary, compile};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What a token matches.
#[derive(Clone, Copy, Debug)]
enum Text {
    Word(&'static str),
    /// One of these letters.
    One(&'static str),
    /// Some of these letters.
    Some(&'static str),
    Any,
}

#[derive(Clone, Copy, Debug)]
enum Command {
    Skip,
    Hidden,
    More,
    Type(&'static str),
    Mode(usize),
    Push(usize),
    Pop,
}
use Command::{Hidden, Mode, More, Pop, Push, Skip, Type};
use Text::{Any, One, Some as Several, Word};

#[derive(Clone, Debug)]
struct Token {
    name: String,
    mode: usize,
    text: Text,
    commands: Vec<Command>,
}

/// A rule with its alternatives. The first rule is the start rule.
type Rules = Vec<(String, Vec<Vec<String>>)>;

#[derive(Clone, Debug)]
struct Grammar {
    tokens: Vec<Token>,
    rules: Rules,
}

fn grammar(tokens: &[(&str, usize, Text, &[Command])], rules: &[(&str, &[&str])]) -> Grammar {
    let token = |&(name, mode, text, commands): &(&str, usize, Text, &[Command])| Token {
        name: name.to_owned(),
        mode,
        text,
        commands: commands.to_vec(),
    };
    let words = |text: &&str| text.split_whitespace().map(str::to_owned).collect();
    let rule = |(name, bodies): &(&str, &[&str])| ((*name).to_owned(), bodies.iter().map(words).collect());
    Grammar { tokens: tokens.iter().map(token).collect(), rules: rules.iter().map(rule).collect() }
}

impl Grammar {
    /// The two files of ANTLR.
    fn files(&self) -> (String, String) {
        let mut lexer = "lexer grammar L;\n".to_owned();
        for mode in 0..=self.tokens.iter().map(|token| token.mode).max().unwrap_or(0) {
            if mode > 0 {
                writeln!(lexer, "mode {};", mode_name(mode)).expect("memory");
            }
            for Token { name, text, commands, .. } in self.tokens.iter().filter(|token| token.mode == mode) {
                let text = match text {
                    Word(word) => format!("'{word}'"),
                    One(letters) => format!("[{letters}]"),
                    Several(letters) => format!("[{letters}]+"),
                    Any => ".".to_owned(),
                };
                let commands: Vec<String> = commands.iter().map(written).collect();
                let arrow = if commands.is_empty() { "" } else { " -> " };
                writeln!(lexer, "{name} : {text}{arrow}{} ;", commands.join(", ")).expect("memory");
            }
        }
        let mut parser = "parser grammar P;\noptions { tokenVocab = L; }\n".to_owned();
        for (name, bodies) in &self.rules {
            let bodies: Vec<String> = bodies.iter().map(|body| body.join(" ")).collect();
            writeln!(parser, "{name} : {} ;", bodies.join(" | ")).expect("memory");
        }
        (lexer, parser)
    }

    /// The tokens that the parser sees, as ANTLR's lexer makes them; none if it reports an error.
    fn lexed(&self, text: &str) -> Option<Vec<&str>> {
        let (mut seen, mut stack, mut at, mut begun) = (Vec::new(), vec![0], 0, false);
        while at < text.len() {
            let rest = &text[at..];
            let mut best: Option<(usize, &Token)> = None;
            for token in self.tokens.iter().filter(|token| Some(&token.mode) == stack.last()) {
                let length = token.text.longest(rest).unwrap_or(0);
                if length > best.map_or(0, |(length, _)| length) {
                    best = Some((length, token));
                }
            }
            let (length, token) = best?;
            at += length;
            let (mut kind, mut hidden, mut more) = (Some(token.name.as_str()), false, false);
            for command in &token.commands {
                match command {
                    Skip => kind = None,
                    Hidden => hidden = true,
                    More => more = true,
                    Type(name) => kind = Some(name),
                    Mode(mode) => *stack.last_mut()? = *mode,
                    Push(mode) => stack.push(*mode),
                    Pop => {
                        stack.pop();
                        stack.last()?;
                    }
                }
            }
            begun = more;
            if !more && !hidden {
                seen.extend(kind);
            }
        }
        (!begun).then_some(seen)
    }

    fn accepts(&self, text: &str) -> bool {
        let Some(tokens) = self.lexed(text) else { return false };
        let start = self.rules[0].0.as_str();
        let mut ends: BTreeMap<(&str, usize), BTreeSet<usize>> = BTreeMap::new();
        loop {
            let before: usize = ends.values().map(BTreeSet::len).sum();
            for (name, bodies) in &self.rules {
                for from in 0..=tokens.len() {
                    for body in bodies {
                        let mut places = BTreeSet::from([from]);
                        for symbol in body {
                            places = behind(symbol, &places, &tokens, &ends);
                        }
                        ends.entry((name, from)).or_default().extend(places);
                    }
                }
            }
            if ends.values().map(BTreeSet::len).sum::<usize>() == before {
                return ends[&(start, 0)].contains(&tokens.len());
            }
        }
    }
}

/// The places in the tokens behind a symbol, which may be repeated, by what is known of the rules.
fn behind(
    symbol: &str,
    places: &BTreeSet<usize>,
    tokens: &[&str],
    ends: &BTreeMap<(&str, usize), BTreeSet<usize>>,
) -> BTreeSet<usize> {
    let name = symbol.trim_end_matches(['?', '*', '+']);
    let once = |places: &BTreeSet<usize>| -> BTreeSet<usize> {
        let next = places.iter().flat_map(|&place| match ends.get(&(name, place)) {
            Some(ends) => ends.iter().copied().collect(),
            None if name == "EOF" && place == tokens.len() => vec![place],
            None if tokens.get(place) == Some(&name) => vec![place + 1],
            None => Vec::new(),
        });
        next.collect()
    };
    let mut found = once(places);
    if symbol.ends_with(['*', '+']) {
        while let Some(more) = Some(once(&found)).filter(|more| !more.is_subset(&found)) {
            found.extend(more);
        }
    }
    if symbol.ends_with(['?', '*']) {
        found.extend(places);
    }
    found
}

impl Text {
    /// The length of the longest beginning of a text that it matches.
    fn longest(&self, text: &str) -> Option<usize> {
        match self {
            Word(word) => text.starts_with(word).then_some(word.len()),
            One(letters) => text.starts_with(|c| letters.contains(c)).then_some(1),
            Several(letters) => Some(text.len() - text.trim_start_matches(|c| letters.contains(c)).len()),
            Any => Some(1),
        }
    }
}

fn mode_name(mode: usize) -> String {
    if mode == 0 { "DEFAULT_MODE".to_owned() } else { format!("M{mode}") }
}

fn written(command: &Command) -> String {
    match command {
        Skip => "skip".to_owned(),
        Hidden => "channel(HIDDEN)".to_owned(),
        More => "more".to_owned(),
        Type(name) => format!("type({name})"),
        Mode(mode) => format!("mode({})", mode_name(*mode)),
        Push(mode) => format!("pushMode({})", mode_name(*mode)),
        Pop => "popMode".to_owned(),
    }
}

/// A vocabulary of all bytes; 256 ends the output.
fn vocabulary() -> Vocabulary {
    let tokens = (0..=u8::MAX).map(|byte| (u32::from(byte), vec![byte])).collect();
    let special = SpecialToken { id: 256, text: "<end>".to_owned() };
    Vocabulary::from_parts("bytes", tokens, vec![special], vec![256], 257).expect("a vocabulary")
}

/// The compiled grammar, or why it is refused.
fn session(grammar: &Grammar, vocabulary: &Vocabulary) -> Result<Session, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let (lexer, parser) = grammar.files();
    std::fs::write(folder.path().join("L.g4"), lexer).expect("a file");
    std::fs::write(folder.path().join("P.g4"), parser).expect("a file");
    let source = Source::file(&folder.path().join("P.g4"), None).expect("a source");
    let artifact = compile(&source, vocabulary, &Options::default()).map_err(|error| error.to_string())?;
    Ok(Session::new(artifact, vocabulary).expect("the same vocabulary"))
}

/// All texts of these letters up to a length, each behind its beginnings.
fn texts(letters: &str, most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut next = 0;
    while next < all.len() {
        if all[next].len() < most {
            let longer: Vec<String> = letters.chars().map(|c| format!("{}{c}", all[next])).collect();
            all.extend(longer);
        }
        next += 1;
    }
    all
}

/// Compares all texts. Beginnings that are `rest` shorter than the longest text must be allowed exactly if a text begins with them. Returns the number of
/// texts of the language.
fn compare(grammar: &Grammar, session: &Session, letters: &str, most: usize, rest: usize) -> usize {
    let (mut accepted, mut begun) = (0, BTreeSet::new());
    let all = texts(letters, most);
    let verdicts: Vec<bool> = all.iter().map(|text| grammar.accepts(text)).collect();
    for (text, _) in all.iter().zip(&verdicts).filter(|(_, accepts)| **accepts) {
        begun.extend((0..=text.len()).map(|end| &text[..end]));
    }
    for (text, accepts) in all.iter().zip(&verdicts) {
        let mut matcher = session.matcher().expect("a matcher");
        let is_begun = matcher.commit_bytes(text.as_bytes()).is_ok();
        let is_whole = is_begun && matcher.is_accepting().expect("enough scratch");
        assert_eq!(is_whole, *accepts, "{text:?} of {grammar:?}");
        assert!(is_begun || !begun.contains(text.as_str()), "{text:?} begins a text of {grammar:?}");
        if text.len() + rest <= most {
            assert_eq!(is_begun, begun.contains(text.as_str()), "the beginning {text:?} of {grammar:?}");
        }
        accepted += usize::from(*accepts);
    }
    accepted
}

#[track_caller]
fn check(grammar: &Grammar, letters: &str, most: usize, rest: usize, at_least: usize) {
    let vocabulary = vocabulary();
    let session = session(grammar, &vocabulary).unwrap_or_else(|error| panic!("{error}: {grammar:?}"));
    let accepted = compare(grammar, &session, letters, most, rest);
    assert!(accepted >= at_least, "only {accepted} texts");
}

#[test]
fn tags_are_read_in_a_mode_of_their_own() {
    let tags = grammar(
        &[
            ("OPEN", 0, Word("<"), &[Push(1)]),
            ("TEXT", 0, Several("a/ "), &[]),
            ("CLOSE", 1, Word(">"), &[Pop]),
            ("SHORT", 1, Word("/>"), &[Pop]),
            ("SLASH", 1, Word("/"), &[]),
            ("NAME", 1, Several("a"), &[]),
            ("S", 1, One(" "), &[Skip]),
        ],
        &[
            ("all", &["element EOF"]),
            ("element", &["OPEN NAME CLOSE content OPEN SLASH NAME CLOSE", "OPEN NAME SHORT"]),
            ("content", &["", "content element", "content TEXT"]),
        ],
    );
    check(&tags, "<>/a ", 7, 7, 20);
    check(&tags, "<>/a", 8, 8, 10);
}

#[test]
fn a_mode_goes_on_behind_what_returns_to_it() {
    // As strings with code in them, which has strings.
    let strings = grammar(
        &[
            ("QUOTE", 0, Word("q"), &[Push(1)]),
            ("NAME", 0, Several("a"), &[]),
            ("BEGIN", 0, Word("b"), &[Push(0)]),
            ("END", 0, Word("e"), &[Pop]),
            ("WS", 0, One(" "), &[Hidden]),
            ("CODE", 1, Word("b"), &[Push(0)]),
            ("UNQUOTE", 1, Word("q"), &[Pop]),
            ("CHARACTER", 1, One("a e"), &[]),
        ],
        &[
            ("value", &["NAME", "QUOTE parts UNQUOTE", "BEGIN value END"]),
            ("parts", &["", "parts CHARACTER", "parts CODE value END"]),
        ],
    );
    check(&strings, "qabe", 7, 4, 40);
    check(&strings, "qabe ", 6, 6, 40);
}

#[test]
fn a_token_of_several_parts_ends_with_the_part_that_is_none_more() {
    let parts = grammar(
        &[
            ("QUOTE", 0, Word("q"), &[More, Mode(1)]),
            ("NAME", 0, Several("ab"), &[]),
            ("LONG", 0, Word("qb"), &[]),
            ("STRING", 1, Word("q"), &[Mode(0)]),
            ("ESCAPE", 1, Word("bq"), &[More]),
            ("CHARACTER", 1, Any, &[More]),
        ],
        &[("items", &["item", "items item"]), ("item", &["NAME", "STRING", "LONG NAME"])],
    );
    check(&parts, "qab ", 7, 3, 100);
}

#[test]
fn comments_of_several_parts_are_hidden() {
    let comments = grammar(
        &[
            ("OPEN", 0, Word("("), &[More, Push(1)]),
            ("NAME", 0, Several("a"), &[]),
            ("WS", 0, One(" "), &[Skip]),
            ("COMMENT", 1, Word(")"), &[Skip, Pop]),
            ("OTHER", 1, Any, &[More]),
        ],
        &[("names", &["NAME", "names NAME"])],
    );
    check(&comments, "()a ", 7, 3, 100);
}

#[test]
fn tokens_that_are_hidden_change_the_mode() {
    let hidden = grammar(
        &[
            ("ON", 0, Word("!"), &[Hidden, Mode(1)]),
            ("A", 0, Word("a"), &[]),
            ("B", 0, Word("aa"), &[]),
            ("OFF", 1, Word("!"), &[Skip, Mode(0)]),
            ("C", 1, Several("a"), &[Type("A")]),
            ("WS", 1, One(" "), &[Skip]),
        ],
        &[("list", &["item", "list item"]), ("item", &["A", "B A"])],
    );
    check(&hidden, "!a ", 8, 3, 100);
}

/// Numbers that look random (a linear congruential generator).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// A grammar over the letters a, b and c whose tokens change between modes.
fn random_grammar(random: &mut Random) -> Grammar {
    let modes = 2 + random.below(2);
    let names = ["A", "B", "C", "D", "E", "F", "G"];
    let count = modes + 2 + random.below(names.len() - modes - 1);
    let texts = [
        Word("a"),
        Word("b"),
        Word("c"),
        Word("ab"),
        Word("ca"),
        One("bc"),
        Several("a"),
        Several("ac"),
        Any,
    ];
    let mut tokens = Vec::new();
    for (number, name) in names[..count].iter().enumerate() {
        let mode = if number < modes { number } else { random.below(modes) };
        let (other, own) = (random.below(modes), random.of(&names[..count]));
        let change = random.of(&[Push(other), Push(other), Pop, Pop, Mode(other)]);
        let commands = match random.below(12) {
            0..4 => vec![],
            4..9 => vec![change],
            9 => vec![More, change],
            10 => vec![random.of(&[Skip, Hidden, More])],
            _ => vec![random.of(&[Skip, Type(own)]), change],
        };
        tokens.push(Token { name: (*name).to_owned(), mode, text: random.of(&texts), commands });
    }
    // The parser knows no token by its name that is one of another name.
    let is_other = |token: &&Token| token.commands.iter().any(|command| matches!(command, Type(_)));
    let others: Vec<&str> = tokens.iter().filter(is_other).map(|token| token.name.as_str()).collect();
    let known: Vec<&str> = names[..count].iter().copied().filter(|name| !others.contains(name)).collect();
    let known = if known.is_empty() { vec![names[0]] } else { known };
    let symbols: Vec<&str> = known.iter().copied().chain(["s", "t", "s"]).collect();
    let mut rules = Rules::new();
    for name in ["s", "t"] {
        let body = |random: &mut Random| -> Vec<String> {
            let symbol = |random: &mut Random| {
                let repeated = random.of(&["", "", "", "?", "*", "+"]);
                format!("{}{repeated}", random.of(&symbols))
            };
            (0..1 + random.below(4)).map(|_| symbol(random)).collect()
        };
        rules.push((name.to_owned(), (0..1 + random.below(3)).map(|_| body(random)).collect()));
    }
    // Something that ends.
    rules[1].1.push(vec![random.of(&known).to_owned()]);
    rules[0].1.push(vec!["t".to_owned(), "t".to_owned()]);
    Grammar { tokens, rules }
}

#[test]
fn random_modes_are_those_of_the_reader() {
    let (vocabulary, mut random) = (vocabulary(), Random(68));
    let (mut compiled, mut texts) = (0, 0);
    for _ in 0..600 {
        let grammar = random_grammar(&mut random);
        match session(&grammar, &vocabulary) {
            Ok(session) => {
                compiled += 1;
                texts += compare(&grammar, &session, "abc", 6, 7);
            }
            // Without a text, or refused by name.
            Err(error) => assert!(!error.contains("limit"), "{error}: {grammar:?}"),
        }
    }
    assert!(compiled >= 100 && texts >= 500, "{compiled} grammars with {texts} texts");
}
