//! Tokens that use themselves, as in `X : '(' X* ')'`, up to a depth.
//!
//! ```text
//! X ──lowered──▶ X__1 : no X within;  X__2 : X__1 within;  …  X : X__7 within
//! X ──begun────▶ X__BEGUN0 : what stands before an X within X__1;  X__BEGUN1 : the same, then X__1 or X__BEGUN0;  …
//! ```
//! Input: the tokens with their alternatives. Output: rules for the levels of those that use themselves, and for the beginnings of texts that go one level
//! deeper. A text with such a beginning is a token that no rule uses, whatever follows: it is in no text of the grammar, instead of being cut as ANTLR would
//! not. That includes all texts that go deeper as long as no lazy repetition stands before a use; otherwise the tokens are left as they are.

use super::ast::{Alternative, Element, ElementKind, with_inner};
use gcc_grammar_ir::components;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The most levels.
pub(super) const MOST_LEVELS: usize = 8;
/// The fewest levels.
pub(super) const FEWEST_LEVELS: usize = 2;
/// The most elements of a token with all that it uses.
const MOST_ELEMENTS: u64 = 20_000;

/// Tokens with their alternatives.
pub(super) type Token<'g> = (&'g str, Vec<Alternative>);

/// The tokens that use themselves, directly or not, and the tokens that use those.
pub(super) struct Levels<'g> {
    tokens: Vec<Token<'g>>,
    places: FxHashMap<&'g str, usize>,
    /// The tokens that use one another, each component after those that it uses.
    components: Vec<Vec<u32>>,
    known: Vec<Known>,
    levels: usize,
}

/// What is known about a token.
#[derive(Clone, Copy, Default)]
struct Known {
    /// Its place in the order of a search through all tokens, from a token to those that it uses.
    rank: usize,
    /// The number of its component, if it uses itself.
    component: Option<usize>,
    /// Whether it uses a token that uses itself.
    nests: bool,
    /// Whether a lazy repetition stands in it, or in what it uses.
    is_lazy: bool,
}

impl<'g> Levels<'g> {
    /// The levels of these tokens, `most` at most. There are none if a token begins with itself, or something lazy stands before a use, or they are
    /// too large.
    pub(super) fn of(tokens: Vec<Token<'g>>, most: usize) -> Self {
        let places: FxHashMap<&str, usize> =
            tokens.iter().enumerate().map(|(place, (name, _))| (*name, place)).collect();
        let uses = |all: bool| tokens.iter().map(|(_, body)| used(body, &places, all)).collect::<Vec<_>>();
        let (uses, begins) = (uses(true), uses(false));
        let components = in_order_of_use(&uses);
        let known = vec![Known::default(); tokens.len()];
        let mut found = Self { tokens, places, components, known, levels: most };
        if !in_order_of_use(&begins).iter().any(|component| uses_itself(component, &begins)) {
            found.mark(&uses);
        }
        while found.levels > FEWEST_LEVELS && found.largest() > MOST_ELEMENTS {
            found.levels -= 1;
        }
        let is_unknown = |name: &&str| found.nests(name) && found.rules(name).is_none();
        if found.largest() > MOST_ELEMENTS || found.tokens.iter().any(|(name, _)| is_unknown(name)) {
            found.known.fill(Known::default());
        }
        found
    }

    fn mark(&mut self, uses: &[Vec<u32>]) {
        let mut rank = 0;
        for (number, component) in self.components.iter().enumerate() {
            let is_recursive = uses_itself(component, uses);
            let used = || component.iter().flat_map(|&token| &uses[token as usize]);
            let nests = is_recursive || used().any(|&used| self.known[used as usize].nests);
            let mut own = component.iter().flat_map(|&token| &self.tokens[token as usize].1);
            let is_lazy = own.any(|one| one.elements.iter().any(has_lazy))
                || used().any(|&used| self.known[used as usize].is_lazy);
            for &token in component {
                let component = is_recursive.then_some(number);
                self.known[token as usize] = Known { rank, component, nests, is_lazy };
                rank += 1;
            }
        }
    }

    /// The number of elements of the largest token that uses itself, with all that it uses.
    fn largest(&self) -> u64 {
        let mut sizes: FxHashMap<usize, u64> = FxHashMap::default();
        let mut largest = 0;
        for component in &self.components {
            let is_recursive = self.known[component[0] as usize].component.is_some();
            for _ in 0..if is_recursive { self.levels } else { 1 } {
                // What is used on the same level comes later in a component.
                for token in component.iter().rev().map(|&token| token as usize) {
                    let size_of =
                        |name: &str| self.places.get(name).and_then(|used| sizes.get(used)).copied();
                    let size = size(&self.tokens[token].1, &|name| size_of(name).unwrap_or(0));
                    sizes.insert(token, size);
                    largest = largest.max(if self.known[token].nests { size } else { 0 });
                }
            }
        }
        largest
    }

    /// How many levels there are.
    pub(super) fn count(&self) -> usize {
        self.levels
    }

    /// Whether a token uses one that uses itself.
    pub(super) fn nests(&self, name: &str) -> bool {
        self.places.get(name).is_some_and(|&place| self.known[place].nests)
    }

    /// Whether a token uses itself.
    pub(super) fn is_recursive(&self, name: &str) -> bool {
        self.places.get(name).is_some_and(|&place| self.known[place].component.is_some())
    }

    /// The rules of a token: the last one has its name. None if texts that go deeper are not known.
    pub(super) fn rules(&self, name: &str) -> Option<Vec<(String, Vec<Alternative>)>> {
        let token = *self.places.get(name)?;
        let body = &self.tokens[token].1;
        let mut rules = Vec::new();
        if self.is_recursive(name) {
            let beyond = Level { levels: self, token, level: 1, is_beyond: true };
            rules.push((begun_name(name, 0, self.levels), beyond.begun(body)?));
        }
        let lowest = if self.is_recursive(name) { 1 } else { self.levels };
        for level in lowest..=self.levels {
            let of = Level { levels: self, token, level, is_beyond: false };
            rules.push((begun_name(name, level, self.levels), of.begun(body)?));
            rules.push((level_name(name, level, self.levels), of.alternatives(body)));
        }
        Some(rules)
    }

    /// The texts that begin a token and go a level deeper than there are levels, with whatever follows.
    pub(super) fn deeper(&self, name: &str, at: Range<usize>) -> Alternative {
        let element = |kind| Element { kind, span: at.clone() };
        let begun = element(ElementKind::Name(begun_name(name, self.levels, self.levels)));
        Alternative {
            elements: vec![begun, element(any_times(element(ElementKind::Any)))],
            ..Alternative::default()
        }
    }
}

/// The rule of a token on a level.
struct Level<'l, 'g> {
    levels: &'l Levels<'g>,
    token: usize,
    level: usize,
    /// Whether this is the level beyond the deepest one, of whose texts the beginnings are wanted up to a use.
    is_beyond: bool,
}

impl Level<'_, '_> {
    /// The level of a token that this one uses: none if it has no levels for it.
    fn of(&self, name: &str) -> Option<usize> {
        let Levels { known, places, levels, .. } = self.levels;
        let (own, used) = (known[self.token], known[*places.get(name)?]);
        match used.component {
            Some(component) if own.component != Some(component) => Some(*levels),
            Some(_) if used.rank > own.rank => Some(self.level),
            Some(_) => Some(self.level - 1),
            None => used.nests.then_some(*levels),
        }
    }

    fn alternatives(&self, alternatives: &[Alternative]) -> Vec<Alternative> {
        let of = |one: &Alternative| one.elements.iter().map(|element| self.element(element)).collect();
        alternatives.iter().map(|one| sequence(of(one))).collect()
    }

    fn element(&self, element: &Element) -> Element {
        let kind = match &element.kind {
            ElementKind::Name(name) => match self.of(name) {
                Some(0) => ElementKind::Group(Vec::new()),
                Some(level) => ElementKind::Name(level_name(name, level, self.levels.levels)),
                None => element.kind.clone(),
            },
            ElementKind::Group(alternatives) => ElementKind::Group(self.alternatives(alternatives)),
            ElementKind::Repeat { inner, min, max, lazy } => {
                let inner = Box::new(self.element(inner));
                ElementKind::Repeat { inner, min: *min, max: *max, lazy: *lazy }
            }
            other => other.clone(),
        };
        Element { kind, span: element.span.clone() }
    }

    /// The beginnings of texts that go deeper than there are levels. None if something lazy is among it.
    fn begun(&self, alternatives: &[Alternative]) -> Option<Vec<Alternative>> {
        let mut all = Vec::new();
        for Alternative { elements, .. } in alternatives {
            for (at, element) in elements.iter().enumerate() {
                let Some(begun) = self.begun_element(element)? else { continue };
                let before = &elements[..at];
                (!before.iter().any(|element| self.is_lazy(element))).then_some(())?;
                let before = before.iter().map(|element| self.element(element));
                all.push(sequence(before.chain([begun]).collect()));
            }
        }
        Some(all)
    }

    /// The beginnings within an element: none if it uses nothing that has levels.
    fn begun_element(&self, element: &Element) -> Option<Option<Element>> {
        let Levels { levels: most, .. } = self.levels;
        let kind = match &element.kind {
            ElementKind::Name(name) => match self.of(name) {
                Some(0) if self.is_beyond => ElementKind::Group(vec![sequence(Vec::new())]),
                Some(0) => {
                    let names = [level_name(name, 1, *most), begun_name(name, 0, *most)];
                    let element =
                        |name| Element { kind: ElementKind::Name(name), span: element.span.clone() };
                    ElementKind::Group(names.map(|name| sequence(vec![element(name)])).to_vec())
                }
                Some(level) if self.is_beyond && level == self.level => {
                    ElementKind::Name(begun_name(name, 0, *most))
                }
                Some(level) => ElementKind::Name(begun_name(name, level, *most)),
                None => return Some(None),
            },
            ElementKind::Group(alternatives) => {
                let begun = self.begun(alternatives)?;
                if begun.is_empty() {
                    return Some(None);
                }
                ElementKind::Group(begun)
            }
            ElementKind::Repeat { inner, max, .. } => {
                let Some(begun) = self.begun_element(inner)? else { return Some(None) };
                if *max == Some(1) {
                    return Some(Some(begun));
                }
                (!self.is_lazy(inner)).then_some(())?;
                let before = Element { kind: any_times(self.element(inner)), span: element.span.clone() };
                ElementKind::Group(vec![sequence(vec![before, begun])])
            }
            _ => return Some(None),
        };
        Some(Some(Element { kind, span: element.span.clone() }))
    }

    /// Whether a lazy repetition stands in an element, or in what it uses.
    fn is_lazy(&self, element: &Element) -> bool {
        let is_lazy = |name: &&str| {
            let place = self.levels.places.get(name);
            place.is_some_and(|&place| self.levels.known[place].is_lazy)
        };
        has_lazy(element) || names(element).iter().any(is_lazy)
    }
}

fn level_name(name: &str, level: usize, most: usize) -> String {
    if level == most { name.to_owned() } else { format!("{name}__{level}") }
}

fn begun_name(name: &str, level: usize, most: usize) -> String {
    if level == most { format!("{name}__BEGUN") } else { format!("{name}__BEGUN{level}") }
}

fn sequence(elements: Vec<Element>) -> Alternative {
    Alternative { elements, ..Alternative::default() }
}

fn any_times(inner: Element) -> ElementKind {
    ElementKind::Repeat { inner: Box::new(inner), min: 0, max: None, lazy: false }
}

fn in_order_of_use(uses: &[Vec<u32>]) -> Vec<Vec<u32>> {
    components(uses.len(), 0..uses.len() as u32, |token| &uses[token as usize])
}

fn uses_itself(component: &[u32], uses: &[Vec<u32>]) -> bool {
    component.len() > 1 || component.iter().any(|token| uses[*token as usize].contains(token))
}

/// The tokens that are used in alternatives, or only those at the beginning.
fn used(body: &[Alternative], places: &FxHashMap<&str, usize>, all: bool) -> Vec<u32> {
    let mut found = Vec::new();
    let mut open: Vec<&[Element]> = body.iter().map(|one| &one.elements[..]).collect();
    while let Some(elements) = open.pop() {
        let Some((element, rest)) = elements.split_first() else { continue };
        if all || element.may_be_empty(&mut |_| false) {
            open.push(rest);
        }
        match &element.kind {
            ElementKind::Name(name) => found.extend(places.get(name.as_str()).map(|&place| place as u32)),
            ElementKind::Group(alternatives) => open.extend(alternatives.iter().map(|one| &one.elements[..])),
            ElementKind::Repeat { inner, .. } => open.push(std::slice::from_ref(inner)),
            _ => {}
        }
    }
    found
}

fn has_lazy(element: &Element) -> bool {
    matches!(element.kind, ElementKind::Repeat { lazy: true, .. })
        || element.children().into_iter().any(has_lazy)
}

/// The names in an element.
fn names(element: &Element) -> Vec<&str> {
    let names = with_inner([element].into_iter()).into_iter();
    names
        .filter_map(|element| match &element.kind {
            ElementKind::Name(name) => Some(name.as_str()),
            _ => None,
        })
        .collect()
}

/// The number of elements in alternatives, with all that they use.
fn size(body: &[Alternative], size_of: &impl Fn(&str) -> u64) -> u64 {
    let mut size = 0_u64;
    for element in with_inner(body.iter().flat_map(|one| &one.elements)) {
        size = size.saturating_add(1);
        if let ElementKind::Name(name) = &element.kind {
            size = size.saturating_add(size_of(name));
        }
    }
    size
}
