//! Retrieval measures under the names of ir_measures.
//!
//! A [`Measure`] is its printed name: `nDCG@10`, `AP(rel=2)`, `RR@10`, `P(rel=2)@5`, `Success@5`, `Judged@10`,
//! `Compat(p=0.9)`, `ERR@20`, `RBP(p=0.8)`, `Bpref`, `Rprec`, `IPrec@0.1`, `GMAP`, `SetF`, `NumRet(rel=1)`. The names
//! of trec_eval (`ndcg_cut_10`, `map`, `recip_rank`, `P_10`) and of ranx (`ndcg@10`, `mrr@10`, `hit_rate@5`) are read
//! as well, and printed as those above. [`definitions`] and `docs/reference/measures.md` list all measures; the latter
//! shows the differences of tools.
//!
//! | task | functions |
//! |---|---|
//! | measure a run, or several, with one set of labels | [`evaluate`], [`evaluate_all`], [`Evaluator`] |
//! | take the mean over several judges, query by query | [`evaluate_judges`] |
//! | split a query's value among its documents | [`Measure::document_shares`] |
//! | bound a difference while labels are missing | [`KnownLabels::bounds`] |
//! | place a run among the figures of other systems: z-scores | [`standardize`] |
//! | measure a run with preferences ([`PreferenceMeasure`]) | [`evaluate_preferences`] |
//! | measure a run with labels of subtopics: α-nDCG, ERR-IA ([`DiversityMeasure`]) | [`evaluate_diversity`] |
//! | read trec_eval's nicknames | [`trec_eval_measures`] |
//! | leave to a study from which grade on a document is relevant | [`WrittenMeasure`] |
//! | print trec_eval's names and use its level | [`Measure::trec_eval_name`], [`Measure::at_level`] |
//!
//! The conventions are those of trec_eval:
//!
//! - The order of a ranking is that of [`Ranking`](llull_core::Ranking): score descending, then document id descending.
//!   Scores are compared as 64-bit numbers, as in trec_eval 10 (in pytrec_eval scores tie that are equal in 32 bits).
//!   Only Compat has documents of one score in ascending order, as its authors' program and ir_measures do.
//! - A document without a label counts as not relevant, and is counted with every figure ([`Cell::unjudged`]).
//!   [`Unjudged`] has the alternatives: `judged_only=True` closes the list up, `unjudged='best'` is an upper bound.
//! - A negative label is never relevant; for Bpref, infAP, `unj`, RBPResidual and [`Unjudged`] it is no label.
//! - A query that the run does not answer counts as 0 (as with `trec_eval -c`), and is marked
//!   ([`TopicScores::answered`]); [`Scores::mean_of_answered`] leaves it out.
//! - A query without a relevant document has 0 by every measure of merit but `utility`, which can be negative.
//! - The figure of a run is the mean over queries, except for GMAP, gm_bpref and counts ([`Measure::aggregation`]).
//!
//! ```
//! use llull_core::{Qrels, Ranking, Run};
//! use llull_metrics::{Measure, evaluate};
//!
//! let mut qrels = Qrels::default();
//! qrels.insert("q1", "d1", 3);
//! qrels.insert("q1", "d2", 0);
//! let mut run = Run::new("bm25");
//! run.insert("q1", Ranking::from_scored([("d2", 9.0), ("d1", 8.0), ("d3", 7.0)]));
//!
//! let measures: Vec<Measure> =
//!     ["RR@10", "ndcg_cut_10", "Judged@10"].into_iter().map(str::parse).collect::<Result<_, _>>()?;
//! assert_eq!(measures[1].to_string(), "nDCG@10");
//!
//! let scores = evaluate(&measures, &qrels, &run);
//! assert_eq!(scores.mean(0), Some(0.5));
//! assert!(scores.mean(1).is_some_and(|ndcg| (ndcg - 1.0 / 3f64.log2()).abs() < 1e-12));
//! assert_eq!(scores.mean(2), Some(2.0 / 3.0));
//! assert_eq!(scores.topics[0].cells[1].unjudged, 1);
//! # Ok::<(), llull_metrics::MeasureError>(())
//! ```

mod aggregation;
mod best_order;
mod definition;
mod diversity;
mod document_shares;
mod evaluation;
mod graded_ranking;
mod linear_form;
mod measure;
mod measures;
mod notation;
mod parameters;
mod preferences;
mod trec_eval;
mod z_scores;

pub use aggregation::Aggregation;
pub use best_order::best_order;
pub use definition::{Definition, LabelsRead, ValueRange};
pub use diversity::{
    DiversityMeasure, DiversityMeasureError, DiversityScores, DiversityTopic, evaluate_diversity,
};
pub use evaluation::{
    Cell, DifferenceBounds, Evaluator, JudgesScores, JudgesTopic, KnownLabels, MissingDocuments, Scores,
    TopicCells, TopicFigures, TopicScores, evaluate, evaluate_all, evaluate_judges,
};
pub use linear_form::LinearForm;
pub use measure::Measure;
pub use measures::definitions;
pub use notation::{MeasureError, WrittenMeasure};
pub use parameters::{
    Alpha, Beta, Cutoff, Gain, Gains, GainsError, MaxGrade, Multiple, Parameters, Persistence, RecallLevel,
    Relevant, Rounding, Target, Unjudged, Weights,
};
pub use preferences::{
    PreferenceError, PreferenceMeasure, PreferenceScores, PreferenceTopic, UnknownPreferenceMeasure,
    evaluate_preferences,
};
pub use trec_eval::{TrecEvalMeasure, trec_eval_measures};
pub use z_scores::{ZFigure, ZScore, ZScores, ZTopic, standardize};
