//! Halls as their callers see them, on the stage, with the smallest game.

mod barred;
mod crashes;
mod deadlines;
mod house_seats;
mod open_play;
mod pace;
mod records;
mod recovery;
mod reserve;
mod sitting;
mod takeover;
mod thinking;
