//! The attributes of rules, `name[lazy, suffix="…"]: …`, with the meaning they have in llguidance and XGrammar.
//!
//! Input: the attributes as written. Output: whether the rule is one lexeme, where that ends, and diagnostics about attributes that cannot be
//! followed.

use super::ast::{Attribute, Node, NodeKind};
use super::program::{Clause, OneLexeme, are_texts, take_last_text};
use super::token::Span;
use gcc_grammar_ir::{Code, Diagnostic};

/// A diagnostic about an attribute.
pub(super) struct Remark {
    pub(super) span: Span,
    pub(super) diagnostic: Diagnostic,
}

/// The meaning of the attributes of a rule for its language, and diagnostics about attributes that cannot be followed. The string at the end of a
/// lazy rule with a limit on its tokens becomes its suffix.
pub(super) fn read(attributes: Vec<Attribute>, clauses: &mut [Clause]) -> (Option<OneLexeme>, Vec<Remark>) {
    let mut lexeme: Option<OneLexeme> = None;
    let mut max_tokens = None;
    let (mut remarks, mut seen) = (Vec::new(), Vec::new());
    for attribute in attributes {
        let span = attribute.name.span.clone();
        if seen.contains(&attribute.name.text) {
            remarks.push(Remark { span, diagnostic: twice(&attribute.name.text) });
            continue;
        }
        seen.push(attribute.name.text.clone());
        if let ("max_tokens", None, Some(most)) =
            (attribute.name.text.as_str(), &attribute.value, attribute.number)
        {
            max_tokens = Some((most, span));
        } else if let Err(diagnostic) = read_one(&mut lexeme, attribute) {
            remarks.push(Remark { span, diagnostic });
        }
    }
    if let Some((most, span)) = max_tokens {
        let can_end = are_texts(clauses) && lexeme.as_mut().is_none_or(|lexeme| has_suffix(lexeme, clauses));
        match u32::try_from(most) {
            Ok(most) if can_end => lexeme.get_or_insert_default().max_tokens = Some(most),
            Ok(_) => remarks.push(Remark { span, diagnostic: tokens_are_not_counted() }),
            Err(_) => remarks.push(Remark { span, diagnostic: no_number_of_tokens() }),
        }
    }
    (lexeme, remarks)
}

/// Whether a lexeme is not lazy, or has a suffix, without which it can end at its limit.
fn has_suffix(lexeme: &mut OneLexeme, clauses: &mut [Clause]) -> bool {
    if lexeme.lazy && lexeme.suffix.is_none() && lexeme.max_chars.is_none() {
        lexeme.suffix = take_last_text(clauses);
    }
    !lexeme.lazy || lexeme.suffix.is_some()
}

fn read_one(lexeme: &mut Option<OneLexeme>, attribute: Attribute) -> Result<(), Diagnostic> {
    let Attribute { name, value, number } = attribute;
    match (name.text.as_str(), value, number) {
        ("lazy", None, None) => lexeme.get_or_insert_default().lazy = true,
        // In llguidance, generation goes on behind the token for the end, which is taken back.
        ("stop", Some(node), _) if is_empty_text(&node) => {}
        (ending @ ("suffix" | "stop"), Some(node), _) if !is_empty_text(&node) => {
            let lexeme = lexeme.get_or_insert_default();
            if lexeme.suffix.is_some() {
                return Err(refused("a rule has one `suffix` or `stop`".to_owned())
                    .help("join the texts to one pattern, as in suffix=/a|b/"));
            }
            (lexeme.lazy, lexeme.suffix, lexeme.stops_before) = (true, Some(node), ending == "stop");
        }
        ("max_chars", None, Some(most)) if u32::try_from(most).is_ok() => {
            lexeme.get_or_insert_default().max_chars = u32::try_from(most).ok();
        }
        // These attributes are about captures and sampling and do not change the language.
        ("capture" | "stop_capture" | "temperature", _, _) => {}
        ("max_tokens", ..) => return Err(no_number_of_tokens()),
        ("max_chars", ..) => {
            return Err(refused("`max_chars` takes a number of characters".to_owned())
                .help("write it as in max_chars=200"));
        }
        ("suffix", ..) => {
            return Err(refused(
                "`suffix` takes a text, a pattern or a terminal that is not empty".to_owned(),
            )
            .help("write it as in suffix=\"</end>\"; without suffix, use `lazy`"));
        }
        (other, ..) => {
            let message = format!("there is no attribute `{other}` of this form");
            return Err(refused(message).help(
                "the attributes are lazy, suffix=\"…\", stop=\"…\", max_chars=200, capture, stop_capture, temperature and max_tokens",
            ));
        }
    }
    Ok(())
}

fn refused(message: String) -> Diagnostic {
    Diagnostic::error(Code::UnsupportedAttribute, message)
}

/// The diagnostic about a limit on tokens of a rule that is no lexeme, or that ends only where its text says.
fn tokens_are_not_counted() -> Diagnostic {
    let message =
        "`max_tokens` is not enforced: the rule is not one regular expression, or is lazy without a suffix";
    Diagnostic::error(Code::NotEnforced, message).help(
        "limit the rules and terminals within it, write the end of a lazy rule as suffix=\"…\", or bound the text with max_chars=200",
    )
}

fn twice(name: &str) -> Diagnostic {
    refused(format!("the attribute `{name}` stands twice")).help("keep one of them")
}

fn no_number_of_tokens() -> Diagnostic {
    refused("`max_tokens` takes a number of tokens".to_owned()).help("write it as in max_tokens=200")
}

fn is_empty_text(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Text { text, .. } if text.is_empty())
}
