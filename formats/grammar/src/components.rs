//! The strongly connected components of a directed graph: maximal sets of nodes that lead to each other.
//!
//! In: nodes `0..nodes`, and the successors of each. Out: the components of the nodes that some roots lead to, in an
//! order in which a component comes after all components that it leads to. The algorithm is that of Tarjan,
//! "Depth-first search and linear graph algorithms" (1972), with an explicit stack.

/// The number of a node that was not visited.
const NEW: u32 = u32::MAX;

/// The components of the nodes that the `roots` lead to, each after the components that it leads to. The nodes of a
/// component are in the order in which a depth-first search meets them; successors are followed in their order.
pub fn components<'g>(
    nodes: usize,
    roots: impl IntoIterator<Item = u32>,
    successors: impl Fn(u32) -> &'g [u32],
) -> Vec<Vec<u32>> {
    let mut search = Search {
        successors,
        number: vec![NEW; nodes],
        low: vec![NEW; nodes],
        is_open: vec![false; nodes],
        open: Vec::new(),
        path: Vec::new(),
        found: Vec::new(),
        count: 0,
    };
    roots.into_iter().for_each(|root| search.run(root));
    search.found
}

struct Search<F> {
    successors: F,
    /// Per node: its place in the order of the search.
    number: Vec<u32>,
    /// Per node: the least number of an open node that it is known to lead to.
    low: Vec<u32>,
    /// The visited nodes that are in no component yet.
    open: Vec<u32>,
    is_open: Vec<bool>,
    /// The path of the search: nodes, each with the number of successors that were followed.
    path: Vec<(u32, usize)>,
    found: Vec<Vec<u32>>,
    count: u32,
}

impl<'g, F: Fn(u32) -> &'g [u32]> Search<F> {
    fn run(&mut self, root: u32) {
        self.visit(root);
        while let Some((node, followed)) = self.path.last_mut() {
            let node = *node;
            match (self.successors)(node).get(*followed) {
                Some(&to) => {
                    *followed += 1;
                    self.follow(node, to);
                }
                None => self.leave(node),
            }
        }
    }

    /// Puts a node that was not visited on the path.
    fn visit(&mut self, node: u32) {
        let at = node as usize;
        if self.number[at] == NEW {
            (self.number[at], self.low[at], self.is_open[at]) = (self.count, self.count, true);
            self.count += 1;
            self.open.push(node);
            self.path.push((node, 0));
        }
    }

    fn follow(&mut self, node: u32, to: u32) {
        if self.is_open[to as usize] {
            self.reaches(node, self.number[to as usize]);
        }
        self.visit(to);
    }

    /// Notes that a node leads to the open node with this number.
    fn reaches(&mut self, node: u32, number: u32) {
        let low = &mut self.low[node as usize];
        *low = number.min(*low);
    }

    /// Takes the last node off the path. If it is the first of its component, the component is found.
    fn leave(&mut self, node: u32) {
        self.path.pop();
        let low = self.low[node as usize];
        if let Some(&(before, _)) = self.path.last() {
            self.reaches(before, low);
        }
        if low == self.number[node as usize] {
            let first = self.open.iter().rposition(|&open| open == node).unwrap_or(0);
            let component = self.open.split_off(first);
            component.iter().for_each(|&node| self.is_open[node as usize] = false);
            self.found.push(component);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All graphs of four nodes, by the definition: two nodes are in one component if each leads to the other.
    #[test]
    fn components_are_those_of_the_definition() {
        for edges in 0u32..1 << 16 {
            let successors: Vec<Vec<u32>> =
                (0..4).map(|from| (0..4).filter(|to| edges >> (from * 4 + to) & 1 == 1).collect()).collect();
            let reached: [[bool; 4]; 4] = std::array::from_fn(|from| {
                let (mut reached, mut open) = ([false; 4], vec![from]);
                while let Some(node) = open.pop() {
                    if !std::mem::replace(&mut reached[node], true) {
                        open.extend(successors[node].iter().map(|&to| to as usize));
                    }
                }
                reached
            });
            let found = components(4, [0], |node| &successors[node as usize]);
            let mut expected: Vec<usize> = (0..4).filter(|&node| reached[0][node]).collect();
            let mut before: Vec<usize> = Vec::new();
            for component in &found {
                let component: Vec<usize> = component.iter().map(|&node| node as usize).collect();
                let first = component[0];
                for &node in &component {
                    assert!(expected.contains(&node), "{edges:x}");
                    expected.retain(|&other| other != node);
                    before.push(node);
                }
                let is_mutual = |node: usize| reached[first][node] && reached[node][first];
                assert!((0..4).all(|node| component.contains(&node) == is_mutual(node)), "{edges:x}");
                assert!((0..4).all(|node| !reached[first][node] || before.contains(&node)), "{edges:x}");
            }
            assert!(expected.is_empty(), "{edges:x}");
        }
    }
}
