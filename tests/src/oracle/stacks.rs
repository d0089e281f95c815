//! Stacks of LR states. Stacks share their lower parts, and equal stacks have equal ids.

use gcc_grammar_ir::index_newtype;
use rustc_hash::FxHashMap;

index_newtype! {
    /// A stack in [`Stacks`]; it is never empty.
    Stack;
}

/// All stacks in use.
#[derive(Clone, Debug, Default)]
pub struct Stacks {
    /// The state on top, and the stack below.
    cells: Vec<(usize, Option<Stack>)>,
    ids: FxHashMap<(usize, Option<Stack>), Stack>,
}

impl Stacks {
    /// The stack of one state.
    pub fn bottom(&mut self, state: usize) -> Stack {
        self.intern((state, None))
    }

    /// The stack with one more state on top.
    pub fn push(&mut self, stack: Stack, state: usize) -> Stack {
        self.intern((state, Some(stack)))
    }

    /// The state on top.
    #[must_use]
    pub fn top(&self, stack: Stack) -> usize {
        self.cells[stack.index()].0
    }

    /// The states, top first.
    pub fn states(&self, stack: Stack) -> impl Iterator<Item = usize> + '_ {
        let below = |stack: &Stack| self.cells[stack.index()].1;
        std::iter::successors(Some(stack), below).map(|stack| self.top(stack))
    }

    /// The stack without its upper `count` states, of which it has more.
    #[must_use]
    pub fn pop(&self, stack: Stack, count: usize) -> Stack {
        let below = |stack: Stack| self.cells[stack.index()].1.expect("a stack is never empty");
        (0..count).fold(stack, |stack, _| below(stack))
    }

    fn intern(&mut self, cell: (usize, Option<Stack>)) -> Stack {
        *self.ids.entry(cell).or_insert_with(|| {
            self.cells.push(cell);
            Stack::new(self.cells.len() - 1)
        })
    }
}
