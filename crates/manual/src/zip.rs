//! A zip archive with nothing compressed and no clock: the same files make the same bytes.

/// The first of January 1980, the earliest date a zip can tell.
const DATE: u16 = 1 << 5 | 1;

/// Version of the format that is needed, the least there is, and who made it: Unix, for the mode.
const NEEDED: u16 = 10;
const MADE_BY: u16 = 3 << 8 | 20;
/// Names are UTF-8.
const FLAGS: u16 = 1 << 11;

/// An archive of these files, in this order. Scripts may be run.
pub fn archive(files: &[(String, String)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    for (name, text) in files {
        let offset = u32::try_from(bytes.len()).expect("starters are small");
        let head = head(name, text);
        bytes.extend(*b"PK\x03\x04");
        bytes.extend(&head);
        bytes.extend(name.bytes());
        bytes.extend(text.bytes());
        directory.extend(*b"PK\x01\x02");
        directory.extend(MADE_BY.to_le_bytes());
        directory.extend(&head);
        // No comment, on the first disk, no attributes but a file's mode.
        directory.extend([0; 6]);
        let mode: u32 = if text.starts_with("#!") { 0o100_755 } else { 0o100_644 };
        directory.extend((mode << 16).to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(name.bytes());
    }
    let count = u16::try_from(files.len()).expect("starters are few");
    let (size, start) = (directory.len() as u32, bytes.len() as u32);
    bytes.append(&mut directory);
    bytes.extend(*b"PK\x05\x06\0\0\0\0");
    bytes.extend([count, count].map(u16::to_le_bytes).concat());
    bytes.extend([size, start].map(u32::to_le_bytes).concat());
    bytes.extend([0; 2]);
    bytes
}

/// What both the file's own header and the directory say of it.
fn head(name: &str, text: &str) -> Vec<u8> {
    let size = u32::try_from(text.len()).expect("starters are small");
    let length = u16::try_from(name.len()).expect("names are short");
    let numbers = [NEEDED, FLAGS, 0, 0, DATE].map(u16::to_le_bytes).concat();
    let sizes = [crc32fast::hash(text.as_bytes()), size, size].map(u32::to_le_bytes).concat();
    [numbers, sizes, length.to_le_bytes().to_vec(), vec![0; 2]].concat()
}
