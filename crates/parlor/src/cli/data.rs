//! What can be typed after `parlor data`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::DATA;
use super::duration::age;

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
    /// Remove old finished games, even while a server uses the folder.
    #[command(after_help = "Examples:
  parlor data prune --older-than 30d")]
    Prune {
        /// Remove games that ended longer ago than this, such as 30d, 12h, 45m or 90s.
        #[arg(long, value_name = "AGE", value_parser = age)]
        older_than: std::time::Duration,
    },
    /// Copy the data folder, even while a server uses it, and check the copy.
    #[command(after_help = "Examples:
  parlor data backup ./backups/2026-11-16
  parlor data backup --data /var/lib/parlor /mnt/backup/parlor
  parlor data backup --database postgres://parlor@db.example.org/parlor ./backups/2026-11-16")]
    Backup {
        /// Copy a fleet's PostgreSQL database instead, even while its servers run. The copy is a data folder.
        #[arg(long, value_name = "URL")]
        database: Option<String>,
        /// The new folder. If it exists, it must be empty.
        #[arg(value_name = "DIR")]
        to: PathBuf,
    },
    /// Create a data folder from a backup.
    #[command(after_help = "Examples:
  parlor data restore ./backups/2026-11-16 --data ./parlor-data")]
    Restore {
        /// The folder that `parlor data backup` wrote.
        #[arg(value_name = "DIR")]
        from: PathBuf,
    },
    /// Copy the data folder into an empty PostgreSQL database. Stop the server first.
    #[command(after_help = "Examples:
  parlor data import postgres://parlor@db.example.org/parlor --data ./parlor-data")]
    Import {
        /// The database's address, as for `parlor serve --database`.
        #[arg(value_name = "URL", env = "PARLOR_DATABASE", hide_env_values = true)]
        database: String,
    },
    /// Create a data folder from a PostgreSQL database, even while its servers run.
    #[command(after_help = "Examples:
  parlor data export postgres://parlor@db.example.org/parlor --data ./parlor-data")]
    Export {
        /// The database's address, as for `parlor serve --database`.
        #[arg(value_name = "URL", env = "PARLOR_DATABASE", hide_env_values = true)]
        database: String,
    },
    /// Close every open table without a result. Stop the server first.
    #[command(
        visible_alias = "close-tables",
        after_help = "Examples:
  parlor data abandon --data ./old-data"
    )]
    Abandon,
}
