//! Draws the times of masks.

use super::measured::Measured;
use crate::svg::{Axis, Line, Plot, measured_here, tail};
use std::time::Duration;

/// The share of the masks that take longer than a time, for each engine.
pub(super) fn draw(measured: &Measured) -> String {
    let line = |name: &str, times: &[Duration]| {
        let times: Vec<u64> = times.iter().map(|time| time.as_nanos() as u64).collect();
        Line { name: name.to_owned(), points: tail(&times) }
    };
    let mut lines = vec![line("gcc-grammar", &measured.decoding.mask)];
    let peers = measured.peers.iter().filter(|peer| !peer.mask.is_empty());
    lines.extend(peers.map(|peer| line(&peer.engine, &peer.mask)));
    Plot {
        title: "Share of the masks that take longer".to_owned(),
        x: Axis::logarithmic("µs"),
        y: Axis::logarithmic("share of the masks"),
        lines,
        measured: measured_here(),
    }
    .render()
}
