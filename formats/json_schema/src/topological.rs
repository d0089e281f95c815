//! Graphs without circles.

/// The nodes of a graph, each before its targets; `None` if the graph has a circle (Kahn 1962). Linear in the graph.
pub(crate) fn topological<I: Iterator<Item = usize>>(
    nodes: usize,
    targets: impl Fn(usize) -> I,
) -> Option<Vec<usize>> {
    let mut incoming = vec![0_u32; nodes];
    (0..nodes).flat_map(&targets).for_each(|target| incoming[target] += 1);
    let mut order: Vec<usize> = (0..nodes).filter(|&node| incoming[node] == 0).collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        for target in targets(node) {
            incoming[target] -= 1;
            if incoming[target] == 0 {
                order.push(target);
            }
        }
    }
    (order.len() == nodes).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_come_later_and_circles_are_found() {
        let order = |graph: &[&[usize]]| topological(graph.len(), |node| graph[node].iter().copied());
        assert_eq!(order(&[&[2, 2], &[0], &[3], &[]]), Some(vec![1, 0, 2, 3]));
        assert_eq!(order(&[&[1], &[2], &[1]]), None);
        assert_eq!(order(&[&[0]]), None);
        assert_eq!(order(&[]), Some(Vec::new()));
    }
}
