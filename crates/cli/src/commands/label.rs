//! `llull label`: writes labels of a study, or of judges' files.
//!
//! Several files are combined by their median and mean.

use std::path::{Path, PathBuf};

use anyhow::Result;
use llull::config::Overrides;
use llull::core::LabelSet;
use llull::data::{write_qrels, write_sourced_qrels};
use llull::files::label_rows;
use llull::label::SumRule;
use llull::label::panel::PanelMethod;
use llull::report::text::{TableColumn, count, counted, figure, percent, text_table, words};
use llull::stats::BootstrapOptions;
use llull::{
    BaseCalibration, HumanLabels, MixNames, MixedLabels, PanelLabels, SummedLabels, panel_labels,
    source_of_file,
};

use super::calibration::{self, calibrated};
use super::label_rows::note_labelled;
use super::panel_members::{UNKNOWN_WORTH, members, print_lower_middle};
use super::{Context, no_study_flag, not_beside_json, output_beside_json};
use crate::args::LabelArgs;
use crate::exit::{Exit, refuse};

/// The file of a study's labels.
const LABELS: &str = "labels.qrels";

pub(crate) fn run(context: &Context, args: &LabelArgs) -> Result<Exit> {
    not_beside_json(context, args.output.as_deref())?;
    super::each_judge_once(&args.qrels)?;
    // A study's own labels are by its method. Everything else about a panel is for files, or printed with the labels.
    let beside = args.truth.is_some() || args.drop_ambiguous || context.global.json;
    if beside && (args.method.is_some() || args.truth.is_some() || args.drop_ambiguous)
        || args.method.is_some() && !args.qrels.is_empty()
    {
        return super::label_panel::run(context, args);
    }
    let (labels, exit, own, mixed, human_labels) = if args.qrels.is_empty() {
        let study = context.study_as_last_run(Overrides { method: args.method, ..args.study.overrides() })?;
        let known = super::judge::load_study(context, &study)?;
        let exit = super::judge::exit_of(&known.evidence);
        if let Some(panel) = panel_labels(&known.evidence, known.inputs.rubric.scale)
            && !context.global.json
        {
            let by_method = known.evidence.method().map(|method| method.method);
            print_panel(context, &panel, by_method.unwrap_or(PanelMethod::Median));
        }
        let file = study.reports().labels_file(&known.evidence.labels);
        if args.output.is_none() && !context.global.json && file != LABELS {
            context.printer.warn("labels.qrels is unchanged, since there is no label to write now");
        }
        let own = Some((study.folder().clone(), file));
        let bootstrap = study.bootstrap();
        let human_labels = args
            .calibrate
            .map(|_| calibration::reviewers(&known.evidence).map(|human_labels| (human_labels, bootstrap)));
        let mixed = known.evidence.mixed().cloned();
        (known.evidence.labels, exit, own, mixed, human_labels)
    } else {
        no_study_flag(args.study.first())?;
        (of_files(context, args)?, Exit::Fine, None, None, None)
    };
    if mixed.is_some() && args.calibrate.is_some() {
        refuse!("the study's labels are on the scale of its base already; [base] calibrate sets how");
    }
    match (args.calibrate, &args.human, &args.base) {
        (_, _, Some(base)) => return filled(context, args, &labels, base).map(|()| exit),
        (Some(BaseCalibration::Fitted(method)), Some(human), None) => {
            return calibrated(context, args, &labels, (method, human)).map(|()| exit);
        }
        (Some(BaseCalibration::Fitted(method)), None, None) if human_labels.is_some() => {
            let human_labels: Option<(HumanLabels, BootstrapOptions)> = human_labels.transpose()?;
            let by_annotators = human_labels.map(|(human_labels, bootstrap)| {
                calibration::by_annotators(context, args, &labels, (method, &human_labels, bootstrap))
            });
            return by_annotators.transpose().map(|_| exit);
        }
        (Some(BaseCalibration::None), _, None) => {
            refuse!("--calibrate none needs --base: it adds the labels that --base lacks, as they are");
        }
        (Some(_), None, None) => refuse!(
            "--calibrate puts labels on the scale of others: name these with --human and --sampled, or with --base; \
             in a study they are those of its sample"
        ),
        (None, _, None) => {}
    }
    if context.global.json {
        context.printer.json(&label_rows(&labels, mixed.as_ref()))?;
    }
    let output = match (&args.output, context.global.json) {
        (Some(output), _) => output.clone(),
        (None, true) => return Ok(exit),
        (None, false) => own.as_ref().map_or_else(|| PathBuf::from("-"), |(folder, file)| folder.path(file)),
    };
    let mut bytes = Vec::new();
    match &mixed {
        Some(mixed) => {
            context.printer.notes(mixed.mix.source_sentences());
            let source = |query: &str, document: &str| mixed.source(query, document);
            write_sourced_qrels(labels.qrels(), source, &mut bytes)?;
        }
        None => write_qrels(labels.qrels(), &mut bytes)?,
    }
    match (&args.output, &own) {
        (None, Some((folder, file))) => folder.write(file, &bytes)?,
        _ => super::write_output(context, &output, &bytes)?,
    }
    note_labelled(context, &labels, &output);
    Ok(exit)
}

/// The median and mean of several files, for every pair that one of them has, with a summary.
fn of_files(context: &Context, args: &LabelArgs) -> Result<LabelSet> {
    let members = members(context, args)?;
    if let Some(rule) = &args.sum {
        let summed = SummedLabels::of(&members, rule)?;
        print_sums(context, &summed, rule);
        return Ok(summed.labels);
    }
    let several = members.len() > 1;
    let panel = PanelLabels::of(members)?;
    if several {
        print_panel(context, &panel, PanelMethod::Median);
        print_lower_middle(context, Some(&panel.lower_middle));
        if !context.global.json {
            context.printer.note(UNKNOWN_WORTH);
        }
    }
    Ok(panel.labels)
}

/// Prints the number of pairs with each label, and without one.
fn print_sums(context: &Context, summed: &SummedLabels, rule: &SumRule) {
    for (criterion, missing) in summed.missing.iter().filter(|(_, missing)| *missing > 0) {
        context.printer.warn(format!(
            "{criterion}: {} without a grade on its scale, and so without a label",
            counted(*missing, "pair")
        ));
    }
    let labels = (0..=rule.highest()).map(|grade| {
        let pairs = summed.pairs_by_grade.get(&grade).copied().unwrap_or_default();
        format!("{} of grade {grade}", count(pairs))
    });
    let labels: Vec<String> = labels.collect();
    let files = counted(summed.missing.len(), "file");
    context.printer.note(format!("labels by the sum of {files} ({rule}): {}", labels.join(", ")));
}

/// Prints the coverage of each judge, and its agreement with the combined labels.
fn print_panel(context: &Context, panel: &PanelLabels, method: PanelMethod) {
    let rows = panel.members.iter().map(|member| {
        vec![
            member.name.clone(),
            if member.inferred { format!("{} (inferred)", member.scale) } else { member.scale.clone() },
            count(member.labels),
            count(member.alone),
            count(member.off_scale),
            figure(member.exact),
            figure(member.kappa),
        ]
    });
    let headings: [TableColumn; 7] = [
        "judge".into(),
        words("scale"),
        "labels".into(),
        "it alone".into(),
        "off the scale".into(),
        "equal to the label".into(),
        "kappa with it".into(),
    ];
    context.printer.note(text_table(headings, rows));
    let all = panel.labels.labelled();
    let shares = panel
        .pairs_by_judges
        .iter()
        .rev()
        .map(|(judges, pairs)| format!("{} have {}", count(*pairs), counted(*judges, "label")));
    let shares = format!("of {}, {}", counted(all, "pair"), shares.collect::<Vec<_>>().join(", "));
    match panel.pairs_by_judges.get(&panel.members.len()) {
        Some(whole) if *whole == all => context.printer.note(shares),
        _ => {
            let label = if method == PanelMethod::Median { "median" } else { "label" };
            context.printer.warn(format!("{shares}: the {label} comes from the judges that have one"));
        }
    }
    for member in panel.members.iter().filter(|member| member.off_scale > 0) {
        let (are, read) = if member.off_scale == 1 { ("is", "counts") } else { ("are", "count") };
        context.printer.warn(format!(
            "{}: {} {are} not on its scale {}, and {read} as missing",
            member.name,
            counted(member.off_scale, "label"),
            member.scale
        ));
    }
}

/// Fills the holes of the labels in a file, prints a summary, and writes the result.
fn filled(context: &Context, args: &LabelArgs, labels: &LabelSet, base: &Path) -> Result<()> {
    let mut all = args.qrels.clone();
    all.push(base.to_owned());
    super::one_standard_input(&all)?;
    let read = super::named_labels(context, base, &all, args.label_reading.options(&context.global.columns))?;
    let names = MixNames::distinct(&source_of_file(base), &judge_name(&args.qrels));
    let asked = labels.iter().flat_map(|(query, documents)| {
        documents.map(move |(document, label)| (query, document, Some(label)))
    });
    let found = MixedLabels::new(read.qrels, asked, names, args.calibrate.unwrap_or_default())?;
    if let Some(reason) = &found.refused {
        refuse!("{}: {reason}", base.display());
    }
    context.printer.note(mixed_labels_text(&found));
    if context.global.json {
        context.printer.json(&label_rows(&found.labels, Some(&found)))?;
    }
    let Some(output) = output_beside_json(context, args.output.as_deref()) else { return Ok(()) };
    let mut bytes = Vec::new();
    write_sourced_qrels(found.labels.qrels(), |query, document| found.source(query, document), &mut bytes)?;
    super::write_output(context, &output, &bytes)
}

/// The name of the judge with these files: after the file, or their number.
fn judge_name(files: &[PathBuf]) -> String {
    match files {
        [file] => source_of_file(file),
        files => format!("panel-of-{}", files.len()),
    }
}

fn mixed_labels_text(found: &MixedLabels) -> String {
    let mix = &found.mix;
    let rows = mix.sources.iter().map(|source| {
        vec![source.name.clone(), count(source.pairs), percent(source.share), count(source.queries)]
    });
    let mut parts = vec![text_table(["labels of", "pairs", "share", "queries"], rows)];
    parts.extend(mix.source_sentences());
    if let Some(fitted) = &mix.calibration {
        let rows = fitted.grades.iter().map(|grade| {
            vec![grade.judge.to_string(), grade.grade.to_string(), figure(grade.expected), count(grade.pairs)]
        });
        parts.push(text_table(["the judge's grade", "becomes", "mean there", "pairs"], rows));
    }
    parts.extend(mix.agreement_sentence());
    parts.join("\n")
}
