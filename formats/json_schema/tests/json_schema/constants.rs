//! `const` and `enum` beside keywords that look at members or items: a constant evaluates nothing (JSON Schema Core
//! 2020-12, section 11.1: only applicators annotate what they evaluate).

use crate::core::check;
use gcc_grammar_json_schema::{Options, compile};

fn check_unsatisfiable(schema: &str) {
    let errors = compile(schema, &Options::default()).map(|_| ()).expect_err(schema);
    assert_eq!(errors[0].code, "unsatisfiable", "{schema}: {errors:?}");
}

#[test]
fn members_of_constants_are_not_evaluated() {
    let constant = r#"{"const": {"c": 2}}"#;
    for applied in [
        format!(r#""allOf": [{constant}]"#),
        format!(r#""anyOf": [{constant}]"#),
        format!(r#""oneOf": [{constant}]"#),
        format!(r#""allOf": [{{"anyOf": [{constant}, false]}}]"#),
        format!(r##""$ref": "#/$defs/c", "$defs": {{"c": {constant}}}"##),
        r##""$dynamicRef": "#c", "$defs": {"c": {"$dynamicAnchor": "c", "const": {"c": 2}}}"##.to_owned(),
        format!(r#""if": {constant}, "else": false"#),
        format!(r#""if": true, "then": {constant}"#),
        format!(r#""dependentSchemas": {{"c": {constant}}}, "type": "object", "required": ["c"]"#),
        r#""allOf": [{"enum": [{"c": 2}, {"c": {"d": []}}]}]"#.to_owned(),
        r##""$ref": "#/$defs/any", "const": {"c": 2}, "$defs": {"any": true}"##.to_owned(),
        r##""$ref": "#/$defs/any", "enum": [{"c": 2}, {"d": 2}], "$defs": {"any": {}}"##.to_owned(),
    ] {
        check_unsatisfiable(&format!(r#"{{"unevaluatedProperties": false, {applied}}}"#));
        // What keywords beside the constant evaluate stays evaluated.
        check(
            &format!(r#"{{"unevaluatedProperties": false, "properties": {{"c": true}}, {applied}}}"#),
            &[r#"{"c": 2}"#],
            &[r#"{"c": 3}"#, "{}"],
        );
    }
}

#[test]
fn items_of_constants_are_not_evaluated() {
    let constant = r#"{"const": [1]}"#;
    for applied in [
        format!(r#""allOf": [{constant}]"#),
        format!(r#""anyOf": [{constant}]"#),
        format!(r#""oneOf": [{constant}, {{"const": [2, 3]}}]"#),
        format!(r##""$ref": "#/$defs/c", "$defs": {{"c": {constant}}}"##),
        format!(r#""if": {constant}, "else": false"#),
    ] {
        check_unsatisfiable(&format!(r#"{{"unevaluatedItems": false, {applied}}}"#));
        check(
            &format!(r#"{{"unevaluatedItems": {{"type": "integer"}}, {applied}}}"#),
            &["[1]"],
            &["[4]", "[]"],
        );
    }
}

#[test]
fn constants_that_other_keywords_allow_stay() {
    // An empty object has nothing that could be unevaluated.
    check(
        r#"{"unevaluatedProperties": false, "allOf": [{"enum": [{}, {"c": 1}]}]}"#,
        &["{}"],
        &[r#"{"c": 1}"#],
    );
    check(r#"{"unevaluatedItems": false, "anyOf": [{"enum": [[], [1]]}]}"#, &["[]"], &["[1]"]);
    // An alternative with the same members as a constant does evaluate them.
    check(
        r#"{"unevaluatedProperties": false, "anyOf": [{"const": {"c": 2}}, {"properties": {"c": {"type": "integer"}}}]}"#,
        &[r#"{"c": 2}"#, r#"{"c": 3}"#],
        &[r#"{"d": 2}"#],
    );
    // Nested members belong to their own objects.
    check(
        r#"{"unevaluatedProperties": false, "properties": {"o": {"const": {"c": 2}}}}"#,
        &[r#"{"o": {"c": 2}}"#],
        &[r#"{"c": 2}"#],
    );
}

#[test]
fn other_keywords_beside_constants_restrict_them() {
    let both = r#""enum": [{"c": 2}, {"d": "x"}, [], [1], "t"]"#;
    check(
        &format!(r#"{{"additionalProperties": false, {both}}}"#),
        &["[]", "[1]", r#""t""#],
        &[r#"{"c": 2}"#],
    );
    check(&format!(r#"{{"unevaluatedProperties": false, {both}}}"#), &["[1]"], &[r#"{"d": "x"}"#]);
    check(
        &format!(r#"{{"additionalProperties": {{"type": "string"}}, {both}}}"#),
        &[r#"{"d": "x"}"#],
        &[r#"{"c": 2}"#],
    );
    check(&format!(r#"{{"propertyNames": {{"const": "c"}}, {both}}}"#), &[r#"{"c": 2}"#], &[r#"{"d": "x"}"#]);
    check(&format!(r#"{{"items": false, {both}}}"#), &["[]"], &["[1]"]);
}
