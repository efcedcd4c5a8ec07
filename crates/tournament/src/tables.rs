//! How many tables, and how large.

/// The table sizes for this number of entrants: as few tables as possible, as even as possible,
/// larger ones first. A size of 1 is a bye; it occurs only with tables of two.
pub(crate) fn sizes(entrants: usize, table_seats: usize) -> Vec<usize> {
    let tables = entrants.div_ceil(table_seats);
    (0..tables).map(|table| (entrants + tables - 1 - table) / tables).collect()
}

/// Number of rounds until one is left, if one of each table advances.
pub(crate) fn knockout_rounds(mut entrants: usize, table_seats: usize) -> u32 {
    let mut rounds = 0;
    while entrants > 1 {
        entrants = entrants.div_ceil(table_seats);
        rounds += 1;
    }
    rounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_even_and_only_pairs_leave_one_over() {
        assert_eq!(sizes(5, 2), [2, 2, 1]);
        assert_eq!(sizes(7, 3), [3, 2, 2]);
        assert_eq!(sizes(4, 3), [2, 2]);
        assert_eq!(sizes(11, 5), [4, 4, 3]);
        assert_eq!(sizes(2, 5), [2]);
        for table_seats in 3..=8 {
            for entrants in 2..100 {
                let sizes = sizes(entrants, table_seats);
                assert_eq!(sizes.iter().sum::<usize>(), entrants);
                assert!(sizes.iter().all(|size| (2..=table_seats).contains(size)), "{sizes:?}");
            }
        }
    }

    #[test]
    fn a_knockout_of_1024_takes_ten_rounds() {
        assert_eq!(knockout_rounds(1024, 2), 10);
        assert_eq!(knockout_rounds(1025, 2), 11);
        assert_eq!(knockout_rounds(9, 3), 2);
        assert_eq!(knockout_rounds(2, 4), 1);
        assert_eq!(knockout_rounds(1, 2), 0);
    }
}
