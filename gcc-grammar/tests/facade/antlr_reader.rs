//! A reader of grammars of ANTLR for tests: a lexer that does what ANTLR's documentation says, with modes, and a parser that tries everything. All short texts
//! are compared.

use gcc_grammar::vocabulary::SpecialToken;
use gcc_grammar::{Options, Session, Source, Vocabulary, compile};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What a token matches.
#[derive(Clone, Copy, Debug)]
pub(super) enum Text {
    Word(&'static str),
    /// One of these letters.
    One(&'static str),
    /// Some of these letters.
    Some(&'static str),
    Any,
    Nothing,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Command {
    Skip,
    Hidden,
    /// On a channel for errors: no text has one.
    Wrong,
    More,
    Type(&'static str),
    Mode(usize),
    Push(usize),
    Pop,
}
use Command::{Hidden, Mode, More, Pop, Push, Skip, Type, Wrong};
use Text::{Any, Nothing, One, Some as Several, Word};

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) name: String,
    pub(super) mode: usize,
    pub(super) text: Text,
    pub(super) commands: Vec<Command>,
}

/// A rule with its alternatives. The first rule is the start rule.
pub(super) type Rules = Vec<(String, Vec<Vec<String>>)>;

#[derive(Clone, Debug)]
pub(super) struct Grammar {
    pub(super) tokens: Vec<Token>,
    pub(super) rules: Rules,
}

pub(super) fn grammar(tokens: &[(&str, usize, Text, &[Command])], rules: &[(&str, &[&str])]) -> Grammar {
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
    pub(super) fn files(&self) -> (String, String) {
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
                    Nothing => String::new(),
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
        let (mut seen, mut stack, mut at, mut begun, mut idle) = (Vec::new(), vec![0], 0, false, 0);
        while at < text.len() {
            let rest = &text[at..];
            let mut best: Option<(usize, &Token)> = None;
            for token in self.tokens.iter().filter(|token| Some(&token.mode) == stack.last()) {
                let Some(length) = token.text.longest(rest) else { continue };
                if best.is_none_or(|(least, _)| length > least) {
                    best = Some((length, token));
                }
            }
            let (length, token) = best?;
            idle = if length == 0 { idle + 1 } else { 0 };
            if idle > self.tokens.len() {
                return None;
            }
            at += length;
            let (mut kind, mut hidden, mut more) = (Some(token.name.as_str()), false, false);
            for command in &token.commands {
                match command {
                    Skip => kind = None,
                    Hidden => hidden = true,
                    Wrong => return None,
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

    pub(super) fn accepts(&self, text: &str) -> bool {
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
pub(super) fn behind(
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
            Several(letters) => {
                let length = text.len() - text.trim_start_matches(|c| letters.contains(c)).len();
                (length > 0).then_some(length)
            }
            Any => Some(1),
            Nothing => Some(0),
        }
    }
}

pub(super) fn mode_name(mode: usize) -> String {
    if mode == 0 { "DEFAULT_MODE".to_owned() } else { format!("M{mode}") }
}

pub(super) fn written(command: &Command) -> String {
    match command {
        Skip => "skip".to_owned(),
        Hidden => "channel(HIDDEN)".to_owned(),
        Wrong => "channel(ERROR)".to_owned(),
        More => "more".to_owned(),
        Type(name) => format!("type({name})"),
        Mode(mode) => format!("mode({})", mode_name(*mode)),
        Push(mode) => format!("pushMode({})", mode_name(*mode)),
        Pop => "popMode".to_owned(),
    }
}

/// A vocabulary of all bytes; 256 ends the output.
pub(super) fn vocabulary() -> Vocabulary {
    let tokens = (0..=u8::MAX).map(|byte| (u32::from(byte), vec![byte])).collect();
    let special = SpecialToken { id: 256, text: "<end>".to_owned() };
    Vocabulary::from_parts("bytes", tokens, vec![special], vec![256], 257).expect("a vocabulary")
}

/// The compiled grammar, or why it is refused.
pub(super) fn session(grammar: &Grammar, vocabulary: &Vocabulary) -> Result<Session, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let (lexer, parser) = grammar.files();
    std::fs::write(folder.path().join("L.g4"), lexer).expect("a file");
    std::fs::write(folder.path().join("P.g4"), parser).expect("a file");
    let source = Source::file(&folder.path().join("P.g4"), None).expect("a source");
    let artifact = compile(&source, vocabulary, &Options::default()).map_err(|error| error.to_string())?;
    Ok(Session::new(artifact, vocabulary).expect("the same vocabulary"))
}

/// All texts of these letters up to a length, each behind its beginnings.
pub(super) fn texts(letters: &str, most: usize) -> Vec<String> {
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
pub(super) fn compare(
    grammar: &Grammar,
    session: &Session,
    letters: &str,
    most: usize,
    rest: usize,
) -> usize {
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
pub(super) fn check(grammar: &Grammar, letters: &str, most: usize, rest: usize, at_least: usize) {
    let vocabulary = vocabulary();
    let session = session(grammar, &vocabulary).unwrap_or_else(|error| panic!("{error}: {grammar:?}"));
    let accepted = compare(grammar, &session, letters, most, rest);
    assert!(accepted >= at_least, "only {accepted} texts");
}

/// Numbers that look random (a linear congruential generator).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    pub(super) fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}
