//! The output, and the way to a value in it.

use crate::read::document::{Value, ValueId, Values};
use crate::read::keywords::name_of_segment;
use std::sync::Arc;

/// A step from a value into it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Key(Arc<str>),
    Item(usize),
}

/// The way from the root of an output to a value, which may not have begun.
pub(super) struct Way {
    pub(super) steps: Vec<Step>,
    /// The values on the way, the root first; one more than steps, unless the last ones have not begun.
    values: Vec<ValueId>,
}

/// A value of the output.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Instance {
    /// None if it has not begun.
    pub(super) value: Option<ValueId>,
    /// If the value is on the way and so may go on, the number of steps to it.
    pub(super) open: Option<usize>,
}

impl Way {
    /// The way along a JSON Pointer from a root, if that has begun.
    pub(super) fn new(all: &Values, root: Option<ValueId>, pointer: &str) -> Self {
        let (mut steps, mut values) = (Vec::new(), Vec::from_iter(root));
        for segment in pointer.split('/').skip(1) {
            let name = name_of_segment(segment);
            let around = values.get(steps.len()).map(|&around| all.get(around));
            let (step, child) = match around {
                Some(Value::Array(items)) => {
                    let Ok(index) = name.parse() else { break };
                    (Step::Item(index), items.get(index).copied())
                }
                Some(Value::Object(_)) => {
                    let child = values.last().and_then(|&around| all.member(around, &name));
                    (Step::Key(name.into()), child)
                }
                _ => break,
            };
            steps.push(step);
            values.extend(child);
        }
        Self { steps, values }
    }

    /// The value behind a number of steps.
    pub(super) fn at(&self, steps: usize) -> Instance {
        Instance { value: self.values.get(steps).copied(), open: Some(steps) }
    }

    /// The step into a value, if it is on the way.
    pub(super) fn step(&self, instance: Instance) -> Option<&Step> {
        self.steps.get(instance.open?)
    }

    /// The members of an object, with the one that has not begun.
    pub(super) fn members(&self, all: &Values, instance: Instance) -> Vec<(Arc<str>, Instance)> {
        let Some(Value::Object(members)) = instance.value.map(|value| all.get(value)) else {
            return Vec::new();
        };
        let step = self.step(instance);
        let child = |(key, value): &(Arc<str>, ValueId)| {
            let is_open = step == Some(&Step::Key(Arc::clone(key)));
            let open = instance.open.filter(|_| is_open).map(|open| open + 1);
            (Arc::clone(key), Instance { value: Some(*value), open })
        };
        let mut children: Vec<(Arc<str>, Instance)> = members.iter().map(child).collect();
        if let (Some(Step::Key(key)), Some(open)) = (step, instance.open)
            && members.iter().all(|(known, _)| known != key)
        {
            children.push((Arc::clone(key), Instance { value: None, open: Some(open + 1) }));
        }
        children
    }

    /// The items of an array that have begun.
    pub(super) fn items(&self, all: &Values, instance: Instance) -> Vec<Instance> {
        let Some(Value::Array(items)) = instance.value.map(|value| all.get(value)) else { return Vec::new() };
        let step = self.step(instance);
        let child = |(index, value): (usize, &ValueId)| {
            let is_open = step == Some(&Step::Item(index));
            let open = instance.open.filter(|_| is_open).map(|open| open + 1);
            Instance { value: Some(*value), open }
        };
        items.iter().enumerate().map(child).collect()
    }
}
