use super::*;
use crate::bnf::{self, Dialect};
use gcc_grammar_ir::check::for_each_symbol;
use gcc_grammar_ir::{Expr, Symbol};
use gcc_grammar_regular::{PatternFlags, Regex};

fn regular(text: &str) -> Grammar {
    let parsed = bnf::parse(text, Dialect::Gbnf, &Default::default());
    parsed.unwrap_or_else(|errors| panic!("{text}: {errors:?}")).grammar
}

/// Checks that a grammar becomes one terminal with the language of a pattern.
fn check(text: &str, pattern: &str) {
    let grammar = regular(text);
    let expected = Regex::parse(pattern, PatternFlags::default()).expect(pattern);
    let expected = expected.to_dfa(&RegularLimits::default()).expect(pattern);
    let [terminal] = &grammar.terminals[..] else { panic!("{text}: {grammar}") };
    let Pattern::Regex(Regex::Automaton(dfa)) = &terminal.pattern else { panic!("{terminal:?}") };
    assert_eq!(**dfa, expected, "{text} is not {pattern}: {grammar}");
}

#[test]
fn linear_systems_are_solved() {
    check("root ::= \"a\" root | \"b\"", "a*b");
    check("root ::= root \"a\" | \"b\"", "ba*");
    check("root ::= \"x\" even\neven ::= \"a\" odd | \"\"\nodd ::= \"b\" even", "x(ab)*");
    check("root ::= even \"x\"\neven ::= odd \"a\" | \"c\"\nodd ::= even \"b\" | \"d\"", "(c|da)(ba)*x");
    check(
        "root ::= (\"a\" | \"b\" root?)? \"\" | \"c\" (\"d\" root)?",
        "(b|cd)*(a|b|c)|(b|cd)+|(b|cd)*(a|b|c)",
    );
    check("root ::= [0-9] root? ", "[0-9]+");
    check(
        "root ::= a | b\na ::= \"x\" b | \"1\"\nb ::= \"y\" c | \"2\"\nc ::= \"z\" a | \"3\" b | \"4\"",
        "(xy(3y)*z)*(1|x2|xy(3y)*(4|32))|(y(3y)*zx)*(2|y(3y)*(4|32)|y(3y)*z1)|(y(3y)*zx)*y(3y)*z(1|x2)|(y(3y)*zx)*(2|y(3y)*(4|32|z1))",
    );
    // Right-linear rules inside of left-linear ones.
    check("root ::= root \",\" word | word\nword ::= [a-z] word | [a-z]", "[a-z]+(,[a-z]+)*");
}

#[test]
fn what_is_not_linear_stays() {
    for text in [
        "root ::= \"a\" root \"b\" | \"c\"",
        "root ::= root root \"a\" | \"b\"",
        "root ::= (\"a\" root)* \"b\"",
    ] {
        assert!(regular(text).to_string().contains("root: "), "{text}");
        let mut uses_itself = false;
        for_each_symbol(&regular(text).rules[0].body, &mut |symbol| {
            uses_itself |= symbol == Symbol::Nonterminal(NonterminalId(0));
        });
        assert!(uses_itself, "{text}");
    }
}

#[test]
fn neighbours_and_alternatives_are_joined() {
    let grammar = regular(
        "root ::= \"<\" name \">\" (root | text)* \"</\" name \">\"\nname ::= [a-z]+\ntext ::= [^<]+ | \"&\"",
    );
    let shown = grammar.to_string();
    assert!(shown.contains("root: \"<\" name \">\" (root | text)* \"</\" name \">\"\n"), "{shown}");
    assert_eq!((grammar.rules.len(), grammar.terminals.len()), (1, 3), "{shown}");
}

#[test]
fn special_tokens_are_not_joined() {
    let grammar = regular("root ::= \"a\" \"b\" <t> \"c\" \"d\" | \"a\" \"b\" <t>");
    assert_eq!(grammar.terminals.len(), 3, "{grammar}");
}

#[test]
fn longest_match_is_left_alone() {
    let grammar = crate::lark::parse("start: \"a\" \"b\"\n").expect("valid").grammar;
    assert_eq!(
        regularize(grammar.clone(), &mut [], &RegularLimits::default()).to_string(),
        grammar.to_string()
    );
}

#[test]
fn places_stay_rules() {
    let mut draft = crate::grammar_builder::GrammarBuilder::default();
    let place = draft.new_rule("place", None);
    let literal = draft.literal("a", None);
    let body = Expr::Sequence(vec![literal.clone(), literal, Expr::Symbol(Symbol::Nonterminal(place))]);
    let start = draft.rule("start", body);
    let mut places = [place];
    let grammar = regularize(draft.finish(start).0, &mut places, &RegularLimits::default());
    assert_eq!(grammar.rules[places[0].index()].name, "place");
    assert!(grammar.to_string().contains("start: \"a\" \"a\" place\n"), "{grammar}");
}
