//! What artifacts and errors say about token budgets.

use gcc_grammar::{
    Certainty, Code, Compilation, Error, LimitOptions, MatchError, Notation, Options, Packing, Session,
    Source, TokenBudgets, Vocabulary, compile, compile_parsed, parse,
};

fn vocabulary() -> Vocabulary {
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    let words = ["aa", "\":\"", "\"}"].map(|word| word.as_bytes().to_vec());
    Vocabulary::from_tokens("words", bytes.chain(words)).expect("a vocabulary")
}

const SCHEMA: &str = r#"{"type": "object", "properties": {"name": {"type": "string", "maxLength": 300}},
    "required": ["name"], "additionalProperties": false}"#;

fn compiled(budgets: TokenBudgets, work: Option<u64>) -> Result<Compilation, Error> {
    let limits = LimitOptions { work, ..LimitOptions::default() };
    let options = Options { budgets, limits, ..Options::default() };
    let parsed = parse(&Source::json_schema(SCHEMA), &options)?;
    compile_parsed(&parsed, &vocabulary(), &options, Packing::Referenced, &mut ())
}

/// The warning about budgets, in the metadata of the artifact, too.
fn shortfall(compilation: &Compilation) -> Option<&str> {
    let mut warnings = compilation.warnings.iter();
    let message = &warnings.find(|warning| warning.code == Code::BoundedBudgets)?.message;
    assert!(compilation.metadata.warnings.contains(message));
    Some(message)
}

#[test]
fn an_error_about_a_budget_says_whether_its_number_is_a_bound() {
    for (budgets, text) in [(TokenBudgets::Bounded, "needs at most "), (TokenBudgets::Exact, "needs ")] {
        let compilation = compiled(budgets, None).expect("within the limits");
        assert_eq!(shortfall(&compilation), None);
        let session = Session::new(compilation.artifact, &vocabulary()).expect("its vocabulary");
        let mut matcher = session.matcher().expect("room");
        let needed = matcher.min_remaining().expect("budgets").expect("certified");
        let refused = matcher.set_budget(Some(needed - 1)).expect_err("too small");
        let is_exact = budgets == TokenBudgets::Exact;
        assert_eq!(refused, MatchError::BudgetTooSmall { needed, is_exact });
        assert!(refused.to_string().contains(&format!("the text {text}{needed} more tokens")), "{refused}");
    }
}

/// All texts begin with bytes that no token within the budget ends behind.
#[test]
fn certain_bytes_without_a_token_within_the_budget_are_no_error() {
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    let words = ["11a", "11b"].map(|word| word.as_bytes().to_vec());
    let vocabulary = Vocabulary::from_tokens("words", bytes.chain(words)).expect("a vocabulary");
    let source = Source::new(Notation::Regex, "11[ab]");
    let artifact = compile(&source, &vocabulary, &Options::default()).expect("an expression");
    let session = Session::new(artifact, &vocabulary).expect("its vocabulary");
    let mut matcher = session.matcher().expect("room");
    let cut = |text: &[u8]| text.iter().map(|&byte| u32::from(byte)).collect::<Vec<_>>();
    let mut certain = |budget| {
        matcher.set_budget(budget).expect("enough");
        (matcher.forced(9), matcher.certain_tokens(&[], &cut, Certainty::Llguidance))
    };
    // No token is certain, since a longer one may come in its place.
    for budget in [None, Some(2)] {
        assert_eq!(certain(budget), (Ok(b"11".to_vec()), Ok(Vec::new())), "{budget:?}");
    }
}

/// With less and less work, the costs are bounds or left out, the warning says why, and the compilation fails in other stages only.
#[test]
fn costs_beyond_a_limit_are_left_out_with_a_reason() {
    let enough = compiled(TokenBudgets::Exact, None).expect("within the limits").stats.work;
    let (mut bounded, mut none) = (0, 0);
    for share in (10..=200).rev().step_by(5) {
        match compiled(TokenBudgets::Exact, Some(enough * share / 100)) {
            Ok(compilation) => match shortfall(&compilation) {
                Some(why) if why.starts_with("token budgets are bounded, not exact: they need more than") => {
                    bounded += 1;
                }
                Some(why) => {
                    assert!(
                        why.starts_with("the artifact has no token budgets: they need more than"),
                        "{why}"
                    );
                    none += 1;
                }
                None => assert_eq!(bounded + none, 0, "exact with less work, but not with more"),
            },
            Err(error) => assert!(!error.to_string().contains("completion"), "{error}"),
        }
    }
    assert!(bounded + none > 0, "no limit lies between the costs and the other stages");
}
