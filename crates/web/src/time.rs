//! Formats times for pages.

/// The milliseconds of a day.
const DAY: i64 = 86_400_000;

/// A time in milliseconds since 1970-01-01 UTC as `2026-11-24 23:44:05`, in UTC.
pub(crate) fn utc(at_ms: i64) -> String {
    let (day, in_day) = (at_ms.div_euclid(DAY), at_ms.rem_euclid(DAY) / 1_000);
    let (year, month, of_month) = date(day);
    let (hour, minute, second) = (in_day / 3_600, in_day / 60 % 60, in_day % 60);
    format!("{year:04}-{month:02}-{of_month:02} {hour:02}:{minute:02}:{second:02}")
}

/// Year, month and day of the month of a day since 1970-01-01 in the Gregorian calendar, by Howard Hinnant's
/// `civil_from_days` (<https://howardhinnant.github.io/date_algorithms.html>).
fn date(day: i64) -> (i64, i64, i64) {
    let shifted = day + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march = (5 * of_year + 2) / 153;
    let month = if march < 10 { march + 3 } else { march - 9 };
    (year + era * 400 + i64::from(month <= 2), month, of_year - (153 * march + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The output of `date -u -d @SECONDS '+%F %T'` of GNU coreutils.
    #[test]
    fn a_time_is_that_of_coreutils() {
        for (seconds, shown) in [
            (0, "1970-01-01 00:00:00"),
            (951_782_400, "2000-02-29 00:00:00"),
            (1_000_000_000, "2001-09-09 01:46:40"),
            (4_107_542_399, "2100-02-28 23:59:59"),
            (4_107_542_400, "2100-03-01 00:00:00"),
            (-1, "1969-12-31 23:59:59"),
        ] {
            assert_eq!(utc(seconds * 1_000), shown);
        }
        assert_eq!(utc(999), "1970-01-01 00:00:00");
    }
}
