//! Runs the retrievers on the dataset's queries.

use anyhow::Result;
use llull::core::Topics;
use llull::data::EvaluationDataset;
use llull::expected_answers::{SearchedDocuments, SystemResults, WantedResults};
use llull::{EncodingError, Study, StudyError, SystemRequests, evaluated_system};

use crate::args::EvaluateArgs;
use crate::commands::{Context, EncodingProgress};
use crate::exit::refuse;

/// How many results are wanted where no measure has a cutoff.
const DEPTH: usize = 100;

/// The retrievers that need no study.
const OWN: [&str; 4] = ["bm25", "ngram", "fts5", "dense"];

/// Adds the results of the named retrievers.
pub(super) fn retrieve(
    context: &Context,
    args: &EvaluateArgs,
    (dataset, topics): (&EvaluationDataset, &Topics),
    depth: Option<usize>,
    systems: &mut Vec<SystemResults>,
) -> Result<()> {
    let wanted = WantedResults { topics, depth: depth.unwrap_or(DEPTH) };
    let study = study_of(context, &args.retrievers)?;
    for name in &args.retrievers {
        if systems.iter().any(|system| system.name == *name) {
            refuse!("two systems are called {name:?}; give each once, and name files otherwise");
        }
        let is_of_study = |study: &&Study| study.settings().systems.iter().any(|system| system.name == *name);
        systems.push(match study.as_ref().filter(is_of_study) {
            Some(study) => of_study(context, args, (study, name), wanted)?,
            None => own(context, args, dataset, name, wanted)?,
        });
    }
    Ok(())
}

/// Opens the study that names a retriever; `None` if none needs one.
fn study_of(context: &Context, retrievers: &[String]) -> Result<Option<Study>> {
    if retrievers.is_empty() || context.folder().is_none() {
        return Ok(None);
    }
    context.study_to_evaluate(Default::default()).map(Some)
}

fn of_study(
    context: &Context,
    args: &EvaluateArgs,
    (study, name): (&Study, &str),
    wanted: WantedResults<'_>,
) -> Result<SystemResults> {
    if args.corpus.is_some() {
        refuse!("--corpus is for bm25, ngram, fts5 and dense; {name} is a system of the study");
    }
    let encoder = |name: &str| -> Result<_, StudyError> {
        context
            .encoder(name, None)
            .map_err(|reason| StudyError::Encoding(EncodingError::Encoder(format!("{reason:#}"))))
    };
    let requests = SystemRequests {
        wanted,
        refresh: args.refresh,
        environment: &|variable| context.environment.get(variable),
        encoder: &encoder,
        says: &|line| context.printer.note(line),
    };
    crate::interrupt::end_programs_on_signals();
    let read = evaluated_system(study, name, &requests)?;
    context.printer.remarks(&read.notes);
    Ok(read.value)
}

/// Searches `--corpus`, or the dataset's documents, by a retriever of llull's own.
fn own(
    context: &Context,
    args: &EvaluateArgs,
    dataset: &EvaluationDataset,
    name: &str,
    wanted: WantedResults<'_>,
) -> Result<SystemResults> {
    if !OWN.contains(&name) {
        refuse!(
            "{name:?} is no retriever: there are bm25, ngram, fts5 and dense, and the systems of a study's \
             llull.toml"
        );
    }
    let documents = match &args.corpus {
        Some(file) => SearchedDocuments::in_file(file.clone(), context.global.columns.clone()),
        None if dataset.documents.is_empty() => refuse!(
            "{name} has nothing to search: give --corpus, or \"documents\" in {}",
            args.dataset.display()
        ),
        None => SearchedDocuments::from(dataset.documents.clone()),
    };
    Ok(match name {
        "bm25" => documents.by_words(name, wanted)?,
        "ngram" => documents.by_pieces(name, wanted)?,
        "fts5" => documents.by_fts5(name, wanted)?,
        _ => {
            let model = context.encoder("minilm", None)?;
            let kept = context.vectors_of(&*model)?;
            let progress = EncodingProgress::new(context.printer);
            documents.by_vectors(name, (&*model, kept), &mut |done| progress.indexed(name, done), wanted)?
        }
    })
}
