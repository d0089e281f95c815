//! From any deterministic automaton to *the* minimal one.
//!
//! Valmari, "Fast brief practical DFA minimization" (2012): refine a partition of the states and one of the
//! transitions against each other, always relabelling the smaller half, in O(m log n) for m transitions. It works
//! on partial transition functions, so no sink state is ever made; the price is that useless states have to go
//! first. Where there is no cycle, one pass is enough ([`finite`](super::finite)).

use super::Dfa;

/// No state can be reached from here.
pub(super) const NONE: u32 = 0;
/// What minimizing needs per transition: its two ends and class, its places in two orders and in a partition.
pub(super) const BYTES_PER_TRANSITION: usize = 28;

/// A deterministic automaton as the constructions leave it. State 0 is the start, but where [`Draft::canonical`] is told another, and all states
/// are reachable.
#[derive(Debug)]
pub(super) struct Draft {
    /// Class of each byte.
    pub(super) classes: Box<[u8; 256]>,
    pub(super) class_count: usize,
    /// Row-major `[state][class]`: target + 1, or [`NONE`].
    pub(super) table: Vec<u32>,
    pub(super) accepting: Vec<bool>,
}

impl Draft {
    /// The minimal automaton of the same language.
    pub(super) fn minimize(self) -> Dfa {
        let draft = self.merge_classes();
        if let Some(minimal) = draft.minimize_acyclic() {
            let start = minimal.accepting.len().checked_sub(1);
            return start.map_or_else(Dfa::never, |start| minimal.canonical(start as u32));
        }
        match draft.useful_transitions() {
            Some(transitions) => draft.quotient(&transitions),
            None => Dfa::never(),
        }
    }

    /// The canonical automaton, given that this one is already minimal and trimmed, and begins in `start`.
    pub(super) fn canonical(self, start: u32) -> Dfa {
        let Self { classes, class_count, table, accepting } = self.merge_classes().reachable_from(start);
        Dfa::from_canonical(classes, class_count, table, accepting)
    }

    /// The states that can be reached, numbered breadth first.
    pub(super) fn reachable(self) -> Self {
        self.reachable_from(0)
    }

    fn reachable_from(self, start: u32) -> Self {
        let order = self.breadth_first(start);
        let mut number = vec![NONE; self.accepting.len()];
        for (new, &old) in order.iter().enumerate() {
            number[old as usize] = new as u32 + 1;
        }
        let mut table = Vec::with_capacity(order.len() * self.class_count);
        for &old in &order {
            table.extend(
                self.row(old).iter().map(|&cell| if cell == NONE { NONE } else { number[cell as usize - 1] }),
            );
        }
        let accepting = order.iter().map(|&old| self.accepting[old as usize]).collect();
        Self { classes: self.classes, class_count: self.class_count, table, accepting }
    }

    pub(super) fn row(&self, state: u32) -> &[u32] {
        let start = state as usize * self.class_count;
        &self.table[start..start + self.class_count]
    }

    /// Unites the classes with equal columns and numbers the classes by their least bytes.
    fn merge_classes(self) -> Self {
        let group = self.column_groups();
        if self.has_ordered_classes()
            && group.iter().enumerate().all(|(class, &least)| class == least as usize)
        {
            return self;
        }
        let mut number = vec![u8::MAX; self.class_count];
        let mut representatives = Vec::new();
        let mut classes = Box::new([0u8; 256]);
        let mut seen = vec![false; self.class_count];
        for byte in 0..256 {
            let class = usize::from(self.classes[byte]);
            let leader = group[class] as usize;
            if !seen[leader] {
                seen[leader] = true;
                number[leader] = representatives.len() as u8;
                representatives.push(leader);
            }
            classes[byte] = number[leader];
        }
        let class_count = representatives.len();
        let mut table = Vec::with_capacity(self.accepting.len() * class_count);
        for row in self.table.chunks_exact(self.class_count) {
            table.extend(representatives.iter().map(|&class| row[class]));
        }
        Self { classes, class_count, table, accepting: self.accepting }
    }

    /// Are the classes numbered by their least bytes?
    fn has_ordered_classes(&self) -> bool {
        let mut seen = 0;
        let in_order = self.classes.iter().all(|&class| {
            let class = usize::from(class);
            seen += usize::from(class == seen);
            class < seen
        });
        in_order && seen == self.class_count
    }

    /// For each class the least class with the same column.
    fn column_groups(&self) -> Vec<u32> {
        let mut group = vec![0u32; self.class_count];
        for row in self.table.chunks_exact(self.class_count) {
            // At most `class_count` rows split a group; all others cost one comparison per class.
            if (0..self.class_count).any(|class| row[class] != row[group[class] as usize]) {
                split_groups(&mut group, row);
            }
        }
        group
    }

    /// The transitions between states that can reach acceptance; `None` if the start cannot.
    fn useful_transitions(&self) -> Option<Transitions> {
        let all = Transitions::of(self, |_| true);
        let incoming = all.by_head(self.accepting.len());
        let mut useful = self.accepting.clone();
        let mut stack: Vec<u32> = (0..self.accepting.len() as u32).filter(|&s| useful[s as usize]).collect();
        while let Some(state) = stack.pop() {
            for &transition in incoming.of(state) {
                let tail = all.tail[transition as usize];
                if !std::mem::replace(&mut useful[tail as usize], true) {
                    stack.push(tail);
                }
            }
        }
        if !useful[0] {
            return None;
        }
        Some(if useful.iter().all(|&u| u) {
            all
        } else {
            Transitions::of(self, |state| useful[state as usize])
        })
    }

    /// Merges the states that no string tells apart.
    fn quotient(&self, transitions: &Transitions) -> Dfa {
        let blocks = equivalent_states(transitions, &self.accepting, self.class_count);
        let mut representatives = vec![NONE; blocks.count()];
        for state in 0..self.accepting.len() as u32 {
            representatives[blocks.set[state as usize] as usize] = state;
        }
        let mut table = vec![NONE; blocks.count() * self.class_count];
        for index in 0..transitions.len() {
            let from = blocks.set[transitions.tail[index] as usize] as usize;
            let to = blocks.set[transitions.head[index] as usize];
            table[from * self.class_count + usize::from(transitions.label[index])] = to + 1;
        }
        let accepting = representatives.iter().map(|&state| self.accepting[state as usize]).collect();
        Self { classes: self.classes.clone(), class_count: self.class_count, table, accepting }
            .canonical(blocks.set[0])
    }

    /// The states reachable from `start`, breadth first in class order.
    fn breadth_first(&self, start: u32) -> Vec<u32> {
        let mut seen = vec![false; self.accepting.len()];
        seen[start as usize] = true;
        let mut order = vec![start];
        let mut next = 0;
        while next < order.len() {
            for target in self.row(order[next]).iter().filter_map(|cell| cell.checked_sub(1)) {
                if !std::mem::replace(&mut seen[target as usize], true) {
                    order.push(target);
                }
            }
            next += 1;
        }
        order
    }
}

/// Separates the classes of one group that differ in `row`.
fn split_groups(group: &mut [u32], row: &[u32]) {
    // Few: a search is faster than hashing.
    let mut leaders: Vec<(u32, u32, u32)> = Vec::new();
    for class in 0..group.len() {
        let key = (group[class], row[class]);
        let known = leaders.iter().find(|&&(group, cell, _)| (group, cell) == key);
        group[class] = known.map_or(class as u32, |&(_, _, leader)| leader);
        if group[class] == class as u32 {
            leaders.push((key.0, key.1, class as u32));
        }
    }
}

/// Transitions as parallel arrays.
struct Transitions {
    tail: Vec<u32>,
    label: Vec<u8>,
    head: Vec<u32>,
}

impl Transitions {
    /// The transitions of `draft` between states that are to be kept.
    fn of(draft: &Draft, keep: impl Fn(u32) -> bool) -> Self {
        let mut all = Self { tail: Vec::new(), label: Vec::new(), head: Vec::new() };
        for state in (0..draft.accepting.len() as u32).filter(|&state| keep(state)) {
            for (class, &cell) in draft.row(state).iter().enumerate() {
                if cell != NONE && keep(cell - 1) {
                    all.tail.push(state);
                    all.label.push(class as u8);
                    all.head.push(cell - 1);
                }
            }
        }
        all
    }

    fn len(&self) -> usize {
        self.tail.len()
    }

    fn by_head(&self, states: usize) -> Grouped {
        Grouped::new(self.len(), states, |transition| self.head[transition])
    }
}

/// Items grouped by a key, as one flat array with offsets (counting sort).
struct Grouped {
    offsets: Vec<u32>,
    items: Vec<u32>,
}

impl Grouped {
    fn new(items: usize, keys: usize, key: impl Fn(usize) -> u32) -> Self {
        let mut offsets = vec![0u32; keys + 1];
        (0..items).for_each(|item| offsets[key(item) as usize + 1] += 1);
        for index in 0..keys {
            offsets[index + 1] += offsets[index];
        }
        let mut fill = offsets.clone();
        let mut sorted = vec![0u32; items];
        for item in 0..items {
            let slot = &mut fill[key(item) as usize];
            sorted[*slot as usize] = item as u32;
            *slot += 1;
        }
        Self { offsets, items: sorted }
    }

    fn of(&self, key: u32) -> &[u32] {
        &self.items[self.offsets[key as usize] as usize..self.offsets[key as usize + 1] as usize]
    }
}

/// A refinable partition: the elements of set `s` are `elements[first[s]..end[s]]`, the marked ones first.
struct Partition {
    elements: Vec<u32>,
    position: Vec<u32>,
    /// The set of each element.
    set: Vec<u32>,
    first: Vec<u32>,
    end: Vec<u32>,
    marked: Vec<u32>,
    /// Sets with marked elements.
    touched: Vec<u32>,
}

impl Partition {
    /// All of `0..size` in one set; none if there are no elements.
    fn whole(size: usize) -> Self {
        let identity: Vec<u32> = (0..size as u32).collect();
        let sets = usize::from(size > 0);
        Self {
            elements: identity.clone(),
            position: identity,
            set: vec![0; size],
            first: vec![0; sets],
            end: vec![size as u32; sets],
            marked: vec![0; sets],
            touched: Vec::new(),
        }
    }

    /// One set per key that occurs.
    fn grouped(grouped: Grouped) -> Self {
        let mut partition = Self::whole(grouped.items.len());
        partition.elements = grouped.items;
        (partition.first, partition.end, partition.marked) = (Vec::new(), Vec::new(), Vec::new());
        for bounds in grouped.offsets.windows(2).filter(|bounds| bounds[0] < bounds[1]) {
            let set = partition.first.len() as u32;
            partition.first.push(bounds[0]);
            partition.end.push(bounds[1]);
            partition.marked.push(0);
            for place in bounds[0]..bounds[1] {
                let element = partition.elements[place as usize] as usize;
                partition.position[element] = place;
                partition.set[element] = set;
            }
        }
        partition
    }

    fn count(&self) -> usize {
        self.first.len()
    }

    fn place_range(&self, set: usize) -> std::ops::Range<usize> {
        self.first[set] as usize..self.end[set] as usize
    }

    fn mark(&mut self, element: u32) {
        let set = self.set[element as usize] as usize;
        let from = self.position[element as usize];
        let to = self.first[set] + self.marked[set];
        if from < to {
            return;
        }
        let other = self.elements[to as usize];
        self.elements.swap(from as usize, to as usize);
        self.position[element as usize] = to;
        self.position[other as usize] = from;
        if self.marked[set] == 0 {
            self.touched.push(set as u32);
        }
        self.marked[set] += 1;
    }

    /// Splits every touched set into its marked and its unmarked elements; the smaller part gets the new number.
    fn split(&mut self) {
        while let Some(set) = self.touched.pop() {
            let set = set as usize;
            let middle = self.first[set] + std::mem::take(&mut self.marked[set]);
            if middle == self.end[set] {
                continue;
            }
            let (first, end) = if middle - self.first[set] <= self.end[set] - middle {
                (std::mem::replace(&mut self.first[set], middle), middle)
            } else {
                (middle, std::mem::replace(&mut self.end[set], middle))
            };
            let new = self.first.len() as u32;
            self.first.push(first);
            self.end.push(end);
            self.marked.push(0);
            for place in first..end {
                self.set[self.elements[place as usize] as usize] = new;
            }
        }
    }
}

/// The coarsest partition of the states that respects acceptance and transitions.
fn equivalent_states(transitions: &Transitions, accepting: &[bool], labels: usize) -> Partition {
    let incoming = transitions.by_head(accepting.len());
    let mut blocks = Partition::whole(accepting.len());
    let mut cords =
        Partition::grouped(Grouped::new(transitions.len(), labels, |t| u32::from(transitions.label[t])));
    (0..accepting.len() as u32)
        .filter(|&state| accepting[state as usize])
        .for_each(|state| blocks.mark(state));
    blocks.split();
    // One block need not be used as a splitter: the others and the cords already tell its predecessors apart.
    let (mut block, mut cord) = (1, 0);
    while cord < cords.count() {
        for place in cords.place_range(cord) {
            blocks.mark(transitions.tail[cords.elements[place] as usize]);
        }
        blocks.split();
        cord += 1;
        while block < blocks.count() {
            for place in blocks.place_range(block) {
                incoming.of(blocks.elements[place]).iter().for_each(|&transition| cords.mark(transition));
            }
            cords.split();
            block += 1;
        }
    }
    blocks
}
