//! Corrects figures of a judge's labels by a random human sample.
//!
//! A [`Corrector`] holds a judge's labels, runs, human labels and the draw of their sample. It corrects the figure of a
//! system or the difference of two, or returns the reason why it cannot:
//!
//! ```
//! use llull_core::{Qrels, Ranking, Run};
//! use llull_people::human_labels::{CorrectionOptions, Corrector, SampledHow};
//!
//! # let (mut judge, mut human, mut run) = (Qrels::default(), Qrels::default(), Run::new("bm25"));
//! # for query in 0..30 {
//! #     let topic = format!("q{query}");
//! #     let documents: Vec<String> = (0..10).map(|n| format!("d{n}")).collect();
//! #     for (n, document) in documents.iter().enumerate() {
//! #         judge.insert(&topic, document, i32::from(n < 4));
//! #         if (query * 7 + n * 3) % 5 == 0 { human.insert(&topic, document, i32::from(n < 3)); }
//! #     }
//! #     let ranked = documents.iter().enumerate().map(|(n, d)| (d.as_str(), -(n as f64)));
//! #     run.insert(topic, Ranking::from_ordered(ranked));
//! # }
//! let runs = [run];
//! let corrector = Corrector::new(&judge, &runs, &human, SampledHow::Pairs, CorrectionOptions::default())?;
//! let corrected = corrector.figure(&"P@10".parse()?, 0)?;
//! assert!(corrected.low < 0.3 && 0.3 < corrected.high, "people find 3 of 10 relevant, the judge 4");
//! let refused = corrector.figure(&"nDCG@10".parse()?, 0).unwrap_err().to_string();
//! assert!(refused.contains("Compare two systems"), "{refused}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod by_pairs;
mod by_queries;
mod corrector;
mod design;
mod error;
mod ideals;
mod labelled_sample;
mod options;

pub use corrector::{Corrector, SampleCorrection};
pub(crate) use corrector::{PairsForm, correctable, form};
pub use error::CorrectionError;
pub use options::{CorrectionOptions, SampledHow};
