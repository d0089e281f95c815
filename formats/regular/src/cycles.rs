//! Which states of a table a cycle leads to.

/// The states of a table that no cycle leads to, each before its targets: a topological sort (Kahn 1962). Linear in the table.
pub(crate) fn before_cycles(table: &[u32], class_count: usize, states: usize) -> Vec<u32> {
    let mut incoming = vec![0_u32; states];
    table.iter().filter_map(|cell| cell.checked_sub(1)).for_each(|to| incoming[to as usize] += 1);
    let mut order: Vec<u32> = if incoming[0] == 0 { vec![0] } else { Vec::new() };
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        next += 1;
        let row = &table[state as usize * class_count..][..class_count];
        for to in row.iter().filter_map(|cell| cell.checked_sub(1)) {
            incoming[to as usize] -= 1;
            if incoming[to as usize] == 0 {
                order.push(to);
            }
        }
    }
    order
}
