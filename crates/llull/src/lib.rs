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
#[cfg(feature = "judging")]
mod answer_rubric;
#[cfg(feature = "judging")]
mod answer_study;
mod audited_pairs;
#[cfg(feature = "judging")]
mod auditing;
mod base_labels;
mod calibrated_labels;
#[cfg(feature = "judging")]
mod circles;
mod combined_labels;
#[cfg(feature = "judging")]
pub mod config;
#[cfg(feature = "judging")]
mod control_answers;
#[cfg(feature = "judging")]
mod diff;
#[cfg(feature = "judging")]
mod doctor;
#[cfg(feature = "judging")]
mod environment;
#[cfg(feature = "judging")]
mod error;
#[cfg(feature = "judging")]
mod escalation;
#[cfg(feature = "judging")]
mod evidence;
#[cfg(feature = "judging")]
pub mod expected_answers;
#[cfg(feature = "judging")]
mod fact_making;
mod file_error;
#[cfg(feature = "judging")]
mod file_hash;
pub mod files;
#[cfg(feature = "judging")]
mod folder;
#[cfg(feature = "judging")]
mod generation;
pub mod human_labels;
#[cfg(feature = "judging")]
mod inputs;
#[cfg(feature = "judging")]
mod judge_comparison;
mod judged_pairs;
#[cfg(feature = "judging")]
mod judging;
mod label_remarks;
#[cfg(feature = "judging")]
mod labelling;
#[cfg(feature = "judging")]
mod last_run;
#[cfg(feature = "judging")]
mod ledger;
mod lot;
#[cfg(feature = "judging")]
mod own_judge_error;
mod panel_labels;
#[cfg(feature = "judging")]
mod part;
#[cfg(feature = "judging")]
mod people;
#[cfg(feature = "judging")]
mod people_error;
#[cfg(feature = "judging")]
pub mod people_status;
pub mod preferences;
#[cfg(feature = "judging")]
mod probes;
#[cfg(feature = "judging")]
mod queue_sheet_error;
#[cfg(feature = "judging")]
pub mod reach;
#[cfg(feature = "judging")]
mod recorded_attempts;
#[cfg(feature = "judging")]
mod remote_server;
#[cfg(feature = "judging")]
mod reporting;
#[cfg(feature = "judging")]
mod retrieval_error;
mod retrieval_tally;
#[cfg(feature = "judging")]
pub mod review;
#[cfg(feature = "judging")]
mod review_error;
#[cfg(feature = "judging")]
mod review_verdict;
#[cfg(feature = "judging")]
mod reviewers;
mod run_form;
mod run_remarks;
pub mod sampling;
#[cfg(feature = "judging")]
mod saved;
#[cfg(feature = "judging")]
mod student_error;
#[cfg(feature = "judging")]
mod students;
#[cfg(feature = "judging")]
mod study;
mod summed_labels;
#[cfg(feature = "judging")]
pub mod synthesis;
#[cfg(feature = "judging")]
mod trained_labels;
pub mod training;
mod training_error;
#[cfg(feature = "judging")]
mod unknown_spending;
#[cfg(feature = "judging")]
mod untrusted;

#[cfg(feature = "judging")]
pub use answer_rubric::expected_answer_rubric;
#[cfg(feature = "judging")]
pub use answer_study::{
    AgreementWithPeople, AnswerStudyOptions, AnsweringPerson, PeopleAgreement, SettledContexts,
    agreement_with_people, answer_study, answering_people, asked_judgments, computed_answers, expected_texts,
    person_judge_name, person_of_judge, recorded_answers, settled_contexts,
};
pub use audited_pairs::audit_pairs;
pub use base_labels::{
    BaseCalibration, LEAST_OVERLAP, MixError, MixNames, MixedLabels, source_name, source_of_file,
};
pub use calibrated_labels::{
    CalibratedLabels, CalibratedLabelsError, CalibrationOptions, CrossValidated, RecommendedCut,
};
#[cfg(feature = "judging")]
pub use circles::{CircleEscalation, EscalatedCircle};
pub use combined_labels::{CombineOptions, CombinedLabels, CombinedLabelsError};
#[cfg(feature = "judging")]
#[cfg(feature = "judging")]
pub use control_answers::ControlAnswers;
#[cfg(feature = "judging")]
pub use diff::{ChangeSample, SideEvidence, StudySide};
#[cfg(feature = "judging")]
pub use doctor::{DoctorFinding, Severity, reach_findings};
#[cfg(feature = "judging")]
pub use environment::{Environment, PROGRAM_VARIABLES};
#[cfg(feature = "judging")]
pub use error::StudyError;
#[cfg(feature = "judging")]
pub use escalation::{Escalation, Guarantee, GuaranteeFound};
#[cfg(feature = "judging")]
pub use evidence::{
    BallotOptions, ComparedQuery, LedgerBallots, MissingPairs, ProbeEvidence, ProbedQuestion, ProbedTask,
    Recheck, RecheckEvidence, RecheckedQuestion, StudyEvidence, ledger_ballots,
};
#[cfg(feature = "judging")]
pub use fact_making::{FactMaking, facts_estimate};
pub use file_error::FileError;
#[cfg(feature = "judging")]
pub use folder::Folder;
#[cfg(feature = "judging")]
pub use generation::WriterError;
#[cfg(feature = "judging")]
pub use inputs::{
    BaseLabels, HashedInput, Inputs, LiveRequests, LiveResults, QueryVectors, RetrievedRun, StudyTexts,
};
#[cfg(feature = "judging")]
pub use judge_comparison::{KnownFigure, KnownJudgeFigures};
pub use judged_pairs::{JudgedPairs, lower_middle_in_words};
#[cfg(feature = "judging")]
pub use judging::{
    AskedPrompt, BudgetEnd, BudgetScope, EarlierAnswers, Estimate, JudgeTally, Judging, JudgingOutcome,
    LEAST_RECHECKS, PreviewMessage, ProbingOutcome, PromptPreview,
};
#[cfg(feature = "judging")]
pub use labelling::{FittedPanel, PanelVotes, VoteWeights};
#[cfg(feature = "judging")]
pub use last_run::Recalled;
#[cfg(feature = "judging")]
pub use own_judge_error::OwnJudgeError;
pub use panel_labels::{MemberSummary, PanelError, PanelLabels, PanelMember, inferred_scale};
#[cfg(feature = "judging")]
pub use part::{Note, Part};
#[cfg(feature = "judging")]
pub use people::{AnnotatorGrade, PeopleComparisons, PeopleLabels, SampledPair, SheetTaken, StudySample};
#[cfg(feature = "judging")]
pub use people_error::PeopleError;
#[cfg(feature = "judging")]
pub use probes::JudgeProbe;
#[cfg(feature = "judging")]
pub use queue_sheet_error::QueueSheetError;
#[cfg(feature = "judging")]
pub use recorded_attempts::RecordedAttempt;
#[cfg(feature = "judging")]
pub use reporting::{ReportFiles, StudyReport, Summary, remove_idle_charts};
#[cfg(feature = "judging")]
pub use retrieval_error::RetrievalError;
pub use retrieval_tally::RetrievalTally;
#[cfg(feature = "judging")]
pub use review_error::ReviewError;
#[cfg(feature = "judging")]
pub use reviewers::REVIEWERS;
#[cfg(feature = "judging")]
pub use saved::read_rubric;
#[cfg(feature = "encoders")]
pub use saved::saved_vectors;
#[cfg(feature = "judging")]
pub use student_error::StudentFileError;
#[cfg(feature = "judging")]
pub use students::{StudentOptions, TaughtStudent};
#[cfg(feature = "encoders")]
pub use study::{EncoderByName, SystemRequests};
#[cfg(feature = "judging")]
pub use study::{GivenFile, Scaffold, Study, StudyBuilder, write_demo};
pub use summed_labels::SummedLabels;
#[cfg(feature = "judging")]
pub use unknown_spending::{MissingFigure, UnknownSpending};

pub use llull_audit as audit;
#[cfg(feature = "judging")]
pub use llull_candidates as candidates;
pub use llull_core as core;
pub use llull_data as data;
#[cfg(feature = "encoders")]
pub use llull_encoder as encoder;
#[cfg(feature = "judging")]
pub use llull_judge as judge;
pub use llull_label as label;
pub use llull_learner as learner;
#[cfg(feature = "judging")]
pub use llull_llm as llm;
pub use llull_metrics as metrics;
#[cfg(feature = "judging")]
pub use llull_program as program;
pub use llull_rank as rank;
pub use llull_report as report;
#[cfg(feature = "judging")]
pub use llull_runner as runner;
pub use llull_stats as stats;
#[cfg(feature = "judging")]
pub use llull_store as store;
