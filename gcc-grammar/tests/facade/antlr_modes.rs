//! Grammars of ANTLR whose lexers have modes, beside a reader of its own.

use super::antlr_reader::Command::{Hidden, Mode, More, Pop, Push, Skip, Type, Wrong};
use super::antlr_reader::Text::{Any, Nothing, One, Some as Several, Word};
use super::antlr_reader::{Grammar, Random, Rules, Token, check, compare, grammar, session, vocabulary};

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
fn no_text_has_a_token_on_a_channel_for_errors() {
    let tags = grammar(
        &[
            ("OPEN", 0, Word("<"), &[Push(1)]),
            ("TEXT", 0, Several("a"), &[]),
            ("OTHER", 0, Any, &[Wrong]),
            ("CLOSE", 1, Word(">"), &[Pop]),
            ("NAME", 1, Several("ab"), &[]),
            ("S", 1, One(" "), &[Hidden]),
            ("WRONG", 1, Any, &[Wrong, Pop]),
        ],
        &[("all", &["", "all TEXT", "all OPEN NAME CLOSE", "all OTHER", "all OPEN WRONG"])],
    );
    check(&tags, "<>ab ", 6, 6, 20);
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

#[test]
fn a_token_without_a_text_leads_on_where_no_other_token_matches() {
    // As in Go: behind a name, a line break is a token, and elsewhere it is hidden.
    let lines = grammar(
        &[
            ("NAME", 0, Several("a"), &[Mode(1)]),
            ("PLUS", 0, Word("+"), &[]),
            ("LINE", 0, Word("/"), &[Skip]),
            ("MORE", 0, Word("/+"), &[]),
            ("END", 1, Several("/"), &[Mode(0)]),
            ("WS", 1, One(" "), &[Hidden]),
            ("OTHER", 1, Nothing, &[Mode(0), Hidden]),
        ],
        &[
            ("lines", &["line", "lines line"]),
            ("line", &["sum END", "MORE"]),
            ("sum", &["NAME", "sum PLUS NAME"]),
        ],
    );
    check(&lines, "a+/ ", 7, 4, 100);
}

#[test]
fn a_token_that_begins_with_one_of_the_first_mode_is_not_read_behind_it() {
    let lexer = grammar(
        &[
            ("OPEN", 0, Word("("), &[Mode(1)]),
            ("LONG", 0, Word("ab"), &[]),
            ("SHORT", 0, Word("b"), &[]),
            ("OTHER", 0, Several("ac"), &[]),
            ("A", 1, Word("aa"), &[]),
            ("LAST", 1, Nothing, &[Skip, Mode(0)]),
        ],
        &[("all", &["item", "all item"]), ("item", &["OPEN", "A", "LONG", "SHORT", "OTHER OPEN"])],
    );
    check(&lexer, "(abc", 7, 3, 200);
}

#[test]
fn random_tokens_without_a_text_are_those_of_the_reader() {
    let (vocabulary, mut random) = (vocabulary(), Random(77));
    let (mut compiled, mut texts) = (0, 0);
    for _ in 0..600 {
        let mut grammar = random_grammar(&mut random);
        let modes = grammar.tokens.iter().map(|token| token.mode).max().unwrap_or(0) + 1;
        let (mode, to) = (random.below(modes), random.below(modes));
        let commands = vec![random.of(&[Skip, Hidden]), random.of(&[Mode(to), Push(to)])];
        grammar.tokens.push(Token { name: "H".to_owned(), mode, text: Nothing, commands });
        match session(&grammar, &vocabulary) {
            Ok(session) => {
                compiled += 1;
                texts += compare(&grammar, &session, "abc", 6, 7);
            }
            Err(error) => assert!(!error.contains("limit"), "{error}: {grammar:?}"),
        }
    }
    assert!(compiled >= 50 && texts >= 500, "{compiled} grammars with {texts} texts");
}
