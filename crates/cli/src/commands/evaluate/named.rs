//! The judges of the command line.

use std::str::FromStr;

use anyhow::Result;
use llull::encoder::Encoder;
use llull::expected_answers::{AnswerJudge, SemanticJudge};
use llull::judge::{OverlapOptions, OverlapOptionsError, StopWords, TokenOverlap};
use llull::report::ReportJudgeKind;
use llull::review::annotator_name;
use llull::{annotator_judge_name, annotator_of_judge};

use crate::args::EvaluateArgs;
use crate::commands::{Context, EncodingProgress};
use crate::exit::{Usage, refuse};

/// The name of all annotators.
const PEOPLE: &str = "people";

/// A judge of `--judge`.
pub(super) enum NamedJudge {
    /// It counts words.
    Matcher(TokenOverlap),
    /// It compares vectors of this encoder; a match has at least this cosine.
    Semantic(Box<dyn Encoder>, f64),
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
            Self::Semantic(..) => ReportJudgeKind::Meaning,
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

/// A judge as typed: `NAME`, or `NAME(OPTION=VALUE, ...)` of a judge that computes.
struct TypedJudge<'a> {
    name: &'a str,
    options: Vec<(&'a str, &'a str)>,
}

impl<'a> TypedJudge<'a> {
    /// The options of judges that count words, as in JSON.
    const OF_WORDS: [&'static str; 5] = ["min_tokens", "threshold", "query_boost", "stop_words", "stemming"];
    /// The options of the judge that compares vectors, as in JSON.
    const OF_VECTORS: [&'static str; 2] = ["encoder", "threshold"];

    /// Parses a judge. A judge of a study may have parentheses in its name.
    fn parse(text: &'a str) -> Result<Self> {
        let call = text.strip_suffix(')').and_then(|call| call.split_once('('));
        let (name, list) = call.unwrap_or((text, ""));
        let known: &[&str] = match name {
            "semantic" => &Self::OF_VECTORS,
            name if counts_words(name) => &Self::OF_WORDS,
            _ => return Ok(Self { name: text, options: Vec::new() }),
        };
        let mut options = Vec::new();
        for option in list.split(',').map(str::trim).filter(|option| !option.is_empty()) {
            match option.split_once('=') {
                Some((key, value)) if known.contains(&key.trim()) => options.push((key.trim(), value.trim())),
                _ => refuse!("--judge {text}: {option:?} is no option; {name} has {}", known.join(", ")),
            }
        }
        Ok(Self { name, options })
    }

    /// Returns the parsed value of an option, if it was typed.
    fn option<T: FromStr>(&self, key: &str) -> Result<Option<T>> {
        let Some((_, value)) = self.options.iter().find(|(known, _)| *known == key) else { return Ok(None) };
        match value.parse() {
            Ok(parsed) => Ok(Some(parsed)),
            Err(_) => refuse!("--judge {}: {key}={value} cannot be read", self.name),
        }
    }
}

/// Returns the named judges, and refuses options that none of them uses.
pub(super) fn named(context: &Context, args: &EvaluateArgs) -> Result<Vec<NamedJudge>> {
    let typed = match args.judges.as_slice() {
        [] => &["token-overlap".to_owned()],
        typed => typed,
    };
    let judges = typed.iter().map(|text| TypedJudge::parse(text)).collect::<Result<Vec<_>>>()?;
    let names: Vec<&str> = judges.iter().map(|judge| judge.name).collect();
    if let Some((at, name)) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
        refuse!("--judge {name} is given twice (the second is number {})", at + 1);
    }
    let computing = names.iter().filter(|name| **name == "semantic" || counts_words(name)).count();
    let people = names.iter().filter(|name| **name == PEOPLE || annotator_of_judge(name).is_some()).count();
    if people > 1 && names.contains(&PEOPLE) {
        refuse!("--judge people is everybody: name no single annotator as well");
    }
    let has_encoder = judges.iter().any(|judge| judge.options.iter().any(|(key, _)| *key == "encoder"));
    let asked = names.len() - computing - people;
    refuse_idle(args, (has_encoder, asked > 0, people > 0 || args.review.is_some()))?;
    judges.iter().map(|judge| one(context, args, judge)).collect()
}

fn counts_words(name: &str) -> bool {
    ["token-overlap", "token-overlap-evret"].contains(&name)
}

fn one(context: &Context, args: &EvaluateArgs, judge: &TypedJudge<'_>) -> Result<NamedJudge> {
    Ok(match judge.name {
        "token-overlap" => NamedJudge::Matcher(matcher(judge, OverlapOptions::default())?),
        "token-overlap-evret" => NamedJudge::Matcher(matcher(judge, OverlapOptions::of_evret())?),
        "semantic" => {
            let threshold = judge.option("threshold")?.unwrap_or(SemanticJudge::DEFAULT_THRESHOLD);
            if !(threshold > -1.0 && threshold <= 1.0) {
                refuse!("--judge semantic: threshold={threshold}: a cosine is above -1 and at most 1");
            }
            let encoder: Option<String> = judge.option("encoder")?;
            let encoder = encoder.as_deref().unwrap_or("minilm");
            NamedJudge::Semantic(context.encoder(encoder, args.base_url.as_deref())?, threshold)
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
fn refuse_idle(args: &EvaluateArgs, (has_encoder, asked, people): (bool, bool, bool)) -> Result<()> {
    let of_models = "is for judges that are language models, such as --judge openai/gpt-4o-mini";
    let is_asked = asked || args.facts_by.is_some();
    let idle = [
        ("--base-url", args.base_url.is_some() && !has_encoder && !is_asked),
        ("--rubric", args.rubric.is_some() && !asked && !people),
        ("--dry-run", args.dry_run && !is_asked),
    ];
    if let Some((flag, _)) = idle.iter().find(|(_, idle)| *idle) {
        refuse!("{flag} {of_models}");
    }
    Ok(())
}

fn matcher(judge: &TypedJudge<'_>, usual: OverlapOptions) -> Result<TokenOverlap> {
    let usage = |error: OverlapOptionsError| Usage(error.to_string());
    let stemming: Option<String> = judge.option("stemming")?;
    let stop_words: Option<String> = judge.option("stop_words")?;
    let options = OverlapOptions {
        min_tokens: judge.option("min_tokens")?.unwrap_or(usual.min_tokens),
        threshold: judge.option("threshold")?.unwrap_or(usual.threshold),
        query_boost: judge.option("query_boost")?.unwrap_or(usual.query_boost),
        stop_words: match stop_words.as_deref() {
            Some("none") => StopWords::None,
            Some("english") => StopWords::English,
            Some(other) => refuse!("--judge {}: stop_words={other}: there are none and english", judge.name),
            None => usual.stop_words,
        },
        stemming: stemming.map(|name| name.parse().map_err(usage)).transpose()?,
        ..usual
    };
    Ok(TokenOverlap::new(options).map_err(usage)?)
}

/// Returns the judge that compares vectors. It saves them in the folder of the study in which the command runs, if
/// there is one.
pub(super) fn semantic<'a>(
    context: &Context,
    (encoder, threshold): (&'a dyn Encoder, f64),
) -> Result<SemanticJudge<'a>> {
    let kept = context.vectors_of(encoder)?;
    let progress = EncodingProgress::new(context.printer);
    Ok(SemanticJudge::new(encoder, kept, threshold, move |at| progress.encoded(at)))
}

/// Calls `work` with a judge that computes its answers, and prints notes about texts that it could not read whole.
pub(super) fn with_computing<T>(
    context: &Context,
    judge: &NamedJudge,
    work: impl FnOnce(&dyn AnswerJudge) -> Result<T>,
) -> Result<Option<T>> {
    match judge {
        NamedJudge::Matcher(matcher) => work(matcher).map(Some),
        NamedJudge::Semantic(encoder, threshold) => {
            let judge = semantic(context, (&**encoder, *threshold))?;
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
