//! The styles in which models write the arguments of a tool. The verdicts are those of XGrammar 0.2.8 on the same structural tags, but that
//! `pythonic` takes `true`, `false` and `null`, and no white space beside the sign, as the parsers of vLLM and SGLang do, and that integers in tags are
//! digits.

use gcc_grammar::vocabulary::SpecialToken;
use gcc_grammar::{Error, Options, Session, Source, Vocabulary, compile};

/// A vocabulary of all bytes; 256 ends the output.
fn vocabulary() -> Vocabulary {
    let tokens = (0..=u8::MAX).map(|byte| (u32::from(byte), vec![byte])).collect();
    let special = SpecialToken { id: 256, text: "<end>".to_owned() };
    Vocabulary::from_parts("bytes", tokens, vec![special], vec![256], 257).expect("a vocabulary")
}

fn open(schema: &str, more: &str) -> Result<Session, Error> {
    let tag = format!(
        r#"{{"type": "structural_tag", "format": {{"type": "json_schema", "json_schema": {schema}{more}}}}}"#
    );
    let vocabulary = vocabulary();
    let artifact = compile(&Source::structural_tag(tag), &vocabulary, &Options::default())?;
    Session::new(artifact, &vocabulary)
}

fn accepts(session: &Session, text: &str) -> bool {
    let mut matcher = session.matcher().expect("a matcher");
    matcher.commit_bytes(text.as_bytes()).is_ok() && matcher.is_accepting().expect("enough scratch")
}

/// Checks which texts are accepted in a style.
fn check(style: &str, schema: &str, good: &[&str], bad: &[&str]) {
    check_described(&format!("{style:?}"), schema, good, bad);
}

/// The same for a style in JSON: a name, or a description.
fn check_described(style: &str, schema: &str, good: &[&str], bad: &[&str]) {
    let session =
        open(schema, &format!(r#", "style": {style}"#)).unwrap_or_else(|error| panic!("{style}: {error}"));
    for text in good {
        assert!(accepts(&session, text), "{style}: {text}");
    }
    for text in bad {
        assert!(!accepts(&session, text), "{style}: {text}");
    }
}

const TOOL: &str = r#"{"type": "object", "additionalProperties": false, "required": ["city"], "properties": {
    "city": {"type": "string"}, "days": {"type": "integer"}, "unit": {"enum": ["C", "F"]}, "more": {"type": "array", "items": {"type": "string"}}}}"#;

/// The keys of objects that have too many of them for any order are sorted where strings stand between marks, as Gemma's templates write them.
#[test]
fn many_keys_between_marks_are_sorted() {
    let schema = r#"{"type": "object", "additionalProperties": false, "properties": {
        "to": {"type": "integer"}, "Body": {"type": "integer"}, "cc": {"type": "integer"}}}"#;
    let order = |most: u32, text: &str| {
        let more = format!(r#", "style": "gemma", "any_order": {most}"#);
        accepts(&open(schema, &more).expect("compiles"), text)
    };
    let (sorted, declared) = ("{Body:1,cc:2,to:3}", "{to:3,Body:1,cc:2}");
    assert!(order(2, sorted) && !order(2, declared));
    assert!(order(3, sorted) && order(3, declared));
    check("gemma", schema, &[declared], &[sorted]);
}

/// Only the objects of a schema are left.
#[test]
fn only_objects() {
    let more = r#", "only_objects": true"#;
    let session = open(r#"{"type": ["object", "null"]}"#, more).expect("compiles");
    assert!(accepts(&session, "{}") && !accepts(&session, "null"));
    assert!(accepts(&open("{}", "").expect("compiles"), "3"));
    let error = open(r#"{"type": "string"}"#, more).expect_err("no object").render();
    assert!(error.contains("no value of this schema is an object"), "{error}");
}

/// Values are literals of Python, and names of JSON.
#[test]
fn python_with_names_of_json() {
    let schema =
        r#"{"type": "object", "properties": {"a": {"type": ["boolean", "null"]}}, "required": ["a"]}"#;
    let good = ["a=True", "a=true", "a=False", "a=false", "a=None", "a=null"];
    check("pythonic", schema, &good, &["a=TRUE", "a=nil", "a=\"true\""]);
}

#[test]
fn tags_around_text_and_json() {
    check(
        "qwen_xml",
        TOOL,
        &[
            "<parameter=city>Rome</parameter>",
            "\n<parameter=city>\na < b\n</parameter>\n<parameter=days> 3 </parameter>\n",
            "<parameter=city></parameter><parameter=unit>C</parameter>",
            r#"<parameter=city>"x"</parameter><parameter=more>["a", "b"]</parameter>"#,
        ],
        &[
            "",
            "<parameter=days>3</parameter>",
            "<parameter=city>Rome</parameter><parameter=days>three</parameter>",
            "<parameter=city>Rome</parameter><parameter=unit>K</parameter>",
            "<parameter=city>Rome</parameter><parameter=unit>\"C\"</parameter>",
            "<parameter=city>Rome</parameter><parameter=zip>1</parameter>",
            "<parameter=city>Rome</parameter></parameter>",
            r#"<parameter name="city">Rome</parameter>"#,
        ],
    );
    check(
        "minimax_xml",
        TOOL,
        &[r#"<parameter name="city">Rome</parameter> <parameter name="days">-3</parameter>"#],
        &["<parameter=city>Rome</parameter>", r#"<parameter name="days">3</parameter>"#],
    );
    check(
        "glm_xml",
        TOOL,
        &[
            "<arg_key>city</arg_key><arg_value>Rome</arg_value>",
            "<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>",
        ],
        &[
            "<arg_key>city</arg_key>x<arg_value>Rome</arg_value>",
            "<arg_key>days</arg_key><arg_value>3</arg_value>",
        ],
    );
}

/// The tags of models that XGrammar does not know: strings as they are, other values in JSON.
#[test]
fn tags_of_other_models() {
    let tag = |before: &str, between: &str, end: &str, key: &str, value: &str| {
        format!("{before}{key}{between}{value}{end}")
    };
    for (style, before, between, end) in [
        ("mimo_xml", "<parameter=", ">", "</parameter>"),
        ("step_xml", "<steptml:parameter name=\"", "\">", "</steptml:parameter>"),
        ("solar_xml", "<|tool_arg:start|>", "<|tool_arg:value|>", "<|tool_arg:end|>"),
    ] {
        let tag = |key, value| tag(before, between, end, key, value);
        let city = tag("city", "a < b");
        let good = [
            city.clone(),
            format!("{city}\n{}\n{}", tag("days", "3"), tag("unit", "C")),
            format!("{city}{}", tag("more", r#"["a", "b"]"#)),
        ];
        let bad = [
            String::new(),
            tag("days", "3"),
            format!("{city}{}", tag("days", "three")),
            format!("{city}{}", tag("unit", "K")),
            format!("{city}{}", tag("days", "3.0")),
            format!("{city}{}", tag("zip", "1")),
        ];
        check(style, TOOL, &good.each_ref().map(String::as_str), &bad.each_ref().map(String::as_str));
    }
    let unit = "<parameter=city>Rome</parameter><parameter=unit>\nC\n</parameter>";
    check("mimo_xml", TOOL, &[], &[unit]);
    let city = r#"<｜GCML｜parameter name="city" string="true">a < b</｜GCML｜parameter>"#;
    let days = |kind: &str, value: &str| {
        format!(r#"{city}<｜GCML｜parameter name="days" string="{kind}">{value}</｜GCML｜parameter>"#)
    };
    let (good, bad) = (days("false", "3"), [days("true", "3"), days("false", "three")]);
    check("gigachat_xml", TOOL, &[city, &good], &bad.each_ref().map(String::as_str));
}

/// Qwen3-Coder's template writes every value on lines of its own, and Booleans as Python prints them. A reader takes one line break away at
/// both ends, so restrictions hold for what is between.
#[test]
fn values_on_lines_of_their_own() {
    let schema = r#"{"type": "object", "additionalProperties": false, "properties": {
        "unit": {"type": "string", "enum": ["c", "f"]}, "n": {"type": "integer"}, "p": {"type": "string", "pattern": "^[a-z]+$"},
        "d": {"type": "string", "format": "date"}, "k": {"const": "x"}, "b": {"type": "boolean"}, "t": {"const": true},
        "m": {"type": "string", "maxLength": 3}, "l": {"type": "string", "minLength": 2}, "z": {"type": ["null", "string"], "enum": ["a", null]}}}"#;
    let member = |key: &str, value: &str| format!("<parameter={key}>{value}</parameter>\n");
    let accepted = [
        ("unit", "\nc\n"),
        ("unit", "f\n"),
        ("n", "\n12\n"),
        ("p", "\nabc\n"),
        ("d", "\n2024-02-29\n"),
        ("k", "\nx\n"),
        ("b", "\ntrue\n"),
        ("b", "\nFalse\n"),
        ("t", "True"),
        ("m", "\nabc\n"),
        ("m", "\n\nab\n"),
        ("l", "\nab\n"),
        ("z", "\nnull\n"),
        ("z", "\na\n"),
    ];
    let refused = [
        ("unit", "\nk\n"),
        ("unit", " c "),
        ("p", "\n\nabc\n"),
        ("d", "\n2024-02-30\n"),
        ("t", "\nFalse\n"),
        ("b", "\nTRUE\n"),
        ("m", "\nabcd\n"),
        ("l", "\na\n"),
        ("l", "\na"),
    ];
    let session = open(schema, r#", "style": "qwen_xml""#).expect("a schema");
    for (cases, expected) in [(&accepted[..], true), (&refused[..], false)] {
        for (key, value) in cases {
            assert_eq!(accepts(&session, &member(key, value)), expected, "{key}: {value:?}");
        }
    }
}

/// The readers of two styles cut a value where the next parameter or the end of the call seems to begin.
#[test]
fn strings_have_no_marks_at_which_readers_cut() {
    let schema =
        r#"{"type": "object", "additionalProperties": false, "properties": {"s": {"type": "string"}}}"#;
    for (style, begin, marks) in [
        (r#""qwen_xml""#, "<parameter=s>", ["<parameter=x>", "</function>"]),
        (r#""minimax_xml""#, r#"<parameter name="s">"#, [r#"<parameter name="x">"#, "</invoke>"]),
        (
            r#"{"before_key": "<", "after_key": ">", "end": "</>", "forbidden": ["[[", "!"]}"#,
            "<s>",
            ["[[", "!"],
        ),
    ] {
        let session = open(schema, &format!(r#", "style": {style}"#)).expect("a schema");
        let end = if style.starts_with('{') { "</>" } else { "</parameter>" };
        assert!(accepts(&session, &format!("{begin}a < b </p> [ </fun{end}")), "{style}");
        for mark in marks {
            assert!(!accepts(&session, &format!("{begin}a {mark} b{end}")), "{style}: {mark}");
        }
    }
    let refused = r#", "style": {"before_key": "<", "after_key": ">", "end": "</>", "forbidden": [""]}"#;
    assert!(open(schema, refused).is_err());
}

/// Where readers take white space away from values, restrictions hold for what is left; and where they take the word `null` for null, no string is this word.
#[test]
fn strings_that_readers_change() {
    let schema = r#"{"type": "object", "additionalProperties": false, "properties": {
        "l": {"type": "string", "minLength": 3}, "p": {"type": "string", "pattern": "^ *x *$"}, "s": {"type": "string"},
        "e": {"enum": ["a", "null", " b"]}, "n": {"type": ["string", "null"], "maxLength": 4}}}"#;
    let style = r#"{"before_key": "<", "after_key": ">", "end": "</>", "strips": true"#;
    let member = |(key, value): &(&str, &str)| format!("<{key}>{value}</>");
    let written = |cases: &[(&str, &str)]| cases.iter().map(member).collect::<Vec<_>>();
    let good = [
        ("l", "abc"),
        ("l", " \nabc\n"),
        ("l", "a c"),
        ("p", "x"),
        ("p", "  x  "),
        ("s", ""),
        ("s", "  "),
        ("s", " a\n"),
        ("e", "a"),
        ("e", "\na\n"),
        ("n", "null"),
        ("n", " abcd "),
    ];
    let bad = [
        ("l", "x  "),
        ("l", "  x"),
        ("l", "x\u{A0}\u{2003}"),
        ("l", "   "),
        ("e", "b"),
        ("e", " b"),
        ("n", "abcde"),
        ("n", "  abcd\u{3000}"),
    ];
    let nulls = [("s", "null"), ("s", " NULL\n"), ("s", "nuLl"), ("e", "null")];
    let others = [("s", "nulls"), ("s", "null null"), ("n", "null")];
    let [good, bad, nulls, others] = [&good[..], &bad, &nulls, &others].map(written);
    let texts = |list: &[&Vec<String>]| list.iter().flat_map(|all| all.iter()).cloned().collect::<Vec<_>>();
    for (more, good, bad) in [
        ("}", texts(&[&good, &nulls, &others]), bad.clone()),
        (r#", "nulls": true}"#, texts(&[&good, &others]), texts(&[&bad, &nulls])),
    ] {
        let good: Vec<&str> = good.iter().map(String::as_str).collect();
        let bad: Vec<&str> = bad.iter().map(String::as_str).collect();
        check_described(&format!("{style}{more}"), schema, &good, &bad);
    }
}

/// Readers of tags call a function for integers that reads digits; in JSON `3.0` is an integer.
#[test]
fn integers_in_tags_are_digits() {
    let schema = r#"{"type": "object", "properties": {"n": {"type": "integer"}, "x": {"type": "number"}}}"#;
    for (style, text, other) in [
        (
            "qwen_xml",
            "<parameter=n>3</parameter><parameter=x>3.5</parameter>",
            "<parameter=n>3.0</parameter>",
        ),
        ("minimax_xml", r#"<parameter name="n">-3</parameter>"#, r#"<parameter name="n">3.0</parameter>"#),
    ] {
        check(style, schema, &[text], &[other]);
    }
    check("json", schema, &[r#"{"n": 3.0}"#], &[r#"{"n": 3.5}"#]);
}

#[test]
fn tags_that_say_the_kind_of_the_value() {
    let deepseek = |space: &str, rest: &str| {
        rest.replace("<p", &format!("<｜DSML｜{space}parameter name="))
            .replace("</p>", &format!("</｜DSML｜{space}parameter>"))
    };
    for (style, space) in [("deepseek_xml", ""), ("deepseek_v4_1_xml", " ")] {
        let text = |rest: &str| deepseek(space, rest);
        check(
            style,
            TOOL,
            &[
                &text(r#"<p"city" string="true">Rome</p>"#),
                &text("<p\"city\" string=\"true\">Rome</p>\n<p\"days\" string=\"false\">3</p>"),
            ],
            &[
                &text(r#"<p"city" string="false">Rome</p>"#),
                &text(r#"<p"city" string="true">Rome</p><p"days" string="true">3</p>"#),
            ],
        );
    }
    let kimi = |rest: &str| {
        rest.replace("<a ", "<|open|>argument ")
            .replace("</a>", "<|close|>argument<|sep|>")
            .replace("\"> ", "\"<|sep|>")
    };
    check(
        "kimi_k3_xml",
        TOOL,
        &[
            &kimi(r#"<a key="city" type="string"> Rome</a>"#),
            &kimi(
                r#"<a key="city" type="string"> Rome</a><a key="days" type="number"> 3</a><a key="more" type="array"> ["a"]</a>"#,
            ),
        ],
        &[
            &kimi(r#"<a key="city" type="number"> 3</a>"#),
            &kimi(r#"<a key="city" type="string"> Rome</a><a key="days" type="integer"> 3</a>"#),
        ],
    );
    let open =
        r#"{"type": "object", "additionalProperties": {}, "properties": {"a\"&": {"type": "string"}}}"#;
    check(
        "kimi_k3_xml",
        open,
        &[
            &kimi(r#"<a key="a&quot;&amp;" type="string"> x</a>"#),
            &kimi(r#"<a key="k" type="integer"> 3</a><a key="l" type="null"> null</a>"#),
        ],
        &[&kimi(r#"<a key="k" type="text"> 3</a>"#), &kimi(r#"<a key="a b" type="number"> 3</a>"#)],
    );
}

#[test]
fn tags_that_are_described() {
    let open =
        "{\"type\": \"object\", \"properties\": {\"a&b\": {\"type\": [\"integer\", \"string\", \"array\"]}}}";
    let style = r#"{"before_key": "[", "after_key": "=$kind]", "kinds": {"string": "s", "number": ["n", "i"], "else": "j"},
        "end": "[/]", "escapes": {"&": "+"}}"#;
    check_described(
        style,
        TOOL,
        &["[city=s]Rome[/][days=n] 3 [/]", " [city=s][ [/]\n[more=j][\"a\"][/] "],
        &[
            "[city=j]Rome[/]",
            "[ city=s]Rome[/]",
            "[city=s]a[/]b[/]",
            "[city=s]Rome[/][days=j]3[/]",
            "[city=s]Rome[/][days=i]3[/]",
            "[city=s]Rome[/][days=n]3",
        ],
    );
    // Keys that are not declared are names; the further name of a kind stands where there are other kinds.
    check_described(
        style,
        open,
        &["[a+b=i]3[/]", "[a+b=n]3[/][x=j]null[/]", "[a+b=s]3[/][_9=s]3[/]", "[a+b=j][3][/]"],
        &["[a&b=i]3[/]", "[a+b=j]3[/]", "[9=s]3[/]", "[x==s]3[/]"],
    );
    let inside = r#"{"before_key": "<", "after_key": ">", "end": "</$key>", "item": {"begin": "<-", "close": ">", "key": "-"}}"#;
    check_described(
        inside,
        TOOL,
        &["<city>Rome</city> <more><->a</-><->b</-></more>"],
        &["<city>Rome</more>", "<city>Rome</city><more>[\"a\"]</more>", "<city>a</b</city>"],
    );
    let marked = r#"{"mark": "%%-"}"#;
    check_described(marked, TOOL, &["{city:%%-Rome%%-,days:3}"], &["{city:\"Rome\"}", "{city:%%-a%%-b%%-}"]);
}

#[test]
fn tags_inside_objects_and_arrays() {
    let nested = r#"{"type": "object", "additionalProperties": false, "properties": {
        "list": {"type": "array", "items": {"type": "string"}},
        "inner": {"type": "object", "additionalProperties": false, "required": ["x"], "properties": {"x": {"type": "integer"}}},
        "any": {}}}"#;
    check(
        "cohere_xml",
        nested,
        &[
            "",
            r#"<cofl:value name="list" type="list"><cofl:value type="raw">a</cofl:value><cofl:value type="raw">b</cofl:value></cofl:value>"#,
            r#"<cofl:value name="inner" type="dict"> <cofl:value name="x" type="json">3</cofl:value></cofl:value>"#,
            r#"<cofl:value name="any" type="raw">text</cofl:value>"#,
            r#"<cofl:value name="any" type="json">null</cofl:value>"#,
            r#"<cofl:value name="any" type="dict"><cofl:value name="k" type="json">1</cofl:value></cofl:value>"#,
        ],
        &[
            r#"<cofl:value name="list" type="raw">a</cofl:value>"#,
            r#"<cofl:value name="list" type="list">["a"]</cofl:value>"#,
            r#"<cofl:value name="inner" type="dict"></cofl:value>"#,
            r#"<cofl:value name="any" type="json">text</cofl:value>"#,
        ],
    );
    let m3 = |text: &str| text.split('<').collect::<Vec<_>>().join("]<]minimax[>[<");
    check(
        "minimax_m3_xml",
        nested,
        &[&m3("<list><item>a</item><item>b</item></list>"), &m3("<inner><x>3</x></inner>")],
        &[&m3("<list>[\"a\"]</list>"), &m3("<inner></inner>"), &m3("<inner><x>3</y></inner>")],
    );
}

/// Beside any text, arrays and objects can be written where their tags are in no text.
#[test]
fn values_in_tags_beside_strings() {
    let m3 = |text: &str| text.split('<').collect::<Vec<_>>().join("]<]minimax[>[<");
    let (list, object) = (m3("<a>\n<item>z</item><item></item></a>"), m3("<a><k>1</k></a>"));
    let schema = |a: &str| {
        format!(
            r#"{{"type": "object", "properties": {{"a": {a}}}, "required": ["a"], "additionalProperties": false}}"#
        )
    };
    let of_k = r#""properties": {"k": {"type": "integer"}}, "additionalProperties": false"#;
    let union = format!(r#"{{"type": ["string", "array", "object", "integer"], {of_k}}}"#);
    let either = r#"{"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}"#;
    let nested = m3("<a><item><item>z</item></item></a>");
    let mixed = m3("<a>x<item>z</item></a>");
    check("minimax_m3_xml", &schema(&union), &[&list, &object, &m3("<a>5</a>"), &m3("<a></a>")], &[&mixed]);
    check("minimax_m3_xml", &schema(either), &[&list, &m3("<a>[1]</a>")], &[&object, &nested, &mixed]);
    check("minimax_m3_xml", &schema("{}"), &[&list, &nested, &m3("<a>x</a>")], &[&mixed]);
}

/// Where the end of a tag repeats the key, keys that are listed can be written, and others cannot.
#[test]
fn listed_keys_of_tags_that_repeat_them() {
    let m3 = |text: &str| text.split('<').collect::<Vec<_>>().join("]<]minimax[>[<");
    let listed = r#"{"type": "object", "propertyNames": {"enum": ["k", "a b"]}, "additionalProperties": {"type": "integer"}}"#;
    check(
        "minimax_m3_xml",
        listed,
        &["", &m3("<k>1</k>"), &m3("<a b>1</a b><k>2</k>")],
        &[&m3("<k>1</a b>"), &m3("<x>1</x>"), &m3("<k>x</k>")],
    );
    check("minimax_m3_xml", r#"{"type": "object"}"#, &[""], &[&m3("<k>1</k>")]);
}

const NESTED: &str = r#"{"type": "object", "additionalProperties": false, "required": ["city"], "properties": {
    "city": {"type": "string"}, "n": {"type": ["integer", "null"]}, "b": {"type": "boolean"}, "short": {"type": "string", "maxLength": 2},
    "o": {"type": "object", "properties": {"k": {"type": "string"}}}, "l": {"type": "array", "items": {"enum": ["a", 1, null]}}}}"#;

/// Python's literals: what `ast.literal_eval` reads as a valid value, and `f(…)` as arguments by name.
#[test]
fn arguments_of_python() {
    check(
        "pythonic",
        NESTED,
        &[
            "city='SF'",
            "city=\"SF\", n=3",
            "city='it\\'s \\\"x\\\" \\n', n=None, b=True",
            "city=\"it's\",b=False, short='é\\t'",
            "city='', o={'k': 'v', \"other\": [1.5, {}]}, l=['a', 1, None]",
            "city='\\\\x', l=[]",
        ],
        &[
            "",
            "city=SF",
            "n=3, city='SF'",
            "city='SF', n=nil",
            "city='SF', b=TRUE",
            "city='a\nb'",
            "city='it's'",
            "city='SF', short='abc'",
            "city='SF', l=['b']",
            "city='SF',",
            "city = 'SF'",
            "city= 'SF'",
            "'city'='SF'",
            "city='SF', zip=1",
        ],
    );
    let open_keys = r#"{"type": "object", "properties": {"a": {"type": "integer"}}}"#;
    check(
        "pythonic",
        open_keys,
        &["", "a=1", "b_2='x', c=[{}]", "a=1, b=None"],
        &["b c=1", "2b=1", "a='x'", "a=1 b=2"],
    );
}

#[test]
fn arguments_of_gemma() {
    for (style, mark) in [("gemma", "<|\"|>"), ("functiongemma", "<escape>")] {
        let text = |text: &str| text.replace('`', mark);
        let good = [
            "{city:`SF`}",
            "{city:`a \"b\" <c>\n`,n:42,b:true,short:`é`}",
            "{city:``, n:null, o:{k:`v`,other:[1,{}]},l:[`a`,1,null]}",
        ];
        let bad = [
            "{}",
            "{city:SF}",
            "{city:\"SF\"}",
            "{\"city\":`SF`}",
            "{city:`SF`,b:True}",
            "{city:`SF`,short:`abc`}",
            "{city:`SF`,l:[`b`]}",
            "{city:`a``b`}",
            "city:`SF`",
        ];
        let session = open(NESTED, &format!(r#", "style": "{style}""#)).expect("a schema");
        for (texts, expected) in [(&good[..], true), (&bad[..], false)] {
            for text in texts.iter().map(|given| text(given)) {
                assert_eq!(accepts(&session, &text), expected, "{style}: {text}");
            }
        }
    }
}

/// FunctionGemma's parser reads keys without marks alone, with the value behind the colon.
#[test]
fn keys_of_functiongemma() {
    let schema = r#"{"type": "object", "additionalProperties": {"type": "string"}}"#;
    let refused = ["{<escape>a<escape>:<escape>x<escape>}", "{a: <escape>x<escape>}"];
    check("functiongemma", schema, &["{a:<escape>x<escape>, b:<escape>y<escape>}"], &refused);
    check("gemma", schema, &[r#"{<|"|>a<|"|>:<|"|>x<|"|>}"#, r#"{a: <|"|>x<|"|>}"#], &[]);
}

/// Other keys are names, and each declared key comes once.
#[test]
fn other_keys() {
    let schema = r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": {"type": "integer"}}"#;
    check(
        "qwen_xml",
        schema,
        &["<parameter=a>1</parameter><parameter=b_2>2</parameter>", "<parameter=b>2</parameter>"],
        &["<parameter=2b>2</parameter>", "<parameter=b>x</parameter>", "<parameter=b c>2</parameter>"],
    );
    let pattern = r#"{"type": "object", "patternProperties": {"^x-[a-z]+$": {"type": "integer"}}, "additionalProperties": false}"#;
    check(
        "qwen_xml",
        pattern,
        &["<parameter=x-a>1</parameter>"],
        &["<parameter=a>1</parameter>", "<parameter=x-A>1</parameter>"],
    );
}

#[test]
fn excluded_texts() {
    let session = open(TOOL, r#", "style": "qwen_xml", "excludes": ["<|sep|>", "F"]"#).expect("valid");
    assert!(accepts(&session, "<parameter=city>Rome<|se</parameter><parameter=unit>C</parameter>"));
    assert!(!accepts(&session, "<parameter=city>Rome<|sep|></parameter>"));
    assert!(!accepts(&session, "<parameter=city>Rome</parameter><parameter=unit>F</parameter>"));
    let session = open(r#"{"type": "object"}"#, r#", "excludes": ["ab"]"#).expect("valid");
    assert!(accepts(&session, r#"{"a": "ba", "c": ["acb"]}"#));
    assert!(
        !accepts(&session, r#"{"a": "ab"}"#)
            && !accepts(&session, r#"{"ab": 1}"#)
            && !accepts(&session, r#"{"c": ["xab"]}"#)
    );
}

#[test]
fn bounded_white_space() {
    let session = open(r#"{"type": "array", "items": {"type": "integer"}}"#, r#", "max_whitespace_cnt": 2"#)
        .expect("valid");
    assert!(accepts(&session, "[ \n1  ,\t\t2]") && !accepts(&session, "[   1]"));
}

#[test]
fn a_style_needs_an_object() {
    let error = open(r#"{"type": "string"}"#, r#", "style": "qwen_xml""#)
        .expect_err("a string has no members")
        .to_string();
    assert!(error.contains("no value of this schema is an object, as arguments of a call are"), "{error}");
    let error = open("true", r#", "style": "xml""#).expect_err("there is no such style");
    let help = error.diagnostics()[0].help.clone().unwrap_or_default();
    assert!(
        error.to_string().contains("there is no style \"xml\"")
            && help.contains("the styles are json, pythonic, cohere_xml"),
        "{error}"
    );
}
