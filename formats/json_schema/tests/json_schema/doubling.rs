//! What is spent on a schema grows in proportion to it: twice the keywords, about twice the work.
//!
//! Some kinds compare each part with each other one, which is counted, and so within the limits ([decision
//! 0089](../../../../docs/decisions/0089-work-of-the-algebra-in-proportion-to-the-schema.md)).

use gcc_grammar_json_schema::{Options, compile_within};
use gcc_grammar_limits::{Budget, Limits};

/// Twice the parts may take so many times the work, and the bytes.
const LINEAR: f64 = 2.6;
/// The same for kinds that compare their parts in pairs.
const QUADRATIC: f64 = 4.6;

fn each(n: usize, part: impl Fn(usize) -> String) -> String {
    (0..n).map(part).collect::<Vec<_>>().join(",")
}

fn integers(n: usize) -> String {
    each(n, |i| format!(r#""k{i}":{{"type":"integer"}}"#))
}

fn closed(members: &str, more: &str) -> String {
    format!(r#"{{"type":"object","properties":{{{members}}},"additionalProperties":false{more}}}"#)
}

/// Schemas by the number of their parts.
fn linear(n: usize) -> Vec<(&'static str, String)> {
    let of =
        |keyword: &str, part: &dyn Fn(usize) -> String| format!(r#"{{"{keyword}":[{}]}}"#, each(n, part));
    let keys = || each(n, |i| format!("\"k{i}\""));
    let texts = |i: usize| format!(r#"{{"const":"k{i}"}}"#);
    let tagged = |i: usize| closed(&format!(r#""t":{{"const":"t{i}"}},"v":{{}}"#), r#","required":["t"]"#);
    let condition = |i: usize| format!(r#"{{"if":{{"const":{i}}},"then":{{"minimum":0}}}}"#);
    let mixed = |i: usize| match i % 3 {
        0 => format!(r#"[{i},{{"a":{i}}}]"#),
        1 => format!(r#"{{"a":[{i}],"b":"{i}"}}"#),
        _ => format!("{i}"),
    };
    let chain = |link: &dyn Fn(usize) -> String| {
        let links = each(n, |i| format!(r##""d{i}":{}"##, link(i + 1)));
        format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{links},"d{n}":{{"type":"integer"}}}}}}"##)
    };
    vec![
        ("allOf of lengths", of("allOf", &|i| format!(r#"{{"type":"string","minLength":{}}}"#, i % 7))),
        ("allOf of bounds", of("allOf", &|i| format!(r#"{{"type":"integer","minimum":{i}}}"#))),
        ("allOf of keys", of("allOf", &|i| format!(r#"{{"properties":{{"k{i}":{{"type":"integer"}}}}}}"#))),
        (
            "allOf of keys, and no others",
            format!(
                r#"{{"allOf":[{}],"unevaluatedProperties":false}}"#,
                each(n, |i| format!(r#"{{"properties":{{"k{i}":{{"type":"integer"}}}}}}"#))
            ),
        ),
        ("anyOf of constants", of("anyOf", &texts)),
        ("oneOf of constants", of("oneOf", &texts)),
        ("anyOf of tagged objects", of("anyOf", &tagged)),
        ("oneOf of tagged objects", of("oneOf", &tagged)),
        (
            "not, one by one",
            format!(r#"{{"type":"string","allOf":[{}]}}"#, each(n, |i| format!(r#"{{"not":{}}}"#, texts(i)))),
        ),
        ("not of enum", format!(r#"{{"type":"string","not":{{"enum":[{}]}}}}"#, keys())),
        ("if and then", format!(r#"{{"type":"integer","allOf":[{}]}}"#, each(n, condition))),
        ("enum of scalars", format!(r#"{{"enum":[{}]}}"#, keys())),
        ("enum of all kinds", format!(r#"{{"enum":[{}]}}"#, each(n, mixed))),
        ("optional keys", closed(&integers(n), "")),
        ("optional keys of an open object", format!(r#"{{"properties":{{{}}}}}"#, integers(n))),
        ("required keys", closed(&integers(n), &format!(r#","required":[{}]"#, keys()))),
        (
            "required pairs",
            closed(&integers(n), &format!(r#","required":[{}]"#, each(n / 2, |i| format!("\"k{}\"", 2 * i)))),
        ),
        (
            "required, one by one",
            closed(
                &integers(n),
                &format!(r#","allOf":[{}]"#, each(n, |i| format!(r#"{{"required":["k{i}"]}}"#))),
            ),
        ),
        ("propertyNames", format!(r#"{{"type":"object","propertyNames":{{"enum":[{}]}}}}"#, keys())),
        (
            "patternProperties",
            format!(
                r#"{{"type":"object","patternProperties":{{"^({})$":{{}}}},"additionalProperties":false}}"#,
                each(n, |i| format!("k{i}")).replace(',', "|")
            ),
        ),
        ("$ref", chain(&|i| format!(r##"{{"$ref":"#/$defs/d{i}"}}"##))),
        ("$ref of objects", chain(&|i| closed(&format!(r##""n":{{"$ref":"#/$defs/d{i}"}}"##), ""))),
        ("minContains", format!(r#"{{"type":"array","contains":{{"type":"integer"}},"minContains":{n}}}"#)),
        ("prefixItems", format!(r#"{{"prefixItems":[{}]}}"#, each(n, tagged))),
    ]
}

/// Schemas whose parts are compared in pairs.
fn quadratic(n: usize) -> Vec<(&'static str, String)> {
    let one = |i: usize| (format!(r#""k{i}":{{"type":"integer"}}"#), format!(r#","required":["k{i}"]"#));
    let dependent = each(n / 2, |i| format!(r#""k{}":["k{}"]"#, 2 * i, 2 * i + 1));
    let tags = each(n, |i| format!("\"t{i}\""));
    let by_tag = each(n, |i| {
        format!(
            r#"{{"if":{{"properties":{{"t":{{"const":"t{i}"}}}}}},"then":{{"properties":{{"v":{{"const":{i}}}}}}}}}"#
        )
    });
    vec![
        (
            "anyOf of objects without a tag",
            format!(
                r#"{{"anyOf":[{}]}}"#,
                each(n, |i| {
                    let (key, required) = one(i);
                    closed(&key, &required)
                })
            ),
        ),
        ("dependentRequired", closed(&integers(n), &format!(r#","dependentRequired":{{{dependent}}}"#))),
        (
            "if and then by a tag",
            closed(
                &format!(r#""t":{{"enum":[{tags}]}},"v":{{}}"#),
                &format!(r#","required":["t","v"],"allOf":[{by_tag}]"#),
            ),
        ),
    ]
}

/// The work and the bytes that a schema takes.
fn spent((name, schema): &(&'static str, String)) -> [u64; 2] {
    let budget = Budget::new(Limits { bytes: 4_000_000_000, ..Limits::default() });
    assert!(compile_within(schema, &Options::default(), &budget).is_ok(), "{name}");
    let (work, bytes) = budget.spent();
    [work, bytes]
}

fn check(schemas: fn(usize) -> Vec<(&'static str, String)>, n: usize, most: f64) {
    for (once, twice) in schemas(n).iter().zip(&schemas(2 * n)) {
        let (few, many) = (spent(once), spent(twice));
        let ratios = [0, 1].map(|what| many[what] as f64 / few[what] as f64);
        assert!(ratios.iter().all(|&ratio| ratio < most), "{}: {few:?}, {many:?}: {ratios:.2?}", once.0);
    }
}

#[test]
fn twice_the_keywords_take_twice_the_work() {
    check(linear, 500, LINEAR);
}

#[test]
fn what_is_compared_in_pairs_takes_four_times_the_work() {
    check(quadratic, 100, QUADRATIC);
}

/// Where no key tells alternatives apart, a member has a kind of values for each set of alternatives. Those that have no values lead nowhere, so
/// what follows them takes no work: that would be more than twice what all of this may take.
#[test]
fn kinds_of_values_that_do_not_exist_are_not_followed() {
    let one = |i: usize| {
        let options = closed(&format!(r#""a{i}":{{"type":"integer"}},"b{i}":{{"type":"string"}}"#), "");
        format!(
            r#"{{"type":"object","properties":{{"kind":{{"const":"k{i}"}},"options":{options},"more":{{"additionalProperties":{options}}}}}}}"#
        )
    };
    let [work, _] = spent(&("oneOf by optional keys", format!(r#"{{"oneOf":[{}]}}"#, each(8, one))));
    assert!(work < 25_000_000, "{work}");
}

/// Wide schemas are refused at a place: what is done for each pair of parts is charged.
#[test]
fn wide_schemas_are_refused_early() {
    let object = |i: usize| format!(r#"{{"properties":{{"k{i}":{{}}}},"required":["k{i}"]}}"#);
    let tag_last =
        |i: usize| format!(r#"{{"properties":{{"v{i}":{{}},"t":{{"const":"t{i}"}}}},"required":["t"]}}"#);
    for (keyword, part) in
        [("anyOf", &object as &dyn Fn(usize) -> String), ("oneOf", &object), ("anyOf", &tag_last)]
    {
        let schema = format!(r#"{{"{keyword}":[{}]}}"#, each(20_000, part));
        let budget = Budget::new(Limits { work: 50_000_000, ..Limits::default() });
        let errors = compile_within(&schema, &Options::default(), &budget).expect_err("too large");
        assert!(errors.iter().all(|error| error.location.is_some()), "{errors:?}");
    }
}

/// A branch is taken for one guard after the other: thousands of them take no more stack than some.
#[test]
fn thousands_of_conditions_take_a_small_stack() {
    let schema = quadratic(500).remove(2).1;
    let compile = move || compile_within(&schema, &Options::default(), &Budget::default()).is_ok();
    let thread = std::thread::Builder::new().stack_size(1 << 19).spawn(compile).expect("a thread");
    assert!(thread.join().is_ok());
}
