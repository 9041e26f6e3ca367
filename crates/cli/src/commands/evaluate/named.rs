//! The judges of the command line.

use anyhow::Result;
use llull::encoder::Encoder;
use llull::expected_answers::{AnswerJudge, SemanticJudge};
use llull::judge::{OverlapOptions, OverlapOptionsError, StopWords, TokenOverlap};
use llull::report::ReportJudgeKind;
use llull::review::annotator_name;
use llull::{annotator_judge_name, annotator_of_judge};

use crate::args::{EvaluateArgs, StopWordList};
use crate::commands::{Context, EncodingProgress};
use crate::exit::{Usage, refuse};

/// The name of all annotators.
const PEOPLE: &str = "people";

/// A judge of `--judge`.
pub(super) enum NamedJudge {
    /// It counts words.
    Matcher(TokenOverlap),
    /// It compares vectors of this encoder.
    Semantic(Box<dyn Encoder>),
    /// A language model, or a judge of the study.
    Asked(String),
    /// An annotator who answered in a review.
    Annotator(String),
    /// All annotators who answered in a review.
    Annotators,
}

impl NamedJudge {
    /// Returns how far to trust it.
    pub(super) fn kind(&self) -> ReportJudgeKind {
        match self {
            Self::Matcher(_) => ReportJudgeKind::SharedWords,
            Self::Semantic(_) => ReportJudgeKind::Meaning,
            Self::Asked(_) => ReportJudgeKind::LanguageModel,
            Self::Annotator(_) | Self::Annotators => ReportJudgeKind::Annotator,
        }
    }

    /// Returns whether it stands for annotators.
    pub(super) fn is_human(&self) -> bool {
        matches!(self, Self::Annotator(_) | Self::Annotators)
    }

    /// Returns its name on the command line, if it stands for annotators.
    pub(super) fn human(&self) -> Option<String> {
        match self {
            Self::Annotator(name) => Some(annotator_judge_name(name)),
            Self::Annotators => Some(PEOPLE.to_owned()),
            _ => None,
        }
    }
}

/// Returns the named judges, and refuses options that none of them uses.
pub(super) fn named(context: &Context, args: &EvaluateArgs) -> Result<Vec<NamedJudge>> {
    let names = match args.judges.as_slice() {
        [] => &["token-overlap".to_owned()],
        names => names,
    };
    if let Some((at, name)) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
        refuse!("--judge {name} is given twice (the second is number {})", at + 1);
    }
    let in_words = names.iter().filter(|name| counts_words(name)).count();
    let semantic = names.iter().any(|name| name == "semantic");
    let people = names.iter().filter(|name| *name == PEOPLE || annotator_of_judge(name).is_some()).count();
    if people > 1 && names.iter().any(|name| name == PEOPLE) {
        refuse!("--judge people is everybody: name no person beside it");
    }
    let asked = names.len() - in_words - usize::from(semantic) - people;
    refuse_idle(args, (in_words > 0, semantic, asked > 0, people > 0 || args.people.answers()))?;
    names.iter().map(|name| one(context, args, name)).collect()
}

fn counts_words(name: &str) -> bool {
    ["token-overlap", "token-overlap-evret"].contains(&name)
}

fn one(context: &Context, args: &EvaluateArgs, name: &str) -> Result<NamedJudge> {
    Ok(match name {
        "token-overlap" => NamedJudge::Matcher(matcher(args, false)?),
        "token-overlap-evret" => NamedJudge::Matcher(matcher(args, true)?),
        "semantic" => {
            check_cosine(args)?;
            let name = args.encoder.as_deref().unwrap_or("minilm");
            let address = args.base_url.as_deref();
            NamedJudge::Semantic(context.encoder(name, address)?)
        }
        PEOPLE => NamedJudge::Annotators,
        name => match annotator_of_judge(name) {
            Some(annotator) => {
                NamedJudge::Annotator(annotator_name(annotator).map_err(|error| Usage(error.to_string()))?)
            }
            None => NamedJudge::Asked(name.to_owned()),
        },
    })
}

/// Refuses options that only other judges use.
fn refuse_idle(
    args: &EvaluateArgs,
    (in_words, semantic, asked, people): (bool, bool, bool, bool),
) -> Result<()> {
    let of_words = "is for judges that count words: token-overlap, token-overlap-evret";
    let of_models = "is for judges that are language models, such as --judge openai/gpt-4o-mini";
    let is_asked = asked || args.facts_by.is_some();
    let idle = [
        ("--min-tokens", args.min_tokens.is_some() && !in_words, of_words),
        ("--no-query-boost", args.no_query_boost && !in_words, of_words),
        ("--stop-words", args.stop_words.is_some() && !in_words, of_words),
        ("--stemming", args.stemming.is_some() && !in_words, of_words),
        ("--threshold", args.threshold.is_some() && !in_words && !semantic, "is for judges that compute"),
        ("--encoder", args.encoder.is_some() && !semantic, "is for --judge semantic"),
        ("--base-url", args.base_url.is_some() && args.encoder.is_none() && !is_asked, of_models),
        ("--prompt", args.prompt.is_some() && !asked, of_models),
        ("--rubric", args.rubric.is_some() && !asked && !people, of_models),
        ("--dry-run", args.dry_run && !is_asked, of_models),
    ];
    if let Some((flag, _, why)) = idle.iter().find(|(_, idle, _)| *idle) {
        refuse!("{flag} {why}");
    }
    if args.threshold.is_some() && in_words && semantic {
        refuse!("--threshold would be a share of words and a cosine at once: leave it out");
    }
    Ok(())
}

fn matcher(args: &EvaluateArgs, evret: bool) -> Result<TokenOverlap> {
    let usual = if evret { OverlapOptions::of_evret() } else { OverlapOptions::default() };
    let usage = |error: OverlapOptionsError| Usage(error.to_string());
    let options = OverlapOptions {
        min_tokens: args.min_tokens.unwrap_or(usual.min_tokens),
        threshold: args.threshold.unwrap_or(usual.threshold),
        query_boost: !args.no_query_boost,
        stop_words: match args.stop_words {
            Some(StopWordList::None) => StopWords::None,
            Some(StopWordList::English) => StopWords::English,
            None => usual.stop_words,
        },
        stemming: args.stemming.as_deref().map(|name| name.parse().map_err(usage)).transpose()?,
        evret,
    };
    Ok(TokenOverlap::new(options).map_err(usage)?)
}

fn check_cosine(args: &EvaluateArgs) -> Result<()> {
    match args.threshold {
        Some(threshold) if !(threshold > -1.0 && threshold <= 1.0) => {
            refuse!("--threshold {threshold}: a cosine is above -1 and at most 1")
        }
        _ => Ok(()),
    }
}

/// Returns the judge that compares vectors. It saves them in the folder of the study in which the command runs, if
/// there is one.
pub(super) fn semantic<'a>(
    context: &Context,
    args: &EvaluateArgs,
    encoder: &'a dyn Encoder,
) -> Result<SemanticJudge<'a>> {
    let threshold = args.threshold.unwrap_or(SemanticJudge::DEFAULT_THRESHOLD);
    let kept = context.vectors_of(encoder)?;
    let progress = EncodingProgress::new(context.printer);
    Ok(SemanticJudge::new(encoder, kept, threshold, move |at| progress.encoded(at)))
}

/// Calls `work` with a judge that computes its answers, and prints notes about texts that it could not read whole.
pub(super) fn with_computing<T>(
    context: &Context,
    args: &EvaluateArgs,
    judge: &NamedJudge,
    work: impl FnOnce(&dyn AnswerJudge) -> Result<T>,
) -> Result<Option<T>> {
    match judge {
        NamedJudge::Matcher(matcher) => work(matcher).map(Some),
        NamedJudge::Semantic(encoder) => {
            let judge = semantic(context, args, &**encoder)?;
            let done = work(&judge)?;
            if judge.cut() > 0 {
                context.printer.warn(format!(
                    "{} longer than {} reads were compared by their beginnings alone",
                    llull::report::text::counted(judge.cut(), "text"),
                    encoder.name()
                ));
            }
            Ok(Some(done))
        }
        NamedJudge::Asked(_) | NamedJudge::Annotator(_) | NamedJudge::Annotators => Ok(None),
    }
}
