//! A study, from its configuration to its report: the engine.
//!
//! | module | does |
//! |---|---|
//! | `inputs` | reads topics, runs, labels and texts, and runs retrievers |
//! | `judging` | plans the questions, within a budget, and runs judges |
//! | `evidence` | turns a ledger's answers into labels |
//! | `auditing`, `probes` | checks the judges |
//! | `reporting` | measures, compares, and writes the report |
//! | `saved` | copies of rubrics and prompts, models and vectors |
//! | `doctor` | finds problems before any request |

pub mod agreement;
mod auditing;
mod collections;
mod control_answers;
mod cycles;
mod diff;
mod doctor;
mod error;
mod escalation;
mod evidence;
mod expected_answer_rubric;
mod fine_tuning;
mod history;
mod inputs;
mod judge_comparison;
mod judging;
mod labelling;
mod ledger;
mod measured;
mod panel_labels;
mod part;
pub mod people;
pub mod preferences;
mod probes;
pub mod reach;
mod recorded_attempts;
mod reporting;
mod saved;
mod students;
mod study;
mod study_config;
mod trained_labels;
pub mod training;

pub use auditing::{FlaggedPairs, flagged_pairs};
pub use collections::{
    CollectedSystem, Collection, CollectionOutcome, Collections, CollectionsError, OverallFamily,
    OverallMean, OverallSystem,
};
pub use control_answers::ControlAnswers;
pub use cycles::{CycleEscalation, EscalatedCycle};
pub use diff::{ChangeSample, SideEvidence, StudySide};
pub use doctor::{DoctorFinding, Severity, reach_findings};
pub use error::StudyError;
pub use escalation::{Escalation, Guarantee, GuaranteeFound};
pub use evidence::{
    AskedAgain, BallotOptions, ComparedAnswers, ComparedQuery, GradedAnswers, LedgerBallots, LedgerError,
    MissingPairs, ProbeEvidence, ProbedQuestion, ProbedTask, Recheck, RecheckEvidence, RecheckedQuestion,
    ShownTogether, StudyAnswers, StudyEvidence, TaskAgain, ledger_ballots, shown_together,
};
pub use expected_answer_rubric::expected_answer_rubric;
pub use fine_tuning::{FineTuningExample, FineTuningTally, LeftOutAttempts, validation_queries};
pub use history::{
    History, HistoryError, ReportInHistory, SavedReport, SavedReports, SystemInHistory, UnchangedPairs,
};
pub use inputs::{
    BaseLabels, Corpus, EncodingError, HashedInput, InputError, Inputs, LiveRequests, LiveResults,
    QueryVectors, RetrievalError, RetrievedRun, StudyTexts,
};
pub use judge_comparison::{KnownFigure, KnownJudgeFigures};
pub use judging::{
    AskedPrompt, BatchExport, BatchFileError, BatchImport, BatchResults, BudgetEnd, BudgetScope,
    EarlierAnswers, Estimate, JudgeError, JudgeFunction, JudgeTally, Judging, JudgingOutcome, LEAST_RECHECKS,
    ListedPair, ListedPairsOutcome, MissingFigure, OpenRequests, PreviewMessage, ProbingOutcome,
    PromptPreview, UnknownSpending, attempt_texts, connect_model, estimate_of_requests,
};
pub use labelling::{FittedPanel, LabelError, PanelVotes, VoteWeights, graded_labels};
pub use ledger::StudyLedger;
pub use panel_labels::{panel_labels, panel_members};
pub use part::{Note, Part};
pub use people::{AnnotatorGrade, HumanComparisons, HumanLabels, HumanLabelsError, SampledPair, StudySample};
pub use probes::JudgeProbe;
pub use recorded_attempts::RecordedAttempt;
pub use reporting::{
    RecordedComparison, RecordedCoverage, RecordedDecision, RecordedReference, RecordedStudy, ReportFiles,
    ReportRecord, StudyReport, Summary, bootstrap, remove_idle_charts,
};
#[cfg(feature = "encoders")]
pub use saved::saved_vectors;
pub use saved::{UnusableStudent, read_rubric};
pub use students::TaughtStudent;
pub use study::{
    CheckedFiles, GivenFile, Scaffold, ScaffoldError, Study, StudyAnnotators, StudyAttempts, StudyBatches,
    StudyBuilder, StudyEstimates, StudyReports, StudyRetrieval, StudyStudents, write_demo,
};
