//! The address of a store.

use gcc_grammar::{Error, ErrorKind};
use gcc_grammar_ir::{Code, Diagnostic};
use std::path::PathBuf;

/// What an address stands for.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Address {
    /// `file:///folder`, or a path.
    Folder(PathBuf),
    /// The URL of a remote store.
    #[cfg(feature = "stores")]
    Remote(String),
}

/// The schemes of remote stores.
const REMOTE: [&str; 10] = ["s3", "s3a", "gs", "az", "adl", "azure", "abfs", "abfss", "http", "https"];

impl Address {
    /// Reads an address. What has no scheme is a path.
    pub(crate) fn parse(url: &str) -> Result<Self, Error> {
        let Some((scheme, rest)) = url.split_once("://") else {
            return match url {
                "" => Err(refused(url, "the address of the store is empty")),
                path => Ok(Self::Folder(path.into())),
            };
        };
        match scheme {
            "file" => file(url, rest.strip_prefix("localhost").unwrap_or(rest)),
            #[cfg(feature = "stores")]
            _ if REMOTE.contains(&scheme) => Ok(Self::Remote(url.to_owned())),
            _ if REMOTE.contains(&scheme) => Err(refused(url, "this build has no remote stores")),
            _ => Err(refused(url, "no store of this kind is known")),
        }
    }
}

/// The folder of a `file` URL, in which `%` begins the hexadecimal form of a byte.
fn file(url: &str, path: &str) -> Result<Address, Error> {
    let absolute = path.starts_with('/').then_some(path);
    let decoded = absolute.and_then(decode).and_then(|bytes| String::from_utf8(bytes).ok());
    let decoded = decoded.filter(|path| !path.contains('\0'));
    decoded.map(|path| Address::Folder(path.into())).ok_or_else(|| refused(url, "this is no URL of a folder"))
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        let digits = std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'))?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = after;
    }
    Some(bytes)
}

fn refused(url: &str, message: &str) -> Error {
    let diagnostic =
        Diagnostic::error(Code::Usage, message).help("give a folder as `file:///path` or as a path; builds with the feature `stores` take s3://, gs://, az:// and http(s):// URLs, too");
    Error::new(ErrorKind::NotFound, url, diagnostic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_urls_or_paths() {
        for (url, path) in [
            ("file:///a/b", "/a/b"),
            ("file://localhost/a%20%25", "/a %"),
            ("a/b", "a/b"),
            ("/a", "/a"),
            ("file:///%C3%A9", "/é"),
        ] {
            assert_eq!(Address::parse(url).expect(url), Address::Folder(path.into()));
        }
        for wrong in [
            "",
            "file://",
            "file://a/b",
            "file:///%",
            "file:///%+1",
            "file:///%zz",
            "file:///%00",
            "file:///%ff",
            "x://a",
        ] {
            let error = Address::parse(wrong).expect_err(wrong);
            assert_eq!(error.kind(), ErrorKind::NotFound);
        }
    }
}
