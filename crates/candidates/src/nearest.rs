//! Finds the nearest documents to queries by an exhaustive vector search.

use llull_core::Ranking;
use llull_encoder::{KeptVectors, dot};
use rayon::prelude::*;
use rten_gemm::{GemmError, GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_tensor::NdTensorView;

use crate::index::top_documents;

/// The most queries whose vectors are multiplied with those of documents at once.
const QUERIES: usize = 128;

/// Fewer queries than this are compared with each document in turn: arranging vectors for products would take longer.
const FEW: usize = 8;

/// How many documents are compared with few queries before another core may take over.
const PART: usize = 4096;

/// How many documents are multiplied at once: with 384 dimensions, 400 kB.
const DOCUMENTS: usize = 256;

/// The reason why vectors cannot be multiplied.
#[derive(Debug, thiserror::Error)]
#[error("vectors cannot be multiplied: {0}")]
pub struct ProductError(#[from] GemmError);

/// Documents as vectors of length 1, or 0.
#[derive(Clone, Copy)]
pub(crate) struct SearchedVectors<'a> {
    pub(crate) kept: &'a KeptVectors,
    /// The identifiers of documents, by number.
    pub(crate) ids: &'a [&'a str],
    /// The documents that can be found, each with the row of its vector.
    pub(crate) rows: &'a [(u32, u32)],
}

impl SearchedVectors<'_> {
    /// Returns the best `depth` documents for each query, a row of `kept`.
    ///
    /// Products of matrices exclude most documents. Their rounding depends on the processor, so the few remaining
    /// candidates get the cosine of [`dot`], which is the same everywhere.
    ///
    /// # Errors
    /// Returns an error if vectors cannot be multiplied.
    pub(crate) fn nearest(&self, queries: &[u32], depth: usize) -> Result<Vec<Ranking>, ProductError> {
        let threads = rayon::current_num_threads();
        if queries.len() < FEW {
            return Ok(self.nearest_to_few(queries, depth));
        }
        let each = queries.len().div_ceil(threads).clamp(1, QUERIES);
        let found: Result<Vec<Vec<Ranking>>, ProductError> =
            queries.par_chunks(each).map(|queries| self.nearest_to(queries, depth)).collect();
        Ok(found?.into_iter().flatten().collect())
    }

    /// Compares every query with every document, a part of these after the other on whichever core is free.
    fn nearest_to_few(&self, queries: &[u32], depth: usize) -> Vec<Ranking> {
        let queries: Vec<&[f32]> = queries.iter().map(|row| self.kept.vector(*row)).collect();
        let look = |rows: &[(u32, u32)]| {
            let mut best: Vec<Best> = queries.iter().map(|_| Best::new(depth)).collect();
            for (number, row) in rows {
                let document = self.kept.vector(*row);
                best.iter_mut()
                    .zip(&queries)
                    .for_each(|(best, query)| best.offer(*number, dot(query, document)));
            }
            best
        };
        let parts: Vec<Vec<Best>> = self.rows.par_chunks(PART).map(look).collect();
        let mut all = vec![Vec::new(); queries.len()];
        for best in parts {
            all.iter_mut().zip(best).for_each(|(all, best)| all.extend(best.hits));
        }
        all.into_iter().map(|hits| top_documents(self.ids, hits.into_iter(), depth)).collect()
    }

    fn nearest_to(&self, queries: &[u32], depth: usize) -> Result<Vec<Ranking>, ProductError> {
        let queries: Vec<&[f32]> = queries.iter().map(|row| self.kept.vector(*row)).collect();
        let mut best: Vec<Best> = queries.iter().map(|_| Best::new(depth)).collect();
        let products = Products::of(&queries);
        let (mut documents, mut rough) = (Vec::new(), Vec::new());
        for rows in self.rows.chunks(DOCUMENTS) {
            documents.clear();
            rows.iter().for_each(|(_, row)| documents.extend_from_slice(self.kept.vector(*row)));
            products.with(&documents, rows.len(), &mut rough)?;
            for ((number, row), rough) in rows.iter().zip(rough.chunks_exact(queries.len().max(1))) {
                for ((best, query), rough) in best.iter_mut().zip(&queries).zip(rough) {
                    if *rough >= best.floor - products.error {
                        best.offer(*number, dot(query, self.kept.vector(*row)));
                    }
                }
            }
        }
        let ranking = |best: Best| top_documents(self.ids, best.hits.into_iter(), depth);
        Ok(best.into_iter().map(ranking).collect())
    }
}

/// Products of the same queries with many documents.
struct Products {
    executor: GemmExecutor,
    queries: PackedBMatrix<f32>,
    dimensions: usize,
    /// The largest difference between a product and [`dot`]. Each is within `n u` of the cosine, whatever the order of
    /// the sum of `n` products, with `u` half of [`f32::EPSILON`] (Higham, Accuracy and Stability of Numerical
    /// Algorithms, 3.1). The rest is for lengths that are not quite 1.
    error: f32,
}

impl Products {
    fn of(queries: &[&[f32]]) -> Self {
        let dimensions = queries.first().map_or(0, |query| query.len());
        let flat = queries.concat();
        let executor = GemmExecutor::new();
        let rows = NdTensorView::from_data([queries.len(), dimensions], flat.as_slice());
        let queries = executor.prepack_b(rows.transposed());
        Self { executor, queries, dimensions, error: (dimensions + 16) as f32 * f32::EPSILON }
    }

    /// Multiplies the vectors of documents, one behind the other, with the queries: for each document a product with
    /// each query.
    fn with(&self, documents: &[f32], count: usize, products: &mut Vec<f32>) -> Result<(), GemmError> {
        products.clear();
        products.resize(count * self.queries.cols(), 0.0);
        let documents = NdTensorView::from_data([count, self.dimensions], documents);
        let (a, b) = (GemmInputA::Unpacked(documents), GemmInputB::Packed(&self.queries));
        self.executor.gemm(products, a, b, GemmOptions::default())
    }
}

/// The best documents so far, and some that may not be.
struct Best {
    depth: usize,
    /// A lower cosine is not among the best.
    floor: f32,
    hits: Vec<(u32, f64)>,
}

impl Best {
    fn new(depth: usize) -> Self {
        Self { depth, floor: f32::NEG_INFINITY, hits: Vec::new() }
    }

    /// Takes a document that may be among the best. All documents with the last one's cosine stay: in the end their
    /// identifiers decide.
    fn offer(&mut self, number: u32, cosine: f32) {
        if cosine < self.floor || self.depth == 0 {
            return;
        }
        self.hits.push((number, f64::from(cosine)));
        if self.hits.len() >= 2 * self.depth + 64 {
            let (_, last, _) = self.hits.select_nth_unstable_by(self.depth - 1, |a, b| b.1.total_cmp(&a.1));
            let floor = last.1;
            self.floor = floor as f32;
            self.hits.retain(|(_, cosine)| *cosine >= floor);
        }
    }
}

#[cfg(test)]
mod tests {
    use llull_encoder::{EncodeError, Encoder, TextRole, Vectors, encode_kept};
    use proptest::prelude::*;

    use super::*;

    /// Encodes a number as a vector that follows from it.
    struct Scattered(usize);

    impl Encoder for Scattered {
        fn name(&self) -> &str {
            "scattered"
        }

        fn encode(&self, texts: &[&str], _: TextRole) -> Result<Vectors, EncodeError> {
            let vector = |text: &&str| -> Vec<f32> {
                let mut state: u64 = text.parse().unwrap();
                let mut next = || {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    (state >> 40) as f32 / (1 << 24) as f32 - 0.5
                };
                (0..self.0).map(|_| next()).collect()
            };
            Vectors::normalized(self.0, texts.iter().map(|text| (vector(text), false)))
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]
        /// Whatever the products, the result equals that of sorting all cosines, to the last digit.
        #[test]
        fn products_decide_nothing(
            dimensions in 1usize..130, count in 1usize..900, asked in 1usize..20, depth in 0usize..50, same in 1u64..40,
        ) {
            // Some vectors are equal, so that there are ties at the cut.
            let texts: Vec<String> =
                (0..count as u64).map(|number| (number % (count as u64).div_ceil(same)).to_string()).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let mut kept = KeptVectors::in_memory();
            let encoder = Scattered(dimensions);
            let rows = encode_kept(&encoder, &mut kept, &texts, TextRole::Document, &mut |_| {}).unwrap();
            let queries: Vec<String> = (0..asked).map(|number| format!("{}", number * 1000)).collect();
            let queries: Vec<&str> = queries.iter().map(String::as_str).collect();
            let queries = encode_kept(&encoder, &mut kept, &queries, TextRole::Query, &mut |_| {}).unwrap();
            let ids: Vec<String> = (0..count).map(|number| format!("d{number}")).collect();
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            let rows: Vec<(u32, u32)> = (0..).zip(rows).collect();
            let found = SearchedVectors { kept: &kept, ids: &ids, rows: &rows }.nearest(&queries, depth).unwrap();
            prop_assert_eq!(found.len(), asked);
            for (query, found) in queries.iter().zip(&found) {
                let cosine = |row: u32| f64::from(dot(kept.vector(*query), kept.vector(row)));
                let all = top_documents(&ids, rows.iter().map(|(number, row)| (*number, cosine(*row))), depth);
                prop_assert_eq!(found, &all);
            }
        }
    }
}
