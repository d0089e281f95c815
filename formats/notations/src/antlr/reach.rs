//! Which rules and tokens the start rule reaches.

use super::Loaded;
use super::ast::{Element, ElementKind, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most names that stand for one another.
pub(super) const MOST_NAMES: usize = 10;

/// The rules of all files, by name. Where several files have a rule of one name, the first one counts.
pub(super) struct Rules<'g> {
    by_name: FxHashMap<&'g str, (usize, &'g Rule)>,
}

impl<'g> Rules<'g> {
    pub(super) fn new(loaded: &'g [Loaded]) -> Self {
        let mut by_name: FxHashMap<&str, (usize, &Rule)> = FxHashMap::default();
        for (file, Loaded { grammar, .. }) in loaded.iter().enumerate() {
            for rule in &grammar.rules {
                by_name.entry(&rule.name.text).or_insert((file, rule));
            }
        }
        Self { by_name }
    }

    /// The rule of this name.
    pub(super) fn get(&self, name: &str) -> Option<&'g Rule> {
        self.by_name.get(name).map(|(_, rule)| *rule)
    }

    /// The file with the rule of this name.
    pub(super) fn file(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).map(|(file, _)| *file)
    }

    /// What an element stands for: the only element of the rule that it names, and so on.
    pub(super) fn resolved<'e>(&self, element: &'e Element) -> &'e Element
    where
        'g: 'e,
    {
        let mut resolved = element;
        for _ in 0..MOST_NAMES {
            let ElementKind::Name(name) = &resolved.kind else { break };
            let Some([only]) = self.get(name).map(|rule| &rule.alternatives[..]) else { break };
            let Some(only) = only.only() else { break };
            resolved = only;
        }
        resolved
    }

    /// Whether the rule of a file is the one that counts.
    pub(super) fn counts(&self, file: usize, rule: &Rule) -> bool {
        self.by_name.get(rule.name.text.as_str()).is_some_and(|(owner, _)| *owner == file)
    }
}

/// The names and texts in rules of the parser that the start rule reaches.
#[derive(Default)]
pub(super) struct Reached<'g> {
    pub(super) names: FxHashSet<&'g str>,
    pub(super) texts: FxHashSet<&'g str>,
    /// If there are elements that any token matches, or all but some: what all of them leave out.
    left_out: Option<LeftOut<'g>>,
}

/// Names and texts of tokens.
#[derive(Default)]
struct LeftOut<'g> {
    names: FxHashSet<&'g str>,
    texts: FxHashSet<&'g str>,
}

impl<'g> Reached<'g> {
    /// Whether there is an element that matches a token, or a text, without naming it.
    pub(super) fn has_other(&self, name: Option<&str>, text: Option<&str>) -> bool {
        let has = |set: &FxHashSet<&str>, one: Option<&str>| one.is_some_and(|one| set.contains(one));
        self.left_out.as_ref().is_some_and(|out| !has(&out.names, name) && !has(&out.texts, text))
    }

    /// Takes an element that any token matches but these.
    fn all_but(&mut self, elements: &'g [Element]) {
        let mut out = LeftOut::default();
        for element in elements {
            match &element.kind {
                ElementKind::Name(name) => _ = out.names.insert(name.as_str()),
                ElementKind::Text { text, .. } => _ = out.texts.insert(text.as_str()),
                _ => {}
            }
        }
        if let Some(before) = &self.left_out {
            out.names.retain(|name| before.names.contains(name));
            out.texts.retain(|text| before.texts.contains(text));
        }
        self.left_out = Some(out);
    }
}

/// What the start rule reaches.
pub(super) fn reached<'g>(rules: &Rules<'g>, start: &'g Rule) -> Reached<'g> {
    let mut reached = Reached::default();
    reached.names.insert(start.name.text.as_str());
    let mut open: Vec<&Rule> = vec![start];
    while let Some(rule) = open.pop() {
        let mut elements: Vec<&Element> = rule.alternatives.iter().flat_map(|one| &one.elements).collect();
        while let Some(element) = elements.pop() {
            match &element.kind {
                ElementKind::Name(name) => {
                    let is_new = reached.names.insert(name.as_str());
                    let used = rules.get(name).filter(|used| is_new && !used.name.is_token());
                    open.extend(used);
                }
                ElementKind::Text { text, .. } => _ = reached.texts.insert(text.as_str()),
                ElementKind::Any => reached.all_but(&[]),
                ElementKind::Not(left_out) => reached.all_but(left_out),
                _ => elements.extend(element.children()),
            }
        }
    }
    reached
}
