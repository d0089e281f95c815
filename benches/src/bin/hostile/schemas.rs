//! JSON Schemas that were made to take long, or that generators write for large interfaces.

use super::{COMPILE, Case};

pub(crate) const CASES: &[Case] = &[
    case("required, 40,000 names", "45 s, 3.5 GB", || required(40_000)),
    case("required, 100,000 names", "> 75 s, 5.2 GB", || required(100_000)),
    case("required and declared, 10,000 names", "", || required_and_declared(10_000)),
    case("allOf, 20,000 objects", "> 75 s, 4.4 GB", || all_of(20_000)),
    case("properties, 1,000", "9 s, 540 MB", || properties(1_000)),
    case("properties, 5,000", "refused", || properties(5_000)),
    case("properties, 100,000", "10 s", || properties(100_000)),
    case("properties, 1,700,000", "> 75 s", || properties(1_700_000)),
    case("properties without others, 10,000", "refused", || closed(10_000)),
    case("dependentRequired, 30,000 keys", "37 s, 3.8 GB", || {
        dependent(&list(30_000, |n| format!(r#""n{n}": ["n{}"]"#, n + 1)))
    }),
    case("dependentRequired, one key with 30,000", "", || {
        dependent(&format!(r#""a": [{}]"#, list(30_000, |n| format!(r#""n{n}""#))))
    }),
    case("$ref chain of 50,000", "17 s", || chain(50_000)),
    CHAIN_WITHIN_LIMIT,
    case("$ref chain of 3,000 with 3,000 users", "refused", || chain_with_users(3_000)),
    case("$defs, 1,000 objects", "6 s, 490 MB", || definitions(1_000)),
    case("$defs, 5,000 objects", "37 s", || definitions(5_000)),
    case("multipleOf 8.287", "11.8 s, 831 MB", || r#"{"multipleOf": 8.287}"#.to_owned()),
    case("multipleOf, 100 different", "7 s, 900 MB", || {
        object(&list(100, |n| format!(r#""n{n}": {{"multipleOf": {}}}"#, 1000 + n)))
    }),
    case("pattern ^.{1,2500}", "1.4 s", || pattern("^.{1,2500}")),
    case("pattern ^.{1,2500}$", "0.3 s", || pattern("^.{1,2500}$")),
    case("pattern (ab){0,50000}", "1.2 s, 3 MB", || pattern("(ab){0,50000}")),
    case("pattern ^(ab){0,50000}$", "refused", || pattern("^(ab){0,50000}$")),
    case("enum, 100,000 strings", "", || any_of_values(100_000, |n| format!(r#""n{n}""#))),
    case("enum, 100,000 numbers", "", || any_of_values(100_000, |n| n.to_string())),
    case("enum, 20,000 objects", "refused", || any_of_values(20_000, |n| format!(r#"{{"k": {n}}}"#))),
    case("anyOf, 5,000 objects", "refused", || alternatives("anyOf", 5_000)),
    case("oneOf, 5,000 objects", "refused", || alternatives("oneOf", 5_000)),
    case("oneOf, 20,000 strings", "", || {
        format!(r#"{{"oneOf": [{}]}}"#, list(20_000, |n| format!(r#"{{"const": "n{n}"}}"#)))
    }),
    case("patternProperties, 1,000", "", || {
        format!(
            r#"{{"patternProperties": {{{}}}}}"#,
            list(1_000, |n| format!(r#""n{n}": {{"minimum": {n}}}"#))
        )
    }),
    case("maximum with 4,000 digits", "0.1 s", || format!(r#"{{"maximum": {}}}"#, "9".repeat(4_000))),
    case("100 bounds with 1,000 digits", "", || {
        let bound = "7".repeat(1_000);
        object(&list(100, |n| format!(r#""n{n}": {{"minimum": {bound}{n}, "maximum": 9{bound}{n}}}"#)))
    }),
    case("const, a list of 50,000", "refused", || {
        format!(r#"{{"const": [{}]}}"#, list(50_000, |n| n.to_string()))
    }),
    case("const, an object of 20,000", "", || {
        format!(r#"{{"const": {{{}}}}}"#, list(20_000, |n| format!(r#""n{n}": {n}"#)))
    }),
    case("minItems 1,000,000", "refused", || r#"{"type": "array", "minItems": 1000000}"#.to_owned()),
    case("prefixItems, 50,000", "refused", || {
        format!(r#"{{"prefixItems": [{}]}}"#, list(50_000, |n| format!(r#"{{"minimum": {}}}"#, n % 7)))
    }),
    case("contains, 12 different", "16 s, 990 MB", || {
        let all = list(12, |n| format!(r#"{{"contains": {{"const": {n}}}}}"#));
        format!(r#"{{"type": "array", "allOf": [{all}]}}"#)
    }),
    case("minContains 5,000", "4.8 s, 420 MB", || {
        r#"{"type": "array", "contains": {"const": 1}, "minContains": 5000, "maxContains": 10000}"#.to_owned()
    }),
    case("minProperties 5,000", "1.9 s, 220 MB", || {
        r#"{"type": "object", "minProperties": 5000}"#.to_owned()
    }),
    case("unevaluatedProperties with allOf, 1,000", "12 s, refused", || {
        let all = list(1_000, |n| format!(r#"{{"properties": {{"n{n}": {{}}}}}}"#));
        format!(r#"{{"allOf": [{all}], "unevaluatedProperties": false}}"#)
    }),
    case("300 keys of 1,000 characters", "6.4 s, 1.2 GB", || {
        let start = "k".repeat(1_000);
        object(&list(300, |n| format!(r#""{start}{n}": {{"type": "integer"}}"#)))
    }),
    case("unknown keywords, 300,000", "quadratic", || {
        format!("{{{}}}", list(300_000, |n| format!(r#""n{n}": 1"#)))
    }),
    case("errors, 50,000", "quadratic", || {
        object(&list(50_000, |n| format!(r#""n{n}": {{"type": "foo"}}"#)))
    }),
    case("deep pointers with a long key", "", || {
        let inner = list(20_000, |n| format!(r#""n{n}": {{"type": "null"}}"#));
        format!(r#"{{"properties": {{"{}": {{"properties": {{{inner}}}}}}}}}"#, "k".repeat(500_000))
    }),
    case("pattern, the 11th from the end", "> 6 GB, abort", || pattern("^.*[0-9].{10}$")),
    case("pattern, from the end, in three properties", "15.6 GB", || {
        object(&list(3, |n| format!(r#""p{n}": {}"#, pattern(&format!("^.*[0-{}].{{10}}$", n + 7)))))
    }),
    case("pattern or pattern, maxLength 512", "25 to 50 s", || two_patterns(512)),
    case("pattern or pattern, maxLength 2,000", "> 100 s", || two_patterns(2_000)),
    case("pattern or pattern, maxLength 10,000", "", || two_patterns(10_000)),
    case("oneOf, 6 required names in another order", "1,267 LR states", || orders("oneOf", 6)),
    case("oneOf, 12 required names in another order", "refused", || orders("oneOf", 12)),
    case("oneOf, a long array and patternProperties", "5 s", || long_array(1_000)),
    case("maxLength 2,147,483,647", "refused at #", || {
        r#"{"type": "string", "maxLength": 2147483647}"#.to_owned()
    }),
    case("maxItems 1,000,000", "8 s, 533 MB", || r#"{"type": "array", "maxItems": 1000000}"#.to_owned()),
];

const CHAIN_WITHIN_LIMIT: Case = Case {
    arguments: &["--limit-work", "1000"],
    ..case("$ref chain of 25,000, --limit-work 1000", "accepted", || chain(25_000))
};

const fn case(name: &'static str, before: &'static str, make: fn() -> String) -> Case {
    Case { name, extension: "json", prepare: &[], command: COMPILE, arguments: &[], before, make }
}

/// The parts with the numbers below `count`, separated by commas.
fn list(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(", ")
}

fn object(properties: &str) -> String {
    format!(r#"{{"type": "object", "properties": {{{properties}}}}}"#)
}

fn pattern(pattern: &str) -> String {
    format!(r#"{{"type": "string", "pattern": "{pattern}"}}"#)
}

fn two_patterns(length: usize) -> String {
    let short = format!(r#"{{"type": "string", "maxLength": {length}, "pattern": "^[A-Za-z\\d.:/_-]*$"}}"#);
    format!(r#"{{"anyOf": [{short}, {}]}}"#, pattern("<<.*>>"))
}

/// Two objects that have two names in different orders, and require so many others.
fn orders(keyword: &str, count: usize) -> String {
    let branch = |first: &str, second: &str, own: &str| {
        let keys = list(count, |n| format!(r#""{own}{n}": {{"type": "string"}}"#));
        let required = list(count, |n| format!(r#""{own}{n}""#));
        format!(
            r#"{{"type": "object", "properties": {{"{first}": {{}}, "{second}": {{}}, {keys}}}, "required": [{required}]}}"#
        )
    };
    format!(r#"{{"{keyword}": [{}, {}]}}"#, branch("p", "q", "a"), branch("q", "p", "b"))
}

fn long_array(items: usize) -> String {
    let digits = pattern("^[0-9]{18}$");
    let names = format!(
        r#"{{"type": "object", "properties": {{"serial": {digits}}}, "patternProperties": {{"^x-[a-z]{{1,100}}$": {{"type": ["string", "boolean"]}}}}}}"#
    );
    let array = object(&format!(
        r#""seen": {{"format": "date"}}, "serials": {{"type": "array", "items": {digits}, "maxItems": {items}}}"#
    ));
    format!(r#"{{"oneOf": [{names}, {array}]}}"#)
}

fn dependent(keys: &str) -> String {
    format!(r#"{{"type": "object", "dependentRequired": {{{keys}}}}}"#)
}

fn required(count: usize) -> String {
    format!(r#"{{"type": "object", "required": [{}]}}"#, list(count, |n| format!(r#""n{n}""#)))
}

fn required_and_declared(count: usize) -> String {
    let properties = list(count, |n| format!(r#""n{n}": {{"type": "integer"}}"#));
    let required = list(count, |n| format!(r#""n{n}""#));
    format!(r#"{{"type": "object", "properties": {{{properties}}}, "required": [{required}]}}"#)
}

fn properties(count: usize) -> String {
    object(&list(count, |n| format!(r#""n{n}": {{"type": "integer"}}"#)))
}

fn closed(count: usize) -> String {
    let properties = list(count, |n| format!(r#""n{n}": {{"type": "integer"}}"#));
    format!(r#"{{"type": "object", "properties": {{{properties}}}, "additionalProperties": false}}"#)
}

fn all_of(count: usize) -> String {
    let all = list(count, |n| format!(r#"{{"properties": {{"n{n}": {{"type": "integer"}}}}}}"#));
    format!(r#"{{"allOf": [{all}]}}"#)
}

fn alternatives(keyword: &str, count: usize) -> String {
    let part = |n| format!(r#"{{"properties": {{"kind": {{"const": "n{n}"}}}}, "required": ["kind"]}}"#);
    format!(r#"{{"{keyword}": [{}]}}"#, list(count, part))
}

fn any_of_values(count: usize, value: impl Fn(usize) -> String) -> String {
    format!(r#"{{"enum": [{}]}}"#, list(count, value))
}

/// Definitions each of which is a reference to the next one.
fn links(count: usize) -> String {
    let links = list(count, |n| format!(r##""d{n}": {{"$ref": "#/$defs/d{}"}}"##, n + 1));
    format!(r#"{{{links}, "d{count}": {{"type": "null"}}}}"#)
}

fn chain(count: usize) -> String {
    format!(r##"{{"$ref": "#/$defs/d0", "$defs": {}}}"##, links(count))
}

fn chain_with_users(count: usize) -> String {
    let users = list(count, |n| format!(r##""n{n}": {{"$ref": "#/$defs/d{n}"}}"##));
    format!(r#"{{"properties": {{{users}}}, "$defs": {}}}"#, links(count))
}

/// Objects that differ in one key, each the value of a property.
fn definitions(count: usize) -> String {
    let users = list(count, |n| format!(r##""n{n}": {{"$ref": "#/$defs/d{n}"}}"##));
    let definition = |n| {
        let own = r#""properties": {"a": {"type": "integer"}, "#;
        format!(r#""d{n}": {{"type": "object", {own}"f{n}": {{"type": "boolean"}}}}, "required": ["a"]}}"#)
    };
    let definitions = list(count, definition);
    format!(r#"{{"properties": {{{users}}}, "additionalProperties": false, "$defs": {{{definitions}}}}}"#)
}
