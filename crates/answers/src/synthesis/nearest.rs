//! Finds the passages of a corpus nearest to a question.
//!
//! It searches by BM25, and by meaning if there is an encoder.

use std::path::{Path, PathBuf};

use llull_candidates::{Bm25, Bm25Builder, Bm25Options, fused_run};
use llull_core::{Ranking, Run, Topic, Topics};
use llull_data::{Columns, CorpusFields, read_documents, stream_corpus};
use llull_encoder::{Encoded, Encoder, KeptVectors, TextRole, dot, encode_kept};
use llull_study::StudyError;
use rustc_hash::{FxHashMap, FxHashSet};

use super::options::SynthesisError;
use llull_core::{Passage, passages};

/// An encoder, with saved vectors of texts.
pub struct TextEncoder<'a> {
    /// The encoder.
    pub encoder: &'a dyn Encoder,
    /// The saved vectors.
    pub kept: &'a mut KeptVectors,
    /// Receives the progress.
    pub encoded: &'a mut dyn FnMut(Encoded),
}

/// An index of a corpus's passages, of any size, by words and by meaning. It holds no texts: those of results are read
/// again. Vectors of all passages are in memory.
pub struct NearestPassages {
    corpus: PathBuf,
    fields: CorpusFields,
    tokens: u32,
    words: Bm25,
    /// The passages that have vectors, each with its row; empty without an encoder.
    rows: Vec<(Box<str>, u32)>,
}

/// The index while the corpus is read.
struct Building<'a> {
    words: Bm25Builder,
    rows: Vec<(Box<str>, u32)>,
    waiting: Vec<Passage>,
    encoder: Option<TextEncoder<'a>>,
}

impl Building<'_> {
    fn add(&mut self, passage: Passage) -> Result<(), StudyError> {
        self.words.add(&passage.clone().into_document())?;
        let Some(encoder) = &self.encoder else { return Ok(()) };
        self.waiting.push(passage);
        if self.waiting.len() >= encoder.encoder.batch().max(1) { self.encode() } else { Ok(()) }
    }

    fn encode(&mut self) -> Result<(), StudyError> {
        let Some(TextEncoder { encoder, kept, encoded }) = &mut self.encoder else { return Ok(()) };
        if self.waiting.is_empty() {
            return Ok(());
        }
        let texts: Vec<&str> = self.waiting.iter().map(|passage| passage.text.as_str()).collect();
        let rows = encode_kept(*encoder, kept, &texts, TextRole::Document, &mut |_| {})?;
        self.rows.extend(self.waiting.drain(..).map(|passage| passage.id().into()).zip(rows));
        encoded(Encoded { done: self.rows.len(), of: self.rows.len() });
        Ok(())
    }
}

impl NearestPassages {
    /// Reads a corpus, as [`drawn_documents`](super::drawn_documents) does, and cuts it into passages of at most
    /// `tokens` estimated tokens. With an encoder, each of them is encoded once.
    ///
    /// # Errors
    /// Returns an error if the corpus cannot be read, has too many passages, or cannot be encoded.
    pub fn of(
        (corpus, columns): (&Path, &Columns),
        tokens: u32,
        encoder: Option<TextEncoder<'_>>,
    ) -> Result<Self, SynthesisError> {
        let fields = CorpusFields { columns: columns.clone(), ..CorpusFields::default() };
        let words = Bm25Builder::new("passages", Bm25Options::default()).map_err(StudyError::from)?;
        let mut building = Building { words, rows: Vec::new(), waiting: Vec::new(), encoder };
        let (mut seen, mut wrong) = (FxHashSet::default(), None);
        stream_corpus(corpus, &fields, |document, _| {
            // A document that occurs twice counts once.
            if wrong.is_none() && seen.insert(document.id.clone()) {
                let mut all = passages(document, tokens).into_iter();
                wrong = all.find_map(|passage| building.add(passage).err());
            }
            Ok(())
        })?;
        if let Some(error) = wrong {
            return Err(error.into());
        }
        building.encode()?;
        let Building { words, rows, .. } = building;
        Ok(Self { corpus: corpus.to_owned(), fields, tokens, words: words.build(), rows })
    }

    /// Returns at most `most` passages for each question, best first.
    ///
    /// By words alone, every passage has a word of the question. With the encoder of the passages, the `most` nearest
    /// of each search are joined by reciprocal rank fusion.
    ///
    /// # Errors
    /// Returns an error if questions cannot be encoded, or the corpus cannot be read again.
    pub fn find(
        &self,
        questions: &[&str],
        most: usize,
        encoder: Option<TextEncoder<'_>>,
    ) -> Result<Vec<Vec<Passage>>, SynthesisError> {
        let by_words: Vec<Ranking> =
            questions.iter().map(|question| self.words.search(question, most)).collect();
        let found = match encoder {
            Some(encoder) => fused(by_words, self.in_meaning(questions, most, encoder)?, most),
            None => by_words,
        };
        let found: Vec<Vec<&str>> =
            found.iter().map(|ranking| ranking.iter().map(|hit| hit.document).collect()).collect();
        let ids: FxHashSet<&str> = found.iter().flatten().copied().collect();
        let documents: FxHashSet<&str> = ids.iter().filter_map(|id| Some(id.rsplit_once(' ')?.0)).collect();
        let read = read_documents(&self.corpus, &self.fields, |id| documents.contains(id), &mut |_| ())?;
        let known = read.found.values().flat_map(|document| passages(document, self.tokens));
        let known: FxHashMap<String, Passage> = known
            .map(|passage| (passage.id(), passage))
            .filter(|(id, _)| ids.contains(id.as_str()))
            .collect();
        let of = |ids: &Vec<&str>| ids.iter().filter_map(|id| known.get(*id).cloned()).collect();
        Ok(found.iter().map(of).collect())
    }

    fn in_meaning(
        &self,
        questions: &[&str],
        most: usize,
        TextEncoder { encoder, kept, encoded }: TextEncoder<'_>,
    ) -> Result<Vec<Ranking>, StudyError> {
        let asked = encode_kept(encoder, kept, questions, TextRole::Query, encoded)?;
        let nearest = |row: u32| {
            let question = kept.vector(row);
            let scored =
                self.rows.iter().map(|(id, row)| (&**id, f64::from(dot(question, kept.vector(*row)))));
            let mut scored: Vec<(&str, f64)> = scored.collect();
            scored.sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(other.0)));
            scored.truncate(most);
            Ranking::from_scored(scored)
        };
        Ok(asked.into_iter().map(nearest).collect())
    }
}

/// Joins two rankings of each question.
fn fused(one: Vec<Ranking>, other: Vec<Ranking>, most: usize) -> Vec<Ranking> {
    let id = |at: usize| at.to_string();
    let topics: Topics = (0..one.len()).map(|at| Topic { id: id(at), text: String::new() }).collect();
    let run = |rankings: Vec<Ranking>| {
        let mut run = Run::new("nearest");
        rankings.into_iter().enumerate().for_each(|(at, ranking)| {
            run.insert(id(at), ranking);
        });
        run
    };
    let fused = fused_run("nearest", &[&run(one), &run(other)], &topics, most);
    topics.iter().map(|topic| fused.ranking(&topic.id).cloned().unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use llull_encoder::{EncodeError, Vectors};

    use super::*;

    fn corpus(lines: &str) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(lines.as_bytes()).unwrap();
        file
    }

    fn texts(found: &[Passage]) -> Vec<&str> {
        found.iter().map(|it| it.text.as_str()).collect()
    }

    #[test]
    fn what_shares_words_is_found_with_its_text_wherever_it_stands() {
        let file = corpus(
            "d1\tThe tower is high.\nd 2\tIt rains. Rivers swell in winter.\nd1\tThe tower is high.\n",
        );
        let nearest = NearestPassages::of((file.path(), &Columns::default()), 7, None).unwrap();
        let found = nearest.find(&["which river swells in winter", "zebra", "tower"], 5, None).unwrap();
        assert_eq!(texts(&found[0]), ["Rivers swell in winter."]);
        assert_eq!(found[0][0].id(), "d 2 10-33");
        assert!(found[1].is_empty());
        assert_eq!(texts(&found[2]), ["The tower is high."], "once");
    }

    /// Whether a text is of water and of height: an encoder that needs no model.
    struct Subjects;

    impl Encoder for Subjects {
        fn name(&self) -> &str {
            "subjects"
        }

        fn encode(&self, texts: &[&str], _: TextRole) -> Result<Vectors, EncodeError> {
            let has = |text: &str, words: &[&str]| f32::from(words.iter().any(|word| text.contains(word)));
            let vector =
                |text: &&str| vec![has(text, &["Rivers", "flood"]), has(text, &["tower", "tall"]), 0.1];
            Vectors::normalized(3, texts.iter().map(|text| (vector(text), false)))
        }

        fn batch(&self) -> usize {
            2
        }
    }

    #[test]
    fn what_says_it_in_other_words_is_found_in_meaning() {
        let file = corpus(
            "d1\tThe tower is high.\nd2\tRivers swell in winter.\nd3\tSeason tickets cost more.\nd4\tNo.\n",
        );
        let mut kept = KeptVectors::in_memory();
        let mut told = Vec::new();
        let mut encoded = |at: Encoded| told.push(at.done);
        let encoder = TextEncoder { encoder: &Subjects, kept: &mut kept, encoded: &mut encoded };
        let nearest = NearestPassages::of((file.path(), &Columns::default()), 20, Some(encoder)).unwrap();
        assert_eq!((told.as_slice(), kept.len()), (&[2, 4][..], 4));
        let question = "season of flood";
        assert_eq!(
            texts(&nearest.find(&[question], 1, None).unwrap()[0]),
            ["Season tickets cost more."],
            "by words alone"
        );
        let mut by_both = |most| {
            let encoder = TextEncoder { encoder: &Subjects, kept: &mut kept, encoded: &mut |_| {} };
            nearest.find(&[question, "how tall"], most, Some(encoder)).unwrap()
        };
        // The first of each; equal sums in the order of identifiers.
        let found = by_both(2);
        assert_eq!(texts(&found[0])[..2], ["Season tickets cost more.", "Rivers swell in winter."]);
        assert_eq!(texts(&found[1])[0], "The tower is high.", "no word in common");
        assert_eq!(by_both(2), found);
        assert_eq!(kept.len(), 6, "nothing is encoded twice");
    }
}
