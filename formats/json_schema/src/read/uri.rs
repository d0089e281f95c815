//! Resolution of URI references against a base URI (RFC 3986, section 5.2), as far as schema identifiers need
//! it.
//!
//! URIs are texts here. A reference that is not a valid URI gives some text that names no document.

/// The parts of a URI reference, without the fragment.
struct Parts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
}

/// Splits a reference into the part before `#` and the fragment after it.
pub(super) fn split_fragment(reference: &str) -> (&str, Option<&str>) {
    match reference.split_once('#') {
        Some((rest, fragment)) => (rest, Some(fragment)),
        None => (reference, None),
    }
}

/// Resolves `reference`, which has no fragment, against the URI `base`.
pub(super) fn resolve(base: &str, reference: &str) -> String {
    if reference.is_empty() {
        return base.to_owned();
    }
    let (base, r) = (split(base), split(reference));
    if r.scheme.is_some() {
        return join(r.scheme, r.authority, &remove_dot_segments(r.path), r.query);
    }
    if r.authority.is_some() {
        return join(base.scheme, r.authority, &remove_dot_segments(r.path), r.query);
    }
    if r.path.is_empty() {
        return join(base.scheme, base.authority, base.path, r.query.or(base.query));
    }
    let path = if r.path.starts_with('/') { r.path.to_owned() } else { merge(&base, r.path) };
    join(base.scheme, base.authority, &remove_dot_segments(&path), r.query)
}

fn split(uri: &str) -> Parts<'_> {
    let (rest, query) = match uri.split_once('?') {
        Some((rest, query)) => (rest, Some(query)),
        None => (uri, None),
    };
    let is_scheme = |s: &str| {
        s.starts_with(|c: char| c.is_ascii_alphabetic())
            && s.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    };
    let (scheme, rest) = match rest.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
        _ => (None, rest),
    };
    match rest.strip_prefix("//") {
        Some(rest) => {
            let end = rest.find('/').unwrap_or(rest.len());
            Parts { scheme, authority: Some(&rest[..end]), path: &rest[end..], query }
        }
        None => Parts { scheme, authority: None, path: rest, query },
    }
}

/// Joins a relative path to the directory of the base (section 5.2.3).
fn merge(base: &Parts<'_>, path: &str) -> String {
    if base.authority.is_some() && base.path.is_empty() {
        return format!("/{path}");
    }
    let directory = base.path.rfind('/').map_or(0, |slash| slash + 1);
    format!("{}{path}", &base.path[..directory])
}

/// Removes `.` and `..` (section 5.2.4).
fn remove_dot_segments(path: &str) -> String {
    if !path.contains("./") && !path.ends_with("/.") && !path.ends_with("/..") {
        return path.to_owned();
    }
    let absolute = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.trim_start_matches('/').split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." {
                    kept.pop();
                }
                if last {
                    kept.push("");
                }
            }
            other => kept.push(other),
        }
    }
    let joined = kept.join("/");
    if absolute { format!("/{joined}") } else { joined }
}

fn join(scheme: Option<&str>, authority: Option<&str>, path: &str, query: Option<&str>) -> String {
    let mut uri = String::new();
    if let Some(scheme) = scheme {
        uri.push_str(scheme);
        uri.push(':');
    }
    if let Some(authority) = authority {
        uri.push_str("//");
        uri.push_str(authority);
    }
    uri.push_str(path);
    if let Some(query) = query {
        uri.push('?');
        uri.push_str(query);
    }
    uri
}

/// Decodes every `%xx`. A `%` without two hexadecimal digits stays as it is.
pub(super) fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let pair = tail.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        match pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(decoded) if byte == b'%' => {
                bytes.push(decoded);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_of_the_rfc() {
        for (reference, wanted) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../g", "http://a/g"),
        ] {
            assert_eq!(resolve("http://a/b/c/d;p?q", reference), wanted, "{reference}");
        }
        assert_eq!(resolve("urn:uuid:1", "urn:x"), "urn:x");
        assert_eq!(percent_decode("a%25b%zz"), "a%b%zz");
    }
}
