//! The attributes of rules, `name[lazy, suffix="…"]: …`, with the meaning they have in llguidance.
//!
//! Input: the attributes as written. Output: whether the rule is one lexeme that matches as little text as possible, and diagnostics about
//! attributes that cannot be followed.

use super::ast::{Attribute, Node, NodeKind};
use super::token::Span;
use gcc_grammar_ir::{Code, Diagnostic};

/// A rule that is one lexeme: its body is a regular expression, like that of a terminal, and matches the shortest possible text.
#[derive(Clone, Debug)]
pub(super) struct Shortest {
    /// The end of the lexeme, after the body.
    pub(super) suffix: Option<Node>,
    /// Whether the rule stops before the suffix. The suffix is then written after each use of the rule, too, until the pass `stops` removes
    /// it there.
    pub(super) stops_before: bool,
}

/// A diagnostic about an attribute.
pub(super) struct Remark {
    pub(super) span: Span,
    pub(super) diagnostic: Diagnostic,
}

/// The meaning of the attributes of a rule for its language, and diagnostics about attributes that cannot be followed.
pub(super) fn read(attributes: Vec<Attribute>) -> (Option<Shortest>, Vec<Remark>) {
    let mut shortest = None;
    let mut remarks = Vec::new();
    for Attribute { name, value } in attributes {
        let span = name.span.clone();
        let mut remark = |diagnostic| remarks.push(Remark { span: span.clone(), diagnostic });
        match (name.text.as_str(), value) {
            ("lazy", None) => {
                shortest.get_or_insert(Shortest { suffix: None, stops_before: false });
            }
            ("suffix", Some(node)) if !is_empty_text(&node) => {
                shortest = Some(Shortest { suffix: Some(node), stops_before: false })
            }
            ("stop", Some(node)) if is_text(&node) && !is_empty_text(&node) => {
                shortest = Some(Shortest { suffix: Some(node), stops_before: true })
            }
            // These attributes are about captures and sampling and do not change the language.
            ("capture" | "stop_capture" | "temperature", _) => {}
            ("max_tokens", _) => remark(
                Diagnostic::warning(
                    Code::NotEnforced,
                    "`max_tokens` is not enforced: a grammar counts characters, not tokens",
                )
                .help("bound the text instead, as in /.{0,200}/"),
            ),
            ("stop" | "suffix", _) => remark(
                Diagnostic::error(
                    Code::UnsupportedAttribute,
                    format!("this form of `{}` is not supported", name.text),
                )
                .help(
                    "use suffix=\"…\", which makes the text end with the suffix: generated text cannot be taken back",
                ),
            ),
            _ => remark(
                Diagnostic::error(
                    Code::UnsupportedAttribute,
                    format!("there is no attribute `{}` of this form", name.text),
                )
                .help(
                    "the attributes are lazy, suffix=\"…\", stop=\"…\", capture, temperature and max_tokens",
                ),
            ),
        }
    }
    (shortest, remarks)
}

fn is_text(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Text { ignore_case: false, .. })
}

fn is_empty_text(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Text { text, .. } if text.is_empty())
}
