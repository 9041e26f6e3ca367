//! Square matrices of bits, with one row for each item.

/// A square matrix of bits. Every row is a set of items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BitMatrix {
    size: usize,
    words: usize,
    data: Vec<u64>,
}

impl BitMatrix {
    pub(crate) fn new(size: usize) -> Self {
        let words = size.div_ceil(64);
        Self { size, words, data: vec![0; size * words] }
    }

    /// The unit matrix: each item alone in its row.
    pub(crate) fn unit(size: usize) -> Self {
        let mut matrix = Self::new(size);
        for item in 0..size {
            matrix.set(item, item);
        }
        matrix
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Adds rows and columns of zeros.
    pub(crate) fn grow(&mut self, size: usize) {
        let mut grown = Self::new(size.max(self.size));
        for row in 0..self.size {
            grown.row_mut(row)[..self.words].copy_from_slice(self.row(row));
        }
        *self = grown;
    }

    pub(crate) fn row(&self, row: usize) -> &[u64] {
        &self.data[row * self.words..(row + 1) * self.words]
    }

    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.data[row * self.words..(row + 1) * self.words]
    }

    pub(crate) fn get(&self, row: usize, column: usize) -> bool {
        self.data[row * self.words + column / 64] >> (column % 64) & 1 == 1
    }

    pub(crate) fn set(&mut self, row: usize, column: usize) {
        self.data[row * self.words + column / 64] |= 1 << (column % 64);
    }

    /// Returns the bits that are set here and not in `other`, which has the same size.
    pub(crate) fn without(&self, other: &Self) -> Self {
        let data = self.data.iter().zip(&other.data).map(|(word, not)| word & !not).collect();
        Self { data, ..*self }
    }

    pub(crate) fn clear(&mut self, row: usize, column: usize) {
        self.data[row * self.words + column / 64] &= !(1 << (column % 64));
    }
}

/// Adds the members of `other` to `set`.
pub(crate) fn unite(set: &mut [u64], other: &[u64]) {
    for (word, more) in set.iter_mut().zip(other) {
        *word |= more;
    }
}

pub(crate) fn count(set: &[u64]) -> usize {
    set.iter().map(|word| word.count_ones() as usize).sum()
}

pub(crate) fn count_both(left: &[u64], right: &[u64]) -> usize {
    left.iter().zip(right).map(|(left, right)| (left & right).count_ones() as usize).sum()
}

pub(crate) fn contains(set: &[u64], item: usize) -> bool {
    set[item / 64] >> (item % 64) & 1 == 1
}

pub(crate) fn insert(set: &mut [u64], item: usize) {
    set[item / 64] |= 1 << (item % 64);
}

/// Returns the members of a set in ascending order.
pub(crate) fn members(set: &[u64]) -> impl Iterator<Item = usize> {
    words(set.iter().copied())
}

/// Returns the items below `size` that are not in a set, in ascending order.
pub(crate) fn absent(set: &[u64], size: usize) -> impl Iterator<Item = usize> + '_ {
    words(set.iter().map(|word| !word)).take_while(move |&item| item < size)
}

/// Returns the members of the intersection of two sets in ascending order.
pub(crate) fn members_both<'a>(left: &'a [u64], right: &'a [u64]) -> impl Iterator<Item = usize> + 'a {
    words(left.iter().zip(right).map(|(left, right)| left & right))
}

fn words(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(at, mut word)| {
        std::iter::from_fn(move || {
            let bit = word.trailing_zeros() as usize;
            (word != 0).then(|| {
                word &= word - 1;
                at * 64 + bit
            })
        })
    })
}
