//! Refinable partitions: sets of `0..n` that can be split in time linear in the number of marked elements.
//!
//! Source: Valmari, Lehtinen, "Efficient minimization of DFAs with partial transition functions" (2008), section 3.
//! An algorithm marks some elements and then calls [`Partition::split`]: each set with marked elements falls into its
//! marked and its unmarked part. The smaller part gets the new number, which is what makes refinement O(m log n).

/// Items grouped by a key, as one flat array with offsets (a counting sort).
pub(super) struct Grouped {
    offsets: Vec<u32>,
    items: Vec<u32>,
}

impl Grouped {
    pub(super) fn new(items: usize, keys: usize, key: impl Fn(usize) -> u32) -> Self {
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

    /// The items with this key, ascending.
    pub(super) fn with_key(&self, key: u32) -> &[u32] {
        &self.items[self.offsets[key as usize] as usize..self.offsets[key as usize + 1] as usize]
    }
}

/// A partition of `0..n`.
///
/// ```text
/// elements   │ 4 0 7 │ 2 5 │ 1 3 6 │      the elements of set s are elements[first[s]..end[s]];
/// marked       ^ ^             ^           the marked elements of a set come first in it
/// ```
pub(super) struct Partition {
    elements: Vec<u32>,
    /// Per element: its index in `elements`.
    position: Vec<u32>,
    /// Per element: its set.
    set: Vec<u32>,
    first: Vec<u32>,
    end: Vec<u32>,
    /// Per set: the number of its marked elements.
    marked: Vec<u32>,
    /// The sets with marked elements.
    touched: Vec<u32>,
}

impl Partition {
    /// All of `0..size` in one set; without sets if there are no elements.
    pub(super) fn whole(size: usize) -> Self {
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

    /// One set for every key that occurs.
    pub(super) fn by_key(grouped: Grouped) -> Self {
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

    /// The number of sets.
    pub(super) fn set_count(&self) -> usize {
        self.first.len()
    }

    /// The set that contains `element`.
    pub(super) fn set_of(&self, element: u32) -> u32 {
        self.set[element as usize]
    }

    /// The elements of `set`.
    pub(super) fn elements(&self, set: usize) -> &[u32] {
        &self.elements[self.first[set] as usize..self.end[set] as usize]
    }

    /// Marks `element` for the next [`Partition::split`].
    pub(super) fn mark(&mut self, element: u32) {
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

    /// Splits every touched set into its marked and its unmarked elements. The smaller part gets a new number.
    pub(super) fn split(&mut self) {
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
