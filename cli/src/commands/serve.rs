//! `gcc-grammar serve`: compiles over HTTP into a store.

use crate::arguments::{ItemArguments, VocabularyArguments, from_one_to, jobs_or_processors};
use crate::failure::{Exit, Failure};
use crate::serve::{self, Bounds};
use crate::shell::Shell;
use crate::signals;
use clap::Args;
use gcc_grammar::{Code, Diagnostic, Error, ErrorKind, output, read_bytes};
use gcc_grammar_store::batch::MAX_JOBS;
use serde_json::json;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::sync::watch;

/// Shorter tokens could be guessed.
const MIN_TOKEN: usize = 16;

/// The most items, requests or connections that an operator may allow at once.
const MAX_WAITING: u64 = 1_000_000;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The address; port 0 is any free one. Others than those of this machine need --token-file
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8427")]
    listen: SocketAddr,
    /// A file with the token that each request must have: `Authorization: Bearer TOKEN`
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// The number of items that are compiled at once, each within --limit-bytes [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = from_one_to(MAX_JOBS as u64))]
    jobs: Option<NonZeroUsize>,
    /// The number of items that wait; further ones get the status 429
    #[arg(long, value_name = "N", default_value = "64", value_parser = from_one_to(MAX_WAITING))]
    queue: NonZeroUsize,
    /// The number of requests for items that are answered at once, and that of requests for artifacts; further ones get the status 429
    #[arg(long, value_name = "N", default_value = "256", value_parser = from_one_to(MAX_WAITING))]
    requests: NonZeroUsize,
    /// The number of connections; a further one gets the place of the one that has waited for its client for the longest time
    #[arg(long, value_name = "N", default_value = "1024", value_parser = from_one_to(MAX_WAITING))]
    connections: NonZeroUsize,
    /// How long a reply waits for its item; after that it has the status 202, and the item is made all the same
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    wait: u32,
    /// How long a client may let the service wait, for the head of a request or for taking a reply; after that its connection ends
    #[arg(long, value_name = "SECONDS", default_value = "10")]
    patience: NonZeroU32,
    /// How long the service goes on to make the items that it has accepted after it was asked to end; after that it ends with exit code 3
    #[arg(long, value_name = "SECONDS", default_value_t = 25)]
    grace: u32,
    /// Bytes of the body of a request
    #[arg(long = "limit-body", value_name = "N", default_value_t = 1 << 20)]
    body: usize,
    /// Levels of brackets in the body of a request
    #[arg(long = "limit-nesting", value_name = "N", default_value_t = 128)]
    nesting: usize,
    #[command(flatten)]
    items: ItemArguments,
    #[command(flatten)]
    vocabulary: VocabularyArguments,
}

impl Arguments {
    fn bounds(&self) -> Bounds {
        Bounds {
            jobs: jobs_or_processors(self.jobs).get(),
            queue: self.queue.get(),
            requests: self.requests.get(),
            connections: self.connections.get(),
            body: self.body,
            nesting: self.nesting,
            wait: Duration::from_secs(self.wait.into()),
            patience: Duration::from_secs(self.patience.get().into()),
            grace: Duration::from_secs(self.grace.into()),
        }
    }

    fn token(&self) -> Result<Option<String>, Failure> {
        let Some(path) = &self.token_file else {
            return match self.listen.ip().is_loopback() {
                true => Ok(None),
                false => {
                    let message = "other machines can reach this address, and there is no token";
                    Err(Failure::usage("--listen", message, "add --token-file, or listen on 127.0.0.1"))
                }
            };
        };
        let token = String::from_utf8(read_bytes(path)?).unwrap_or_default().trim().to_owned();
        if token.len() < MIN_TOKEN || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            let help = "make one with `openssl rand -hex 32`";
            let message = format!("a token has at least {MIN_TOKEN} ASCII characters, and no spaces");
            return Err(Failure::usage("--token-file", message, help));
        }
        Ok(Some(token))
    }
}

/// Answers requests until a signal asks the program to end.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let (store, token) = (arguments.items.store()?, arguments.token()?);
    let vocabulary = arguments.vocabulary.load()?;
    let maker = arguments.items.maker(store, vocabulary, arguments.items.defaults()?, shell);
    let failed = |error: io::Error| {
        Error::io(Path::new(&arguments.listen.to_string()), "the service cannot listen", error)
    };
    let listener = TcpListener::bind(arguments.listen).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let (close, closing) = watch::channel(false);
    signals::end_with(move || {
        close.send_replace(true);
    });
    say(shell, address)?;
    match serve::run(maker, arguments.bounds(), token, listener, closing).map_err(failed)? {
        0 => Ok(Exit::Done),
        lost => Err(over(lost)),
    }
}

/// The failure that items were accepted and are not made. The threads that are at work on them write nothing any more.
fn over(lost: usize) -> Failure {
    output::remove_temporaries();
    let message = format!("the service has ended, and {lost} of the items that it had accepted are not made");
    let diagnostic = Diagnostic::error(Code::OverBudget, message)
        .help("ask for them again; --grace says how long the service goes on after it was asked to end");
    Error::new(ErrorKind::OverBudget, "serve", diagnostic).into()
}

/// Says where the service is, once it takes requests.
fn say(shell: &Shell, address: SocketAddr) -> Result<(), Failure> {
    let url = format!("http://{address}");
    shell.write(|| format!("listening on {url}\n"), || json!({ "listening": url })).map(drop)
}
