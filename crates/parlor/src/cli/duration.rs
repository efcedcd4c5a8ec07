//! Times as they are typed: a number with its unit, `500ms`, `25s`, `45m`, `2h` or `30d`. A bare number has
//! the unit that its option always had.

use std::time::Duration;

/// Units, the longest name first, with their milliseconds.
const UNITS: [(&str, u64); 5] =
    [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

/// Milliseconds; a bare number is milliseconds.
pub fn milliseconds(text: &str) -> Result<u64, String> {
    read(text, Some(1))
}

/// Whole seconds; a bare number is seconds.
pub fn seconds(text: &str) -> Result<u64, String> {
    whole(text, 1_000, "seconds")
}

/// Whole days; a bare number is days.
pub fn days(text: &str) -> Result<u64, String> {
    whole(text, 86_400_000, "days")
}

/// A time with its unit.
pub fn age(text: &str) -> Result<Duration, String> {
    read(text, None).map(Duration::from_millis)
}

fn whole(text: &str, unit: u64, name: &str) -> Result<u64, String> {
    let ms = read(text, Some(unit))?;
    let wrong = || format!("'{text}' is not a whole number of {name}");
    if ms % unit == 0 { Ok(ms / unit) } else { Err(wrong()) }
}

fn read(text: &str, bare: Option<u64>) -> Result<u64, String> {
    let wrong = || format!("'{text}' is not a time. Use for example 500ms, 25s, 45m, 2h or 30d");
    let text_of = |(name, unit): (&str, u64)| Some((text.strip_suffix(name)?, unit));
    let (number, unit) = match UNITS.into_iter().find_map(text_of) {
        Some(found) => found,
        None => (text, bare.ok_or_else(wrong)?),
    };
    let number: u64 = number.trim_end().parse().map_err(|_| wrong())?;
    number.checked_mul(unit).ok_or_else(wrong)
}

/// A moment in milliseconds since 1970: that number, or a date in UTC as in 2026-11-18 or
/// 2026-11-18T09:30.
pub fn moment(text: &str) -> Result<u64, String> {
    if let Ok(ms) = text.parse() {
        return Ok(ms);
    }
    let wrong =
        || format!("'{text}' is not a date. Use for example 2026-11-18 or 2026-11-18T09:30");
    let (date, time) = text.trim_end_matches('Z').split_once('T').unwrap_or((text, "00:00"));
    let numbers = |text: &str, by| -> Option<Vec<u64>> {
        text.split(by).map(|part| part.parse().ok()).collect()
    };
    let date = numbers(date, '-').filter(|date| date.len() == 3).ok_or_else(wrong)?;
    let time = numbers(time, ':').filter(|time| (2..=3).contains(&time.len())).ok_or_else(wrong)?;
    let (year, month, day) = (date[0], date[1], date[2]);
    let fits =
        (1970..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !fits || time[0] > 23 || time[1..].iter().any(|part| *part > 59) {
        return Err(wrong());
    }
    let seconds = time[0] * 3600 + time[1] * 60 + time.get(2).copied().unwrap_or_default();
    Ok((days_before(year, month, day) * 86_400 + seconds) * 1000)
}

/// Days from the first of January 1970 to a date. Years are counted from March, so that the leap day is
/// the last of its year.
fn days_before(year: u64, month: u64, day: u64) -> u64 {
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    let leap_days = year / 4 - year / 100 + year / 400;
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_and_a_bare_number_means_what_it_always_did() {
        assert_eq!(milliseconds("500"), Ok(500));
        assert_eq!(milliseconds("500ms"), Ok(500));
        assert_eq!(milliseconds("2s"), Ok(2000));
        assert_eq!(seconds("25"), Ok(25));
        assert_eq!(seconds("2m"), Ok(120));
        assert_eq!(days("30"), Ok(30));
        assert_eq!(days("48h"), Ok(2));
        assert_eq!(age("2h"), Ok(Duration::from_secs(7200)));
        for wrong in ["", "s", "2x", "-1s", "1.5s", "99999999999999999999d"] {
            assert!(milliseconds(wrong).is_err(), "{wrong}");
        }
        assert!(age("90").is_err(), "an age always had its unit");
        assert!(seconds("1500ms").is_err(), "no half seconds");
    }

    #[test]
    fn a_moment_is_a_number_or_a_date() {
        assert_eq!(moment("1763300000000"), Ok(1_763_300_000_000));
        assert_eq!(moment("1970-01-01"), Ok(0));
        assert_eq!(moment("2000-03-01"), Ok(951_868_800_000));
        assert_eq!(moment("2026-11-18T09:30"), Ok(1_794_994_200_000));
        assert_eq!(moment("2026-11-18T09:30:00Z"), Ok(1_794_994_200_000));
        for wrong in ["", "2026-13-01", "2026-11", "today", "2026-11-18T25:00", "1969-01-01"] {
            assert!(moment(wrong).is_err(), "{wrong}");
        }
    }
}
