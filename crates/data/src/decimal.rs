//! Numbers in files.

/// 10^22 is the largest power of ten that a 64-bit number holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Returns the number that [`str::parse`] returns, to the last bit. Plain decimals of up to 15 digits are
/// read in one pass.
pub(crate) fn parse_f64(text: &str) -> Option<f64> {
    parse_plain(text).or_else(|| text.parse().ok())
}

/// Parses digits with at most one point among them. The digits as a whole number and the power of ten that divides it
/// are both exact, so their quotient is rounded once: Clinger, How to read floating point numbers accurately, PLDI
/// 1990.
///
/// `None` for any other text, numbers of other forms included.
#[inline]
pub(crate) fn parse_plain(text: &str) -> Option<f64> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    // 15 digits stay below 2^53.
    if digits.len() > 16 {
        return None;
    }
    let (whole, behind, count) = match digits_of(digits, 0) {
        (whole, []) => (whole, 0, digits.len()),
        (whole, [b'.', fraction @ ..]) => match digits_of(fraction, whole) {
            (whole, []) => (whole, fraction.len(), digits.len() - 1),
            _ => return None,
        },
        _ => return None,
    };
    if count == 0 || count > 15 {
        return None;
    }
    let value = whole as f64 / POWERS.get(behind)?;
    Some(if negative { -value } else { value })
}

/// Appends the digits at the beginning of `bytes` to those of `whole`. Also returns the bytes after them.
#[inline(always)]
fn digits_of(bytes: &[u8], mut whole: u64) -> (u64, &[u8]) {
    for (at, byte) in bytes.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return (whole, bytes.get(at..).unwrap_or_default());
        }
        whole = whole * 10 + u64::from(digit);
    }
    (whole, &[])
}

const ONES: u64 = u64::MAX / 255;

/// Parses the last `length` of eight bytes as [`parse_plain`] does, all at once, if they are digits with at most one
/// point among them.
///
/// The bytes before are made zeros, and the point is taken out by moving up what is before it. Then neighbouring digits
/// are joined to numbers of two, four and eight digits (Lemire, Number parsing at a gigabyte per second, 2021).
#[inline(always)]
pub(crate) fn parse_last_of_eight(bytes: [u8; 8], length: usize) -> Option<f64> {
    if length == 0 || length > 8 {
        return None;
    }
    let kept = u64::MAX << (8 * (8 - length));
    let mut text = (u64::from_le_bytes(bytes) & kept) | ((ONES * u64::from(b'0')) & !kept);
    let points = text ^ (ONES * u64::from(b'.'));
    let points = points.wrapping_sub(ONES) & !points & (ONES << 7);
    let mut behind = 0;
    if points != 0 {
        // The lowest bit is that of the first point; above it there may be false ones.
        let at = points.trailing_zeros() & !7;
        let before = text & !(u64::MAX << at);
        text = (text & (u64::MAX << 8 << at)) | (before << 8) | u64::from(b'0');
        behind = 7 - at as usize / 8;
        if length == 1 {
            return None;
        }
    }
    let zeros = ONES * 0x30;
    if (text & (ONES * 0xf0)) != zeros || (text.wrapping_add(ONES * 6) & (ONES * 0xf0)) != zeros {
        return None;
    }
    let digits = text ^ zeros;
    let twos = (digits * 10 + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (twos * 100 + (twos >> 16)) & 0x0000_ffff_0000_ffff;
    let whole = (fours * 10_000 + (fours >> 32)) & 0xffff_ffff;
    Some(whole as f64 / POWERS.get(behind)?)
}

/// Parses a whole number, also if it is written as a decimal with nothing but zeros behind the point (`2.0`).
pub(crate) fn parse_whole(text: &str) -> Option<i32> {
    let whole = match text.split_once('.') {
        Some((whole, zeros)) if zeros.bytes().all(|byte| byte == b'0') => whole,
        Some(_) => return None,
        None => text,
    };
    whole.parse().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn same(text: &str) -> Result<(), TestCaseError> {
        let expected = text.parse::<f64>().ok();
        prop_assert_eq!(parse_f64(text).map(f64::to_bits), expected.map(f64::to_bits), "{}", text);
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn decimals_are_read_as_the_standard_library_reads_them(
            text in "[-+]?[0-9]{0,18}(\\.[0-9]{0,18})?(e-?[0-9]{1,3})?",
        ) {
            same(&text)?;
        }

        #[test]
        fn eight_bytes_are_read_as_their_text(before in "[ -~]{8}", text in "[0-9]{0,8}|[0-9.]{0,8}|[ -~]{0,8}") {
            let (text, all) = (text.as_bytes(), [before.as_bytes(), text.as_bytes()].concat());
            let read = parse_last_of_eight(*all.last_chunk().unwrap(), text.len());
            let digits = text.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
            let expected = std::str::from_utf8(text).unwrap().parse::<f64>().ok().filter(|_| digits);
            prop_assert_eq!(read.map(f64::to_bits), expected.map(f64::to_bits));
        }

        #[test]
        fn so_is_whatever_was_printed(number in any::<f64>(), fraction in 0.0f64..100.0) {
            for number in [number, fraction] {
                same(&number.to_string())?;
                same(&format!("{number:e}"))?;
                same(&format!("{number:.6}"))?;
                same(&format!("{number:.13}"))?;
            }
        }

        #[test]
        fn so_is_anything(text in "[-+.0-9einfNA_ ]{0,6}") {
            same(&text)?;
        }

        #[test]
        fn a_whole_number_may_have_zeros_behind_a_point(number in any::<i32>(), zeros in 0usize..4) {
            let written = format!("{number}.{}", "0".repeat(zeros));
            prop_assert_eq!(parse_whole(&written), Some(number));
            prop_assert_eq!(parse_whole(&number.to_string()), Some(number));
            prop_assert_eq!(parse_whole(&format!("{written}1")), None);
        }
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in ["", "-", ".", "-.", "1.2.3", "1,5", "0x1", "½", "--1"] {
            assert_eq!((parse_f64(text), parse_whole(text)), (None, None), "{text}");
        }
        assert_eq!(parse_f64("-0").map(f64::to_bits), Some((-0.0f64).to_bits()));
        for text in ["2.5", "99999999999", "1e2", ".0"] {
            assert_eq!(parse_whole(text), None, "{text}");
        }
    }
}
