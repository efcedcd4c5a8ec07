//! An address as a picture for the camera of a phone.

use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};

/// The picture in block letters, two rows of it in each line. None: the address is too long for one.
pub fn picture(address: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(address, EcLevel::L).ok()?;
    let mut picture = code.render::<Dense1x2>();
    // Most terminals are dark: what is light in the picture is drawn.
    picture.quiet_zone(true).dark_color(Dense1x2::Light).light_color(Dense1x2::Dark);
    Some(picture.build())
}

#[cfg(test)]
mod tests {
    use super::picture;

    #[test]
    fn an_address_is_a_square_that_fits_a_terminal() {
        let picture = picture("http://192.168.100.200:7800/").unwrap();
        let lines: Vec<&str> = picture.lines().collect();
        let width = lines[0].chars().count();
        assert!(lines.iter().all(|line| line.chars().count() == width), "{picture}");
        assert_eq!(lines.len(), width.div_ceil(2), "{picture}");
        assert!(width <= 40, "{picture}");
        let letters = picture.chars().all(|letter| " ▀▄█\n".contains(letter));
        assert!(letters, "{picture}");
    }

    #[test]
    fn what_is_too_long_has_no_picture() {
        assert_eq!(picture(&"x".repeat(10_000)), None);
    }
}
