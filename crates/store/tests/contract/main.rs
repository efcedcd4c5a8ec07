//! What every store promises. Each promise is a function over a [`Storage`](storage::Storage); the list
//! at the end of this file has all of them tried on all stores. What needs a database is left out unless
//! it is asked for: `./test fleet` starts one and does. What only servers that share a database are
//! promised is in `fleet.rs`, and what becomes of a database that is silent in `silence.rs`.

mod copies;
mod fleet;
mod games;
mod in_database;
mod silence;
mod storage;
mod streams;

use in_database::InDatabase;
use storage::{InFolder, InMemory};

/// Tries every promise on every store.
macro_rules! contract {
    ($($part:ident :: $promise:ident,)*) => {
        mod in_a_folder {
            $(#[test] fn $promise() { crate::$part::$promise(&crate::InFolder::default()); })*
        }
        mod in_memory {
            $(#[test] fn $promise() { crate::$part::$promise(&crate::InMemory::default()); })*
        }
        mod in_a_database {
            $(
                #[test]
                #[ignore = "needs PostgreSQL: ./test fleet"]
                fn $promise() { crate::$part::$promise(&crate::InDatabase::default()); }
            )*
        }
    };
}

contract! {
    streams::what_is_appended_is_read_back_in_order,
    streams::what_is_open_can_be_read_by_whoever_does_not_write,
    streams::streams_and_kinds_are_told_apart,
    streams::the_register_of_the_house_is_kept_and_is_no_table,
    streams::pages_of_a_log_are_kept_until_they_close_and_are_no_tables,
    streams::a_table_may_open_and_close_in_one_batch,
    streams::what_is_closed_may_open_again_in_the_same_batch,
    streams::batches_of_several_streams_become_durable_together,
    streams::counters_never_go_back,
    streams::whoever_loads_a_stream_takes_it_over,
    streams::a_refused_append_leaves_nothing_behind,
    streams::nobody_writes_to_a_stream_it_has_not_loaded,
    games::the_latest_come_first_with_everything_that_is_kept,
    games::every_filter_leaves_what_fits,
    games::pages_join_without_gap_or_repetition_while_games_go_on_closing,
    games::of_games_with_one_id_the_latest_is_replayed,
    games::pruning_removes_the_oldest_and_nothing_else,
    games::the_size_counts_games_and_open_tables,
    games::rated_games_are_listed_in_order_and_outlive_pruning,
}
