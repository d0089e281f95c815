//! Keys that occur twice, where a condition counts members or looks for one.
//!
//! The value of an object in which a key is repeated has the last of its members only. Mostly this makes no difference: if all members
//! are valid, the last ones are. It does where members are counted (`minProperties`), or where some member must break a rule (`not`, the
//! other branches of `oneOf`): `{"a":1,"a":2}` has one member, not two.
//!
//! A condition is *misled* if members `u x v y w` satisfy it, where `x` and `y` have the same key, and `u v y w` do not. Keys that are in an
//! order occur once. So the keys of an object that would be misled are put in an order, or if they are few, those that occurred are remembered:
//! those that schemas name and those of finite languages. For infinitely many keys neither is possible. Where members are counted, the runtime remembers these keys as *names*, so that none comes
//! twice; and in all objects if the option [`RepeatedKeys`] says so. Where keys could be used up, or are not those of JSON, the keyword cannot be enforced. A keyword that demands a wrong member is a superset in the report: it is enforced on all objects
//! without repeated keys.

use super::alphabet::Alphabet;
use super::context::Algebra;
use super::error::Result;
use super::expression::{Expr, ExprId};
use super::terms::{Cause, Letter, NodeId, OrderId, OtherKeys};
use crate::languages::texts;
use crate::options::RepeatedKeys;
use crate::schema::{Clause, KeyId, MembersId, ObjectRule, Schema, SchemaId, Schemas};
use crate::style::Style;
use gcc_grammar_ir::Code;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A language of more keys is not put in an order.
const MAX_LISTED: usize = 1000;
/// Nor are more keys in all where some member must have a wrong value: after each of them any later one may come, with two kinds of values.
const MAX_WITH_WRONG: usize = 256;

const WHY_COUNT: &str =
    "members are counted, and no automaton remembers which of infinitely many keys occurred";
const ADMITS_COUNT: &str = "objects that have enough members only because a key is repeated";
const WHY_WRONG: &str = "a later member may replace the one that decides, and no automaton remembers which of infinitely many keys occurred";
const ADMITS_WRONG: &str = "objects in which a key is repeated";
const WHY_REFUSED: &str = "repeated keys are to be refused, but keys that no schema declares cannot be remembered here: they could be used up and are too many for an order, or stand beside keys that are remembered by their numbers, or in tags";
const HELP_REFUSED: &str =
    "forbid undeclared keys, or let them be any texts, or accept repeated keys (--repeated-keys accept)";
/// Keywords that say something about keys, the ones that name languages of keys first.
const KEYWORDS: [&str; 18] = [
    "patternProperties",
    "propertyNames",
    "additionalProperties",
    "unevaluatedProperties",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "not",
    "if",
    "allOf",
    "anyOf",
    "oneOf",
    "$ref",
    "type",
];
const HELP: &str =
    "allow only finitely many keys, by additionalProperties: false or an enum in propertyNames";

impl Algebra<'_, '_> {
    /// How often other keys occur in the objects of a node: once, where they would mislead, once this has been found.
    pub(super) fn other_keys(&self, node: NodeId) -> OtherKeys {
        if self.repeats.once.contains(&node) { OtherKeys::Once } else { OtherKeys::Free }
    }

    /// Finds the nodes whose objects are misled by repeated keys. True if other keys of some occur once from now on.
    pub(crate) fn find_misled(&mut self, nodes: &[NodeId]) -> Result<bool> {
        let before = self.repeats.once.len();
        for &node in nodes {
            if !self.repeats.checked.insert(node) {
                continue;
            }
            let Some(first) = self.repeats_matter(node)? else { continue };
            let cause = match first {
                Cause::Refused => Some(first),
                Cause::Wrong if self.has_many_to_list(node)? => Some(first),
                _ => self.misled_in_one(node, OtherKeys::Once)?,
            };
            let is_remembered = matches!(cause, Some(Cause::Count | Cause::Refused))
                && matches!(self.loader.options.style, Style::Json);
            if let Some(cause) = cause {
                self.repeats.misled.insert(node, cause);
            }
            if is_remembered {
                self.repeats.remembered.insert(node);
            }
            if is_remembered || cause.is_none() {
                self.repeats.once.insert(node);
            }
        }
        Ok(self.repeats.once.len() > before)
    }

    /// Whether keys that no schema declares occur once, perhaps in an order.
    pub(crate) fn counts_other_keys(&self, node: NodeId) -> bool {
        self.repeats.once.contains(&node)
    }

    /// Whether keys that no schema declares are counted, so that they are remembered.
    pub(crate) fn remembers_other_keys(&self, node: NodeId) -> bool {
        self.repeats.remembered.contains(&node)
    }

    /// Notes that the keys of a node cannot be remembered.
    pub(crate) fn forget_other_keys(&mut self, node: NodeId) {
        self.repeats.remembered.remove(&node);
    }

    /// The keys of a condition that can be listed, but the known ones: those that schemas name, and those of finite languages.
    pub(super) fn listed_keys(&mut self, condition: ExprId, known: &FxHashSet<KeyId>) -> Result<Vec<KeyId>> {
        let mut alphabet = Alphabet::default();
        self.collect_alphabet(condition, &mut alphabet, &mut FxHashSet::default());
        let mut keys: BTreeSet<KeyId> = alphabet.named().iter().copied().collect();
        for class in self.classes(&mut alphabet)? {
            let automaton = self.loader.languages.automaton(class)?;
            let listed = texts::all_texts(&automaton, MAX_LISTED).unwrap_or_default();
            self.step(listed.len())?;
            keys.extend(listed.iter().map(|text| self.loader.schemas.add_key(&text.as_str().into())));
        }
        Ok(keys.into_iter().filter(|key| !known.contains(key)).collect())
    }

    /// Whether finite languages of keys in the objects of a node are too large for an order where some member must have a wrong value.
    fn has_many_to_list(&mut self, node: NodeId) -> Result<bool> {
        for condition in self.conditions(node, OtherKeys::Free)? {
            let named: FxHashSet<KeyId> = self.alphabet(condition).named().iter().copied().collect();
            if self.listed_keys(condition, &named)?.len() > MAX_WITH_WRONG {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Why no key of a node's objects may be repeated, if there is a reason.
    fn repeats_matter(&mut self, node: NodeId) -> Result<Option<Cause>> {
        if self.loader.options.repeated_keys == RepeatedKeys::Accept {
            return self.misled_in_one(node, OtherKeys::Free);
        }
        let conditions = self.conditions(node, OtherKeys::Free)?;
        let may_repeat = conditions.iter().any(|&condition| !self.has_no_repeated_keys(condition));
        Ok(may_repeat.then_some(Cause::Refused))
    }

    /// Why repeated keys mislead one of the conditions on the objects of a node, if they do.
    fn misled_in_one(&mut self, node: NodeId, others: OtherKeys) -> Result<Option<Cause>> {
        for condition in self.conditions(node, others)? {
            let cause = self.misled(condition)?;
            if cause.is_some() {
                return Ok(cause);
            }
        }
        Ok(None)
    }

    /// Why repeated keys mislead a condition, if they do.
    fn misled(&mut self, start: ExprId) -> Result<Option<Cause>> {
        let cause = self.may_be_misled(start)?;
        if cause.is_none() {
            return Ok(None);
        }
        let mut alphabet = Alphabet::default();
        self.collect_alphabet(start, &mut alphabet, &mut FxHashSet::default());
        let mut search = self.repeated_letters(start, &mut alphabet)?;
        let (mut conditions, mut seen, mut done) = (vec![start], FxHashSet::from_iter([start]), 0);
        while let Some(&condition) = conditions.get(done) {
            done += 1;
            if self.may_be_misled(condition)?.is_none() {
                // Nor is what is left of it after some members.
                continue;
            }
            let (letters, otherwise) = self.next_letters(condition, &mut alphabet)?;
            let mut next: Vec<ExprId> = otherwise.into_iter().collect();
            for letter in letters {
                let after = self.after_member(condition, letter, None)?;
                for rest in self.possible_rests(after)? {
                    if rest != condition && search.repeated.contains(&letter) {
                        let without = self.expressions.not(condition);
                        let only_with = self.expressions.and([rest, without]);
                        if self.may_end_after(only_with, letter, &mut search)? {
                            return Ok(cause);
                        }
                    }
                    next.push(rest);
                }
            }
            conditions.extend(next.into_iter().filter(|&next| seen.insert(next)));
        }
        Ok(None)
    }

    /// The letters of keys that may occur twice. After such a key only these follow, if keys come in their order.
    fn repeated_letters(&mut self, start: ExprId, alphabet: &mut Alphabet) -> Result<Search> {
        let mut orders = Vec::new();
        let has_orders = self.orders_of(start, &mut orders);
        let occurs_once = |key: &KeyId| {
            has_orders && orders.iter().all(|&(order, _)| self.ranks.contains_key(&(order, *key)))
        };
        let (once, named): (Vec<KeyId>, Vec<KeyId>) =
            alphabet.named().iter().partition(|key| occurs_once(key));
        let classes = self.classes(alphabet)?;
        let mut repeated: Vec<_> = named.into_iter().map(Letter::Named).collect();
        repeated.extend(classes.into_iter().map(Letter::Class));
        let is_any_order = orders.iter().any(|&(_, is_any)| is_any);
        let others = if is_any_order { once } else { Vec::new() };
        let followers = repeated.iter().copied().chain(others.into_iter().map(Letter::Named)).collect();
        Ok(Search { repeated: repeated.into_iter().collect(), followers, seen: FxHashSet::default() })
    }

    /// Adds the orders of all alternatives, each with whether its keys come in any order. False if some alternative has none.
    fn orders_of(&self, id: ExprId, orders: &mut Vec<(OrderId, bool)>) -> bool {
        match &**self.expressions.get(id) {
            Expr::Ordered { order, .. } => orders.push((*order, false)),
            Expr::AtMostOnce { order, .. } => orders.push((*order, true)),
            Expr::And(parts) => return parts.iter().any(|&part| self.orders_of(part, orders)),
            Expr::Or(parts) => return parts.iter().all(|&part| self.orders_of(part, orders)),
            _ => return false,
        }
        true
    }

    /// Whether members with some key of a letter satisfy a condition.
    fn may_end_after(&mut self, condition: ExprId, letter: Letter, search: &mut Search) -> Result<bool> {
        let mut open = vec![(condition, false)];
        while let Some((condition, has_letter)) = open.pop() {
            if !search.seen.insert((letter, condition, has_letter)) {
                continue;
            }
            if has_letter && self.expressions.may_end(condition) {
                return Ok(true);
            }
            for &next in &search.followers {
                let after = self.after_member(condition, next, None)?;
                let rests = self.possible_rests(after)?.into_iter();
                open.extend(rests.map(|rest| (rest, has_letter || next == letter)));
            }
        }
        Ok(false)
    }

    /// The conditions on the rest after each set of values that the guards distinguish, but those that are provably empty.
    fn possible_rests(&mut self, after: ExprId) -> Result<Vec<ExprId>> {
        let mut possible = Vec::new();
        for &(value, rest) in self.split(after)?.iter() {
            if !self.is_provably_nothing(value)? {
                possible.push(rest);
            }
        }
        Ok(possible)
    }

    /// Whether only keys of an order may occur, which occur once.
    fn has_no_repeated_keys(&self, id: ExprId) -> bool {
        match &**self.expressions.get(id) {
            Expr::Ordered { order, inner, .. } => self.is_declared_only(*inner, *order),
            Expr::Or(parts) => parts.iter().all(|&part| self.has_no_repeated_keys(part)),
            Expr::And(parts) => parts.iter().any(|&part| match **self.expressions.get(part) {
                Expr::AtMostOnce { order, .. } => self.is_declared_only(id, order),
                _ => false,
            }),
            _ => false,
        }
    }

    /// Whether a condition counts members, or demands some with a wrong value, of keys that are in no order. If not, it is not misled.
    fn may_be_misled(&mut self, start: ExprId) -> Result<Option<Cause>> {
        if self.has_no_repeated_keys(start) {
            return Ok(None);
        }
        let mut orders = Vec::new();
        if !self.orders_of(start, &mut orders) {
            orders.clear();
        }
        let (mut open, mut seen, mut cause) = (vec![(start, true)], FxHashSet::default(), None);
        while let Some((id, positive)) = open.pop() {
            if !seen.insert((id, positive)) {
                continue;
            }
            let ex = self.expressions.get(id).clone();
            self.step(ex.part_count())?;
            match &*ex {
                Expr::Count { min, .. } if positive && *min > 1 => return Ok(Some(Cause::Count)),
                Expr::Count { max: Some(max), .. } if !positive && *max > 0 => return Ok(Some(Cause::Count)),
                Expr::Members(members) if !positive && self.may_be_wrong(*members, &orders)? => {
                    cause = Some(Cause::Wrong);
                }
                Expr::Not(inner) => open.push((*inner, !positive)),
                Expr::Ordered { inner, .. } => open.push((*inner, positive)),
                Expr::And(parts) | Expr::Or(parts) => {
                    open.extend(parts.iter().map(|&part| (part, positive)));
                }
                Expr::ExactlyOne(parts) => {
                    open.extend(parts.iter().flat_map(|&part| [(part, true), (part, false)]));
                }
                _ => {}
            }
        }
        Ok(cause)
    }

    /// Whether a members constraint is about the values of keys that are not in all orders.
    fn may_be_wrong(&self, members: MembersId, orders: &[(OrderId, bool)]) -> Result<bool> {
        let members = self.loader.schemas.members(members);
        self.step(members.properties.len() + members.patterns.len())?;
        let decides = |schema: SchemaId| schema != SchemaId::TRUE && schema != SchemaId::FALSE;
        let is_free = |key: KeyId| {
            orders.is_empty() || orders.iter().any(|&(order, _)| !self.ranks.contains_key(&(order, key)))
        };
        Ok(decides(members.rest)
            || members.patterns.iter().any(|&(_, schema)| decides(schema))
            || members.properties.iter().any(|&(key, schema)| decides(schema) && is_free(key)))
    }

    /// Reports the keywords that repeated keys mislead in the objects of some nodes.
    pub(crate) fn report_repeats(&mut self, nodes: impl Iterator<Item = NodeId>) -> Result<()> {
        let misled = nodes.filter(|node| !self.repeats.remembered.contains(node));
        let misled: Vec<(NodeId, Cause)> =
            misled.filter_map(|node| Some((node, *self.repeats.misled.get(&node)?))).collect();
        if misled.is_empty() {
            return Ok(());
        }
        let pointers = self.loader.loaded.pointers(self.loader.budget)?;
        for (node, cause) in misled {
            if cause == Cause::Refused {
                self.report_repeated_keys(node);
                continue;
            }
            for (pointer, keyword) in self.misled_keywords(node, &pointers)? {
                let pointer = format!("{pointer}/{keyword}");
                match cause {
                    Cause::Count => self.loader.unenforced_at(pointer, WHY_COUNT, ADMITS_COUNT, HELP),
                    _ => self.loader.superset_at(pointer, WHY_WRONG, ADMITS_WRONG),
                }
            }
        }
        Ok(())
    }

    /// Reports that repeated keys of the objects of a node cannot be refused, at the first keyword that says something about keys.
    fn report_repeated_keys(&mut self, node: NodeId) {
        let schemas: Vec<SchemaId> = self.node(node).literals().map(|(schema, _)| schema).collect();
        let place = schemas.into_iter().find_map(|schema| self.loader.first_with(schema, &KEYWORDS));
        match place {
            Some(place) => self.loader.unenforced_at(place, WHY_REFUSED, ADMITS_WRONG, HELP_REFUSED),
            None => {
                let message = format!("repeated keys are not refused: {WHY_REFUSED}");
                self.loader.error_at(String::new(), Code::NotEnforced, message, HELP_REFUSED);
            }
        }
    }

    /// The keywords of a node that count members; if there are none, those that demand that something does not hold, or that the node demands not to hold.
    fn misled_keywords(
        &mut self,
        node: NodeId,
        pointers: &FxHashMap<SchemaId, String>,
    ) -> Result<BTreeSet<(String, &'static str)>> {
        let mut open: Vec<_> =
            self.node(node).literals().map(|(schema, _)| (schema, String::new())).collect();
        let (mut found, mut seen) = (<[BTreeSet<_>; 3]>::default(), FxHashSet::default());
        while let Some((schema, around)) = open.pop() {
            if !seen.insert(schema) {
                continue;
            }
            self.step(0)?;
            let pointer = pointers.get(&schema).unwrap_or(&around);
            let schemas = &self.loader.schemas;
            let content = schemas.get(schema);
            for (found, keyword) in
                found.iter_mut().zip([counting(content), negating(content), counted(content, schemas)])
            {
                found.extend(keyword.map(|keyword| (pointer.clone(), keyword)));
            }
            open.extend(schemas.in_place(content).into_iter().map(|(part, _)| (part, pointer.clone())));
        }
        Ok(found.into_iter().find(|found| !found.is_empty()).unwrap_or_default())
    }
}

/// The keyword of a schema that demands several members.
fn counting(schema: &Schema) -> Option<&'static str> {
    let counts = |rule: &ObjectRule| matches!(rule, ObjectRule::Size { min: 2.., .. });
    schema.objects.iter().flatten().any(counts).then_some("minProperties")
}

/// The keyword of a schema that demands that something does not hold.
fn negating(schema: &Schema) -> Option<&'static str> {
    let negates = |clause: &&Clause| matches!(clause, Clause::Not(_) | Clause::OneOf(_) | Clause::If { .. });
    schema.clauses.iter().find(negates).map(|clause| clause.keywords()[0])
}

/// The keyword of a schema whose complement counts members, or demands one with a wrong value.
fn counted(schema: &Schema, schemas: &Schemas) -> Option<&'static str> {
    schema.objects.iter().flatten().find_map(|rule| match rule {
        ObjectRule::Size { max: Some(_), .. } => Some("maxProperties"),
        ObjectRule::Members(members) if schemas.members(*members).patterns.is_empty() => {
            Some("additionalProperties")
        }
        ObjectRule::Members(_) => Some("patternProperties"),
        _ => None,
    })
}

/// A search for members that mislead.
struct Search {
    /// The letters of keys that may occur twice.
    repeated: FxHashSet<Letter>,
    /// The letters that may follow one of these.
    followers: Vec<Letter>,
    /// The conditions that were tried for a letter, with whether it occurred again.
    seen: FxHashSet<(Letter, ExprId, bool)>,
}
