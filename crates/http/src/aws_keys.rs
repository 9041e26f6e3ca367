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

#[cfg(all(test, not(feature = "sigv4")))]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{Address, Transport};

    #[test]
    fn a_program_without_signatures_says_how_to_build_one_with_them() {
        let key = || Secret::new("key").unwrap();
        let keys = AwsKeys { id: key(), secret: key(), token: None };
        let signer = AwsSigner { keys, region: "eu-central-1".into(), service: "bedrock" };
        let address = Address::parse("http://localhost").unwrap();
        let transport = Transport::new(address, None, Duration::from_secs(1)).unwrap();
        assert!(transport.signed_by(signer).unwrap_err().to_string().contains("--features sigv4"));
    }
}
