//! Measure retrieval without ground truth: a study from configuration to verdict.
//!
//! A [`Study`] is a folder with `llull.toml`, or is [built](Study::builder) in memory. Three steps lead from there to
//! a report, and each can be done by itself:
//!
//! ```
//! use llull::config::Overrides;
//! use llull::{Study, write_demo};
//!
//! let folder = tempfile::tempdir()?;
//! write_demo(folder.path())?;
//! let study = Study::open(folder.path(), &Overrides { depth: Some(3), ..Overrides::default() })?;
//!
//! let inputs = study.inputs()?;                                 // rubric, topics, runs, pool
//! let environment = |name: &str| std::env::var(name).ok();      // where keys come from
//! let outcome = study.judge(&inputs).environment(&environment).run()?;
//! let report = study.report(&inputs, &outcome.evidence)?;       // labels, figures, comparisons
//! let files = study.reports().write(&inputs, &report)?;
//!
//! assert_eq!(report.summary().coverage.missing, 0);
//! assert!(files.markdown.is_file());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Judging sends only requests whose answers are not in the ledger yet. [`Study::evidence`] reads the ledger and sends
//! nothing; labels, figures, report and agreement are pure functions of it.
//!
//! Judges, models, retrievers, reporters and ledgers can be your own: the folder `examples` has one of each.
//!
//! This crate holds no code of its own. It re-exports:
//!
//! | module | does |
//! |---|---|
//! | [`config`] | `llull.toml`, its settings, and the study's folder |
//! | [`files`] | labels, runs and answers in files, without a study |
//! | [`agreement`], [`preferences`] | compares labels and pairwise answers with a reference |
//! | [`sampling`], [`human_labels`] | draws samples for annotators, and corrects figures with their labels |
//! | [`review`] | queues of pairs for annotators, and their progress |
//! | [`expected_answers`], [`synthesis`] | measures by expected answers, and writes questions that have them |
//! | [`training`] | learns one answer from many answers about a pair |
//! | [`reach`] | files, servers and programs outside a study's folder |

pub use llull_answers::{
    AnnotatorAgreement, AnnotatorContexts, AnswerStudyOptions, FactMaking, JudgeAgreement, SettledContexts,
    WriterError, annotator_agreement, annotator_judge_name, annotator_of_judge, answer_study,
    answering_annotators, asked_judgments, computed_answers, expected_answers, expected_texts,
    facts_estimate, recorded_answers, settled_contexts, synthesis,
};
#[cfg(feature = "encoders")]
pub use llull_answers::{EncoderByName, SystemRequests, evaluated_system};
pub use llull_audit as audit;
pub use llull_candidates as candidates;
pub use llull_config as config;
pub use llull_config::{ALL_ANNOTATORS, Environment, Folder, PROGRAM_VARIABLES, Recalled};
pub use llull_core as core;
pub use llull_data as data;
pub use llull_data::{source_name, source_of_file};
#[cfg(feature = "encoders")]
pub use llull_encoder as encoder;
pub use llull_files as files;
pub use llull_files::{
    CalibratedLabels, CalibratedLabelsError, CalibrationOptions, CombineOptions, CombinedLabels,
    CombinedLabelsError, CrossValidated, FileError, JudgePanel, JudgedPairs, MemberSummary, MixError,
    MixNames, MixedLabels, PanelError, PanelLabels, PanelMember, RecommendedCut, RetrievalTally,
    SummedLabels, audit_pairs, inferred_scale, lower_middle_effect,
};
pub use llull_judge as judge;
pub use llull_label as label;
pub use llull_label::{BaseCalibration, LEAST_OVERLAP};
pub use llull_learner as learner;
pub use llull_llm as llm;
pub use llull_metrics as metrics;
pub use llull_people::{human_labels, sampling};
pub use llull_program as program;
pub use llull_rank as rank;
pub use llull_report as report;
pub use llull_review as review;
pub use llull_runner as runner;
pub use llull_stats as stats;
pub use llull_store as store;
#[cfg(feature = "encoders")]
pub use llull_study::saved_vectors;
pub use llull_study::{
    AnnotatorGrade, AskedAgain, AskedPrompt, BallotOptions, BaseLabels, BatchExport, BatchFileError,
    BatchImport, BatchResults, BudgetEnd, BudgetScope, ChangeSample, CheckedFiles, CollectedSystem,
    Collection, CollectionOutcome, Collections, CollectionsError, ComparedAnswers, ComparedQuery,
    ControlAnswers, CycleEscalation, DoctorFinding, EarlierAnswers, EncodingError, EscalatedCycle,
    Escalation, Estimate, FineTuningExample, FineTuningTally, FittedPanel, GivenFile, GradedAnswers,
    Guarantee, GuaranteeFound, HashedInput, History, HistoryError, HumanComparisons, HumanLabels,
    HumanLabelsError, InputError, Inputs, JudgeError, JudgeFunction, JudgeProbe, JudgeTally, Judging,
    JudgingOutcome, KnownFigure, KnownJudgeFigures, LEAST_RECHECKS, LabelError, LedgerBallots, LedgerError,
    LeftOutAttempts, ListedPair, ListedPairsOutcome, LiveRequests, LiveResults, MissingFigure, MissingPairs,
    Note, OpenRequests, OverallFamily, OverallMean, OverallSystem, PanelVotes, Part, PreviewMessage,
    ProbeEvidence, ProbedQuestion, ProbedTask, ProbingOutcome, PromptPreview, QueryVectors, Recheck,
    RecheckEvidence, RecheckedQuestion, RecordedAttempt, RecordedComparison, RecordedCoverage,
    RecordedDecision, RecordedReference, RecordedStudy, ReportFiles, ReportInHistory, ReportRecord,
    RetrievalError, RetrievedRun, SampledPair, SavedReport, SavedReports, Scaffold, ScaffoldError, Severity,
    SideEvidence, Study, StudyAnnotators, StudyAnswers, StudyAttempts, StudyBatches, StudyBuilder,
    StudyError, StudyEstimates, StudyEvidence, StudyLedger, StudyReport, StudyReports, StudyRetrieval,
    StudySample, StudySide, StudyStudents, StudyTexts, Summary, SystemInHistory, TaskAgain, TaughtStudent,
    UnchangedPairs, UnknownSpending, UnusableStudent, VoteWeights, agreement, attempt_texts, connect_model,
    expected_answer_rubric, ledger_ballots, panel_labels, panel_members, preferences, reach, reach_findings,
    read_rubric, remove_idle_charts, training, validation_queries, write_demo,
};
