//! A connection whose client has to take the reply in time.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// A client that takes less in a second makes the service lose its patience in the end.
const BYTES_A_SECOND: u64 = 1 << 14;

/// A connection that ends if its client lets it wait for too long at once, or in sum: for longer than the patience, and a second for each
/// [`BYTES_A_SECOND`] that it has taken.
pub(super) struct Paced {
    stream: TcpStream,
    patience: Duration,
    /// When the write that waits began to wait, and the end of the patience.
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
    waited: Duration,
    taken: u64,
}

impl Paced {
    pub(super) fn new(stream: TcpStream, patience: Duration) -> Self {
        Self { stream, patience, waiting: None, waited: Duration::ZERO, taken: 0 }
    }

    /// The time for which the client may let the service wait now.
    fn left(&self) -> Duration {
        let all = self.patience + Duration::from_secs(self.taken / BYTES_A_SECOND);
        all.saturating_sub(self.waited).min(self.patience)
    }

    /// What becomes of a write: if it has to wait, that is an error at the end of the patience.
    fn paced(
        &mut self,
        written: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = written {
            if let Some((start, _)) = self.waiting.take() {
                self.waited += start.elapsed();
            }
            self.taken += written.as_ref().map_or(0, |bytes| *bytes as u64);
            return Poll::Ready(written);
        }
        let left = self.left();
        let (_, end) = self.waiting.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(left))));
        end.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Paced {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Paced {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.paced(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.paced(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
