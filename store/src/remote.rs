//! Objects of a remote store, through the crate `object_store`: S3 and compatible services, Google Cloud Storage, Azure, and HTTP.
//!
//! Objects are compressed on the way. A fetched object is compared with its key and all its checksums before it is used or kept. Credentials
//! and addresses of servers come from the variables that the tools of these clouds read, such as `AWS_ACCESS_KEY_ID` and `AWS_ENDPOINT`.
//!
//! The requests run on a thread of their own, so that callers need no asynchronous runtime, and may have one.

use crate::folder::{Objects, checked};
use crate::place::{LAYOUT, Place};
use crate::sealed::Sealed;
use gcc_grammar::artifact::MAX_BYTES;
use gcc_grammar::artifact::{Artifact, compress};
use gcc_grammar::seal::{self, Seal};
use gcc_grammar::{Error, ErrorKind, Key};
use gcc_grammar_artifact::Fingerprint;
use gcc_grammar_ir::{Code, Diagnostic};
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::path::Path;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, ObjectStoreScheme, RetryConfig};
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// The level of compression: an artifact takes less time to compress than to send.
const LEVEL: i32 = 3;
/// How often a request is repeated after an error of the server or the connection.
const RETRIES: usize = 3;
/// No request is repeated after this time.
const RETRY_TIME: Duration = Duration::from_secs(60);

type Shared = Arc<dyn ObjectStore>;

/// A remote store.
pub(crate) struct Remote {
    url: String,
    store: Shared,
    prefix: Path,
    seal: Seal,
    /// There as long as the store is used.
    runtime: Option<Runtime>,
}

impl Remote {
    /// The store at a URL. No request is made yet.
    pub(crate) fn open(url: &str, seal: Seal) -> Result<Self, Error> {
        let wrong = |error: &dyn fmt::Display| failure(url, format!("this store cannot be used: {error}"));
        let (store, prefix) = build(url).map_err(|error| wrong(&error))?;
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = Some(runtime.map_err(|error| wrong(&error))?);
        Ok(Self { url: url.trim_end_matches('/').to_owned(), store, prefix, seal, runtime })
    }

    /// Runs a request to its end.
    fn wait<T, F>(&self, request: impl FnOnce(Shared) -> F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: Future<Output = object_store::Result<T>> + Send + 'static,
    {
        let (send, receive) = sync_channel(1);
        let request = request(Arc::clone(&self.store));
        let runtime = self.runtime.as_ref().expect("there until the store is dropped");
        runtime.spawn(async move {
            // The receiver waits below.
            let _ = send.send(request.await);
        });
        let ended =
            receive.recv().map_err(|_| failure(&self.url, "a request was not finished".to_owned()))?;
        ended.map_err(|error| failure(&self.url, format!("the store cannot be used: {error}")))
    }

    fn path(&self, below: &str) -> Path {
        below.split('/').fold(self.prefix.clone(), |path, part| path.child(part))
    }

    fn signature_path(&self, place: &Place) -> Path {
        self.path(&format!("{place}{}", seal::EXTENSION))
    }

    fn signature(&self, place: &Place) -> Result<Option<Vec<u8>>, Error> {
        let name = format!("{}/{place}{}", self.url, seal::EXTENSION);
        self.fetch(&name, self.signature_path(place), seal::MAX_BYTES as u64)
    }

    /// The bytes of an object; none if there is no such object.
    fn fetch(&self, name: &str, path: Path, most: u64) -> Result<Option<Vec<u8>>, Error> {
        let fetched = self.wait(|store| async move {
            let found = match store.get(&path).await {
                Ok(found) => found,
                Err(object_store::Error::NotFound { .. }) => return Ok(Fetched::Nothing),
                Err(error) => return Err(error),
            };
            if found.meta.size > most {
                return Ok(Fetched::TooLarge);
            }
            found.bytes().await.map(|bytes| Fetched::Bytes(bytes.into()))
        })?;
        match fetched {
            Fetched::Nothing => Ok(None),
            Fetched::TooLarge => Err(Error::too_large(name, most)),
            Fetched::Bytes(bytes) => Ok(Some(bytes)),
        }
    }

    fn has_object(&self, path: Path) -> Result<bool, Error> {
        self.wait(|store| async move {
            match store.head(&path).await {
                Ok(_) => Ok(true),
                Err(object_store::Error::NotFound { .. }) => Ok(false),
                Err(error) => Err(error),
            }
        })
    }

    fn put_bytes(&self, path: Path, bytes: Vec<u8>) -> Result<(), Error> {
        self.wait(|store| async move { store.put(&path, bytes.into()).await.map(drop) })
    }

    /// The names of the folders in a folder.
    fn folders(&self, path: Path) -> Result<Vec<String>, Error> {
        let listed = self.wait(|store| async move { store.list_with_delimiter(Some(&path)).await })?;
        let names = listed.common_prefixes.iter().filter_map(|path| path.filename());
        Ok(names.map(str::to_owned).collect())
    }
}

impl Objects for Remote {
    fn get(&self, place: &Place) -> Result<Option<Sealed>, Error> {
        let name = format!("{}/{place}", self.url);
        let Some(bytes) = self.fetch(&name, self.path(&place.to_string()), MAX_BYTES)? else {
            return Ok(None);
        };
        let artifact = checked(Artifact::from_bytes(&name, bytes)?, place)?;
        Sealed::checked(&self.seal, artifact, || self.signature(place)).map(Some)
    }

    fn has(&self, place: &Place) -> Result<bool, Error> {
        let is_there = self.has_object(self.path(&place.to_string()))?;
        Ok(is_there && (!self.seal.is_checked() || self.has_object(self.signature_path(place))?))
    }

    fn put(&self, place: &Place, sealed: &Sealed) -> Result<(), Error> {
        if let Some(signature) = sealed.signature.clone() {
            self.put_bytes(self.signature_path(place), signature)?;
        }
        self.put_bytes(self.path(&place.to_string()), compress(sealed.artifact.bytes(), LEVEL))
    }

    fn vocabularies(&self) -> Result<Vec<Fingerprint>, Error> {
        let names = self.folders(self.path(LAYOUT))?;
        Ok(names.iter().filter_map(|name| name.parse().ok().map(|Key(fingerprint)| fingerprint)).collect())
    }

    fn keys(&self, vocabulary: Fingerprint) -> Result<Vec<Key>, Error> {
        let folder = format!("{LAYOUT}/{}", Key(vocabulary));
        let mut keys = Vec::new();
        for part in self.folders(self.path(&folder))? {
            let path = self.path(&format!("{folder}/{part}"));
            let listed = self.wait(|store| async move { store.list_with_delimiter(Some(&path)).await })?;
            let names = listed.objects.iter().filter_map(|object| object.location.filename());
            keys.extend(names.filter_map(|name| name.strip_suffix(".gcg")?.parse::<Key>().ok()));
        }
        keys.sort_unstable();
        Ok(keys)
    }

    fn name(&self) -> String {
        self.url.clone()
    }
}

enum Fetched {
    Nothing,
    TooLarge,
    Bytes(Vec<u8>),
}

/// The store of a URL, and the path in it.
fn build(url: &str) -> Result<(Shared, Path), Box<dyn std::error::Error + Send + Sync>> {
    let parsed = url.parse()?;
    let (scheme, path) = ObjectStoreScheme::parse(&parsed)?;
    // In `az://container/path`, the parser takes the first folder for the container, and the builder the host.
    let path = if parsed.scheme() == "az" { Path::from_url_path(parsed.path())? } else { path };
    let retry = RetryConfig {
        max_retries: RETRIES,
        retry_timeout: RETRY_TIME,
        backoff: BackoffConfig { max_backoff: Duration::from_secs(5), ..BackoffConfig::default() },
    };
    let store: Shared = match scheme {
        ObjectStoreScheme::AmazonS3 => {
            Arc::new(AmazonS3Builder::from_env().with_url(url).with_retry(retry).build()?)
        }
        ObjectStoreScheme::GoogleCloudStorage => {
            Arc::new(GoogleCloudStorageBuilder::from_env().with_url(url).with_retry(retry).build()?)
        }
        ObjectStoreScheme::MicrosoftAzure => {
            Arc::new(MicrosoftAzureBuilder::from_env().with_url(url).with_retry(retry).build()?)
        }
        ObjectStoreScheme::Http => {
            let server = url.strip_suffix(parsed.path()).unwrap_or(url);
            // Artifacts are no secrets, and are compared with their checksums.
            let client = ClientOptions::new().with_allow_http(true);
            Arc::new(
                HttpBuilder::new().with_url(server).with_client_options(client).with_retry(retry).build()?,
            )
        }
        _ => return Err("its kind is not known".into()),
    };
    Ok((store, path))
}

fn failure(url: &str, message: String) -> Error {
    Error::new(ErrorKind::NotFound, url, Diagnostic::error(Code::Io, message))
}

impl Drop for Remote {
    /// Ends the thread without waiting for it, because an asynchronous caller must not wait.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").field("url", &self.url).finish_non_exhaustive()
    }
}
