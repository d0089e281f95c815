//! Errors and warnings: as data, with stable codes that are explained and documented, and rendered as text or JSON.
//!
//! | file | contents |
//! |---|---|
//! | `explanation` | [`Explanation`]: meaning, example and remedy of a code |
//! | `code` | [`Code`]: the table of all kinds of diagnostics with their explanations |
//! | `text_form` | printing codes and reading them back |
//! | `data` | [`Diagnostic`]: severity, code, message, location, advice |
//! | `reference` | [`reference()`]: the table of codes as a page of documentation |
//! | `render` | the renderers [`render_text`], [`render_all`], [`to_json`] and [`all_to_json`] |

mod code;
mod data;
mod explanation;
mod reference;
mod render;
mod text_form;

pub use code::Code;
pub use data::{Diagnostic, Location, Severity};
pub use explanation::{Example, Explanation};
pub use reference::reference;
pub use render::{all_to_json, line_and_column, render_all, render_text, shortened, to_json};
pub use text_form::UnknownCode;
