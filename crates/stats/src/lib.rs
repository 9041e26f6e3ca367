//! Intervals, comparisons, agreement and correlation.
//!
//! All are pure functions: every source of chance is a [`Seed`](llull_core::Seed) among the arguments, and no result
//! depends on the number of cores. An undefined figure is `None`, never 0 or 1.
//!
//! - Is the candidate better than the baseline? [`paired_bootstrap`]
//! - Could the difference be chance? [`permutation_test`], [`paired_t_test`], [`wilcoxon_test`], [`sign_test`],
//!   [`bootstrap_test`]
//! - Which of many systems differ? [`compare_all`], or [`compare_with`] a baseline: by any of these tests, or by
//!   randomised Tukey HSD; [`Correction`]
//! - How large is the difference? [`cohen_dz`], [`cohen_d`], [`hedges_g`], [`paired_cliff_delta`]
//! - Is it larger under other labels? [`effect_ratio`]
//! - Is it too small to matter? [`equivalence_test`]
//! - How many queries would show it? [`topics_needed`], [`plan_topics`], [`power_of_t`], [`detectable_effect`]
//! - How well do these labels separate systems? [`discriminative_power()`]
//! - How clear is a verdict, and would other judges give it? [`VerdictMargin`], [`OtherJudges`]
//! - How certain is a mean? [`mean_interval`], [`mean_intervals`], [`bootstrap_mean`]
//! - May this change be merged? [`Gate`]
//! - Do two sets of labels order the systems alike? [`system_agreement`], [`kendall_tau_b`], [`tau_ap_b`],
//!   [`spearman`], [`pearson`], [`rank_biased_overlap`]
//! - Do they lead to the same conclusions? [`ConclusionCounts`]
//! - Is a judge reliable? [`label_agreement`]; [`cohen_kappa`] of a [`ConfusionMatrix`]
//! - Does a panel of judges agree with itself? [`panel_agreement`]; [`krippendorff_alpha`], [`fleiss_kappa`],
//!   [`gwet_ac`] of [`PanelRatings`]
//! - Does a judge prefer what a reference prefers, whichever is shown first? [`preference_agreement`]
//! - How certain is a share? [`Proportion`], [`exact_interval`], [`clustered_shares()`]; is it above or below a bound?
//!   [`chance_of_at_least`], [`chance_of_at_most`]; do changes go one way? [`mcnemar_exact`]
//! - Which figure would human labels give, according to a judge's labels and a human sample? [`correct_sampled_pairs`],
//!   [`correct_unequal_pairs`], [`correct_sampled_queries`], [`correct_unequal_queries`], [`effective_queries`]
//! - Which pairs should annotators label, and how wide will the interval be? [`allocate`],
//!   [`draw_without_replacement`], [`draw_by_probability`], [`planned_total()`], [`planned_queries()`]
//!
//! ```
//! use llull_core::Seed;
//! use llull_stats::{BootstrapOptions, Decision, Gate, paired_bootstrap};
//!
//! // nDCG@10 of eight queries under each of two systems.
//! let baseline = [0.31, 0.52, 0.44, 0.20, 0.67, 0.38, 0.55, 0.41];
//! let candidate = [0.42, 0.60, 0.43, 0.35, 0.71, 0.52, 0.61, 0.55];
//! let difference = paired_bootstrap(&baseline, &candidate, &BootstrapOptions::new(Seed(7)))?;
//! assert_eq!(difference.decision, Decision::Better);
//! assert_eq!((difference.wins, difference.ties, difference.losses), (7, 0, 1));
//!
//! let gate: Gate = "low(nDCG@10) >= -0.01".parse()?;
//! assert!(gate.holds(difference.low));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agreement;
mod bootstrap;
mod correlation;
mod descriptive;
mod discriminative_power;
mod distribution;
mod effect;
mod error;
mod gate;
mod multiple_testing;
mod paired;
mod power;
mod prediction_powered;
mod proportion;
mod random_streams;
mod sampling;
mod significance;
mod verdict_margin;

pub use agreement::{
    Ac2ByWeights, Agreement, AgreementError, AgreementIntervals, AgreementOptions, AgreementWithin, ByLevel,
    ByWeights, Choice, Clamp, ClampError, ConfusionMatrix, DisagreementWeights, JudgedPair, LabelFigures,
    Level, Mode, ModeAgreement, OrderFigures, PanelAgreement, PanelFigures, PanelRatings,
    PreferenceAgreement, SwapAgreement, SystemSummary, Votes, cohen_kappa, fleiss_kappa, gwet_ac,
    independent_votes, krippendorff_alpha, label_agreement, order_agreement, panel_agreement,
    preference_agreement, weighted_label_agreement,
};
pub use bootstrap::{
    BootstrapInterval, BootstrapOptions, Decision, Ends, Interval, IntervalMethod, PairedDifference,
    Undecidable, bootstrap_mean, clustered_shares, mean_interval, mean_intervals, paired_bootstrap,
};
pub use correlation::{
    Conclusion, ConclusionCounts, RankChange, SystemAgreement, SystemError, SystemFigures, SystemOptions,
    SystemScores, kendall_tau_b, pearson, rank_biased_overlap, spearman, system_agreement, tau_ap, tau_ap_b,
};
pub use discriminative_power::{DiscriminativePower, discriminative_power};
pub use effect::{EffectRatio, EffectSize, cohen_d, cohen_dz, effect_ratio, hedges_g, paired_cliff_delta};
pub use error::{StatsError, Undefined};
pub use gate::{Bound, Comparator, Gate, GateError, GateSubject};
pub use multiple_testing::{Correction, UnknownCorrection, adjusted};
pub use power::{
    PowerOptions, TopicPlan, detectable_effect, least_topics, plan_topics, power_of_t, topics_needed,
};
pub use prediction_powered::{
    BetweenQueries, Corrected, DividedQuery, DivisorVariance, DrawnPair, Estimand, Looks, PairOfFrame,
    PairsOptions, PlainEstimate, QueriesOptions, correct_divided_pairs, correct_sampled_pairs,
    correct_sampled_queries, correct_unequal_pairs, correct_unequal_queries, divisor_variance,
    effective_queries,
};
pub use proportion::{
    Proportion, chance_of_at_least, chance_of_at_most, exact_interval, mcnemar_exact, student_above,
    student_critical,
};
pub use sampling::{
    LEAST_LABELS, PlannedTotal, PlannedWidth, StratumToSample, allocate, by_place, draw_by_probability,
    draw_without_replacement, guessed_share, guessed_square, guessed_variance, planned_queries,
    planned_total, probabilities_by_size,
};
pub use significance::{
    Direction, Equivalence, Method, PairOptions, PairResult, PairResults, PairTest, PermutationOptions,
    TestResult, UnknownTest, bootstrap_test, compare_all, compare_with, equivalence_test, paired_t_test,
    permutation_test, sign_test, wilcoxon_test,
};
pub use verdict_margin::{OtherJudges, VerdictMargin};
