//! Patterns with lookaround, as expressions with intersection and complement.
//!
//! Lookaround is not a regular operator, but regular languages are closed under it where the rest of the text
//! is known. If `rest` is everything that follows up to the end of the text, then `(?=x)rest` is the
//! intersection of `x.*` and `rest`, and `(?!x)rest` is the intersection of `rest` and the complement of
//! `x.*`; `(?<=x)` and `(?<!x)` are the mirror image. A short repetition is written out. In a longer one the
//! rest is not known, so lookaround there is refused, except in `((?!x).)*$` and the like, which is a
//! condition on all suffixes of the text.

use super::tree::{Node, PatternError, first_lookaround, has_look_but_end};
use gcc_grammar_regular::{CharSet, Look, Regex};

/// A repetition with lookaround inside is written out up to this number of times.
const MAX_WRITTEN_OUT: u32 = 8;
/// How deep an expression may become when the rest of the text is written into its lookaround.
const MAX_LEVELS: usize = 300;
/// How large it may become.
const MAX_PARTS: usize = 10_000;

/// All texts.
fn anything() -> Regex {
    Regex::any_char().star()
}

/// The texts in which a pattern matches somewhere.
pub(super) fn search(node: &Node) -> Result<Regex, PatternError> {
    match first_lookaround(node) {
        None => plain(node).map(Regex::anywhere),
        Some(position) => match node {
            Node::Alternatives(nodes) => {
                nodes.iter().map(search).collect::<Result<Vec<_>, _>>().map(Regex::union)
            }
            Node::Concat(nodes) => sequence(nodes),
            Node::Around { .. } | Node::Repeat { .. } => sequence(std::slice::from_ref(node)),
            _ => Err(unsupported(position)),
        },
    }
}

/// Searches for a sequence with lookaround in it. The text before the last lookbehind is a language of its
/// own, and so is the text after it.
fn sequence(nodes: &[Node]) -> Result<Regex, PatternError> {
    let last_behind = nodes.iter().rposition(|node| matches!(node, Node::Around { behind: true, .. }));
    let Some(place) = last_behind else {
        return Ok(Regex::concat([anything(), followed(nodes, anything())?]));
    };
    let Node::Around { negative, inner, position, .. } = &nodes[place] else { return Ok(Regex::never()) };
    if first_lookaround(inner).is_some() || has_look_but_end(&nodes[place + 1..]) {
        return Err(unsupported(*position));
    }
    let head = match nodes[..place].iter().find_map(first_lookaround) {
        None => Regex::concat([anything(), plain_all(&nodes[..place])?]),
        Some(position) => return Err(unsupported(position)),
    };
    let behind = Regex::concat([anything(), plain(inner)?]);
    let behind = if *negative { Regex::Complement(Box::new(behind)) } else { behind };
    Ok(Regex::concat([Regex::Intersect(vec![head, behind]), followed(&nodes[place + 1..], anything())?]))
}

/// The nodes, followed by `rest`, which reaches to the end of the text. The expression is built from the last
/// node to the first, so only nesting recurses, which the parser bounds.
fn followed(nodes: &[Node], rest: Regex) -> Result<Regex, PatternError> {
    let is_rest_free = is_anything(&rest);
    let (mut tail, mut end) = (rest, nodes.len());
    while let Some(place) = nodes[..end].iter().rposition(|node| first_lookaround(node).is_some()) {
        let after = &nodes[place + 1..];
        tail = Regex::concat([plain_all(&nodes[place + 1..end])?, tail]);
        let copies = match &nodes[place] {
            Node::Alternatives(alternatives) => alternatives.len(),
            _ => 1,
        };
        if !tail.is_within(MAX_LEVELS, MAX_PARTS / copies) {
            let message = "with its lookaround written out the pattern is too large";
            let position = first_lookaround(&nodes[place]).unwrap_or(0);
            return Err(PatternError::unsupported(position, message));
        }
        tail = guarded(&nodes[place], after, tail, is_rest_free)?;
        end = place;
    }
    Ok(Regex::concat([plain_all(&nodes[..end])?, tail]))
}

/// A node with lookaround in it, followed by `rest`, which begins with the nodes in `after`. If
/// `is_rest_free`, it ends with any text.
fn guarded(node: &Node, after: &[Node], rest: Regex, is_rest_free: bool) -> Result<Regex, PatternError> {
    Ok(match node {
        Node::Around { behind: false, negative, inner, position } => {
            // Inside an intersection, `^` and `\b` would look at its edge instead of the text before it.
            if has_look_but_end(after) || has_look_but_end(std::slice::from_ref(inner)) {
                return Err(unsupported(*position));
            }
            let ahead = followed(std::slice::from_ref(inner), anything())?;
            let ahead = if *negative { Regex::Complement(Box::new(ahead)) } else { ahead };
            Regex::Intersect(vec![rest, ahead])
        }
        Node::Concat(inner) => followed(inner, rest)?,
        Node::Alternatives(alternatives) => {
            let each = alternatives.iter().map(|node| followed(std::slice::from_ref(node), rest.clone()));
            Regex::union(each.collect::<Result<Vec<_>, _>>()?)
        }
        Node::Repeat { inner, min, max: Some(max) } if *max <= MAX_WRITTEN_OUT => {
            repeated(inner, *min, *max, &rest)?
        }
        // Only the end of the text may follow.
        Node::Repeat { inner, min, max: None }
            if is_rest_free && matches!(after, [Node::Look(Look::End)]) =>
        {
            guarded_to_the_end(inner, *min)?
        }
        node => return Err(unsupported(first_lookaround(node).unwrap_or(0))),
    })
}

/// The node `min` to `max` times, followed by `rest`.
fn repeated(node: &Node, min: u32, max: u32, rest: &Regex) -> Result<Regex, PatternError> {
    let mut tail = rest.clone();
    for count in (0..max).rev() {
        let once_more = followed(std::slice::from_ref(node), tail)?;
        tail = if count < min { once_more } else { Regex::union([rest.clone(), once_more]) };
    }
    Ok(tail)
}

/// Whether the expression is [`anything`].
fn is_anything(regex: &Regex) -> bool {
    match regex {
        Regex::Repeat { inner, min: 0, max: None } => {
            matches!(&**inner, Regex::Chars(set) if *set == CharSet::all())
        }
        _ => false,
    }
}

/// One character after lookaheads, at least `min` times up to the end of the text: every suffix of the text
/// has to satisfy the lookaheads.
fn guarded_to_the_end(node: &Node, min: u32) -> Result<Regex, PatternError> {
    let refused = || unsupported(first_lookaround(node).unwrap_or(0));
    let Node::Concat(nodes) = node else { return Err(refused()) };
    let Some((Node::Chars(set), guards)) = nodes.split_last() else { return Err(refused()) };
    let mut bad = Vec::new();
    for guard in guards {
        let Node::Around { behind: false, negative, inner, .. } = guard else { return Err(refused()) };
        if has_look_but_end(std::slice::from_ref(inner)) {
            return Err(refused());
        }
        let ahead = followed(std::slice::from_ref(inner), anything())?;
        bad.push(if *negative { ahead } else { Regex::Complement(Box::new(ahead)) });
    }
    let some = Regex::any_char().repeat(1, None);
    let bad = Regex::concat([anything(), Regex::Intersect(vec![Regex::union(bad), some])]);
    let all = Regex::Chars(set.clone()).repeat(min, None);
    Ok(Regex::Intersect(vec![all, Regex::Complement(Box::new(bad))]))
}

fn plain_all(nodes: &[Node]) -> Result<Regex, PatternError> {
    nodes.iter().map(plain).collect::<Result<Vec<_>, _>>().map(Regex::concat)
}

/// A node without lookaround, matched as a whole.
pub(super) fn plain(node: &Node) -> Result<Regex, PatternError> {
    Ok(match node {
        Node::Empty => Regex::empty(),
        Node::Chars(set) => Regex::Chars(set.clone()),
        Node::Look(look) => Regex::Look(*look),
        Node::Around { position, .. } => return Err(unsupported(*position)),
        Node::Concat(nodes) => plain_all(nodes)?,
        Node::Alternatives(nodes) => Regex::union(nodes.iter().map(plain).collect::<Result<Vec<_>, _>>()?),
        Node::Repeat { inner, min, max } => plain(inner)?.repeat(*min, *max),
    })
}

fn unsupported(position: usize) -> PatternError {
    PatternError::unsupported(position, "lookaround is supported only where the rest of the text is known")
}
