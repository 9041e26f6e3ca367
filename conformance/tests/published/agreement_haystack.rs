//! Krippendorff's alpha of many raters with missing ratings.
//!
//! It is compared with the krippendorff package.

use std::collections::BTreeMap;
use std::io::Read as _;

use llull::core::Grade;
use llull::stats::{DisagreementWeights, Level, PanelRatings, fleiss_kappa, gwet_ac, krippendorff_alpha};
use llull_conformance::data;
use serde_json::Value;

fn text(path: &str) -> String {
    let mut text = String::new();
    llull::data::open(data(path)).unwrap().read_to_string(&mut text).unwrap();
    text
}

#[track_caller]
fn close(figure: Option<f64>, expected: f64) {
    assert!((figure.unwrap() - expected).abs() < 1e-10, "{figure:?} instead of {expected}");
}

/// The Haystack rating party: 2,420 pairs of 137 queries, rated by up to two of 13 people. On all 562 pairs with two
/// ratings these are equal: krippendorff 0.9.0 and evalica 0.4.2 give 1 at each level. `unrateable` is not a rating.
#[test]
fn the_rating_party() {
    let book: Value = serde_json::from_str(&text("quepid-haystack/book.anonymised.json.gz")).unwrap();
    let pairs = book["query_doc_pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 2420);
    let mut queries: BTreeMap<&str, Vec<Vec<Grade>>> = BTreeMap::new();
    for pair in pairs {
        let judgements = pair["judgements"].as_array().unwrap();
        let grades = judgements.iter().filter_map(|judgement| judgement["rating"].as_f64());
        queries
            .entry(pair["query_text"].as_str().unwrap())
            .or_default()
            .push(grades.map(|rating| rating as Grade).collect());
    }
    let ratings = PanelRatings::new(queries.into_values()).unwrap();
    assert_eq!((ratings.units(), ratings.paired(), ratings.ratings()), (1358, 562, 1920));
    for level in [Level::Nominal, Level::Ordinal, Level::Interval] {
        close(krippendorff_alpha(&ratings, level), 1.0);
    }
}

/// 11,386 passages graded by 81 judges. Each judge left some out, so a passage has 50 to 81 grades; the judges
/// disagree. Alpha: krippendorff 0.9.0; the other figures: irrCAC 0.4.4, `CAC(...).gwet()` and `.fleiss()`.
#[test]
fn judges_with_gaps_that_disagree() {
    let table = text("prompt-sensitivity/graded_dl20.matrix.tsv.gz");
    let mut queries: BTreeMap<&str, Vec<Vec<Grade>>> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let mut columns = line.split('\t');
        let query = columns.next().unwrap();
        let grades = columns.skip(1).filter(|cell| !cell.is_empty());
        queries.entry(query).or_default().push(grades.map(|grade| grade.parse().unwrap()).collect());
    }
    let ratings = PanelRatings::new(queries.into_values()).unwrap();
    assert_eq!((ratings.units(), ratings.paired(), ratings.ratings()), (11_386, 11_386, 666_826));
    close(krippendorff_alpha(&ratings, Level::Nominal), 0.23879614671436777);
    close(krippendorff_alpha(&ratings, Level::Ordinal), 0.4399484129970339);
    close(krippendorff_alpha(&ratings, Level::Interval), 0.44337193546267517);
    close(fleiss_kappa(&ratings), 0.237420209202013);
    close(gwet_ac(&ratings, DisagreementWeights::None), 0.4186651932036214);
    close(gwet_ac(&ratings, DisagreementWeights::Linear), 0.8505547346759843);
    close(gwet_ac(&ratings, DisagreementWeights::Quadratic), 0.967774839547118);
}
