//! Verifies the signature of a request to AWS as it arrives: Signature Version 4.
//!
//! Written from <https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html>, and apart
//! from llull's signer, so that a mistake of one of them shows. Both are tested with published signatures.

use axum::extract::Query;
use axum::http::request::Parts;
use ring::{digest, hmac};

/// The secret access key of every account at the faulty server.
pub const AWS_SECRET: &str = "topsecret/0123456789+abcdefghijKLMNOP";

/// Returns the identifier of the access key with which a request to a service is signed; `None` if it is not signed
/// with this secret, or has changed since.
pub(super) fn access_key<'a>(
    request: &'a Parts,
    body: &[u8],
    service: &str,
    secret: &str,
) -> Option<&'a str> {
    let header = |name: &str| request.headers.get(name)?.to_str().ok();
    let sent = header("authorization")?.strip_prefix("AWS4-HMAC-SHA256 Credential=")?;
    let (credential, rest) = sent.split_once(", SignedHeaders=")?;
    let (names, signature) = rest.split_once(", Signature=")?;
    let (id, scope) = credential.split_once('/')?;
    let [day, region, of, "aws4_request"] = scope.split('/').collect::<Vec<_>>()[..] else { return None };
    let time = header("x-amz-date")?;
    let is_signed = |name: &str| names.split(';').any(|signed| signed == name);
    let has_to_be = request.headers.keys().filter(|name| name.as_str().starts_with("x-amz-"));
    let all = is_signed("host") && has_to_be.map(|name| name.as_str()).all(is_signed);
    let hash = hex(digest::digest(&digest::SHA256, body).as_ref());
    let is_of_body = service != "s3" || header("x-amz-content-sha256") == Some(hash.as_str());
    if of != service || time.split('T').next() != Some(day) || !all || !is_of_body {
        return None;
    }
    let path = request.uri.path();
    let path = if service == "s3" { path.to_owned() } else { encoded(path, "/") };
    let Query(query) = Query::<Vec<(String, String)>>::try_from_uri(&request.uri).ok()?;
    let mut query: Vec<String> =
        query.iter().map(|(name, value)| format!("{}={}", encoded(name, ""), encoded(value, ""))).collect();
    query.sort();
    let mut canonical = format!("{}\n{path}\n{}\n", request.method, query.join("&"));
    for name in names.split(';') {
        canonical.push_str(&format!("{name}:{}\n", header(name)?.trim()));
    }
    canonical.push_str(&format!("\n{names}\n{hash}"));
    let canonical = hex(digest::digest(&digest::SHA256, canonical.as_bytes()).as_ref());
    let text = format!("AWS4-HMAC-SHA256\n{time}\n{scope}\n{canonical}");
    let mut key = format!("AWS4{secret}").into_bytes();
    for part in [day, region, service, "aws4_request", &text] {
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), part.as_bytes());
        key = tag.as_ref().to_vec();
    }
    (hex(&key) == signature).then_some(id)
}

/// Encodes all bytes but letters, digits, `-._~` and these.
fn encoded(text: &str, plain: &str) -> String {
    text.bytes().fold(String::new(), |mut written, byte| {
        let letter = char::from(byte);
        if letter.is_ascii_alphanumeric() || "-._~".contains(letter) || plain.contains(letter) {
            written.push(letter);
        } else {
            written.push_str(&format!("%{byte:02X}"));
        }
        written
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    const SUITE: &str = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

    fn parts(method: &str, uri: &str, headers: &[(&str, &str)], authorization: &str) -> Parts {
        let request = Request::builder().method(method).uri(uri).header("authorization", authorization);
        let add = |request: axum::http::request::Builder, (name, value): &(&str, &str)| {
            request.header(*name, *value)
        };
        headers.iter().fold(request, add).body(()).unwrap().into_parts().0
    }

    fn authorization(scope: &str, names: &str, signature: &str) -> String {
        format!(
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/{scope}/aws4_request, SignedHeaders={names}, \
             Signature={signature}"
        )
    }

    /// AWS's test suite for Signature Version 4 (`get-vanilla-query-order-key-case`), an example of
    /// <https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html>, and botocore 1.44.8 with a
    /// token.
    #[test]
    fn published_signatures_hold() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let signed = authorization(
            "20150830/us-east-1/service",
            "host;x-amz-date",
            "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
        );
        let headers = [("host", "example.amazonaws.com"), ("x-amz-date", "20150830T123600Z")];
        let request = parts("GET", "/?Param2=value2&Param1=value1", &headers, &signed);
        assert_eq!(access_key(&request, b"", "service", SUITE), Some("AKIDEXAMPLE"));
        let signed = authorization(
            "20130524/us-east-1/s3",
            "host;range;x-amz-content-sha256;x-amz-date",
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
        );
        let headers = [
            ("host", "examplebucket.s3.amazonaws.com"),
            ("range", "bytes=0-9"),
            ("x-amz-content-sha256", empty),
            ("x-amz-date", "20130524T000000Z"),
        ];
        let request = parts("GET", "/test.txt", &headers, &signed);
        let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
        assert_eq!(access_key(&request, b"", "s3", secret), Some("AKIDEXAMPLE"));
    }

    #[test]
    fn no_part_of_a_signed_request_can_change() {
        let scope = "20261128/eu-central-1/bedrock";
        let names = "host;x-amz-date;x-amz-security-token";
        let signature = "eec7498bcbc1f1ab63914c9061a63239650050d28147dfa331b52788df771769";
        let path = "/model/eu.anthropic.claude-sonnet-5-v1%3A0/converse";
        let (host, time) = ("bedrock-runtime.eu-central-1.amazonaws.com", "20261128T050607Z");
        let headers =
            [("host", host), ("x-amz-date", time), ("x-amz-security-token", "session/token+EXAMPLE==")];
        let body = br#"{"messages":[]}"#;
        let signed = authorization(scope, names, signature);
        let request = parts("POST", path, &headers, &signed);
        assert_eq!(access_key(&request, body, "bedrock", SUITE), Some("AKIDEXAMPLE"));
        assert_eq!(access_key(&request, b"{}", "bedrock", SUITE), None);
        assert_eq!(access_key(&request, body, "s3", SUITE), None);
        assert_eq!(access_key(&request, body, "bedrock", AWS_SECRET), None);
        let other = |at: usize, value| {
            let mut headers = headers;
            headers[at].1 = value;
            headers
        };
        let (colon, query) = (path.replace("%3A", ":"), format!("{path}?a=1"));
        for (method, path, headers, signed) in [
            ("PUT", path, headers, signed.clone()),
            ("POST", colon.as_str(), headers, signed.clone()),
            ("POST", query.as_str(), headers, signed.clone()),
            ("POST", path, other(0, "bedrock-runtime.us-east-1.amazonaws.com"), signed.clone()),
            ("POST", path, other(1, "20261128T050608Z"), signed.clone()),
            ("POST", path, other(2, "session/token"), signed.clone()),
            ("POST", path, headers, signed.replace("eu-central-1", "us-east-1")),
            ("POST", path, headers, signed.replace(";x-amz-security-token", "")),
        ] {
            let request = parts(method, path, &headers, &signed);
            assert_eq!(
                access_key(&request, body, "bedrock", SUITE),
                None,
                "{method} {path} {headers:?} {signed}"
            );
        }
    }
}
