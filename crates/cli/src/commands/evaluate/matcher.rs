//! The judge that the command line asks for.

use anyhow::{Result, bail};
use llull::encoder::{Encoder, KeptVectors};
use llull::expected_answers::SemanticJudge;
use llull::judge::{OverlapOptions, StopWords, TextMatcher};
use llull::{Folder, kept_vectors};
use serde::Serialize;

use crate::args::{EvaluateArgs, ExpectedAnswerJudge, StopWordList};
use crate::commands::{Context, EncodingProgress, encoder};
use crate::exit::Usage;

/// The parameters of a judge, as `--json` has them.
#[derive(Debug, Serialize)]
pub(super) struct JudgeParameters {
    #[serde(skip_serializing_if = "Option::is_none")]
    min_tokens: Option<usize>,
    threshold: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    query_boost: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoder: Option<String>,
}

/// Returns the judge that counts words; `None` if another is asked for.
pub(super) fn matcher(args: &EvaluateArgs) -> Result<Option<TextMatcher>> {
    let evret = match args.judge {
        ExpectedAnswerJudge::TokenOverlap => false,
        ExpectedAnswerJudge::TokenOverlapEvret => true,
        ExpectedAnswerJudge::Semantic => return of_words_alone(args).map(|()| None),
    };
    if args.encoder.is_some() {
        bail!(Usage("--encoder is of --judge semantic".into()));
    }
    let usual = if evret { OverlapOptions::of_evret() } else { OverlapOptions::default() };
    let usage = |error: llull::judge::OverlapOptionsError| Usage(error.to_string());
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
    };
    let matcher = if evret { TextMatcher::evret(options) } else { TextMatcher::token_overlap(options) };
    Ok(Some(matcher.map_err(usage)?))
}

/// Refuses what only judges by words take.
fn of_words_alone(args: &EvaluateArgs) -> Result<()> {
    let given = [
        ("--min-tokens", args.min_tokens.is_some()),
        ("--no-query-boost", args.no_query_boost),
        ("--stop-words", args.stop_words.is_some()),
        ("--stemming", args.stemming.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((flag, _)) => bail!(Usage(format!("{flag} is of judges that count words, not of semantic"))),
        None => Ok(()),
    }
}

/// Returns the encoder that is asked for.
pub(super) fn encoder_of(context: &Context, args: &EvaluateArgs) -> Result<Box<dyn Encoder>> {
    encoder(
        (context.printer, &context.environment),
        args.encoder.as_deref().unwrap_or("minilm"),
        args.base_url.as_deref(),
    )
}

/// Returns the judge that compares vectors. They are kept in the folder of the study that the command runs in, if it
/// runs in one.
pub(super) fn semantic<'a>(
    context: &Context,
    args: &EvaluateArgs,
    encoder: &'a dyn Encoder,
) -> Result<(SemanticJudge<'a>, JudgeParameters)> {
    let threshold = args.threshold.unwrap_or(SemanticJudge::DEFAULT_THRESHOLD);
    if !(threshold > -1.0 && threshold <= 1.0) {
        bail!(Usage(format!("--threshold {threshold}: a cosine is above -1 and at most 1")));
    }
    let folder = Folder::new(&context.global.study);
    let kept = match folder.config().is_file() {
        true => kept_vectors(&folder, encoder.name())?,
        false => KeptVectors::in_memory(),
    };
    let progress = EncodingProgress::new(context.printer);
    let judge = SemanticJudge::new(encoder, kept, threshold, move |at| progress.encoded(at));
    let encoder = Some(encoder.name().to_owned());
    Ok((judge, JudgeParameters { min_tokens: None, threshold, query_boost: None, encoder }))
}

/// Returns the parameters of a judge that counts words.
pub(super) fn parameters(matcher: &TextMatcher) -> JudgeParameters {
    let options = matcher.options();
    JudgeParameters {
        min_tokens: Some(options.min_tokens),
        threshold: options.threshold,
        query_boost: Some(options.query_boost),
        encoder: None,
    }
}
