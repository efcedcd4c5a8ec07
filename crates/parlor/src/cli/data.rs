//! What can be typed after `parlor data`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::DATA;

#[derive(Args)]
pub struct DataArgs {
    /// The data folder.
    #[arg(
        long,
        value_name = "DIR",
        default_value = DATA,
        env = "PARLOR_DATA",
        global = true
    )]
    pub data: PathBuf,
    #[command(subcommand)]
    pub command: Option<DataCommand>,
}

#[derive(Subcommand)]
pub enum DataCommand {
    /// Remove old finished games. Works while a server uses the folder, too.
    #[command(after_help = "Examples:
  parlor data prune --older-than 30d")]
    Prune {
        /// How old, such as 30d, 12h, 45m or 90s.
        #[arg(long, value_name = "AGE", value_parser = parse_age)]
        older_than: std::time::Duration,
    },
    /// Copy the data folder, also while a server uses it. The copy is checked.
    #[command(after_help = "Examples:
  parlor data backup ./backups/2026-11-16
  parlor data backup --data /var/lib/parlor /mnt/backup/parlor")]
    Backup {
        /// The folder to make. It must not exist yet, or be empty.
        #[arg(value_name = "DIR")]
        to: PathBuf,
    },
    /// Make a data folder from a backup.
    #[command(after_help = "Examples:
  parlor data restore ./backups/2026-11-16 --data ./parlor-data")]
    Restore {
        /// The folder that `parlor data backup` made.
        #[arg(value_name = "DIR")]
        from: PathBuf,
    },
    /// Copy the data folder into an empty PostgreSQL database. Stop the server first.
    #[command(after_help = "Examples:
  parlor data import postgres://parlor@db.example.org/parlor --data ./parlor-data")]
    Import {
        /// The address of the database, as `parlor serve --database` takes it.
        #[arg(value_name = "URL", env = "PARLOR_DATABASE", hide_env_values = true)]
        database: String,
    },
    /// Make a data folder from a PostgreSQL database. Stop its servers first.
    #[command(after_help = "Examples:
  parlor data export postgres://parlor@db.example.org/parlor --data ./parlor-data")]
    Export {
        /// The address of the database, as `parlor serve --database` takes it.
        #[arg(value_name = "URL", env = "PARLOR_DATABASE", hide_env_values = true)]
        database: String,
    },
    /// Close every open table without a result. Stop the server first.
    #[command(after_help = "Examples:
  parlor data abandon --data ./old-data")]
    Abandon,
}

pub fn parse_age(text: &str) -> Result<std::time::Duration, String> {
    let wrong = || format!("'{text}' is not an age. Use for example 30d, 12h, 45m or 90s");
    let (number, unit) =
        text.split_at(text.len() - text.chars().next_back().map_or(0, char::len_utf8));
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        _ => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    Ok(std::time::Duration::from_secs(number.checked_mul(seconds).ok_or_else(wrong)?))
}
