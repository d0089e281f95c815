//! Calls that are JSON objects: their members come in any order.
//!
//! A member with the name, a member with the arguments, and further ones that the models write. The arguments may come before the name, so there are two
//! templates. Further members may stand at all places; parsers do not mind a member twice.

use serde::Serialize;
use std::collections::BTreeMap;

/// The members of a call.
#[derive(Serialize, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Object {
    /// The member with the name of the tool.
    pub(super) name: String,
    /// The names of the member with the arguments.
    pub(super) arguments: Vec<String>,
    /// Further members, and the pattern of their value.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) others: BTreeMap<String, String>,
}

/// A way to write a call.
pub(super) struct Spelling {
    /// The beginning, up to a member with the name or the arguments.
    pub(super) head: String,
    /// The call.
    pub(super) whole: String,
    /// Whether the name comes last.
    pub(super) is_late: bool,
}

/// How many further members there may be at a place.
const MOST_OTHERS: usize = 2;
/// White space at further members. They are rare and stand in the automata of free text, so no states count it.
const SPACE: &str = r"[ \t\r\n]*";

impl Object {
    /// The ways to write a call.
    pub(super) fn spellings(&self) -> [Spelling; 2] {
        let member = match &self.arguments[..] {
            [member] => member.clone(),
            members => format!("$(({}))", members.join("|")),
        };
        let (name, arguments) = ((&*self.name, "\"$name\""), (&*member, "$arguments"));
        let late = Spelling { is_late: true, ..self.spelling(arguments, name) };
        [self.spelling(name, arguments), late]
    }

    /// Leaves the members that models write always, by the first of their names.
    pub(super) fn leave_first(&mut self) {
        self.arguments.truncate(1);
        self.others.clear();
    }

    /// A call with these two members in this order.
    fn spelling(&self, first: (&str, &str), second: (&str, &str)) -> Spelling {
        let head = format!("{{$_{}\"{}\"", self.others(|other| format!("{other},{SPACE}")), first.0);
        let between = self.others(|other| format!("{other},{SPACE}"));
        let behind = self.others(|other| format!(",{SPACE}{other}"));
        let whole =
            format!("{head}$_:$_{}$_,$_{between}\"{}\"$_:$_{}$_{behind}}}", first.1, second.0, second.1);
        Spelling { head, whole, is_late: false }
    }

    /// The template of further members, each with its comma.
    fn others(&self, with_comma: impl Fn(String) -> String) -> String {
        if self.others.is_empty() {
            return String::new();
        }
        let member = |(name, value): (&String, &String)| format!("\"{name}\"{SPACE}:{SPACE}({value}){SPACE}");
        let any = self.others.iter().map(member).collect::<Vec<_>>().join("|");
        format!("$({}{{0,{MOST_OTHERS}}})", format_args!("({})", with_comma(format!("({any})"))))
    }
}
