//! Halls as those who drive them see them, with the smallest game.

mod barred;
mod crashes;
mod deadlines;
mod house_seats;
mod pace;
mod records;
mod reserve;
mod stage;
mod takeover;
mod thinking;
