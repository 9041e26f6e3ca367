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
//! let files = study.write_report(&inputs, &report)?;
//!
//! assert_eq!(report.summary().coverage.missing, 0);
//! assert!(files.markdown.is_file());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Judging asks what the ledger does not know. [`Study::evidence`] reads what it knows and asks nothing; labels,
//! figures, report and agreement are pure functions of that.
//!
//! [`files`] reads labels and runs, for those who need no study; [`agreement`] says how far labels can be trusted;
//! [`expected_answers`] measures by answers that are expected, in place of labels of documents;
//! [`human_labels`] corrects figures by a random sample of people's labels; [`training`] makes one answer of many about
//! a pair.

pub mod agreement;
mod answer_rubric;
mod answer_study;
mod auditing;
mod circles;
mod control_answers;
mod diff;
mod doctor;
mod error;
mod escalation;
mod evidence;
pub mod expected_answers;
mod fact_making;
mod generation;
mod inputs;
mod judge_comparison;
mod judging;
mod labelling;
mod ledger;
mod own_judge_error;
mod panel_labels;
mod part;
mod people;
mod people_error;
pub mod people_status;
pub mod preferences;
mod probes;
mod queue_sheet_error;
pub mod reach;
mod recorded_attempts;
mod remote_server;
mod reporting;
mod retrieval_error;
pub mod review;
mod review_error;
mod review_verdict;
mod saved;
mod student_error;
mod students;
mod study;
pub mod synthesis;
mod trained_labels;
pub mod training;
mod unknown_spending;
mod untrusted;

pub use answer_rubric::expected_answer_rubric;
pub use answer_study::{
    AgreementWithPeople, AnswerStudyOptions, AnsweringPerson, PeopleAgreement, SettledContexts,
    agreement_with_people, answer_study, answering_people, asked_judgments, computed_answers, expected_texts,
    person_judge_name, person_of_judge, recorded_answers, settled_contexts,
};
pub use circles::{CircleEscalation, EscalatedCircle};
pub use control_answers::ControlAnswers;
pub use diff::{ChangeSample, SideEvidence, StudySide};
pub use doctor::{DoctorFinding, Severity, reach_findings};
pub use error::StudyError;
pub use escalation::{Escalation, Guarantee, GuaranteeFound};
pub use evidence::{
    BallotOptions, ComparedQuery, LedgerBallots, MissingPairs, ProbeEvidence, ProbedQuestion, ProbedTask,
    Recheck, RecheckEvidence, RecheckedQuestion, StudyEvidence, ledger_ballots,
};
pub use fact_making::{FactMaking, facts_estimate};
pub use generation::WriterError;
pub use inputs::{
    BaseLabels, HashedInput, Inputs, LiveRequests, LiveResults, QueryVectors, RetrievedRun, StudyTexts,
};
pub use judge_comparison::{KnownFigure, KnownJudgeFigures};
pub use judging::{
    AskedPrompt, BudgetEnd, BudgetScope, EarlierAnswers, Estimate, JudgeTally, Judging, JudgingOutcome,
    LEAST_RECHECKS, PreviewMessage, ProbingOutcome, PromptPreview,
};
pub use labelling::{FittedPanel, PanelVotes, VoteWeights};
pub use llull_config as config;
pub use llull_config::{Environment, Folder, PROGRAM_VARIABLES, REVIEWERS, Recalled};
pub use llull_data::{source_name, source_of_file};
pub use llull_files as files;
pub use llull_files::{
    CalibratedLabels, CalibratedLabelsError, CalibrationOptions, CombineOptions, CombinedLabels,
    CombinedLabelsError, CrossValidated, FileError, JudgedPairs, MemberSummary, MixError, MixNames,
    MixedLabels, PanelError, PanelLabels, PanelMember, RecommendedCut, RetrievalTally, SummedLabels,
    audit_pairs, inferred_scale, lower_middle_in_words,
};
pub use llull_label::{BaseCalibration, LEAST_OVERLAP};
pub use llull_people::{human_labels, sampling};
pub use own_judge_error::OwnJudgeError;
pub use panel_labels::{panel_labels, panel_members};
pub use part::{Note, Part};
pub use people::{AnnotatorGrade, PeopleComparisons, PeopleLabels, SampledPair, SheetTaken, StudySample};
pub use people_error::PeopleError;
pub use probes::JudgeProbe;
pub use queue_sheet_error::QueueSheetError;
pub use recorded_attempts::RecordedAttempt;
pub use reporting::{ReportFiles, StudyReport, Summary, remove_idle_charts};
pub use retrieval_error::RetrievalError;
pub use review_error::ReviewError;
pub use saved::read_rubric;
#[cfg(feature = "encoders")]
pub use saved::saved_vectors;
pub use student_error::StudentFileError;
pub use students::{StudentOptions, TaughtStudent};
#[cfg(feature = "encoders")]
pub use study::{EncoderByName, SystemRequests};
pub use study::{GivenFile, Scaffold, Study, StudyBuilder, write_demo};
pub use unknown_spending::{MissingFigure, UnknownSpending};

pub use llull_audit as audit;
pub use llull_candidates as candidates;
pub use llull_core as core;
pub use llull_data as data;
#[cfg(feature = "encoders")]
pub use llull_encoder as encoder;
pub use llull_judge as judge;
pub use llull_label as label;
pub use llull_learner as learner;
pub use llull_llm as llm;
pub use llull_metrics as metrics;
pub use llull_program as program;
pub use llull_rank as rank;
pub use llull_report as report;
pub use llull_runner as runner;
pub use llull_stats as stats;
pub use llull_store as store;
