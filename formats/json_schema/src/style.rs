//! How the arguments of a tool are written: as JSON, or in the tags that the models of a family write.
//!
//! The root of the schema describes the arguments. In a style other than JSON each member of the root is a tag with the key, and its value is
//! between the tag and the end of the tag: strings as they are, other values in JSON. Two styles go on so inside objects and arrays. The names
//! and the forms are those of XGrammar, where it has them. Three styles write no tags, but spell values in another way than JSON.

/// What the values of the root look like.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Style {
    /// `{"key": "value"}`
    #[default]
    Json,
    /// `<parameter=key>value</parameter>`
    Qwen,
    /// `<parameter name="key">value</parameter>`
    MiniMax,
    /// `]<]minimax[>[<key>value]<]minimax[>[</key>`, also inside objects and arrays
    MiniMaxM3,
    /// `<｜DSML｜parameter name="key" string="true">value</｜DSML｜parameter>`
    DeepSeek,
    /// `<｜DSML｜ parameter name="key" string="true">value</｜DSML｜ parameter>`
    DeepSeekV41,
    /// `<arg_key>key</arg_key><arg_value>value</arg_value>`
    Glm,
    /// `<cofl:value name="key" type="raw">value</cofl:value>`, also inside objects and arrays
    Cohere,
    /// `<|open|>argument key="key" type="string"<|sep|>value<|close|>argument<|sep|>`
    KimiK3,
    /// `<parameter=key>value</parameter>`, where line breaks beside a value belong to it
    MiMo,
    /// `<steptml:parameter name="key">value</steptml:parameter>`
    Step,
    /// `<｜GCML｜parameter name="key" string="true">value</｜GCML｜parameter>`
    GigaChat,
    /// `<|tool_arg:start|>key<|tool_arg:value|>value<|tool_arg:end|>`
    Solar,
    /// `key='value', other=None`: arguments of a call in Python, without the parentheses
    Pythonic,
    /// `{key:<|"|>value<|"|>,other:null}`
    Gemma,
    /// `{key:<escape>value<escape>,other:null}`
    FunctionGemma,
}

crate::words::words!(Style is "the style" {
    Json = "json",
    Qwen = "qwen_xml",
    MiniMax = "minimax_xml",
    MiniMaxM3 = "minimax_m3_xml",
    DeepSeek = "deepseek_xml",
    DeepSeekV41 = "deepseek_v4_1_xml",
    Glm = "glm_xml",
    Cohere = "cohere_xml",
    KimiK3 = "kimi_k3_xml",
    MiMo = "mimo_xml",
    Step = "step_xml",
    GigaChat = "gigachat_xml",
    Solar = "solar_xml",
    Pythonic = "pythonic",
    Gemma = "gemma",
    FunctionGemma = "functiongemma",
});

/// How strings, keys and constants are spelled where a style does not write tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Literals {
    /// As JSON has them.
    Json,
    /// As Python has them.
    Python,
    /// Strings as they are between two marks, and keys without marks.
    Marked(&'static str),
}

/// The kinds of values that styles tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    String,
    Number,
    Boolean,
    Null,
    Array,
    Object,
}

impl Kind {
    /// The name of the kind in JSON Schema.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Null => "null",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

/// The texts around a key and its value.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Tag {
    pub(crate) before_key: &'static str,
    /// The alternatives for what stands between the key and the value.
    pub(crate) after_key: Vec<String>,
    /// What stands behind white space after `after_key`, if anything.
    pub(crate) before_value: &'static str,
    pub(crate) end: &'static str,
}

impl Style {
    /// Whether objects and arrays inside the root are written in the style, too.
    pub(crate) const fn is_recursive(self) -> bool {
        matches!(self, Self::Cohere | Self::MiniMaxM3)
    }

    /// Whether the end of a tag has the key again.
    pub(crate) const fn repeats_key(self) -> bool {
        matches!(self, Self::MiniMaxM3)
    }

    /// How strings, keys and constants are spelled where the style does not write tags.
    pub(crate) const fn literals(self) -> Literals {
        match self {
            Self::Pythonic => Literals::Python,
            Self::Gemma => Literals::Marked("<|\"|>"),
            Self::FunctionGemma => Literals::Marked("<escape>"),
            _ => Literals::Json,
        }
    }

    /// Whether a value may stand on lines of its own: a line break after the beginning of the tag and one before its end are no part of it.
    pub(crate) const fn has_lines(self) -> bool {
        matches!(self, Self::Qwen)
    }

    /// Whether `True` and `False` between tags are Booleans, too: templates that print values as Python does write them so.
    pub(crate) const fn has_capitals(self) -> bool {
        matches!(self, Self::Qwen)
    }

    /// The tag of a member, by the kind of its value. `is_open` says that values of other kinds are allowed, too.
    pub(crate) fn tag(self, kind: Kind, is_open: bool) -> Tag {
        let tag = |before_key, after_key: &str, end| Tag {
            before_key,
            after_key: vec![after_key.to_owned()],
            before_value: "",
            end,
        };
        match self {
            // The first and the last three write no tags.
            Self::Json | Self::Qwen | Self::MiMo | Self::Pythonic | Self::Gemma | Self::FunctionGemma => {
                tag("<parameter=", ">", "</parameter>")
            }
            Self::MiniMax => tag("<parameter name=\"", "\">", "</parameter>"),
            Self::Step => tag("<steptml:parameter name=\"", "\">", "</steptml:parameter>"),
            Self::GigaChat => tag("<｜GCML｜parameter name=\"", deepseek(kind), "</｜GCML｜parameter>"),
            Self::Solar => tag("<|tool_arg:start|>", "<|tool_arg:value|>", "<|tool_arg:end|>"),
            Self::MiniMaxM3 => tag("]<]minimax[>[<", ">", "]<]minimax[>[</"),
            Self::DeepSeek => tag("<｜DSML｜parameter name=\"", deepseek(kind), "</｜DSML｜parameter>"),
            Self::DeepSeekV41 => tag("<｜DSML｜ parameter name=\"", deepseek(kind), "</｜DSML｜ parameter>"),
            Self::Glm => {
                Tag { before_value: "<arg_value>", ..tag("<arg_key>", "</arg_key>", "</arg_value>") }
            }
            Self::Cohere => {
                tag("<cofl:value name=\"", &format!("\" type=\"{}\">", cohere(kind)), "</cofl:value>")
            }
            Self::KimiK3 => Tag {
                after_key: kimi(kind, is_open)
                    .iter()
                    .map(|name| format!("\" type=\"{name}\"<|sep|>"))
                    .collect(),
                ..tag("<|open|>argument key=\"", "", "<|close|>argument<|sep|>")
            },
        }
    }

    /// The tag of an item of an array, in recursive styles.
    pub(crate) fn item(self, kind: Kind) -> Tag {
        let (before_key, after_key) = match self {
            Self::Cohere => ("<cofl:value", format!(" type=\"{}\">", cohere(kind))),
            _ => ("]<]minimax[>[<item", ">".to_owned()),
        };
        Tag { before_key, after_key: vec![after_key], before_value: "", end: self.tag(kind, false).end }
    }

    /// What a string may not contain before the end of its tag.
    pub(crate) fn stop(self, end: &str) -> &str {
        if self.repeats_key() { "]<]minimax[>[" } else { end }
    }

    /// A key as the style writes it.
    pub(crate) fn spelled_key(self, key: &str) -> String {
        match self {
            Self::KimiK3 => key.replace('&', "&amp;").replace('"', "&quot;"),
            Self::Cohere => {
                let key = key.replace('&', "&amp;").replace('"', "&quot;");
                key.replace('<', "&lt;").replace('>', "&gt;")
            }
            _ => key.to_owned(),
        }
    }
}

fn deepseek(kind: Kind) -> &'static str {
    if kind == Kind::String { "\" string=\"true\">" } else { "\" string=\"false\">" }
}

fn cohere(kind: Kind) -> &'static str {
    match kind {
        Kind::String => "raw",
        Kind::Array => "list",
        Kind::Object => "dict",
        Kind::Number | Kind::Boolean | Kind::Null => "json",
    }
}

/// The model writes every number as `number`. Where the schema leaves the kind open, readers know `integer`, too.
fn kimi(kind: Kind, is_open: bool) -> Vec<&'static str> {
    if kind == Kind::Number && is_open { vec!["number", "integer"] } else { vec![kind.name()] }
}
