//! Files of a crate import each other without circles, so that each can be read after those that it imports.
//!
//! A file imports another one if it names an item of it, by `use` or by a path; re-exports count where the file uses the name itself. Tests
//! within a file do not count.

use gcc_grammar_tests::files::repository;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The crates.
const CRATES: [&str; 25] = [
    "bindings/c",
    "bindings/ffi",
    "bindings/llg",
    "bindings/llguidance",
    "bindings/python",
    "cli",
    "compiler",
    "formats/artifact",
    "formats/files",
    "formats/grammar",
    "formats/json_schema",
    "formats/limits",
    "formats/notations",
    "formats/ranks",
    "formats/regular",
    "formats/tokenizers",
    "formats/vocabulary",
    "gcc-grammar",
    "grammars",
    "runtime",
    "store",
    "tensors",
    "benches",
    "tests",
    "tests/random",
];

#[test]
fn files_import_each_other_without_circles() {
    let mut all = Vec::new();
    for name in CRATES {
        let circles = Modules::read(&repository().join(name).join("src")).circles();
        let paths = |circle: &BTreeSet<Module>| circle.iter().map(|module| module.join("::")).collect();
        all.extend(circles.iter().map(|circle| (name, paths(circle))).collect::<Vec<(_, Vec<String>)>>());
    }
    assert!(all.is_empty(), "circles of imports: {all:#?}");
}

/// The test sees a circle through a re-export, and none where a file only re-exports another one.
#[test]
fn circles_are_found() {
    let circles = |files: &[(&str, &str)]| {
        let modules = files.iter().map(|(path, code)| {
            (path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect(), tokens(code))
        });
        Modules(modules.collect()).circles().len()
    };
    assert_eq!(circles(&[("", "mod a; pub use a::A;"), ("a", "pub struct A;")]), 0);
    assert_eq!(
        circles(&[("a", "use crate::b::B; struct A;"), ("b", "struct B; fn f(_: super::a::A) {}")]),
        1
    );
    assert_eq!(
        circles(&[
            ("a", "pub use self::c::C;"),
            ("a::c", "struct C; use crate::b::f;"),
            ("b", "use crate::a::C; fn f() {}")
        ]),
        1
    );
    assert_eq!(
        circles(&[
            ("a", "use crate::b::{c::{D, E}, F}; // use crate::x"),
            ("b", "struct F;"),
            ("b::c", "struct D; struct E;")
        ]),
        0
    );
    assert_eq!(circles(&[("a", "use b::B; mod b; struct A;"), ("a::b", "struct B(\"super::A\");")]), 0);
}

/// The path of a module, below its crate.
type Module = Vec<String>;

/// The files of a crate as tokens, by their modules.
struct Modules(BTreeMap<Module, Vec<String>>);

/// A path that a file names.
struct Import {
    path: Vec<String>,
    is_reexport: bool,
}

impl Modules {
    fn read(root: &Path) -> Self {
        let mut modules = BTreeMap::new();
        let mut open = vec![(root.to_owned(), Module::new())];
        while let Some((folder, module)) = open.pop() {
            for entry in fs::read_dir(&folder).expect("a folder").flatten() {
                let path = entry.path();
                let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
                let mut inner = module.clone();
                if !matches!(stem.as_str(), "mod" | "lib" | "main") {
                    inner.push(stem.clone());
                }
                if path.is_dir() && stem != "bin" && stem != "tests" {
                    open.push((path, inner));
                } else if path.extension().is_some_and(|extension| extension == "rs") && stem != "tests" {
                    modules.insert(inner, tokens(&fs::read_to_string(&path).expect("text")));
                }
            }
        }
        Self(modules)
    }

    /// The strongly connected components of several files.
    fn circles(&self) -> Vec<BTreeSet<Module>> {
        let edges: BTreeMap<&Module, BTreeSet<Module>> =
            self.0.keys().map(|module| (module, self.imported_by(module))).collect();
        let reached = |from: &Module| {
            let mut reached: BTreeSet<Module> = BTreeSet::new();
            let mut open: Vec<&Module> = vec![from];
            while let Some(module) = open.pop() {
                open.extend(edges[module].iter().filter(|next| reached.insert((*next).clone())));
            }
            reached
        };
        let reach: BTreeMap<&Module, BTreeSet<Module>> =
            self.0.keys().map(|module| (module, reached(module))).collect();
        let circle = |module: &&Module| {
            let with: BTreeSet<Module> =
                reach[*module].iter().filter(|other| reach[*other].contains(*module)).cloned().collect();
            (with.len() > 1).then_some(with)
        };
        self.0
            .keys()
            .collect::<Vec<_>>()
            .iter()
            .filter_map(circle)
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect()
    }

    fn imported_by(&self, module: &Module) -> BTreeSet<Module> {
        let code = &self.0[module];
        let imports = imports(code);
        let names: Vec<&String> = imports.rest.iter().collect();
        let counts = |import: &&Import| {
            !import.is_reexport || import.path.last().is_some_and(|name| names.contains(&name))
        };
        let targets =
            imports.paths.iter().filter(counts).filter_map(|import| self.resolve(module, &import.path, 0));
        targets.filter(|target| target != module).collect()
    }

    /// The file that has the item of a path; none if it is of another crate.
    fn resolve(&self, module: &Module, path: &[String], depth: usize) -> Option<Module> {
        let (mut base, mut rest) = match path.first()?.as_str() {
            "crate" => (Module::new(), &path[1..]),
            "self" => (module.clone(), &path[1..]),
            "super" => {
                let up = path.iter().take_while(|part| *part == "super").count();
                (module[..module.len().checked_sub(up)?].to_vec(), &path[up..])
            }
            first if self.0.contains_key(&child(module, first)) => (module.clone(), path),
            _ => return None,
        };
        while let Some((first, others)) = rest.split_first()
            && self.0.contains_key(&child(&base, first))
        {
            (base, rest) = (child(&base, first), others);
        }
        let code = self.0.get(&base)?;
        let Some(name) = rest.first().filter(|name| *name != "*" && *name != "self") else {
            return Some(base);
        };
        if depth > 6 || defines(code, name) {
            return Some(base);
        }
        let reexports = imports(code).paths.into_iter().filter(|import| import.is_reexport);
        let mut found = reexports.filter(|import| import.path.last() == Some(name));
        Some(found.find_map(|import| self.resolve(&base, &import.path, depth + 1)).unwrap_or(base))
    }
}

fn child(module: &Module, name: &str) -> Module {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

fn defines(code: &[String], name: &str) -> bool {
    let items = ["struct", "enum", "fn", "trait", "type", "const", "static", "union", "macro_rules", "mod"];
    code.windows(2).any(|pair| items.contains(&pair[0].as_str()) && pair[1] == name)
}

struct Imports {
    paths: Vec<Import>,
    /// The tokens outside of `use`.
    rest: Vec<String>,
}

fn imports(code: &[String]) -> Imports {
    let mut found = Imports { paths: Vec::new(), rest: Vec::new() };
    let mut at = 0;
    while at < code.len() {
        if code[at] == "use" {
            let end = at + code[at..].iter().position(|token| token == ";").unwrap_or(code.len() - at);
            let is_reexport = at > 0 && (code[at - 1] == "pub" || code[at - 1] == ")");
            let paths = trees(&code[at + 1..end]);
            found.paths.extend(paths.into_iter().map(|path| Import { path, is_reexport }));
            at = end + 1;
        } else if is_name(&code[at])
            && code.get(at + 1).is_some_and(|token| token == "::")
            && (at == 0 || code[at - 1] != "::")
        {
            let mut path = vec![code[at].clone()];
            while code.get(at + 1).is_some_and(|token| token == "::")
                && code.get(at + 2).is_some_and(|token| is_name(token))
            {
                path.push(code[at + 2].clone());
                at += 2;
            }
            found.rest.extend(path.iter().cloned());
            found.paths.push(Import { path, is_reexport: false });
            at += 1;
        } else {
            found.rest.push(code[at].clone());
            at += 1;
        }
    }
    found
}

/// The paths of a use tree.
fn trees(tokens: &[String]) -> Vec<Vec<String>> {
    let (mut paths, mut prefixes, mut path) = (Vec::new(), Vec::new(), Vec::new());
    let mut tokens = tokens.iter();
    let mut complete = |path: &mut Vec<String>, prefix: usize| {
        if path.len() > prefix {
            paths.push(path.clone());
        }
        path.truncate(prefix);
    };
    while let Some(token) = tokens.next() {
        match token.as_str() {
            "{" => prefixes.push(path.len()),
            "," => complete(&mut path, prefixes.last().copied().unwrap_or(0)),
            "}" => {
                complete(&mut path, prefixes.pop().unwrap_or(0));
                path.truncate(prefixes.last().copied().unwrap_or(0));
            }
            "as" => drop(tokens.next()),
            "::" => {}
            name => path.push(name.to_owned()),
        }
    }
    complete(&mut path, 0);
    paths
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The names, `::` and other characters of a file, up to its tests, without comments, strings and white space.
fn tokens(code: &str) -> Vec<String> {
    let tests = ["#[cfg(test)]\nmod ", "#[cfg(test)]\npub(crate) mod "];
    let code = &code[..tests.iter().filter_map(|start| code.find(start)).min().unwrap_or(code.len())];
    let mut tokens = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' => string(rest),
            'r' if rest.starts_with("r\"") || rest.starts_with("r#") => raw_string(rest).unwrap_or(1),
            '\'' => character(rest),
            ':' if rest.starts_with("::") => {
                tokens.push("::".to_owned());
                2
            }
            c if c.is_alphabetic() || c == '_' => {
                let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                tokens.push(rest[..length].to_owned());
                length
            }
            c if c.is_whitespace() => c.len_utf8(),
            c => {
                tokens.push(c.to_string());
                c.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    tokens
}

/// The length of the string at the start.
fn string(code: &str) -> usize {
    let mut escaped = false;
    for (at, c) in code.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    code.len()
}

/// The length of the raw string at the start; none if it is a name.
fn raw_string(code: &str) -> Option<usize> {
    let hashes = code[1..].chars().take_while(|c| *c == '#').count();
    let content = code[1 + hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(2 + hashes + content.find(&end)? + end.len())
}

/// The length of the character literal at the start; that of the quote if it begins a lifetime.
fn character(code: &str) -> usize {
    let mut characters = code.char_indices().skip(1);
    match characters.next() {
        Some((_, '\\')) => {
            code[2..].char_indices().skip(1).find(|(_, c)| *c == '\'').map_or(1, |(at, _)| at + 3)
        }
        Some(_) => characters.next().filter(|(_, c)| *c == '\'').map_or(1, |(at, _)| at + 1),
        None => 1,
    }
}
