//! Signatures of requests to AWS: Signature Version 4.
//!
//! Its form is documented at <https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html>. A signature holds
//! for one request and a few minutes.

use std::fmt::Write as _;
use std::ops::Range;
use std::time::SystemTime;

use httpdate::fmt_http_date;
use reqwest::Url;
use reqwest::header::{HeaderName, HeaderValue};
use ring::{digest, hmac};

use crate::aws_keys::AwsSigner;
use crate::error::ClientError;

impl AwsSigner {
    /// Returns the headers that sign a request.
    pub(crate) fn headers(
        &self,
        method: &str,
        url: &Url,
        body: &[u8],
        now: SystemTime,
    ) -> Result<Vec<(HeaderName, HeaderValue)>, ClientError> {
        let (time, hash) = (timestamp(now), sha256(body));
        let host = url.host_str().unwrap_or_default();
        let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        let mut headers = vec![("host", host), ("x-amz-date", time.clone())];
        if self.service == "s3" {
            headers.insert(1, ("x-amz-content-sha256", hash.clone()));
        }
        let token = self.keys.token.as_ref();
        headers.extend(token.map(|token| ("x-amz-security-token", token.expose().to_owned())));
        let authorization = self.authorization(method, url, &headers, &hash, &time);
        // The client sends the host itself.
        let sent = headers.into_iter().skip(1).chain([("authorization", authorization)]);
        sent.map(|(name, value)| {
            let mut value = HeaderValue::from_str(&value).map_err(|_| ClientError::KeyNotSendable)?;
            value.set_sensitive(true);
            Ok((HeaderName::from_static(name), value))
        })
        .collect()
    }

    /// Returns the header `authorization` of a request with these headers, which are in the order of their names.
    fn authorization(
        &self,
        method: &str,
        url: &Url,
        headers: &[(&'static str, String)],
        body_hash: &str,
        time: &str,
    ) -> String {
        // All services but S3 sign a path that is encoded once more than the one that is sent.
        let path = match self.service {
            "s3" => url.path().to_owned(),
            _ => url.path().split('/').map(encoded).collect::<Vec<_>>().join("/"),
        };
        let mut query: Vec<_> =
            url.query_pairs().map(|(name, value)| [encoded(&name), encoded(&value)]).collect();
        query.sort();
        let query = query.into_iter().map(|pair| pair.join("=")).collect::<Vec<_>>().join("&");
        let names = headers.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(";");
        let headers: String = headers.iter().map(|(name, value)| format!("{name}:{value}\n")).collect();
        let request = format!("{method}\n{path}\n{query}\n{headers}\n{names}\n{body_hash}");
        let day = time.split('T').next().unwrap_or_default();
        let scope = format!("{day}/{}/{}/aws4_request", self.region, self.service);
        let text = format!("AWS4-HMAC-SHA256\n{time}\n{scope}\n{}", sha256(request.as_bytes()));
        let (id, secret) = (self.keys.id.expose(), self.keys.secret.expose());
        let signature = [day, &self.region, self.service, "aws4_request", &text].iter().fold(
            format!("AWS4{secret}").into_bytes(),
            |key, part| {
                hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), part.as_bytes()).as_ref().to_vec()
            },
        );
        let signature = hex(&signature);
        format!("AWS4-HMAC-SHA256 Credential={id}/{scope}, SignedHeaders={names}, Signature={signature}")
    }
}

/// Returns a moment as `20150830T123600Z`.
fn timestamp(now: SystemTime) -> String {
    // Sun, 30 Aug 2015 12:36:00 GMT
    let date = fmt_http_date(now);
    let part = |range: Range<usize>| date.get(range).unwrap_or_default();
    let month = "JanFebMarAprMayJunJulAugSepOctNovDec".find(part(8..11)).unwrap_or_default() / 3 + 1;
    format!("{}{month:02}{}T{}Z", part(12..16), part(5..7), part(17..25).replace(':', ""))
}

/// Encodes all but the characters that RFC 3986 calls unreserved.
fn encoded(text: &str) -> String {
    let letter = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(letter).collect()
}

fn sha256(bytes: &[u8]) -> String {
    hex(digest::digest(&digest::SHA256, bytes).as_ref())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;
    use crate::aws_keys::AwsKeys;
    use crate::secret::Secret;

    fn signer(
        service: &'static str,
        region: &str,
        [id, secret]: [&str; 2],
        token: Option<&str>,
    ) -> AwsSigner {
        let key = |text: &str| Secret::new(text).unwrap();
        let keys = AwsKeys { id: key(id), secret: key(secret), token: token.map(key) };
        AwsSigner { keys, region: region.into(), service }
    }

    /// The published cases of AWS's test suite for Signature Version 4 (aws-sig-v4-test-suite), and the examples of
    /// <https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html>.
    #[test]
    fn published_requests_are_signed_as_published() {
        let suite = ["AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"];
        let s3 = ["AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"];
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let hello = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072";
        assert_eq!((sha256(b"").as_str(), sha256(b"Welcome to Amazon S3.").as_str()), (empty, hello));
        let (suite_time, s3_time) = ("20150830T123600Z", "20130524T000000Z");
        for (service, keys, time, method, url, more, hash, signature) in [
            (
                "service",
                suite,
                suite_time,
                "GET",
                "https://example.amazonaws.com/",
                vec![],
                empty,
                "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
            ),
            (
                "service",
                suite,
                suite_time,
                "GET",
                "https://example.amazonaws.com/?Param2=value2&Param1=value1",
                vec![],
                empty,
                "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
            ),
            (
                "service",
                suite,
                suite_time,
                "POST",
                "https://example.amazonaws.com/",
                vec![],
                empty,
                "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
            ),
            (
                "s3",
                s3,
                s3_time,
                "GET",
                "https://examplebucket.s3.amazonaws.com/test.txt",
                vec![("range", "bytes=0-9"), ("x-amz-content-sha256", empty)],
                empty,
                "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
            ),
            (
                "s3",
                s3,
                s3_time,
                "PUT",
                "https://examplebucket.s3.amazonaws.com/test%24file.text",
                vec![
                    ("date", "Fri, 24 May 2013 00:00:00 GMT"),
                    ("x-amz-content-sha256", hello),
                    ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
                ],
                hello,
                "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
            ),
        ] {
            let url = Url::parse(url).unwrap();
            let host = url.host_str().unwrap();
            let mut headers: Vec<_> = [("host", host), ("x-amz-date", time)]
                .into_iter()
                .chain(more)
                .map(|(name, value)| (name, value.to_owned()))
                .collect();
            headers.sort();
            let signed =
                signer(service, "us-east-1", keys, None).authorization(method, &url, &headers, hash, time);
            assert!(signed.ends_with(&format!("Signature={signature}")), "{method} {url}: {signed}");
        }
    }

    /// botocore 1.44.8: `SigV4Auth` and `S3SigV4Auth` with a token, at 2026-11-28 05:06:07 UTC.
    #[test]
    fn requests_to_bedrock_and_its_bucket_are_signed_as_by_botocore() {
        let now = UNIX_EPOCH + Duration::from_secs(1_795_842_367);
        let keys = ["AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"];
        for (service, method, url, body, signature) in [
            (
                "bedrock",
                "POST",
                "https://bedrock-runtime.eu-central-1.amazonaws.com/model/eu.anthropic.claude-sonnet-5-v1%3A0/converse",
                "{\"messages\":[]}",
                "eec7498bcbc1f1ab63914c9061a63239650050d28147dfa331b52788df771769",
            ),
            (
                "bedrock",
                "GET",
                "https://bedrock.eu-central-1.amazonaws.com/model-invocation-jobs?sortBy=CreationTime\
                 &nameContains=llull-1&maxResults=1000&nextToken=a%2Fb%3D%3D",
                "",
                "cad66f51a918245de149139860bf8dfdb915ba18c81a64793a2791bae9b881ee",
            ),
            (
                "s3",
                "PUT",
                "https://s3.eu-central-1.amazonaws.com/bucket/pre/llull-1.jsonl",
                "{\"recordId\":\"a\"}\n",
                "0fbaa94b674540306ae9fae3a709f1d9cb55f7436fbe3b0d09fc75736ec533ac",
            ),
            (
                "s3",
                "GET",
                "http://127.0.0.1:4566/bucket/pre/x1/llull-1.jsonl.out",
                "",
                "ba86b92f31c0a110a349cd3d8ab966d1325cfd3e4dc2a138f11306c7a8258012",
            ),
        ] {
            let signer = signer(service, "eu-central-1", keys, Some("session/token+EXAMPLE=="));
            let headers = signer.headers(method, &Url::parse(url).unwrap(), body.as_bytes(), now).unwrap();
            assert!(headers.iter().all(|(_, value)| value.is_sensitive()));
            let value = |name: &str| {
                let found = headers.iter().find(|(known, _)| known == name);
                found.map_or("", |(_, value)| value.to_str().unwrap())
            };
            assert_eq!(value("x-amz-date"), "20261128T050607Z");
            assert_eq!(value("x-amz-security-token"), "session/token+EXAMPLE==");
            assert_eq!(value("x-amz-content-sha256").len(), if service == "s3" { 64 } else { 0 });
            let hash = if service == "s3" { "x-amz-content-sha256;" } else { "" };
            assert_eq!(
                value("authorization"),
                format!(
                    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261128/eu-central-1/{service}/aws4_request, \
                     SignedHeaders=host;{hash}x-amz-date;x-amz-security-token, Signature={signature}"
                )
            );
        }
    }
}
