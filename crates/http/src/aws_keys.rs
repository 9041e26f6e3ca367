//! Keys of AWS, which sign requests and are not sent themselves.

use crate::secret::Secret;

/// The keys of an AWS account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AwsKeys {
    /// The identifier of the access key, which is sent.
    pub id: Secret,
    /// The secret access key, which stays on this machine.
    pub secret: Secret,
    /// The token of temporary keys, which is sent.
    pub token: Option<Secret>,
}

impl AwsKeys {
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &Secret> {
        [&self.secret, &self.id].into_iter().chain(&self.token)
    }
}

/// Signs requests to one service in one region.
#[derive(Debug, Clone)]
pub struct AwsSigner {
    /// The keys.
    pub keys: AwsKeys,
    /// The region, such as `eu-central-1`.
    pub region: String,
    /// The service, such as `bedrock`.
    pub service: &'static str,
}
