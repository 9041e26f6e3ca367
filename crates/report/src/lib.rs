//! Reports as data, and as Markdown, HTML and JSON.
//!
//! This crate has the report of a study, the report on agreement of labels, and llull's one format of numbers and
//! tables. A [`Report`] is plain structs, the decision first. Each section is computed here by a function that needs
//! no study, so that `llull compare` and `llull measure` use the same ones:
//!
//! | section | computed from | by |
//! |---|---|---|
//! | [`StudySection`] | the judges | [`honesty`] |
//! | [`DecisionSection`] | [`llull_metrics::Scores`] | [`compare`], [`DecisionSection::new`] |
//! | bounds of missing labels | [`llull_metrics::KnownLabels::bounds`] | [`BaselineComparison::bound`] |
//! | track record of a verdict | the same as the decision | [`add_track_records`] |
//! | verdicts of single judges | differences by query | [`ComparisonByJudges::new`] |
//! | judge checks | [`llull_audit::JudgeCheck`] | [`DecisionSection::under_checks`], [`check_gates`] |
//! | [`MeasuredSystem`] | the same | [`figures`] |
//! | [`RetrievalFigures`], of results that have times | their times and prices | [`RetrievalFigures::of`] |
//! | [`SignificanceTable`], of `llull compare` only | the same | [`significance`] |
//! | [`ReferenceSection`] | two [`llull_core::Qrels`] | [`reference_agreement`], [`reference_systems`] |
//! | [`CoverageSection`] | every pair's outcome and label | [`CoverageSection::new`], [`CoverageTally`], [`spread`] |
//! | [`LabelMix`], where labels were there before | labels of two sources, and scores | [`SingleSourceDecision::new`] |
//! | [`TournamentSection`] | tiers, if judges compare | [`TournamentTotals::of`], [`dot`] |
//! | [`TopicDetail`] | all of it | [`ScoresByQuery`], [`topic_note`], [`sort_documents`], [`document_shares`] |
//!
//! Each format is an [`Exporter`]: [`Json`] of a report, [`Markdown`] and [`Html`] of the one [`ReportView`] of it,
//! and [`Terminal`], [`Markdown`] and [`Latex`] of a [`ComparisonView`]. Text of documents, judges and file names
//! stays text there and cannot become markup ([`text::escape`], [`text::escape_html`]). [`text`] holds the number
//! format and the tables, which the terminal shares.
//!
//! ```
//! use llull_report::text::{escape, shorten};
//! assert_eq!(escape("a | b <i>\n[x](javascript:y)"), "a &#124; b &lt;i&gt; [x&#93;(javascript:y)");
//! assert_eq!(shorten("a very long   title", 10), "a very…");
//! ```

pub mod agreement;
mod by_judges;
mod change_split;
mod charts;
mod checks;
mod ci;
mod comparable;
mod comparison;
mod conditions;
mod correct_comparison;
mod corrected_figure;
mod cost;
mod coverage;
mod diagram;
pub mod diff;
mod differing;
mod error;
mod escalation;
mod export;
mod gates;
mod html;
mod json;
mod json_number;
mod markdown;
mod measurement;
mod mix;
mod panel;
mod provenance;
pub mod ranking;
mod recorded_comparison;
mod reference;
mod reference_systems;
mod report;
mod retrieval;
mod significance;
mod slices;
mod study;
mod study_verdict;
mod systems;
mod template;
mod terminal;
pub mod text;
mod topics;
mod tournament;
mod track_record;
mod view;

pub use by_judges::{ComparisonByJudges, JudgeAlone, OtherJudgesInterval, OwnVerdict, PanelMember};
pub use change_split::{ChangePart, ChangeSplit, ChangeStep, SplitFigure, Steps};
pub use charts::ChartFile;
pub use checks::{
    CheckCondition, CheckConditionError, CheckGate, JudgeAudit, PositionAudit, audit_text, check_gates,
    check_sentence, judge_audits, unreliable_judges,
};
pub use ci::{CiResult, CiState};
pub use comparable::{check_comparable, is_comparable};
pub use comparison::{BaselineComparison, ComparisonFinding, IncompleteReason, MissingLabels, compare};
pub use conditions::{Condition, Incomparability, SinceFigure, SinceSection};
pub use corrected_figure::{CorrectedFigure, CorrectionFacts, EstimateInterval, WidthParts, expected_width};
pub use cost::{CostSection, Dollars, JudgeCost, LatencyPercentiles, RetrievalFigures, Tokens};
pub use coverage::{
    AnswerSource, Count, CoverageSection, CoverageTally, DisputedPair, GradeCount, JudgeCoverage, Spread,
    SpreadCount, spread,
};
pub use diagram::dot;
pub use differing::{
    AAndB, DifferingPair, DifferingPairs, HereAndThere, JudgeReason, PairDetails, PairReasons, Sides,
    TruthAndOther, differing_pairs, differing_text,
};
pub use error::ReportError;
pub use escalation::{CyclesSection, EscalatedCost, EscalationSection, GuaranteeSection};
pub use export::{Exporter, Markdown};
pub use gates::{GateOutcome, GateResult, GateRow, gate_rows, gates};
pub use html::{
    DifferenceView, DocumentView, GradeScale, Html, PlaceView, STYLE as PAGE_STYLE, chart_files,
    disagreements_html, headline, idle_chart_files, templates as page_templates,
};
pub use json::{Json, PUBLISHED_SCHEMA, from_json, schema, schema_json};
pub use measurement::{
    Measurement, conventions, level_note, own_conventions, topics_note, warning_of_unjudged,
    warning_of_unlabelled,
};
pub use mix::{LabelMix, LabelSource, MixCalibration, MixedGrade, SingleSourceDecision};
pub use panel::{
    AmbiguousPairs, CountedJudge, CountedVotesSection, JudgesTogether, PanelAlpha, PanelMethodSection,
    PanelSection, TriedMethod, WithoutLabels,
};
pub use provenance::{Fingerprint, Input, ProvenanceSection, Setting, TextHash};
pub use recorded_comparison::add_track_records;
pub use reference::{
    Confusion, ReferenceAgreement, ReferenceSection, reference_agreement, reference_overlap,
};
pub use reference_systems::{
    ComparisonUnderBoth, DifferenceUnder, FamilyUnderBoth, ReferenceMean, ReferenceSystems, reference_systems,
};
pub use report::{Report, TOURNAMENT_VERSION, VERSION, version};
pub use significance::{
    ComparisonView, Effect, Effects, EquivalenceTest, Family, Latex, LettersWithheld, NamedP, PowerAnalysis,
    SignificanceOptions, SignificanceTable, SystemRow, Terminal, Test, TestedComparison, TestedPair, Tests,
    Untested, comparison_json, escape_latex, letter, letters, out_of_reach, significance,
    significance_legend, tested_how,
};
pub use slices::{SliceBounds, SliceFigures, SliceLabels, SliceSection, SliceSystem, slice_sections};
pub use study::{QuerySelection, ReportJudge, ReportJudgeKind, ReportRubric, StudySection, honesty};
pub use study_verdict::{
    BaseAlone, DecisionSection, DecisionWithout, ProposedSample, SampleCoverage, StudyVerdict,
};
pub use systems::{Figure, LoneFigure, MeasuredSystem, figures, without_interval, without_relevant};
pub use topics::{
    DocumentDetail, DocumentShare, JudgeAnswer, NoSplit, ScoresByQuery, Streamed, TopicDetail, TopicSource,
    TopicSystem, TopicValue, document_shares, sort_documents, topic_note,
};
pub use tournament::{
    AnchorFigures, AnnotatorPairs, AnnotatorPreferenceAgreement, ComparedByAnnotators, ComponentCount,
    DistanceCount, JudgeTriangles, PanelTriangles, PreferencesAlike, TierDetail, TierVote, TopicTournament,
    TournamentSection, TournamentSetup, TournamentTotals,
};
pub use track_record::{CollectionRecord, TrackRecord};
pub use view::{Limits, ReportView, SliceTable};
