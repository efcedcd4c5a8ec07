//! Halls as those who drive them see them, with the smallest game.

mod crashes;
mod deadlines;
mod house_seats;
mod pace;
mod stage;
