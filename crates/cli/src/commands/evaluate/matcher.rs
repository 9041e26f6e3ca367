//! The judge that the command line asks for.

use anyhow::Result;
use llull::judge::{OverlapOptions, StopWords, TextMatcher};

use crate::args::{EvaluateArgs, ExpectedAnswerJudge, StopWordList};
use crate::exit::Usage;

pub(super) fn matcher(args: &EvaluateArgs) -> Result<TextMatcher> {
    let evret = args.judge == ExpectedAnswerJudge::TokenOverlapEvret;
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
    Ok(if evret { TextMatcher::evret(options) } else { TextMatcher::token_overlap(options) }
        .map_err(usage)?)
}
