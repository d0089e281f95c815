//! Draws line plots as SVG text, with logarithmic or linear axes, a legend beside the plot, and the day and the machine.

use std::fmt::Write as _;
use std::process::Command;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 416.0;
const LEFT: f64 = 76.0;
/// Behind it is the legend.
const RIGHT: f64 = WIDTH - 216.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = HEIGHT - 54.0;
/// The colours of the lines, which colour-blind people can distinguish, too (Okabe and Ito).
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/// The scale of an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Logarithmic, with a mark for each power of ten. Values that are not positive are left out.
    Logarithmic,
    /// Linear, from 0.
    Linear,
}

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The quantity and its unit.
    pub label: String,
    /// The scale.
    pub scale: Scale,
}

/// A line through its points.
#[derive(Clone, Debug)]
pub struct Line {
    /// The name in the legend.
    pub name: String,
    /// The points (x, y), in the order in which they are joined.
    pub points: Vec<(f64, f64)>,
}

/// A plot.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The text above the plot.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines, at most six of them with colours of their own.
    pub lines: Vec<Line>,
    /// When and where the figures were measured.
    pub measured: String,
}

/// The day and the machine, as far as they are known.
#[must_use]
pub fn measured_here() -> String {
    let day = Command::new("date").args(["-u", "+%F"]).output();
    let day = day.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = about.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cores =
        std::thread::available_parallelism().map_or_else(|_| String::new(), |cores| format!("{cores} cores"));
    let parts = [day, model.map_or_else(String::new, |(_, model)| model.to_owned()), cores];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// The approximate number of points of a line of [`tail`].
const POINTS: usize = 200;

/// The share of sorted times in nanoseconds from each one on, by microseconds. The distance between points shrinks towards the largest time, so
/// that the tail has as many points as the rest.
#[must_use]
pub fn tail(times: &[u64]) -> Vec<(f64, f64)> {
    let mut points = Vec::new();
    let mut above = times.len();
    while above > 0 {
        points.push((times[times.len() - above] as f64 / 1e3, above as f64 / times.len() as f64));
        above = (above * (POINTS / 8) / (POINTS / 8 + 1)).min(above - 1);
    }
    points
}

/// An axis with the values at its ends and the pixels where they are.
struct Placed {
    scale: Scale,
    ends: (f64, f64),
    pixels: (f64, f64),
}

impl Axis {
    /// An axis with a mark for each power of ten.
    #[must_use]
    pub fn logarithmic(label: &str) -> Self {
        Self { label: label.to_owned(), scale: Scale::Logarithmic }
    }

    /// An axis from 0.
    #[must_use]
    pub fn linear(label: &str) -> Self {
        Self { label: label.to_owned(), scale: Scale::Linear }
    }

    /// Places the axis so that it is wide enough for the values.
    fn place(&self, values: impl Iterator<Item = f64>, pixels: (f64, f64)) -> Placed {
        let shown = values.filter(|&value| self.shows(value));
        let (low, high) =
            shown.fold((f64::INFINITY, 0.0f64), |(low, high), value| (low.min(value), high.max(value)));
        let ends = match self.scale {
            _ if high == 0.0 => (1.0, 10.0),
            Scale::Linear => (0.0, round_above(high)),
            Scale::Logarithmic => (power_below(low), power_above(high).max(10.0 * power_below(low))),
        };
        Placed { scale: self.scale, ends, pixels }
    }

    fn shows(&self, value: f64) -> bool {
        value.is_finite() && (self.scale == Scale::Linear || value > 0.0)
    }
}

fn power_below(value: f64) -> f64 {
    10f64.powf(value.log10().floor())
}

/// The least number of the form 1, 2 or 5 times a power of ten that is not below the value.
fn round_above(value: f64) -> f64 {
    let power = power_below(value);
    [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|&end| end >= value).unwrap_or(value)
}

fn power_above(value: f64) -> f64 {
    10f64.powf(value.log10().ceil())
}

impl Placed {
    fn pixel(&self, value: f64) -> f64 {
        let (low, high) = self.ends;
        let part = match self.scale {
            Scale::Linear => (value - low) / (high - low),
            Scale::Logarithmic => (value / low).log10() / (high / low).log10(),
        };
        self.pixels.0 + part * (self.pixels.1 - self.pixels.0)
    }

    /// The values with a line of the grid.
    fn marks(&self) -> Vec<f64> {
        let (low, high) = self.ends;
        match self.scale {
            Scale::Linear => (0..=5).map(|fifth| high * f64::from(fifth) / 5.0).collect(),
            Scale::Logarithmic => {
                let decades = (high / low).log10().round() as i32;
                (0..=decades).map(|decade| low * 10f64.powi(decade)).collect()
            }
        }
    }
}

/// Writes a number in few characters: 0.1, 25, 10 k, 2 M.
fn short(value: f64) -> String {
    let (scaled, unit) = match value {
        value if value >= 1e6 => (value / 1e6, " M"),
        value if value >= 1e4 => (value / 1e3, " k"),
        value => (value, ""),
    };
    let text =
        if scaled == 0.0 || scaled.abs() >= 1e-6 { format!("{scaled:.7}") } else { format!("{scaled:e}") };
    let text = if text.contains(['.']) { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{unit}")
}

impl Plot {
    /// The plot as an SVG document.
    #[must_use]
    pub fn render(&self) -> String {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let x = self.x.place(points().map(|point| point.0), (LEFT, RIGHT));
        let y = self.y.place(points().map(|point| point.1), (BOTTOM, TOP));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <title>{}</title>\n<desc>{}</desc>\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n",
            escaped(&self.title),
            escaped(&self.description()),
        );
        text(&mut out, ((LEFT + RIGHT) / 2.0, 20.0), "middle", &self.title);
        text(&mut out, ((LEFT + RIGHT) / 2.0, 38.0), "middle", &self.measured);
        text(&mut out, ((LEFT + RIGHT) / 2.0, HEIGHT - 14.0), "middle", &self.x.label);
        let (across, middle) = (16.0, (TOP + BOTTOM) / 2.0);
        let label = escaped(&self.y.label);
        let _ = writeln!(
            out,
            "<text x=\"{across}\" y=\"{middle}\" text-anchor=\"middle\" transform=\"rotate(-90 {across} {middle})\">{label}</text>"
        );
        grid(&mut out, &x, &y);
        for (index, line) in self.lines.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            self.draw(&mut out, (&x, &y), line, colour);
            let height = TOP + 16.0 + 17.0 * index as f64;
            let (from, to) = (RIGHT + 12.0, RIGHT + 34.0);
            let _ = writeln!(
                out,
                "<path d=\"M{from} {}H{to}\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                height - 4.0
            );
            text(&mut out, (to + 6.0, height), "start", &line.name);
        }
        out.push_str("</svg>\n");
        out
    }

    /// The plot in words: its axes, and the ends of each line.
    fn description(&self) -> String {
        let line = |line: &Line| {
            let point = |point: Option<&(f64, f64)>| {
                point.map_or_else(String::new, |&(x, y)| format!("({}, {})", short(x), short(y)))
            };
            format!("{} from {} to {}", line.name, point(line.points.first()), point(line.points.last()))
        };
        let lines: Vec<String> = self.lines.iter().map(line).collect();
        format!("{} by {}; {}. {}", self.y.label, self.x.label, lines.join("; "), self.measured)
    }

    fn draw(&self, out: &mut String, (x, y): (&Placed, &Placed), line: &Line, colour: &str) {
        let shown = line.points.iter().filter(|point| self.x.shows(point.0) && self.y.shows(point.1));
        let pixels: Vec<String> =
            shown.map(|&(right, up)| format!("{:.1},{:.1}", x.pixel(right), y.pixel(up))).collect();
        let pixels = pixels.join(" ");
        let _ = writeln!(
            out,
            "<polyline points=\"{pixels}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>"
        );
    }
}

fn grid(out: &mut String, x: &Placed, y: &Placed) {
    for mark in x.marks() {
        let right = x.pixel(mark);
        let _ = writeln!(out, "<path d=\"M{right:.1} {TOP}V{BOTTOM}\" stroke=\"#ddd\"/>");
        text(out, (right, BOTTOM + 18.0), "middle", &short(mark));
    }
    for mark in y.marks() {
        let down = y.pixel(mark);
        let _ = writeln!(out, "<path d=\"M{LEFT} {down:.1}H{RIGHT}\" stroke=\"#ddd\"/>");
        text(out, (LEFT - 6.0, down + 4.0), "end", &short(mark));
    }
    let _ = writeln!(out, "<path d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\" stroke=\"black\" fill=\"none\"/>");
}

fn text(out: &mut String, (x, y): (f64, f64), anchor: &str, content: &str) {
    let content = escaped(content);
    let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{content}</text>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shorts = [0.0001, 0.25, 1.0, 100.0, 1000.0, 20_000.0, 3e6].map(short);
        assert_eq!(shorts, ["0.0001", "0.25", "1", "100", "1000", "20 k", "3 M"]);
    }

    #[test]
    fn points_lie_between_the_axes() {
        let points = vec![(1.0, 0.02), (30.0, 5.0), (0.0, 7.0), (1000.0, 90.0)];
        let plot = Plot {
            title: "a < b".to_owned(),
            x: Axis::logarithmic("x"),
            y: Axis::linear("y"),
            lines: vec![Line { name: "one".to_owned(), points }],
            measured: "today & here".to_owned(),
        };
        let svg = plot.render();
        assert!(svg.contains("<title>a &lt; b</title>") && svg.contains("today &amp; here</text>"), "{svg}");
        assert!(
            svg.contains("<desc>y by x; one from (1, 0.02) to (1000, 90). today &amp; here</desc>"),
            "{svg}"
        );
        let line = svg.lines().find(|line| line.starts_with("<polyline")).unwrap_or_default();
        let points: Vec<&str> = line.split('"').nth(1).unwrap_or_default().split(' ').collect();
        assert_eq!(points, ["76.0,361.9", "375.4,346.5", "684.0,83.0"], "0 has no logarithm");
    }
}
