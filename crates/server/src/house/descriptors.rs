//! How many files and sockets the operating system lets this program have, and how many of them are
//! for connections.

use super::settings::Settings;
use crate::system;

/// Lowers the limit of connections to what there are descriptors for: above it they are turned away
/// in good order, instead of files that cannot be opened.
pub fn fit(settings: &mut Settings) {
    let Some(room) = room_for_connections(settings) else { return };
    let (descriptors, wanted) = (system::descriptors(), settings.limits.connections);
    if room < wanted {
        tracing::warn!(
            descriptors,
            connections = room,
            wanted,
            "the system allows fewer open files than limits.connections needs"
        );
        settings.limits.connections = room;
    }
}

/// How many connections there is room for, if that is limited.
pub fn room_for_connections(settings: &Settings) -> Option<usize> {
    Some(room(system::descriptors()? as usize, settings.trace.is_some()))
}

/// The same for a number of descriptors: a part is left for the journal, listeners and operators,
/// and who is traced has a file, too.
fn room(descriptors: usize, traces: bool) -> usize {
    let reserve = (descriptors / 8).clamp(64, 512);
    descriptors.saturating_sub(reserve) / if traces { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_file_descriptors_for_everything_else() {
        assert_eq!(room(20_000, false), 19_488);
        assert_eq!(room(20_000, true), 9_744);
        assert_eq!(room(1024, false), 896);
        assert_eq!(room(256, false), 192);
        assert_eq!(room(32, false), 0);
    }
}
