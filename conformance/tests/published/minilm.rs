//! MiniLM: vectors compared with ONNX Runtime's, and retrieval of Cranfield.
//!
//! Needs the weights: `scripts/minilm` gets them; `LLULL_MODELS` says where they are, by default `target/models`.

use llull::candidates::{Bm25Builder, Bm25Options, DenseIndex, Fields, fused_run, retrieve_all};
use llull::core::{Run, Topic};
use llull::data::read_qrels;
use llull::encoder::{Encoder, KeptVectors, TextRole, dot};
use llull::metrics::evaluate;
use llull_conformance::{cranfield, data, minilm};

/// The first numbers of vectors, and cosines, of ONNX Runtime 1.32.0 on the same file, with the tokens of Hugging
/// Face's tokenizers 0.23.3 cut at 256 and the mean over tokens.
#[test]
fn vectors_are_those_of_onnx_runtime() {
    let long = vec!["heat transfer in a supersonic boundary layer"; 60].join(" ");
    let texts = [
        "Hello wörld, unaffable 日本 ",
        "The capital of France is Paris.",
        "Paris is the capital city of France",
        "A Bloom filter answers surely not here from memory.",
        &long,
    ];
    let model = minilm();
    let vectors = model.encode(&texts, TextRole::Document).unwrap();
    let vectors: Vec<(&[f32], bool)> = vectors.iter().collect();
    assert_eq!(vectors.iter().map(|(_, cut)| *cut).collect::<Vec<_>>(), [false, false, false, false, true]);
    let golden = [
        [-0.022486, 0.025741, 0.060036, -0.026934],
        [0.100960, 0.030147, 0.032357, -0.038678],
        [0.089709, 0.029340, 0.025629, -0.043160],
        [-0.013432, 0.035469, -0.028463, 0.045731],
        [0.056818, -0.131634, 0.044237, -0.020167],
    ];
    for ((vector, _), golden) in vectors.iter().zip(golden) {
        for (found, expected) in vector.iter().zip(golden) {
            assert!((found - expected).abs() < 2e-5, "{found} {expected}");
        }
    }
    for (a, b, cosine) in [(1, 2, 0.96333), (1, 3, -0.04924), (3, 4, -0.07448), (0, 1, 0.03302)] {
        assert!((dot(vectors[a].0, vectors[b].0) - cosine).abs() < 5e-5);
    }
    let alone = model.encode(&texts[2..3], TextRole::Query).unwrap();
    assert_eq!(alone.iter().next().unwrap().0, vectors[2].0, "a vector does not depend on its neighbours");
}

/// Figures of docs/reference/systems.md.
#[test]
fn cranfield_from_documents_to_ndcg() {
    let (documents, topics) = cranfield();
    assert_eq!((documents.len(), topics.len()), (1400, 225));
    let model = minilm();
    let mut told = |_: usize| {};
    let mut dense = DenseIndex::new(&model, KeptVectors::in_memory(), Fields::All, &mut told);
    let mut bm25 = Bm25Builder::new("bm25", Bm25Options::default()).unwrap();
    for document in &documents {
        dense.add(document).unwrap();
        bm25.add(document).unwrap();
    }
    let bm25 = retrieve_all(&bm25.build(), &topics, 100).unwrap().run;
    let asked: Vec<&Topic> = topics.iter().collect();
    let mut near = Run::new("dense");
    for (topic, ranking) in topics.iter().zip(dense.retrieve(&asked, 100).unwrap()) {
        near.insert(topic.id.as_str(), ranking);
    }
    let hybrid = fused_run("hybrid", &[&bm25, &near], &topics, 100);
    let qrels = read_qrels(data("small/cranfield/cranqrel.trec.txt")).unwrap().qrels;
    for (run, expected) in [(&bm25, 0.3663), (&near, 0.3989), (&hybrid, 0.4241)] {
        let found = evaluate(&["nDCG@10".parse().unwrap()], &qrels, run).mean(0).unwrap();
        assert!((found - expected).abs() < 0.002, "{}: {found}", run.name);
    }
}
