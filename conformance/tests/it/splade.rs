//! SPLADE-tiny on this machine: weights beside a forward pass in numpy, and Cranfield from documents to nDCG.
//!
//! Needs the weights: `scripts/splade` gets them; `LLULL_MODELS` says where they are, by default `target/models`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use llull::candidates::{Fields, SparseIndex};
use llull::core::{Run, Topic};
use llull::data::read_qrels;
use llull::encoder::{KeptWeights, TermEncoder};
use llull::metrics::evaluate;
use llull_conformance::{cranfield, data, splade};

/// How many terms have a weight, their sum, and the heaviest.
type Golden = (usize, f64, [(u32, f32); 5]);

/// Golden values are of `conformance/splade_reference.py`: numpy in f64 from the same file, tokens of Hugging Face's
/// tokenizers cut at 256.
#[test]
fn weights_are_those_of_the_reference() {
    let long = vec!["heat transfer in a supersonic boundary layer"; 60].join(" ");
    let texts = [
        "Hello wörld, unaffable 日本 ",
        "The capital of France is Paris.",
        "what is the capital city of france",
        "A Bloom filter answers surely not here from memory.",
        &long,
        "",
    ];
    let golden: [Golden; 6] = [
        (10, 10.9359, [(7592, 2.50162), (2088, 1.61167), (14477, 1.59265), (9119, 1.44912), (3468, 1.30972)]),
        (14, 13.8351, [(3007, 2.66415), (3000, 2.30411), (2605, 2.16043), (2413, 1.48647), (2103, 1.31682)]),
        (13, 14.3947, [(3007, 2.75530), (2605, 2.21559), (2103, 2.18415), (3655, 1.65477), (2413, 1.58848)]),
        (
            31,
            24.6396,
            [(3638, 2.40204), (11307, 2.31671), (13426, 2.22161), (7543, 1.93218), (2025, 1.88335)],
        ),
        (24, 17.8217, [(3684, 1.99808), (4651, 1.77661), (3565, 1.71703), (11087, 1.41317), (6741, 1.39168)]),
        (6, 4.9330, [(2003, 1.52530), (2965, 1.23231), (1998, 1.04711), (2929, 0.76445), (3033, 0.27915)]),
    ];
    let model = splade();
    let weights = model.weigh(&texts).unwrap();
    for ((weights, text), (count, sum, heaviest)) in weights.iter().zip(texts).zip(golden) {
        let mut terms = weights.as_slice().to_vec();
        assert_eq!(terms.len(), count, "{text}");
        let found: f64 = terms.iter().map(|(_, weight)| f64::from(*weight)).sum();
        assert!((found - sum).abs() < 2e-4, "{text}: {found} {sum}");
        terms.sort_by(|a, b| b.1.total_cmp(&a.1));
        for ((term, weight), (expected, golden)) in terms.iter().zip(heaviest) {
            assert_eq!(*term, expected, "{text}");
            assert!((weight - golden).abs() < 2e-5, "{text}: term {term} {weight} {golden}");
        }
    }
    let alone = model.weigh(&texts[2..3]).unwrap();
    assert_eq!(alone[0], weights[2], "weights do not depend on neighbours");
}

/// A figure of docs/retrieval.md, and what a search in numpy over the weights of `conformance/splade_reference.py` has.
#[test]
fn cranfield_from_documents_to_ndcg() {
    let (documents, topics) = cranfield();
    let model = splade();
    let mut told = |_: usize| {};
    let mut index = SparseIndex::new(&model, KeptWeights::in_memory(), Fields::All, &mut told);
    for document in &documents {
        index.add(document).unwrap();
    }
    let asked: Vec<&Topic> = topics.iter().collect();
    let mut run = Run::new("splade");
    for (topic, ranking) in topics.iter().zip(index.retrieve(&asked, 100).unwrap()) {
        run.insert(topic.id.as_str(), ranking);
    }
    let qrels = read_qrels(data("small/cranfield/cranqrel.trec.txt")).unwrap().qrels;
    let found = evaluate(&["nDCG@10".parse().unwrap()], &qrels, &run).mean(0).unwrap();
    assert!((found - 0.3760).abs() < 0.002, "{found}");
}
