//! The families that a caller describes, beside those that are built in.

use super::builtin::named;
use super::description::{not_one, table};
use super::family::Family;
use crate::structural_tag::json::nearly;
use gcc_grammar_ir::{Code, Diagnostic, Location};

/// Families that a caller describes: names for `model`, beside those that are built in.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Families(Vec<Family>);

impl Families {
    /// Reads the description of a family, or a list of descriptions.
    ///
    /// # Errors
    /// The text is no such description, or a name is taken. Locations are JSON Pointers, or byte ranges if it is not valid JSON.
    pub fn read(text: &str) -> Result<Self, Diagnostic> {
        let mut families = Self::default();
        for (family, place) in table(text)? {
            if named(&family.name).is_some() {
                let error = place.error(format!("the family {} is built in", family.name));
                return Err(error.help("give this one another name"));
            }
            if families.named(&family.name).is_some() {
                return Err(twice(&family.name).at(Location::Pointer(place.pointer)));
            }
            families.0.push(family);
        }
        Ok(families)
    }

    /// Adds further families.
    ///
    /// # Errors
    /// A name is taken.
    pub fn add(&mut self, others: Self) -> Result<(), Diagnostic> {
        match others.0.iter().find(|other| self.named(&other.name).is_some()) {
            Some(other) => Err(twice(&other.name)),
            None => {
                self.0.extend(others.0);
                Ok(())
            }
        }
    }

    /// Adds those of further families whose names are not there.
    pub fn add_missing(&mut self, others: &Self) {
        let missing = others.0.iter().filter(|other| self.named(&other.name).is_none());
        let missing: Vec<Family> = missing.cloned().collect();
        self.0.extend(missing);
    }

    /// The families.
    #[must_use]
    pub fn as_slice(&self) -> &[Family] {
        &self.0
    }

    /// The family of this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Family> {
        self.0.iter().find(|family| family.name.eq_ignore_ascii_case(name))
    }

    /// The family, if there is one.
    ///
    /// # Errors
    /// There are several, or none.
    pub fn only(&self) -> Result<&Family, Diagnostic> {
        match self.0.as_slice() {
            [one] => Ok(one),
            several => Err(not_one(several.len())),
        }
    }

    /// The advice to name one of these, for errors.
    pub(super) fn advice(&self, name: Option<&str>) -> String {
        let names = || self.0.iter().map(|family| family.name.as_str());
        let all = names().collect::<Vec<_>>().join(", ");
        match name.map(|name| nearly(name, names())) {
            _ if self.0.is_empty() => String::new(),
            Some(meant) if !meant.is_empty() => meant,
            _ => format!("the families that are given are {all}; "),
        }
    }
}

fn twice(name: &str) -> Diagnostic {
    let error = Diagnostic::error(Code::BadFamily, format!("there are two families {name}"));
    error.help("give each family a name of its own")
}
