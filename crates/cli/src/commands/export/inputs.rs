//! The labels, runs and queries to export: of files, or of a study.

use std::path::PathBuf;

use anyhow::Result;
use llull::config::Overrides;
use llull::core::{Qrels, Run, Topics};
use llull::data::read_topics_file;
use llull::files::{read_each_system, read_labels_with, system_names};
use llull::label::TierScheme;
use llull::report::QuerySelection;
use llull::report::text::counted;
use llull::{Inputs, Part, Study, source_of_file};

use crate::args::{ExportedLabels, ExportedRatings, RunReading};
use crate::commands::judge::{LoadedStudy, exit_of, load_study, warn_of_checks};
use crate::commands::{Context, each_run_once, one_standard_input};
use crate::exit::{Exit, refuse};

/// Labels to export.
pub(super) struct Labels {
    pub(super) qrels: Qrels,
    /// The number of pairs that have no label, and so are left out.
    pub(super) unlabelled: usize,
    pub(super) exit: Exit,
    origin: Origin,
}

enum Origin {
    /// A file, with its name as a source.
    File(String),
    Study {
        study: Box<Study>,
        known: Box<LoadedStudy>,
        human: bool,
    },
}

impl Labels {
    pub(super) fn read(context: &Context, args: &ExportedLabels) -> Result<Self> {
        match &args.qrels {
            Some(file) => {
                let read = read_labels_with(file, args.reading.options(&context.global.columns))?;
                context.printer.remarks(&read.notes);
                let origin = Origin::File(source_of_file(file));
                Ok(Self { qrels: read.value, unlabelled: 0, exit: Exit::Fine, origin })
            }
            None => Self::of_study(context, args.human),
        }
    }

    fn of_study(context: &Context, human: bool) -> Result<Self> {
        context.need_study(|none| {
            format!("{none}, and no file is given; name one with --qrels, or a study's folder with -C")
        })?;
        let study = context.study_as_last_run(Overrides::default())?;
        let known = load_study(context, &study)?;
        let exit = exit_of(&known.evidence);
        let (labels, exit) = match (&known.evidence.human_labels, human) {
            (_, false) => (&known.evidence.labels, exit),
            (Some(human), true) if human.labels.labelled() == human.labels.asked() => {
                (&human.labels, Exit::Fine)
            }
            (Some(human), true) => (&human.labels, Exit::Incomplete),
            (None, true) => {
                anyhow::bail!("this study has no sample, and so no human labels; llull sample -n N draws one")
            }
        };
        let (qrels, unlabelled) = (labels.qrels().clone(), labels.asked() - labels.labelled());
        if qrels.is_empty() {
            anyhow::bail!("no pair of {} has a label yet; llull run makes some", study.settings().name);
        }
        if unlabelled > 0 {
            context
                .printer
                .warn(format!("{} without a label, left out of the export", counted(unlabelled, "pair")));
        }
        if !human {
            warn_of_checks(context, &study, &known);
        }
        let origin = Origin::Study { study: Box::new(study), known: Box::new(known), human };
        Ok(Self { qrels, unlabelled, exit, origin })
    }

    /// Warns that labels of a tournament are written as grades, unless they are grades.
    pub(super) fn warn_of_places(&self, context: &Context) {
        let Origin::Study { study, human: false, .. } = &self.origin else { return };
        let labels = study.settings().tournament.as_ref().map(|tournament| tournament.labels);
        if let Some(labels) = labels.filter(|labels| *labels != TierScheme::Anchored) {
            context.printer.warn(format!(
                "this study's labels are {labels}: places in an order and not grades, so only their order means \
                 anything. llull export pairs writes the comparisons; for grades set labels = \"anchored\" in \
                 [tournament]"
            ));
        }
    }

    /// The study, if they are of one.
    pub(super) fn study(&self) -> Option<(&Study, &LoadedStudy)> {
        match &self.origin {
            Origin::File(_) => None,
            Origin::Study { study, known, .. } => Some((study, known)),
        }
    }

    /// The name of the study or the file.
    pub(super) fn name(&self) -> &str {
        match &self.origin {
            Origin::File(name) => name,
            Origin::Study { study, .. } => &study.settings().name,
        }
    }

    /// Where a pair's label comes from.
    pub(super) fn source(&self, query: &str, document: &str) -> &str {
        match &self.origin {
            Origin::File(name) => name,
            Origin::Study { human: true, .. } => "human",
            Origin::Study { known, .. } => match known.evidence.mixed() {
                Some(mixed) if mixed.base.grade(query, document).is_some() => "base",
                _ => "judge",
            },
        }
    }

    /// Whether there are labels of a base beside those of judges.
    pub(super) fn is_mixed(&self) -> bool {
        matches!(&self.origin, Origin::Study { known, human: false, .. } if known.evidence.mixed().is_some())
    }
}

/// The queries of labels, with their texts; `None` without a file of queries.
pub(super) fn topics(context: &Context, labels: &Labels, args: &ExportedRatings) -> Result<Option<Topics>> {
    if let Some((_, known)) = labels.study() {
        return Ok(Some(known.inputs.topics.clone()));
    }
    one_standard_input(args.labels.qrels.iter().chain(&args.topics))?;
    let read = |file: &PathBuf| read_topics_file(file, &context.global.columns);
    Ok(args.topics.as_ref().map(read).transpose()?.map(|file| file.topics))
}

/// The runs of files, under the names that other commands give them.
pub(super) fn runs_of_files(context: &Context, files: &[PathBuf], reading: RunReading) -> Result<Vec<Run>> {
    one_standard_input(files)?;
    each_run_once(files)?;
    let form = reading.form(&context.global.columns);
    let mut runs: Vec<Run> = Vec::new();
    for (file, name) in files.iter().zip(system_names(files)) {
        for read in read_each_system(file, &name, None, &form)? {
            context.printer.remarks(&read.notes);
            if runs.iter().any(|run| run.name == read.value.name) {
                anyhow::bail!(
                    "{}: another file has the results of a system {:?}, too; export each file for itself",
                    file.display(),
                    read.value.name
                );
            }
            runs.push(read.value);
        }
    }
    Ok(runs)
}

/// The inputs of the study in the folder, without warnings about its labels.
pub(super) fn study_inputs(context: &Context) -> Result<Inputs> {
    context.need_study(|none| {
        format!("{none}, and no file is given; name one with --run, or a study's folder with -C")
    })?;
    let study = context.study_as_last_run(Overrides::default())?;
    let inputs = study.inputs()?;
    context.printer.notes(inputs.chosen.as_ref().map(|chosen| QuerySelection::from(chosen).to_string()));
    let of_labels = [Part::Rubric, Part::Base, Part::Reference, Part::Measures];
    context.printer.warnings(inputs.notes.iter().filter(|note| !of_labels.contains(&note.part)));
    Ok(inputs)
}

/// Those of the runs that are wanted, in the order in which they are named; all if none is named.
pub(super) fn wanted<'a>(runs: &'a [Run], names: &[String]) -> Result<Vec<&'a Run>> {
    if names.is_empty() {
        return Ok(runs.iter().collect());
    }
    let mut found: Vec<&Run> = Vec::new();
    for name in names {
        let Some(run) = runs.iter().find(|run| run.name == *name) else {
            let known: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
            anyhow::bail!("no system is called {name:?}; there are {}", known.join(", "));
        };
        if found.iter().any(|known| known.name == run.name) {
            refuse!("--system {name} is given twice; name each system once");
        }
        found.push(run);
    }
    Ok(found)
}
