//! Pairs in a graph: Edmonds' blossom algorithm, which finds as many pairs as there can be.

use std::collections::VecDeque;

/// Pairs as many of `0..count` as possible, where `may` says which may be paired. Unpaired ones
/// have no mate. `mates` holds the initial pairs; pairs to break up are searched nearby, so a good
/// start stays good.
pub(crate) fn extend(mates: &mut [Option<usize>], may: impl Fn(usize, usize) -> bool) {
    for root in 0..mates.len() {
        if mates[root].is_none() {
            let mut search = Search::new(root, mates.len());
            if let Some(end) = search.run(mates, &may) {
                search.augment(end, mates);
            }
        }
    }
}

/// The search for an alternating path from one unpaired vertex to another.
struct Search {
    root: usize,
    /// The vertex before an inner vertex on the path from the root.
    before: Vec<Option<usize>>,
    /// Each vertex of a blossom (an odd circle shrunk to a point) has the base of the blossom.
    base: Vec<usize>,
    outer: Vec<bool>,
    queue: VecDeque<usize>,
}

impl Search {
    fn new(root: usize, count: usize) -> Search {
        let mut outer = vec![false; count];
        outer[root] = true;
        Search {
            root,
            before: vec![None; count],
            base: (0..count).collect(),
            outer,
            queue: VecDeque::from([root]),
        }
    }

    /// The unpaired vertex at the end of an alternating path, if there is one.
    fn run(
        &mut self,
        mates: &[Option<usize>],
        may: &impl Fn(usize, usize) -> bool,
    ) -> Option<usize> {
        while let Some(from) = self.queue.pop_front() {
            for to in nearest_first(from, mates.len()) {
                if self.base[from] == self.base[to] || mates[from] == Some(to) || !may(from, to) {
                    continue;
                }
                if self.outer[to] {
                    self.shrink(from, to, mates);
                } else if self.before[to].is_none() {
                    self.before[to] = Some(from);
                    let Some(mate) = mates[to] else { return Some(to) };
                    self.outer[mate] = true;
                    self.queue.push_back(mate);
                }
            }
        }
        None
    }

    /// Two outer vertices are joined: an odd cycle, whose inner vertices become outer as well.
    fn shrink(&mut self, one: usize, other: usize, mates: &[Option<usize>]) {
        let base = self.common_base(one, other, mates);
        let mut inside = vec![false; self.base.len()];
        self.mark(one, base, other, mates, &mut inside);
        self.mark(other, base, one, mates, &mut inside);
        for vertex in 0..self.base.len() {
            if inside[self.base[vertex]] {
                self.base[vertex] = base;
                if !self.outer[vertex] {
                    self.outer[vertex] = true;
                    self.queue.push_back(vertex);
                }
            }
        }
    }

    fn mark(
        &mut self,
        mut vertex: usize,
        base: usize,
        mut child: usize,
        mates: &[Option<usize>],
        inside: &mut [bool],
    ) {
        while self.base[vertex] != base {
            let mate = mates[vertex].expect("an outer vertex but the root has a mate");
            inside[self.base[vertex]] = true;
            inside[self.base[mate]] = true;
            self.before[vertex] = Some(child);
            child = mate;
            vertex = self.before[mate].expect("an inner vertex was reached from somewhere");
        }
    }

    /// Where the paths of two outer vertices to the root meet.
    fn common_base(&self, one: usize, other: usize, mates: &[Option<usize>]) -> usize {
        let up = |vertex: usize| {
            let mate = mates[vertex].expect("an outer vertex but the root has a mate");
            self.before[mate].expect("an inner vertex was reached from somewhere")
        };
        let mut seen = vec![false; self.base.len()];
        let mut vertex = self.base[one];
        seen[vertex] = true;
        while vertex != self.base[self.root] {
            vertex = self.base[up(vertex)];
            seen[vertex] = true;
        }
        let mut vertex = self.base[other];
        while !seen[vertex] {
            vertex = self.base[up(vertex)];
        }
        vertex
    }

    /// Exchanges the pairs along the path that ends here, which makes one pair more.
    fn augment(&self, end: usize, mates: &mut [Option<usize>]) {
        let mut next = Some(end);
        while let Some(vertex) = next {
            let before = self.before[vertex].expect("the path leads back to the root");
            next = mates[before];
            mates[vertex] = Some(before);
            mates[before] = Some(vertex);
        }
    }
}

fn nearest_first(from: usize, count: usize) -> impl Iterator<Item = usize> {
    (1..count).flat_map(move |apart| {
        let above = from.checked_sub(apart);
        let below = Some(from + apart).filter(|&below| below < count);
        above.into_iter().chain(below)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The most pairs there can be, by trying everything.
    fn most_pairs(left: &[usize], may: &dyn Fn(usize, usize) -> bool) -> usize {
        let Some((&first, rest)) = left.split_first() else { return 0 };
        let with_first = rest.iter().filter(|&&other| may(first, other)).map(|&other| {
            let others: Vec<usize> = rest.iter().copied().filter(|&id| id != other).collect();
            1 + most_pairs(&others, may)
        });
        with_first.max().unwrap_or(0).max(most_pairs(rest, may))
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_pair_is_missed(count in 1_usize..9, edges in prop::collection::vec(any::<bool>(), 64)) {
            let may = |one: usize, other: usize| edges[one.min(other) * 8 + one.max(other) - 1];
            let mut mates = vec![None; count];
            extend(&mut mates, may);
            for (vertex, mate) in mates.iter().enumerate() {
                if let Some(mate) = *mate {
                    prop_assert!(mate != vertex && mates[mate] == Some(vertex) && may(vertex, mate));
                }
            }
            let everybody: Vec<usize> = (0..count).collect();
            let pairs = mates.iter().flatten().count() / 2;
            prop_assert_eq!(pairs, most_pairs(&everybody, &may));
        }
    }
}
