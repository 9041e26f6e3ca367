//! Errors of judges.

use super::budget_tracker::UnknownSpending;

/// An error of a judge.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The study names no judge.
    #[error(
        "{0}: no judge. Add one, such as\n  [[judges]]\n  model = \"openai/gpt-4o-mini\"\nor give --judge openai/MODEL"
    )]
    NoJudge(String),
    /// A named judge is not one of the study's.
    #[error("{judge:?} is no judge of this study; there are {}", known.join(", "))]
    UnknownJudge {
        /// The judge.
        judge: String,
        /// The available judges.
        known: Vec<String>,
    },
    /// A request to a judge with an earlier specification, which can only be read.
    #[error("judge {0} is one that the ledger has from before, and can only be read")]
    EarlierJudge(String),
    /// A model's name, address or key is invalid.
    #[error("judge {judge}: {source}")]
    Model {
        /// The judge.
        judge: String,
        /// The error.
        source: Box<llull_llm::ModelError>,
    },
    /// A judge's provider has no batches, or it is a model of the caller's own.
    #[error(
        "judge {0} cannot be sent batches; OpenAI, Azure, Anthropic, Gemini and Bedrock (with a bucket: aws.batches) \
         have them. Run it without --batch, or use `llull batch export`"
    )]
    NoBatches(String),
    /// A student cannot judge, or be trained.
    #[error(transparent)]
    Student(#[from] crate::saved::UnusableStudent),
    /// The rubric is invalid.
    #[error(transparent)]
    Rubric(#[from] llull_judge::RubricError),
    /// A prompt template is invalid.
    #[error(transparent)]
    Prompt(#[from] llull_judge::PromptError),
    /// A judge is not a language model, so it has no prompt, address or price.
    #[error("judge {0} is no language model")]
    NoModel(String),
    /// Two judges are the similarity baseline.
    #[error("one similarity baseline is enough; remove the second")]
    TwoBaselines,
    /// A judge of the caller's own has another paradigm than the study.
    #[error(
        "judge {judge} is {asks}, and this study's judges are {wanted}; give it to another study, or set its paradigm"
    )]
    JudgeParadigm {
        /// The judge.
        judge: String,
        /// The judge's paradigm.
        asks: &'static str,
        /// The study's paradigm.
        wanted: &'static str,
    },
    /// A judge's labels are on another scale than the rubric's.
    #[error("judge {judge}: {difference}")]
    JudgeScale {
        /// The judge.
        judge: String,
        /// The difference, with its remedy.
        difference: String,
    },
    /// There is a limit in US dollars, but the price of this judge is unknown.
    #[error(
        "judge {judge}: there is a limit in US dollars, but its price is unknown, so llull cannot apply the limit; in \
         its [[judges]] table, in US dollars a million tokens, set {setting}; or limit calls or tokens instead, or ask \
         a language model through openrouter/, which states the price of each reply"
    )]
    NoPrice {
        /// The judge.
        judge: String,
        /// The setting of its price.
        setting: String,
    },
    /// There is a budget, but earlier answers lack figures that it needs.
    #[error("{0}")]
    BudgetUnknown(UnknownSpending),
    /// A sample of pairs in a study whose judges compare.
    #[error(
        "the study's judges compare documents, so that a label does not follow from one pair's answers: a sample of \
         pairs shows what a change does where judges grade"
    )]
    SampleOfComparisons,
    /// A list of pairs for judges that grade.
    #[error(
        "a list of pairs is for judges that compare, and this study's judges grade: set paradigm = \"pairwise\" in a \
         study of its own"
    )]
    PairsOfGrades,
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}
