//! The files outside a study's folder that it names.

use std::path::{Path, PathBuf};

use llull_config::{
    FILE_NAME, JudgeKind, JudgeSettings, LiveSource, Overrides, Settings, Source, SystemSource,
};

use super::real_path::real_path;
use crate::reach::untrusted::{ReachEntry, ReachKind};
use crate::study_config::StudyConfig;

/// A file that the study names.
struct Named<'a> {
    /// The file of the study that names it.
    by: String,
    key: &'static str,
    path: &'a Path,
}

/// Returns the files outside the study's folder that its own files name, or that links in it lead to.
pub(crate) fn paths(
    StudyConfig { settings, folder }: StudyConfig<'_>,
    overrides: &Overrides,
) -> Vec<ReachEntry> {
    let root = real_path(folder.dir());
    let own = [FILE_NAME, ".env"].into_iter().filter(|file| folder.path(file).exists());
    let own = own.map(|file| Named { by: file.to_owned(), key: "this file", path: Path::new(file) });
    let mut found: Vec<ReachEntry> = Vec::new();
    for Named { by, key, path } in own.chain(named(settings, overrides)) {
        for real in leads_to(&folder.path(path)).into_iter().filter(|real| !real.starts_with(&root)) {
            let entry = real.display().to_string();
            let text = format!(
                "{by}: {key} = {:?} is {entry}, outside the study's folder: it would be read, and judges and reports \
                 may show what is in it",
                path.display().to_string()
            );
            let entry = ReachEntry { kind: ReachKind::File, entry, text };
            if !found.contains(&entry) {
                found.push(entry);
            }
        }
    }
    found
}

/// Every file that the study's own files name. Files that the user named are left out.
fn named<'a>(settings: &'a Settings, overrides: &Overrides) -> Vec<Named<'a>> {
    let mut named = Vec::new();
    let mut add = |by: Option<String>, key, path: Option<&'a Path>| {
        named.extend(by.zip(path).map(|(by, path)| Named { by, key, path }));
    };
    let config = || Some(FILE_NAME.to_owned());
    add(config(), "topics", settings.topics.path());
    add(config(), "corpus", settings.corpus.as_ref().and_then(Source::path));
    add(config(), "rubric", settings.rubric.as_ref().and_then(Source::path));
    add(config(), "base", settings.base.as_ref().and_then(|base| base.labels.path()));
    add(config(), "reference", settings.reference.as_ref().and_then(Source::path));
    let contamination = &settings.contamination;
    let chosen = |typed: &Option<String>| typed.is_none().then(config).flatten();
    let paraphrases = contamination.paraphrases.as_ref().and_then(Source::path);
    add(chosen(&overrides.paraphrases), "contamination.paraphrases", paraphrases);
    add(chosen(&overrides.control), "contamination.control", contamination.control.as_deref());
    // Of a list that the last run read, only its identifiers are used.
    let lists = &settings.queries.lists;
    for queries in settings.queries.only.iter().filter(|queries| !lists.contains_key(*queries)) {
        add(overrides.of_study.queries.clone(), "queries", Some(Path::new(queries)));
    }
    for system in &settings.systems {
        match &system.source {
            SystemSource::Run { run, .. } => add(config(), "run", run.path()),
            SystemSource::Live(LiveSource::Remote(remote)) => {
                add(config(), "ca_file", remote.ca_file.as_deref());
            }
            _ => {}
        }
    }
    for judge in &settings.judges {
        let (key, path) = file_of(judge);
        add(named_by(judge, overrides), key, path);
    }
    for judge in settings.judges.iter().chain(&settings.graders) {
        if let JudgeKind::Prompted { ca_file, .. } = &judge.kind {
            add(config(), "ca_file", ca_file.as_deref());
        }
    }
    // The command line does not change graders.
    for grader in &settings.graders {
        let (key, path) = file_of(grader);
        add(config(), key, path);
    }
    named
}

/// The file that a judge reads, and its key. For a built-in prompt it is a path that does not exist in the study's
/// folder.
fn file_of(judge: &JudgeSettings) -> (&'static str, Option<&Path>) {
    match &judge.kind {
        JudgeKind::Replay { labels, .. } => ("labels", labels.path()),
        JudgeKind::Recorded { recording, .. } => ("recording", Some(recording)),
        JudgeKind::Prompted { prompt, .. } => ("prompt", Some(Path::new(prompt))),
        JudgeKind::Similarity {}
        | JudgeKind::Student { .. }
        | JudgeKind::Tree { .. }
        | JudgeKind::Annotator { .. }
        | JudgeKind::Own(_)
        | JudgeKind::Custom { .. } => ("judge", None),
    }
}

/// The file of the study that names a judge's file; `None` if the user did.
fn named_by(judge: &JudgeSettings, overrides: &Overrides) -> Option<String> {
    let chosen = match &judge.kind {
        JudgeKind::Replay { labels, .. } => {
            let labels = labels.to_string();
            let asked = |name: &String| name.strip_prefix("replay:") == Some(&*labels);
            overrides.judges.iter().any(asked).then_some(&overrides.of_study.judges)
        }
        JudgeKind::Recorded { .. } => {
            overrides.judges.contains(&judge.model).then_some(&overrides.of_study.judges)
        }
        _ => overrides.prompt.is_some().then_some(&overrides.of_study.prompt),
    };
    chosen.map_or_else(|| Some(FILE_NAME.to_owned()), Clone::clone)
}

/// The real targets of a path: its own, and for a folder those of the links in it, as in a BEIR folder.
fn leads_to(path: &Path) -> Vec<PathBuf> {
    let mut found = vec![real_path(path)];
    for folder in [path.to_owned(), path.join("qrels")] {
        let Ok(entries) = fs_err::read_dir(&folder) else { continue };
        let links = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()));
        let mut linked: Vec<PathBuf> = links.map(|link| real_path(&link.path())).collect();
        linked.sort();
        found.append(&mut linked);
    }
    found
}
