//! `llull label --method`, `--truth` and `--drop-ambiguous`: combines several judges' labels.

use anyhow::Result;
use llull::config::PanelRule;
use llull::core::{Qrels, Seed};
use llull::data::write_qrels;
use llull::files::CombinedReport;
use llull::label::panel::{Combined, JudgeModel, PanelChoice, PanelMethod, Tried};
use llull::report::text::{
    ABSENT, average, counted, difference, difference_interval, figure, text_table, words,
};
use llull::stats::BootstrapOptions;
use llull::{CombineOptions, CombinedLabels, JudgePanel, panel_members};

use super::label_rows::note_labelled;
use super::panel_members::{UNKNOWN_WORTH, members, print_lower_middle};
use super::{Context, no_study_flag, output_beside_json};
use crate::args::LabelArgs;
use crate::exit::{Exit, refuse};

/// How many dropped pairs are named; JSON has all.
const NAMED: usize = 20;

pub(super) fn run(context: &Context, args: &LabelArgs) -> Result<Exit> {
    if args.method == Some(PanelRule::JudgeAware) {
        refuse!(
            "--method judge-aware counts votes of judges that compare, and labels are grades: llull rank takes it"
        );
    }
    let (members, exit, own) = judges(context, args)?;
    if members.len() < 2 {
        refuse!(
            "a panel has several judges, and here is one: name more files of labels, or leave out --method, \
             --truth and --drop-ambiguous"
        );
    }
    let human_labels = match &args.truth {
        Some(path) => {
            let read = super::named_labels(
                context,
                path,
                &args.qrels,
                args.label_reading.options(&context.global.columns),
            )?;
            Some(args.clamp.map_or_else(|| read.qrels.clone(), |clamp| clamp.apply_to(&read.qrels).0))
        }
        None => own.human_labels,
    };
    let method = match args.method.or(own.rule) {
        Some(PanelRule::Choose) if human_labels.is_none() => {
            refuse!("--method choose tries the methods on human labels: name these with --truth")
        }
        Some(PanelRule::Choose | PanelRule::JudgeAware) | None => None,
        Some(PanelRule::By(method)) => Some(method),
    };
    let options = CombineOptions {
        method,
        human_labels: human_labels.as_ref(),
        choice: BootstrapOptions::new(own.seed),
    };
    let combined = CombinedLabels::of(members, &options)?;
    print_remarks(context, &combined);
    if context.global.json {
        context.printer.json(&CombinedReport::of(&combined, args.drop_ambiguous))?;
    }
    write(context, args, &combined)?;
    Ok(exit)
}

/// A study's settings for its panel.
struct OfStudy {
    seed: Seed,
    rule: Option<PanelRule>,
    /// The human labels of its sample, if the method learns from them.
    human_labels: Option<Qrels>,
}

/// The labels of each judge: of files, or of a study.
fn judges(context: &Context, args: &LabelArgs) -> Result<(JudgePanel, Exit, OfStudy)> {
    if !args.qrels.is_empty() {
        no_study_flag(args.study.first())?;
        let own = OfStudy { seed: context.intervals()?.seed, rule: None, human_labels: None };
        return Ok((members(context, args)?, Exit::Fine, own));
    }
    let study = context.study_as_last_run(args.study.overrides())?;
    let known = super::judge::load_study(context, &study)?;
    let exit = super::judge::exit_of(&known.evidence);
    let rule = study.settings().method.filter(|_| args.truth.is_none());
    let learns = args.method.or(rule).is_some_and(PanelRule::needs_human_labels);
    let human_labels = known
        .evidence
        .human_labels
        .as_ref()
        .filter(|human_labels| learns && human_labels.labels.labelled() > 0);
    let seed = Seed(study.settings().seed);
    let own = OfStudy {
        seed,
        rule,
        human_labels: human_labels.map(|human_labels| human_labels.labels.qrels().clone()),
    };
    match panel_members(&known.evidence, known.inputs.rubric.scale) {
        Some(members) => Ok((members, exit, own)),
        None => refuse!(
            "the judges of this study compare, and --method and --truth put grades together: their votes are put \
             together by the tournament (llull rank)"
        ),
    }
}

fn write(context: &Context, args: &LabelArgs, combined: &CombinedLabels) -> Result<()> {
    let Some(output) = output_beside_json(context, args.output.as_deref()) else { return Ok(()) };
    if args.output.is_none() && args.qrels.is_empty() {
        refuse!(
            "labels.qrels holds the labels by the study's own method; name another file for these labels, \
             -o panel.qrels"
        );
    }
    let (labels, dropped) = match args.drop_ambiguous {
        true => combined.clear_labels(),
        false => (combined.labels(), Vec::new()),
    };
    let mut qrels = labels.qrels().clone();
    dropped.iter().for_each(|(query, document)| qrels.drop_pair(query, document));
    if args.drop_ambiguous {
        print_dropped(context, &dropped);
    }
    let mut bytes = Vec::new();
    write_qrels(&qrels, &mut bytes)?;
    super::write_output(context, &output, &bytes)?;
    note_labelled(context, &labels, &output);
    Ok(())
}

/// Prints the pairs that are left out, and the reason.
fn print_dropped(context: &Context, dropped: &[(&str, &str)]) {
    context.printer.note(format!(
        "{} left out, on which the judges are split: no grade has more than half of the votes, and the grades lie at \
         least half of the scale apart",
        counted(dropped.len(), "pair")
    ));
    for (query, document) in dropped.iter().take(NAMED) {
        context.printer.note(format!("  query {query}, document {document}"));
    }
    if let Some(more @ 1..) = dropped.len().checked_sub(NAMED) {
        context.printer.note(format!("  and {}; --json has all", counted(more, "more pair")));
    }
    if !dropped.is_empty() {
        context.printer.note(
            "the file of labels marks these pairs as dropped: llull removes their documents from the ranked lists \
             before it measures. Other programs count them as documents without a label: as not relevant",
        );
    }
}

fn print_remarks(context: &Context, combined: &CombinedLabels) {
    context.printer.warnings(combined.warnings());
    print_severity(context, combined);
    match &combined.choice {
        Some(choice) => print_choice(context, combined, choice),
        None if combined.grades.method.needs_truth() => {}
        None => context.printer.note(UNKNOWN_WORTH),
    }
    print_lower_middle(context, combined.lower_middle.as_ref());
}

/// Prints each judge's severity and noise, compared with human labels, if the method learned them.
fn print_severity(context: &Context, combined: &CombinedLabels) {
    let models = combined.grades.judges.iter().zip(&combined.order.judges);
    let rows = combined.judges.iter().zip(models).filter_map(|(judge, (grades, order))| {
        let found = [grades, order].into_iter().find_map(|model| match model {
            JudgeModel::Ordinal { beside_people, .. } => *beside_people,
            _ => None,
        })?;
        Some(vec![judge.clone(), difference(found.severity), figure(found.spread)])
    });
    let rows: Vec<Vec<String>> = rows.collect();
    if !rows.is_empty() {
        let headings = ["judge, by human labels", "severity (above 0 is strict)", "spread"];
        context.printer.note(text_table(headings, rows));
    }
}

/// Prints the tried methods, and the choice.
fn print_choice(context: &Context, combined: &CombinedLabels, choice: &PanelChoice) {
    let rows = choice.tried.iter().map(|one| {
        let ends = |difference: Option<llull::stats::BootstrapInterval>, chosen: bool| match difference {
            _ if chosen => "chosen".to_owned(),
            Some(found) => difference_interval(Some(found.low), Some(found.high)),
            None => ABSENT.to_owned(),
        };
        vec![
            combined.name_of(one.method),
            figure(one.kappa),
            ends(one.kappa_difference, one.method == choice.grade),
            figure(one.rho),
            ends(one.rho_difference, one.method == choice.order),
        ]
    });
    let headings = [
        words("method"),
        "kappa within queries".into(),
        words("to the chosen"),
        "rho".into(),
        words("to the chosen"),
    ];
    context.printer.note(text_table(headings, rows));
    context.printer.note(format!(
        "each tried on queries that it was not fitted to: {} of {} in {} parts; 95% intervals over queries",
        counted(choice.pairs, "labelled pair"),
        counted(choice.queries, "query"),
        choice.folds
    ));
    let close = |is_close: fn(&Tried) -> bool, chosen: PanelMethod| {
        let others = choice.tried.iter().filter(|one| one.method != chosen);
        let (mut close, mut all) = (0, 0);
        for one in others {
            close += usize::from(is_close(one));
            all += 1;
        }
        match close {
            0 => "every other is worse".to_owned(),
            _ => format!("no clear difference from {close} of {all} others"),
        }
    };
    context.printer.note(format!(
        "grades by {}: {}; order by {}: {}",
        with_judges(combined, &combined.grades),
        close(Tried::is_close_by_kappa, choice.grade),
        with_judges(combined, &combined.order),
        close(Tried::is_close_by_rho, choice.order),
    ));
    context.printer.note(format!(
        "what choosing so gives on queries that neither fit nor choice has seen: kappa within queries {}, rho {}",
        figure(choice.kappa),
        figure(choice.rho)
    ));
    if let Some(worth) = choice.worth {
        context.printer.note(format!(
            "the {} judges are worth {} independent ones by their errors, and {} by whether they err",
            combined.judges.len(),
            average(worth.by_error),
            average(worth.by_mistake),
        ));
    }
}

/// A method's name, with the judges that it picked if it leaves some out.
fn with_judges(combined: &CombinedLabels, by: &Combined) -> String {
    let all = combined.judges.iter().zip(&by.judges);
    let picked: Vec<&str> =
        all.filter(|(_, model)| **model != JudgeModel::LeftOut).map(|(name, _)| name.as_str()).collect();
    match picked.len() == combined.judges.len() {
        true => by.method.to_string(),
        false => format!("{} ({})", by.method, picked.join(", ")),
    }
}
