//! Strongly connected components of a graph.

use super::bits::{self, BitMatrix};

/// Returns the strongly connected components, each after those that it reaches (Tarjan 1972, without
/// recursion).
pub(crate) fn strongly_connected(edges: &BitMatrix) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let size = edges.size();
    let (mut index, mut low, mut on_stack) = (vec![NEW; size], vec![0; size], vec![false; size]);
    let (mut stack, mut found, mut clock) = (Vec::new(), Vec::new(), 0);
    for root in 0..size {
        if index[root] != NEW {
            continue;
        }
        let mut path = vec![(root, bits::members(edges.row(root)))];
        while let Some((item, next)) = path.last_mut() {
            let item = *item;
            if index[item] == NEW {
                (index[item], low[item], on_stack[item]) = (clock, clock, true);
                stack.push(item);
                clock += 1;
            }
            match next.next() {
                Some(child) if index[child] == NEW => path.push((child, bits::members(edges.row(child)))),
                Some(child) if on_stack[child] => low[item] = low[item].min(index[child]),
                Some(_) => {}
                None => {
                    path.pop();
                    if let Some(&(parent, _)) = path.last() {
                        low[parent] = low[parent].min(low[item]);
                    }
                    if low[item] == index[item] {
                        let at = stack.iter().rposition(|&other| other == item).unwrap_or(0);
                        let component = stack.split_off(at);
                        for &member in &component {
                            on_stack[member] = false;
                        }
                        found.push(component);
                    }
                }
            }
        }
    }
    found
}
