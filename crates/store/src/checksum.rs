//! Checksums of database values: 64 bits, quick to compute, by XXH64.
//!
//! They find accidental damage, not forgery: a program that can write to the file can write a checksum, too.

use rusqlite::types::ValueRef;

const PRIMES: [u64; 5] = [
    0x9E37_79B1_85EB_CA87,
    0xC2B2_AE3D_27D4_EB4F,
    0x1656_67B1_9E37_79F9,
    0x85EB_CA77_C2B2_AE63,
    0x27D4_EB2F_1656_67C5,
];

/// Database values, encoded one after the other so that different lists of values never have the same bytes.
#[derive(Debug, Default)]
pub(crate) struct Encoded(Vec<u8>);

impl Encoded {
    /// Removes all values and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a value.
    pub(crate) fn push(&mut self, value: ValueRef<'_>) {
        let (kind, bytes): (u8, &[u8]) = match value {
            ValueRef::Null => (0, &[]),
            ValueRef::Integer(number) => return self.number(1, number as u64),
            ValueRef::Real(number) => return self.number(2, number.to_bits()),
            ValueRef::Text(bytes) => (3, bytes),
            ValueRef::Blob(bytes) => (4, bytes),
        };
        self.number(kind, bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn number(&mut self, kind: u8, number: u64) {
        self.0.push(kind);
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    /// Returns the checksum of all values.
    pub(crate) fn checksum(&self) -> [u8; 8] {
        xxh64(&self.0).to_le_bytes()
    }
}

/// Returns the checksum of one value.
pub(crate) fn of_value(value: ValueRef<'_>) -> [u8; 8] {
    let mut encoded = Encoded::default();
    encoded.push(value);
    encoded.checksum()
}

/// XXH64 with seed 0 (<https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md>).
fn xxh64(bytes: &[u8]) -> u64 {
    let [p1, p2, p3, p4, p5] = PRIMES;
    let (stripes, rest) = bytes.as_chunks::<32>();
    let mut hash = p5;
    if !stripes.is_empty() {
        let mut lanes = [p1.wrapping_add(p2), p2, 0, 0_u64.wrapping_sub(p1)];
        for stripe in stripes {
            for (lane, word) in lanes.iter_mut().zip(stripe.as_chunks().0) {
                *lane = round(*lane, u64::from_le_bytes(*word));
            }
        }
        hash = lanes
            .iter()
            .zip([1, 7, 12, 18])
            .fold(0_u64, |sum, (lane, turn)| sum.wrapping_add(lane.rotate_left(turn)));
        for lane in lanes {
            hash = (hash ^ round(0, lane)).wrapping_mul(p1).wrapping_add(p4);
        }
    }
    hash = hash.wrapping_add(bytes.len() as u64);
    let (words, rest) = rest.as_chunks::<8>();
    for word in words {
        hash = (hash ^ round(0, u64::from_le_bytes(*word))).rotate_left(27).wrapping_mul(p1).wrapping_add(p4);
    }
    let (halves, rest) = rest.as_chunks::<4>();
    for half in halves {
        let mixed = hash ^ u64::from(u32::from_le_bytes(*half)).wrapping_mul(p1);
        hash = mixed.rotate_left(23).wrapping_mul(p2).wrapping_add(p3);
    }
    for byte in rest {
        hash = (hash ^ u64::from(*byte).wrapping_mul(p5)).rotate_left(11).wrapping_mul(p1);
    }
    hash = (hash ^ (hash >> 33)).wrapping_mul(p2);
    hash = (hash ^ (hash >> 29)).wrapping_mul(p3);
    hash ^ (hash >> 32)
}

fn round(lane: u64, word: u64) -> u64 {
    let [p1, p2, ..] = PRIMES;
    lane.wrapping_add(word.wrapping_mul(p2)).rotate_left(31).wrapping_mul(p1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from the tests of another implementation (<https://github.com/cespare/xxhash>, `xxhash_test.go`).
    #[test]
    fn checksums_are_xxh64() {
        for (text, expected) in [
            ("", 0xef46_db37_51d8_e999),
            ("a", 0xd24e_c4f1_a98c_6e5b),
            ("as", 0x1c33_0fb2_d66b_e179),
            ("asd", 0x631c_37ce_72a9_7393),
            ("asdf", 0x4158_72f5_99ce_a71e),
            ("Call me Ishmael. Some years ago--never mind how long precisely-", 0x02a2_e854_70d6_fd96),
        ] {
            assert_eq!(xxh64(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn values_cannot_run_into_each_other() {
        let sum = |values: &[ValueRef<'_>]| {
            let mut encoded = Encoded::default();
            values.iter().for_each(|value| encoded.push(*value));
            encoded.checksum()
        };
        let (ab, c, a, bc) = (b"ab", b"c", b"a", b"bc");
        assert_ne!(
            sum(&[ValueRef::Text(ab), ValueRef::Text(c)]),
            sum(&[ValueRef::Text(a), ValueRef::Text(bc)])
        );
        assert_ne!(sum(&[ValueRef::Null]), sum(&[ValueRef::Integer(0)]));
        assert_ne!(sum(&[ValueRef::Text(b"")]), sum(&[ValueRef::Null]));
    }
}
