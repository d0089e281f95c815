//! Signatures of artifacts: who trusts a key uses only what was signed with it, whoever can write into the store.
//!
//! Keys and signatures have the format of [minisign](https://jedisct1.github.io/minisign): Ed25519 over the BLAKE2b digest of the content. The signature
//! of a file lies in the same folder, with `.minisig` after its name. It is the signature of the expanded artifact, however the store compresses it.
//!
//! A file without a valid signature counts as damaged: who reads gets an error, and who has the source makes it again.
//! Whoever signs trusts the own key, so that nothing is signed that somebody else has made.

mod keys;
#[cfg_attr(not(feature = "sign"), path = "no_signer.rs")]
mod signer;

pub use self::keys::MAX_BYTES;

use self::keys::public_key;
use self::signer::Signer;
use crate::artifacts::key::Key;
use crate::error::{Error, ErrorKind};
use crate::files::mapped::map_file;
use gcc_grammar_files::{ReadError, read_within};
use gcc_grammar_ir::{Code, Diagnostic};
use minisign_verify::{PublicKey, Signature};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The suffix of the names of signatures.
pub const EXTENSION: &str = ".minisig";

/// The keys that are trusted, and the key to sign with. By default everything is trusted, and nothing is signed. Clones share the keys.
#[derive(Clone, Debug, Default)]
pub struct Seal {
    trusted: Arc<Vec<PublicKey>>,
    signer: Option<Arc<Signer>>,
}

impl Seal {
    /// Trusts what was signed with one of these keys, and nothing else: files as `minisign -G` writes them.
    ///
    /// # Errors
    /// A file cannot be read, or is no public key.
    pub fn trusting(self, files: &[PathBuf]) -> Result<Self, Error> {
        let keys: Vec<PublicKey> = files.iter().map(|path| public_key(path)).collect::<Result<_, _>>()?;
        Ok(self.with(keys))
    }

    /// Signs with a secret key, and trusts what was signed with it: a file as `minisign -G -W` writes it, without a password. Needs the feature `sign`.
    ///
    /// # Errors
    /// The file cannot be read, is no secret key, or has a password; this build cannot sign.
    pub fn signing(self, file: &Path) -> Result<Self, Error> {
        let signer = Signer::open(file)?;
        let public = signer.public(file)?;
        Ok(Self { signer: Some(Arc::new(signer)), ..self.with(vec![public]) })
    }

    fn with(self, keys: Vec<PublicKey>) -> Self {
        Self { trusted: Arc::new(self.trusted.iter().cloned().chain(keys).collect()), ..self }
    }

    /// Whether signatures matter.
    #[must_use]
    pub fn is_checked(&self) -> bool {
        !self.trusted.is_empty()
    }

    /// Checks the signature of some content; `name` is that of its file.
    ///
    /// # Errors
    /// Signatures matter, and there is none that a trusted key has made for this content.
    pub fn check(&self, name: &str, content: &[u8], signature: Option<&[u8]>) -> Result<(), Error> {
        if !self.is_checked() {
            return Ok(());
        }
        let signature = signature.ok_or_else(|| refused(name, "it has no signature"))?;
        let text = std::str::from_utf8(signature).ok().filter(|text| text.len() <= MAX_BYTES);
        let signature = text.and_then(|text| Signature::decode(text).ok());
        let signature = signature.ok_or_else(|| refused(name, "its signature is damaged"))?;
        // The signature names its key, so that the content is hashed for this one only.
        let is_valid = |key: &PublicKey| key.verify(content, &signature, false).is_ok();
        match self.trusted.iter().any(is_valid) {
            true => Ok(()),
            false => Err(refused(name, "its signature is not one of a trusted key for this content")),
        }
    }

    /// Checks the signature of a file with this content; it is read only if signatures matter. `name` is for errors.
    ///
    /// # Errors
    /// As [`check`](Self::check), and if the signature cannot be read.
    pub fn check_file(&self, name: &str, content: &[u8], file: &Path) -> Result<(), Error> {
        self.check_read(name, content, || read_beside(file)).map(drop)
    }

    /// Checks a signature, which is read only if signatures matter, and returns it.
    ///
    /// # Errors
    /// As [`check`](Self::check), and if the signature cannot be read.
    pub fn check_read(
        &self,
        name: &str,
        content: &[u8],
        read: impl FnOnce() -> Result<Option<Vec<u8>>, Error>,
    ) -> Result<Option<Vec<u8>>, Error> {
        let signature = if self.is_checked() { read()? } else { None };
        self.check(name, content, signature.as_deref())?;
        Ok(signature)
    }

    /// Whether there is a key to sign with.
    #[must_use]
    pub const fn signs(&self) -> bool {
        self.signer.is_some()
    }

    /// The signature of the content of a file, which is not written to meanwhile, as [`sign`](Self::sign) makes it.
    ///
    /// # Errors
    /// The file cannot be mapped, or the system has no random numbers.
    pub fn sign_file(&self, file: &File, name: &Path, comment: &str) -> Result<Option<Vec<u8>>, Error> {
        if !self.signs() {
            return Ok(None);
        }
        let content = map_file(file).map_err(|error| Error::io(name, "cannot be read", error))?;
        self.sign(&content, comment)
    }

    /// The signature of some content, if there is a key to sign with. The comment is signed, too.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn sign(&self, content: &[u8], comment: &str) -> Result<Option<Vec<u8>>, Error> {
        self.signer.as_ref().map(|signer| signer.sign(content, comment)).transpose()
    }
}

/// What a signature says about an artifact.
#[must_use]
pub fn comment(key: Key) -> String {
    format!("gcc-grammar {key}")
}

/// The signature of a file; none if there is no such file.
///
/// # Errors
/// It cannot be read.
pub fn read_beside(file: &Path) -> Result<Option<Vec<u8>>, Error> {
    let path = path_of(file);
    signature(&path, read_within(&path, MAX_BYTES as u64))
}

/// The signature that was read from a file; none if there is no such file.
///
/// # Errors
/// It cannot be read.
pub fn signature(path: &Path, read: Result<Vec<u8>, ReadError>) -> Result<Option<Vec<u8>>, Error> {
    match read {
        Ok(signature) => Ok(Some(signature)),
        Err(ReadError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::read(&path.display().to_string(), error)),
    }
}

/// The path of the signature of a file.
#[must_use]
pub fn path_of(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(EXTENSION);
    name.into()
}

fn refused(name: &str, reason: &str) -> Error {
    let diagnostic = Diagnostic::error(Code::DamagedArtifact, format!("this is not trusted: {reason}"))
        .help("fetch it from who has signed it, or compile it again with --sign");
    Error::new(ErrorKind::Refused, name, diagnostic)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by minisign 0.11 of Debian: `minisign -G -W`, then `minisign -S -t 'made by minisign 0.11'`.
    const PUBLIC: &str = "untrusted comment: minisign public key DBC55C6D6D87E3F3
RWTz44dtbVzF2+sZQL0NnOBR68EELhzmqOMjtJ1OxPtPq2sEfgi/ksBb
";
    const CONTENT: &[u8] = b"gcc-grammar\n";
    const SIGNATURE: &str = "untrusted comment: signature from minisign secret key
RUTz44dtbVzF2zYcSQdBTvzDX79YvGl8Oot1h7vXyxMgppVBBX2QW6Xt10rAt11+qX+Xs7qHj07C7SGAYW3cF7hFR3YpbtujOAw=
trusted comment: made by minisign 0.11
JSBnbOrXlI7QT364aQKe9/PFFrtUuQniHM9uCPm/Zu9eHMcllX6KQYASvL/hYoLiFGZB2hq3TWoIMPWTf9iKBQ==
";
    /// The same with `-l`: the content itself is signed, not its digest.
    const LEGACY: &str = "untrusted comment: signature from minisign secret key
RWTz44dtbVzF239MEncuiX6LzkfPEEsCT7iTBrMqTmFw9Q3v2ogmrGFHyfify4rW/wTCvKdQHn8Gs2kAxZ9jcJIXrfmhfL/lyAs=
trusted comment: legacy
woYA5B+X+/o2H5AblJ50NCLi2qsYSB7GndyvbSQuxfYXxrlajqpftzbQqdvGx+srcRAdW8kpZmCllz8/PkvnBQ==
";
    /// A key with a password, `minisign -G`.
    #[cfg(feature = "sign")]
    const LOCKED: &str = "untrusted comment: minisign encrypted secret key
RWRTY0IymhGo21XlbXjTTbd1E9CCFYvChj8VAVAZIjrtIiDjbwEAAAACAAAAAAAAAEAAAAAA+QiGXMfihBfaHl+Ox21VGOqDzPRJruvu4rzA+xzjXfLFfbNS7aLJkQCgCQt6pJ5+UQ27z58cqOO8M9PbTAcomSp2BjCe3cNl4/nTcRKwj33tjXTvsLHpDmVnOolOT6jo6jM5aKk8/SY=
";
    #[cfg(feature = "sign")]
    const SECRET: &str = "untrusted comment: minisign encrypted secret key
RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA8+OHbW1cxdub+tpM12n4808SLhSRMdJtVE7gW6chp91mBwk48/yHF+sZQL0NnOBR68EELhzmqOMjtJ1OxPtPq2sEfgi/ksBbAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
";

    /// The path of a file with this content, and what keeps it.
    fn file(content: &str) -> (PathBuf, tempfile::TempDir) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("key");
        std::fs::write(&path, content).expect("written");
        (path, folder)
    }

    fn trusting(key: &str) -> Result<Seal, Error> {
        let (path, _folder) = file(key);
        Seal::default().trusting(&[path])
    }

    #[test]
    fn signatures_of_minisign_are_checked() {
        let seal = trusting(PUBLIC).expect("a key");
        seal.check("x", CONTENT, Some(SIGNATURE.as_bytes())).expect("valid");
        let bare = trusting("RWTz44dtbVzF2+sZQL0NnOBR68EELhzmqOMjtJ1OxPtPq2sEfgi/ksBb").expect("a key");
        bare.check("x", CONTENT, Some(SIGNATURE.as_bytes())).expect("valid");
        let none = seal.check("x", CONTENT, None).expect_err("unsigned").to_string();
        assert!(none.contains("no signature"), "{none}");
        seal.check("x", b"gcc-grammar", Some(SIGNATURE.as_bytes())).expect_err("other content");
        seal.check("x", CONTENT, Some(LEGACY.as_bytes())).expect_err("not of the digest");
        Seal::default().check("x", CONTENT, None).expect("everything is trusted");
    }

    /// Whatever is changed in a signature but for its first line, which is not signed, makes it invalid.
    #[test]
    fn damaged_signatures_are_refused() {
        let seal = trusting(PUBLIC).expect("a key");
        let comment = SIGNATURE.find('\n').expect("a line");
        for end in 0..SIGNATURE.len() - 3 {
            seal.check("x", CONTENT, Some(&SIGNATURE.as_bytes()[..end])).expect_err("truncated");
        }
        for at in comment + 1..SIGNATURE.len() - 1 {
            for change in [1, 0x80, b'\n'] {
                let mut changed = SIGNATURE.as_bytes().to_vec();
                changed[at] ^= change;
                seal.check("x", CONTENT, Some(&changed)).expect_err("changed");
            }
        }
        let long = format!("{SIGNATURE}{}", " ".repeat(MAX_BYTES));
        for wrong in ["", "\n\n\n\n", "untrusted comment: x\n====\ntrusted comment: x\n====\n", &long] {
            let error =
                seal.check("x", CONTENT, Some(wrong.as_bytes())).expect_err("no signature").to_string();
            assert!(error.contains("damaged"), "{error}");
        }
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for wrong in [
            "",
            "untrusted comment: x\n",
            "RWTz44",
            "untrusted comment: x\nRWTz44==\n",
            SIGNATURE,
            &"R".repeat(MAX_BYTES + 1),
        ] {
            let error = trusting(wrong).expect_err(wrong);
            assert_eq!(error.kind(), ErrorKind::NotFound);
        }
    }

    #[cfg(feature = "sign")]
    #[test]
    fn what_is_signed_is_trusted() {
        let (path, _folder) = file(SECRET);
        let seal = Seal::default().signing(&path).expect("a key");
        let signature = seal.sign(CONTENT, "comment").expect("signed").expect("a signature");
        for seal in [&seal, &trusting(PUBLIC).expect("a key")] {
            seal.check("x", CONTENT, Some(&signature)).expect("valid");
            seal.check("x", b"other", Some(&signature)).expect_err("other content");
        }
        let text = String::from_utf8(signature).expect("text");
        assert_eq!(text.lines().nth(2), Some("trusted comment: comment"));
    }

    #[cfg(feature = "sign")]
    #[test]
    fn secret_keys_are_checked() {
        let encoded = SECRET.lines().nth(1).expect("a key");
        // The last bytes but for the checksum are the public key, and the ones before the secret one.
        let changed = encoded.replace("ksBb", "ksBc");
        for (wrong, message) in [
            (LOCKED, "has a password"),
            (PUBLIC, "no secret key"),
            ("", "no secret key"),
            ("x\n%\n", "no secret key"),
            (&encoded[..100], "no secret key"),
            (&format!("x\n{changed}\n"), "damaged"),
        ] {
            let (path, _folder) = file(wrong);
            let error = Seal::default().signing(&path).expect_err(wrong).to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    #[cfg(not(feature = "sign"))]
    #[test]
    fn this_build_cannot_sign() {
        let error = Seal::default().signing(Path::new("key")).expect_err("no feature").to_string();
        assert!(error.contains("cannot sign"), "{error}");
    }
}
