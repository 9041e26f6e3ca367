//! `aws = { batches = "s3://BUCKET/FOLDER", role = "ARN" }`: requests to Bedrock that are signed.

use std::ops::RangeInclusive;

use llull_llm::{AwsBatches, AwsSettings, Provider};
use serde::Deserialize;

use crate::place::JudgeFault;
use crate::spanned::Spanned;

/// Hours after which Bedrock ends a batch.
const HOURS: RangeInclusive<u16> = 24..=168;

/// The fewest records that Bedrock takes in a batch of most models, and the range.
const USUAL_LEAST: usize = 100;
const LEAST: RangeInclusive<usize> = 1..=AwsBatches::MOST;

/// `aws = {}`, with the keys of batches.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AwsTable {
    /// `s3://BUCKET/FOLDER`, the place of batches.
    pub batches: Option<String>,
    /// The role with which Bedrock reads and writes them.
    pub role: Option<String>,
    /// The hours after which it ends a batch.
    pub hours: Option<u16>,
    /// The fewest requests of a batch.
    pub least: Option<usize>,
}

/// Reads the table of a judge of this provider, which may name a key.
pub(crate) fn aws(
    table: Option<&Spanned<AwsTable>>,
    provider: &Provider,
    has_key: bool,
) -> Result<Option<Box<AwsSettings>>, JudgeFault> {
    let Some(written) = table else { return Ok(None) };
    let fault = |message: String| JudgeFault::of(written, format!("aws: {message}"));
    if provider.name != "bedrock" {
        return Err(fault("only requests to bedrock/ models are signed; remove it".to_owned()));
    }
    if has_key {
        return Err(fault("it signs requests, so they have no `key`; remove one of the two".to_owned()));
    }
    let AwsTable { batches, role, hours, least } = written.get_ref();
    let batches = match (batches, role) {
        (Some(address), Some(role)) => {
            let (hours, least) = (hours.unwrap_or(*HOURS.start()), least.unwrap_or(USUAL_LEAST));
            if !HOURS.contains(&hours) {
                return Err(fault(format!(
                    "hours = {hours} is not from {} to {}",
                    HOURS.start(),
                    HOURS.end()
                )));
            }
            if !LEAST.contains(&least) {
                return Err(fault(format!(
                    "least = {least} is not from {} to {}",
                    LEAST.start(),
                    LEAST.end()
                )));
            }
            let read = AwsBatches::new(address, role, hours, least);
            Some(read.map_err(|problem| fault(format!("batches = {address:?}: {problem}")))?)
        }
        (None, None) if hours.is_none() && least.is_none() => None,
        _ => {
            let needs = "`batches` has the bucket, s3://BUCKET/FOLDER, and `role` the role with which Bedrock uses it; \
                         batches need both";
            return Err(fault(needs.to_owned()));
        }
    };
    Ok(Some(Box::new(AwsSettings { batches })))
}
