//! Compares the automata with a matcher that follows the definition of every operator, on random expressions and texts.
//! Also checks the invariants of [`Dfa`], algebraic laws, limits, and the errors of the pattern parser.

use crate::*;
use gcc_grammar_limits::{OverBudget, Resource};
use gcc_grammar_random::Random;
use std::collections::BTreeSet;

const LETTERS: [char; 6] = ['a', 'b', '\n', '\r', ' ', 'é'];

fn random_regex(random: &mut Random, depth: usize) -> Regex {
    let parts = |random: &mut Random| (0..random.below(4)).map(|_| random_regex(random, depth - 1)).collect();
    match random.below(if depth == 0 { 3 } else { 11 }) {
        0 => Regex::Chars((0..random.below(3) + 1).fold(CharSet::default(), |set, _| {
            set.union(&CharSet::single(LETTERS[random.below(LETTERS.len())]))
        })),
        1 => Regex::Literal(
            (0..random.below(3)).flat_map(|_| LETTERS[random.below(2)].to_string().into_bytes()).collect(),
        ),
        2 if depth > 0 && random.below(3) > 0 => random_around(random, depth),
        2 if depth == 0 => Regex::Bytes([b'a', b"b\n "[random.below(3)]].into_iter().collect()),
        2 => Regex::Look(Look::ALL[random.below(Look::ALL.len())]),
        3 | 4 => Regex::Concat(parts(random)),
        5 | 6 => Regex::Union(parts(random)),
        7 | 8 => {
            let min = random.below(3) as u32;
            let max = [None, Some(min), Some(min + 1), Some(4), Some(0)][random.below(5)];
            random_regex(random, depth - 1).repeat(min, max)
        }
        9 => Regex::Intersect(parts(random)),
        _ => Regex::Complement(Box::new(random_regex(random, depth - 1))),
    }
}

fn random_around(random: &mut Random, depth: usize) -> Regex {
    let (inner, negative) = (random_regex(random, depth - 1), random.below(2) == 0);
    if random.below(2) == 0 { inner.ahead(negative) } else { inner.behind(negative) }
}

/// Where `regex` can end if it starts at `start`, in a text that goes from 0 to the end of `text`.
fn ends(regex: &Regex, text: &[u8], start: usize) -> BTreeSet<usize> {
    match regex {
        Regex::Chars(set) => {
            let rest = (1..=4).filter_map(|len| std::str::from_utf8(text.get(start..start + len)?).ok());
            rest.take(1)
                .filter(|c| set.contains(c.chars().next().map_or(0, u32::from)))
                .map(|c| start + c.len())
                .collect()
        }
        Regex::Bytes(set) => {
            text.get(start).filter(|&&byte| set.contains(byte)).map(|_| start + 1).into_iter().collect()
        }
        Regex::Literal(bytes) => {
            text[start..].starts_with(bytes).then_some(start + bytes.len()).into_iter().collect()
        }
        Regex::Concat(parts) => parts.iter().fold(BTreeSet::from([start]), |at, part| step(part, text, &at)),
        Regex::Union(parts) => parts.iter().flat_map(|part| ends(part, text, start)).collect(),
        Regex::Repeat { inner, min, max } => {
            let mut at = BTreeSet::from([start]);
            let mut reached = BTreeSet::new();
            for count in 0..=max.unwrap_or(min + text.len() as u32 + 1) {
                if count >= *min {
                    reached.extend(&at);
                }
                at = step(inner, text, &at);
            }
            reached
        }
        Regex::Lazy(inner) => ends(inner, text, start),
        Regex::Look(look) => holds(*look, text, start).then_some(start).into_iter().collect(),
        Regex::Around(around) => {
            let found = match around.behind {
                false => !ends(&around.inner, text, start).is_empty(),
                true => (0..=start).any(|from| ends(&around.inner, text, from).contains(&start)),
            };
            (found != around.negative).then_some(start).into_iter().collect()
        }
        Regex::Intersect(parts) => (start..=text.len())
            .filter(|&end| parts.iter().all(|part| ends(part, &text[start..end], 0).contains(&(end - start))))
            .collect(),
        Regex::Complement(inner) => (start..=text.len())
            .filter(|&end| !ends(inner, &text[start..end], 0).contains(&(end - start)))
            .collect(),
        Regex::Automaton(dfa) => (start..=text.len()).filter(|&end| dfa.accepts(&text[start..end])).collect(),
    }
}

fn step(regex: &Regex, text: &[u8], from: &BTreeSet<usize>) -> BTreeSet<usize> {
    from.iter().flat_map(|&start| ends(regex, text, start)).collect()
}

fn holds(look: Look, text: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map(|index| text[index]);
    let after = text.get(at).copied();
    let is_word = |byte: Option<u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_');
    match look {
        Look::Start => before.is_none(),
        Look::End => after.is_none(),
        Look::LineStart => before.is_none_or(|byte| byte == b'\n'),
        Look::LineEnd => after.is_none_or(|byte| byte == b'\n'),
        Look::WordBoundary => is_word(before) != is_word(after),
        Look::NotWordBoundary => is_word(before) == is_word(after),
        // A line ends after "\r\n", "\n" and "\r", and not within "\r\n".
        Look::LineStartCrlf => match before {
            Some(b'\r') => after != Some(b'\n'),
            before => before.is_none_or(|byte| byte == b'\n'),
        },
        Look::LineEndCrlf => match after {
            Some(b'\n') => before != Some(b'\r'),
            after => after.is_none_or(|byte| byte == b'\r'),
        },
        Look::WordStart => is_word(after) && !is_word(before),
        Look::WordEnd => is_word(before) && !is_word(after),
        Look::WordStartHalf => !is_word(before),
        Look::WordEndHalf => !is_word(after),
    }
}

/// Every text of up to three letters, and some that are no UTF-8.
fn texts() -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new(), b"\xC3".to_vec(), b"a\xA9".to_vec()];
    let mut layer = vec![String::new()];
    for _ in 0..3 {
        layer = layer.iter().flat_map(|text| LETTERS.map(|letter| format!("{text}{letter}"))).collect();
        all.extend(layer.iter().map(|text| text.clone().into_bytes()));
    }
    all
}

fn dfa(regex: &Regex) -> Dfa {
    regex.to_dfa(&RegularLimits::default()).expect("within limits")
}

#[test]
fn a_match_wins_over_what_comes_later_behind_a_lazy_repetition() {
    let lazy = |pattern: &str| {
        let regex = Regex::parse(pattern, PatternFlags::default()).expect(pattern);
        regex.to_lazy_match_dfa(&RegularLimits::default()).expect("small")
    };
    let dfa = lazy("a[^z]*?b|acbd");
    assert!(dfa.accepts(b"acb") && dfa.accepts(b"acbd") && !dfa.accepts(b"acbb"));
    let dfa = lazy("a[^z]*?b|ac*?bd");
    assert!(dfa.accepts(b"acb") && !dfa.accepts(b"acbd"));
}

#[test]
fn automata_accept_what_the_definition_says() {
    let texts = texts();
    for seed in 0..4000 {
        let regex = random_regex(&mut Random::new(seed), 3);
        let automaton = dfa(&regex);
        for text in &texts {
            let expected = ends(&regex, text, 0).contains(&text.len());
            assert_eq!(
                automaton.accepts(text),
                expected,
                "seed {seed}, {regex:?} on {:?}",
                String::from_utf8_lossy(text)
            );
        }
        assert_eq!(regex.matches_empty(), automaton.matches_empty(), "seed {seed}, {regex:?}");
        check_invariants(&automaton);
    }
}

#[test]
fn endings_say_what_may_be_around_a_match() {
    let texts: Vec<_> = texts().into_iter().filter(|text| str::from_utf8(text).is_ok()).collect();
    let limits = RegularLimits::default();
    for seed in 0..1000 {
        let regex = random_regex(&mut Random::new(seed), 3);
        let endings = regex.endings(100, &limits).expect("within limits").expect("few");
        let is_free = regex.is_free_of_what_is_before(100, &limits).expect("within limits");
        for text in &texts {
            for start in (0..=text.len()).filter(|start| *start == 0 || is_free) {
                let found = ends(&regex, text, start);
                for end in start..=text.len() {
                    let (whole, after) = (&text[start..end], &text[end..]);
                    let expected = endings
                        .iter()
                        .any(|ending| ending.texts.accepts(whole) && ending.after.accepts(after));
                    assert_eq!(
                        found.contains(&end),
                        expected,
                        "seed {seed}, {regex:?}: {start}..{end} of {text:?}"
                    );
                }
            }
        }
    }
    let depends = |pattern: &str| {
        let flags = PatternFlags { look_around: true, ..PatternFlags::default() };
        let regex = Regex::parse(pattern, flags).expect(pattern);
        let endings = regex.endings(100, &limits).expect("small").expect("few");
        (
            !regex.is_free_of_what_is_before(100, &limits).expect("small"),
            endings.iter().any(|ending| !ending.is_free()),
        )
    };
    assert_eq!(depends(r"(?<!x)a"), (true, false));
    assert_eq!(depends(r"x(?<!y)a\b"), (false, true));
    assert_eq!(depends(r"\Ba"), (true, false));
    assert_eq!(depends(r"a(?!b)[bc]"), (false, false));
    assert_eq!(depends(r"(?<=\n|^)a(?=b*c)"), (true, true));
}

/// Trimmed, canonically numbered, minimal classes; minimality of the states is checked by the identities below.
fn check_invariants(automaton: &Dfa) {
    let states = automaton.state_count() as u32;
    let mut next_new = 1;
    for state in 0..states {
        for class in 0..automaton.class_count() {
            if let Some(target) = automaton.next_by_class(state, class as u8) {
                assert!(target <= next_new, "breadth first");
                next_new = next_new.max(target + 1);
            }
        }
    }
    assert_eq!(next_new, states, "every state is reachable");
    for a in 0..automaton.class_count() {
        for b in 0..a {
            let differ = (0..states)
                .any(|s| automaton.next_by_class(s, a as u8) != automaton.next_by_class(s, b as u8));
            assert!(differ, "classes {a} and {b} are equal");
        }
    }
}

#[test]
fn equal_languages_are_equal_values() {
    let limits = RegularLimits::default();
    for seed in 0..2000 {
        let mut random = Random::new(seed);
        let (a, b) = (random_regex(&mut random, 3), random_regex(&mut random, 3));
        let (x, y) = (dfa(&a), dfa(&b));
        let not = |z: &Dfa| z.complement(&limits).expect("within limits");
        let union = x.union(&y, &limits).expect("within limits");
        let meet = x.intersect(&y, &limits).expect("within limits");
        assert_eq!(union, dfa(&Regex::Union(vec![automaton(&x), automaton(&y)])));
        assert_eq!(not(&union), not(&x).intersect(&not(&y), &limits).expect("within limits"), "de Morgan");
        assert_eq!(
            x.difference(&y, &limits).expect("within limits"),
            x.intersect(&not(&y), &limits).expect("within limits")
        );
        assert_eq!(not(&not(&x)), x);
        assert_eq!(x.intersects(&y, &limits), Ok(!meet.is_empty()));
        assert_eq!(x.is_subset(&y, &limits), Ok(meet == x));
        assert_eq!(x.is_subset(&union, &limits), Ok(true));
        if let Some(text) = x.shortest() {
            assert!(x.accepts(&text));
        }
        assert_eq!(x.shortest().is_none(), x.is_empty());
    }
}

fn automaton(dfa: &Dfa) -> Regex {
    Regex::Automaton(std::sync::Arc::new(dfa.clone()))
}

#[test]
fn large_counts_stay_linear() {
    let counted = dfa(&Regex::any_char().repeat(0, Some(10_000)));
    // Between any two characters the automaton may be inside one, in one of seven ways.
    assert_eq!(counted.state_count(), 10_000 * 8 + 1);
    assert!(
        counted.accepts("é".repeat(10_000).as_bytes()) && !counted.accepts("é".repeat(10_001).as_bytes())
    );
    assert!(counted.is_finite() && !dfa(&Regex::any_char().star()).is_finite());
}

#[test]
fn automata_of_many_states_are_minimal() {
    let limits = RegularLimits::default();
    let digits =
        |rest: u32, modulus| (0..10).map(move |d| (b'0' + d, b'0' + d, (rest * 10 + u32::from(d)) % modulus));
    let remainders = |modulus: u32| {
        Dfa::explore(0, &limits, |&rest: &u32| (rest % 4_999 == 0, digits(rest, modulus).collect())).unwrap()
    };
    assert_eq!(remainders(4_999).state_count(), 4_999);
    assert_eq!(remainders(3 * 4_999), remainders(4_999));
    // A round tells one state of a cycle apart.
    let cycle = |length: u32| {
        Dfa::explore(0, &limits, |&at: &u32| (at % 5_000 == 0, vec![(b'a', b'a', (at + 1) % length)]))
            .unwrap()
    };
    assert_eq!(cycle(5_000).state_count(), 5_000);
    assert_eq!(cycle(15_000), cycle(5_000));
}

#[test]
fn many_literals_make_a_trie() {
    let words: Vec<String> = (0..20_000).map(|n| format!("word {}", n * 7919)).collect();
    let union = Regex::union(words.iter().map(|word| Regex::literal(word)));
    let automaton = dfa(&union);
    assert!(words.iter().all(|word| automaton.accepts(word.as_bytes())) && !automaton.accepts(b"word 1"));
    let mixed = dfa(&Regex::union([union, Regex::literal("x").plus()]));
    assert!(mixed.accepts(b"xxx") && mixed.accepts(b"word 7919"));
}

#[test]
fn a_single_literal_is_as_canonical_as_any() {
    let all: Vec<u8> = (0..=255).collect();
    for bytes in [&b""[..], b"a", b"hello", b"\0\xFF", &all, &all[1..], &all[..255], &all[3..100]] {
        let twice = Regex::Concat(vec![Regex::Literal(bytes.to_vec()), Regex::empty()]);
        assert_eq!(dfa(&Regex::Literal(bytes.to_vec())), dfa(&twice));
    }
}

#[test]
fn ambiguous_repetition_of_repetition_is_cheap() {
    let inner = Regex::literal("a").repeat(0, Some(50)).then(Regex::literal("b").optional());
    for (min, max, regex) in [(0, Some(60), &inner), (60, None, &inner), (3, Some(60), &inner)] {
        let limits = RegularLimits { max_work: 5_000_000, ..RegularLimits::default() };
        let automaton = regex.clone().repeat(min, max).to_dfa(&limits).expect("cheap");
        assert!(automaton.accepts("a".repeat(3000).as_bytes()));
        assert_eq!(automaton.accepts("a".repeat(3001).as_bytes()), max.is_none());
        assert_eq!(automaton.accepts("b".repeat(61).as_bytes()), max.is_none());
    }
    let number = Regex::parse("(-?[0-9]+){70,}", PatternFlags::default()).expect("valid");
    let automaton = dfa(&number);
    assert!(automaton.accepts("7".repeat(70).as_bytes()) && !automaton.accepts("7".repeat(69).as_bytes()));
}

#[test]
fn limits_are_errors_not_memory() {
    let limits = RegularLimits { max_states: 1000, ..RegularLimits::default() };
    let exponential =
        Regex::any_char().star().then(Regex::literal("a")).then(Regex::any_char().repeat(30, Some(30)));
    assert_eq!(exponential.to_dfa(&limits), Err(limits.budget.over(Resource::AutomatonStates, 1000)));
    let huge = Regex::literal("a").repeat(u32::MAX, None);
    assert!(huge.to_dfa(&RegularLimits::default()).is_err());
    assert_eq!(dfa(&Regex::empty().repeat(0, Some(u32::MAX))), Dfa::empty_string());
    assert_eq!(dfa(&Regex::never().repeat(5, Some(u32::MAX))), Dfa::never());
    let deep = (0..10_000).fold(Regex::literal("a"), |inner, _| inner.then(Regex::literal("b")));
    assert_eq!(deep.to_dfa(&limits).map_err(|error| error.resource), Err(Resource::Nesting));
    let allowed = (0..490).fold(Regex::literal("a"), |inner, _| inner.repeat(1, Some(1)));
    assert_eq!(dfa(&allowed), dfa(&Regex::literal("a")));
}

#[test]
fn shortest_is_least_among_the_shortest() {
    assert_eq!(dfa(&Regex::union(["bb", "ba", "ccc"].map(Regex::literal))).shortest(), Some(b"ba".to_vec()));
    assert_eq!(dfa(&Regex::literal("a").star()).shortest(), Some(Vec::new()));
    assert_eq!(Dfa::never().shortest(), None);
}

fn parse(pattern: &str) -> Dfa {
    dfa(&Regex::parse(pattern, PatternFlags::default()).expect(pattern))
}

#[test]
fn patterns_mean_what_the_regex_syntax_says() {
    assert!(parse(r"[a-c]+\d{2,3}").accepts("abc१२".as_bytes()), "digits of any script");
    assert!(parse(r"(?i)straße").accepts("STRAßE".as_bytes()));
    assert!(!parse("a.b").accepts(b"a\nb") && parse("(?s)a.b").accepts(b"a\nb"));
    assert_eq!(parse(r"^abc$"), parse("abc"));
    assert_eq!(parse(r"a$b|^c"), parse("c"));
    assert_eq!(parse(r"(?-u:\b)foo(?-u:\b)"), parse("foo"));
    let anywhere = Regex::parse("^a|b$", PatternFlags::default()).expect("fine").anywhere();
    assert_eq!(dfa(&anywhere), parse(r"(?s)a.*|.*b"));
}

#[test]
fn look_around_is_read_where_it_is_wanted() {
    let flags = PatternFlags { look_around: true, ..PatternFlags::default() };
    let parse = |pattern: &str| dfa(&Regex::parse(pattern, flags).expect(pattern));
    let plain = |pattern: &str| dfa(&Regex::parse(pattern, PatternFlags::default()).expect(pattern));
    for (pattern, other) in [
        ("(?!kw$)[a-z]+", "[a-z&&[^k]][a-z]*|k|k[a-z&&[^w]][a-z]*|kw[a-z]+"),
        ("(?:a(?!b)|b)*", "b*a*"),
        (r#""(?:.*?)(?<!\\)(\\\\)*""#, r#"""|"(.*[^\\\n])?(\\\\)*""#),
        ("[(?=]a(?=b).", r"[(?=]ab"),
        ("[](?!]", r"[\](?!]"),
        ("[[a](?=]", "[a(?=]"),
        (r"\((?<=\()x", r"\(x"),
        ("(?:(?=(?<!a)b).|a)+", "b+a*|a+"),
    ] {
        assert_eq!(parse(pattern), plain(other), "{pattern}");
    }
    let span = |pattern: &str| Regex::parse(pattern, flags).expect_err(pattern).span;
    assert_eq!(span(r"(?=a)(b)\1"), Some(8..10));
    assert_eq!(span("a(?<!b"), Some(1..5));
    assert_eq!(span("(?!a)[z-a]"), Some(6..9));
}

#[test]
fn boundaries_of_unicode_words() {
    let dfa = |pattern: &str| dfa(&Regex::parse(pattern, PatternFlags::default()).expect(pattern));
    assert_eq!(dfa(r"é\b-?"), dfa("é-?"));
    assert_eq!(dfa(r"[aé-]\B[aé-]"), dfa("[aé][aé]|--"));
    assert_eq!(dfa(r"[é-]\b{start}[é-]\b{end}[é-]"), dfa("-é-"));
    assert_eq!(dfa(r"[é-]\b{end-half}[é-]"), dfa("[é-]-"));
}

#[test]
fn refused_patterns_say_where() {
    let refused = |pattern: &str| {
        let error = Regex::parse(pattern, PatternFlags::default()).expect_err(pattern);
        let Some(span) = error.span.clone() else { panic!("{error:?} has no span") };
        (error.kind, span)
    };
    assert_eq!(refused("ab(?=c)"), (PatternErrorKind::BadPattern, 2..5));
    assert_eq!(refused(r"(a)\1"), (PatternErrorKind::BadPattern, 3..5));
    assert_eq!(refused("a{2,1}").0, PatternErrorKind::BadPattern);
    assert_eq!(refused(&"(".repeat(100_000)).0, PatternErrorKind::BadPattern);
}

#[test]
fn errors_can_cross_threads() {
    fn check<E: std::error::Error + Send + Sync + 'static>() {}
    check::<OverBudget>();
    check::<PatternError>();
}
