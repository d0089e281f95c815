//! Names that no parser of a family reads.
//!
//! A call with such a name is lost as text, so its definition is an error. Only the members of `properties` at the root of a schema are looked at: they
//! are the parameters, and keys further inside are strings.

use super::definitions::{Definitions, Kind, Tool};
use super::family::Family;
use super::names::Names;
use crate::structural_tag::json::Place;
use gcc_grammar_ir::{Code, Diagnostic, Location};

impl Definitions<'_> {
    /// An error if a tool or a parameter has a name that the parsers of a family do not read.
    pub(super) fn check_names(&self, family: &Family) -> Result<(), Diagnostic> {
        let names = family.names;
        if names == Names::Any {
            return Ok(());
        }
        for tool in &self.tools {
            if !names.has_tool(&tool.name) {
                return Err(unread(family, "tool", &tool.name, format!("{}/name", tool.pointer)));
            }
            self.check_parameters(family, tool)?;
        }
        Ok(())
    }

    fn check_parameters(&self, family: &Family, tool: &Tool) -> Result<(), Diagnostic> {
        let schema = &self.schemas[tool.schema];
        if schema.kind != Kind::Schema {
            return Ok(());
        }
        // What is wrong with a schema is said where it is read.
        let Ok(root) = Place::root(&schema.text, Code::BadTools).and_then(Place::object) else {
            return Ok(());
        };
        let Ok(parameters) = root.object("properties") else { return Ok(()) };
        match parameters.names().find(|key| !family.names.has_parameter(key)) {
            Some(key) => {
                let place = parameters.place(key)?.pointer;
                Err(unread(family, "parameter", key, format!("{}{place}", schema.pointer)))
            }
            None => Ok(()),
        }
    }
}

fn unread(family: &Family, what: &str, name: &str, pointer: String) -> Diagnostic {
    let message = format!("no parser of the family {} reads a call with the {what} {name:?}", family.name);
    let said = family.names.said(what == "tool");
    let error = Diagnostic::error(Code::BadTools, message).at(Location::Pointer(pointer));
    error.help(format!("rename it: the names of {what}s there are {said}"))
}
