//! Keys, regions and buckets of Amazon Bedrock.

use llull_http::{Address, AwsKeys, AwsSigner, Secret};

use crate::error::ModelError;

/// The variable of an access key's identifier.
pub(crate) const ACCESS_KEY: &str = "AWS_ACCESS_KEY_ID";
const SECRET_KEY: &str = "AWS_SECRET_ACCESS_KEY";
const TOKEN: &str = "AWS_SESSION_TOKEN";
/// The variable of the region.
pub(crate) const REGION: &str = "AWS_REGION";

/// The settings of requests that are signed with the keys of an AWS account.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AwsSettings {
    /// The settings of batches; `None` without any.
    pub batches: Option<AwsBatches>,
}

/// The settings of Bedrock's batches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AwsBatches {
    /// The bucket that gets their requests and results.
    pub bucket: String,
    /// The folder there, without slashes at its ends; empty for none.
    pub folder: String,
    /// The role with which Bedrock reads and writes the bucket.
    pub role: String,
    /// The hours after which Bedrock ends a batch.
    pub hours: u16,
    /// The fewest requests of a batch.
    pub least: usize,
}

impl AwsBatches {
    /// The most requests of a batch. Bedrock takes 50,000.
    pub const MOST: usize = 25_000;

    /// Reads `s3://BUCKET/FOLDER`.
    ///
    /// # Errors
    /// Returns the problem if it is not such an address, or has characters that Bedrock does not take.
    pub fn new(address: &str, role: &str, hours: u16, least: usize) -> Result<Self, String> {
        let rest = address.strip_prefix("s3://").ok_or("write s3://BUCKET/FOLDER")?;
        let (bucket, folder) = rest.split_once('/').unwrap_or((rest, ""));
        let folder = folder.trim_end_matches('/');
        let is_plain = |part: &str, more: &str| {
            let plain = |letter: char| letter.is_ascii_alphanumeric() || more.contains(letter);
            !part.is_empty() && part.chars().all(plain) && !part.starts_with('.')
        };
        let is_name = is_plain(bucket, "-.") && bucket.len() >= 3;
        if !is_name || !(folder.is_empty() || folder.split('/').all(|part| is_plain(part, "-_."))) {
            return Err("a bucket and its folders have letters, digits, -, _ and . in their names".to_owned());
        }
        if !(role.starts_with("arn:aws") && role.contains(":iam::") && role.contains(":role/")) {
            return Err(format!("role = {role:?} is no role: write arn:aws:iam::ACCOUNT:role/NAME"));
        }
        let (bucket, folder, role) = (bucket.to_owned(), folder.to_owned(), role.to_owned());
        Ok(Self { bucket, folder, role, hours, least })
    }
}

/// The keys and the region of requests to Bedrock, as far as they are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AwsAccess {
    pub(crate) keys: Result<AwsKeys, &'static str>,
    pub(crate) region: Option<String>,
    pub(crate) batches: Option<AwsBatches>,
}

impl AwsAccess {
    /// Returns the access to an address: its region is that in its name, or else in the environment. The `Err` of keys
    /// is the variable that is missing.
    pub(crate) fn new(
        settings: &AwsSettings,
        address: &Address,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Self {
        let key =
            |variable: &'static str| environment(variable).and_then(|key| Secret::new(&key)).ok_or(variable);
        let keys = || Ok(AwsKeys { id: key(ACCESS_KEY)?, secret: key(SECRET_KEY)?, token: key(TOKEN).ok() });
        let region = region_of(address).or_else(|| region(environment));
        Self { keys: keys(), region, batches: settings.batches.clone() }
    }

    /// Returns what signs a model's requests to a service.
    pub(crate) fn signer(&self, model: &str, service: &'static str) -> Result<AwsSigner, ModelError> {
        let model = || model.to_owned();
        let keys = self.keys.clone();
        let keys = keys
            .map_err(|variable| ModelError::MissingKey { model: model(), variable: variable.to_owned() })?;
        let region = self.region.clone().ok_or_else(|| ModelError::Aws {
            model: model(),
            problem: format!("set {REGION} to the region of the server, such as eu-central-1"),
        })?;
        Ok(AwsSigner { keys, region, service })
    }
}

/// Returns the region of the environment, if it can be part of a server's name.
pub(crate) fn region(environment: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let region = environment(REGION)?.trim().trim_matches(['"', '\'']).to_owned();
    let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    (!region.is_empty() && region.chars().all(is_plain)).then_some(region)
}

/// Returns the region in the name of Bedrock's server.
fn region_of(address: &Address) -> Option<String> {
    let server = address.server();
    let host = server.strip_prefix("https://bedrock-runtime")?.strip_suffix(".amazonaws.com")?;
    let region = host.strip_prefix("-fips").unwrap_or(host).strip_prefix('.')?;
    (!region.contains('.')).then(|| region.to_owned())
}

/// Returns the servers of batches and of buckets: those beside Bedrock's own, or any other server itself, which stands
/// for all of them, as LocalStack does.
pub(crate) fn batch_servers(address: &Address, region: &str) -> [Address; 2] {
    let own = address.with_path("/");
    let beside = |server: String| Address::parse(&server).unwrap_or_else(|_| own.clone());
    match region_of(address) {
        Some(_) => {
            let jobs = address.server().replacen("bedrock-runtime", "bedrock", 1);
            [beside(jobs), beside(format!("https://s3.{region}.amazonaws.com"))]
        }
        None => [own.clone(), own],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_and_a_role_are_read() {
        let role = "arn:aws:iam::123456789012:role/batches";
        let read = |address: &str| AwsBatches::new(address, role, 24, 100);
        let found = read("s3://my-bucket/llull/one/").unwrap();
        assert_eq!((&*found.bucket, &*found.folder), ("my-bucket", "llull/one"));
        assert_eq!(read("s3://my-bucket").unwrap().folder, "");
        for wrong in
            ["my-bucket", "s3://", "s3://b/../other", "s3://my-bucket//a", "s3://my-bucket/a?b", "https://b"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(AwsBatches::new("s3://my-bucket", "batches", 24, 100).unwrap_err().contains("role/NAME"));
    }

    #[test]
    fn batches_are_beside_the_server_of_requests() {
        let servers = |text: &str| {
            let address = Address::parse(text).unwrap();
            let region = region_of(&address).unwrap_or_else(|| "us-east-1".into());
            batch_servers(&address, &region).map(|server| server.server())
        };
        assert_eq!(
            servers("https://bedrock-runtime.eu-central-1.amazonaws.com/model/m/converse"),
            ["https://bedrock.eu-central-1.amazonaws.com", "https://s3.eu-central-1.amazonaws.com"]
        );
        assert_eq!(
            servers("https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com"),
            ["https://bedrock-fips.us-gov-west-1.amazonaws.com", "https://s3.us-gov-west-1.amazonaws.com"]
        );
        let [jobs, bucket] = servers("http://127.0.0.1:4566/aws");
        assert_eq!((&*jobs, &*bucket), ("http://127.0.0.1:4566", "http://127.0.0.1:4566"));
    }

    #[test]
    fn a_region_cannot_lead_to_another_server() {
        for wrong in ["evil.test/", "a.b", "A", "", "x@y"] {
            assert_eq!(region(&|_| Some(wrong.to_owned())), None, "{wrong}");
        }
        assert_eq!(region(&|_| Some("eu-central-1\n".into())).as_deref(), Some("eu-central-1"));
    }
}
