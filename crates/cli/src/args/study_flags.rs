//! Flags that describe how a study was judged, for commands that send no request.

use clap::Args;
use llull::config::{Overrides, PanelRule};
use llull::core::Paradigm;

use super::judge_options::paradigm;

/// What these flags are for, for `--help`.
pub(super) const AS_LAST_RUN: &str = "\
llull reads a study as in its last run: it applies, and reports, flags of the last llull run that llull.toml \
does not have, until you edit llull.toml. Flags of this command override them.";

/// Where intervals are set, for `--help`.
pub(super) const INTERVALS: &str = "\
llull.toml in the study's folder sets seed, and confidence and resamples under [compare], also for plain files.";

/// The settings of judging.
#[derive(Debug, Args)]
pub(crate) struct AskedAs {
    /// Whether the study's judges grade documents, or compare them. By default as in the last run
    #[arg(long, value_name = "PARADIGM", value_parser = paradigm())]
    pub(crate) paradigm: Option<Paradigm>,
    /// The prompt of the study's judges. By default as in the last run
    #[arg(long, value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
}

impl AskedAs {
    /// The first of these flags that was given, which plain files have no use for.
    pub(crate) fn first(&self) -> Option<&'static str> {
        match (self.paradigm, &self.prompt) {
            (Some(_), _) => Some("--paradigm"),
            (None, Some(_)) => Some("--prompt"),
            (None, None) => None,
        }
    }

    /// The settings that these flags override.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides { paradigm: self.paradigm, prompt: self.prompt.clone(), ..Overrides::default() }
    }
}

/// How several judges' grades become a label.
#[derive(Debug, Args)]
pub(crate) struct MethodFlag {
    /// How the grades of several judges become a label: majority, median, mean, fractional, ordinal or dawid-skene,
    /// and with human labels of the study's sample also severity, beta, weights, best:N or choose. Where judges
    /// compare, how their votes count: majority or judge-aware. By default as in llull.toml, or fractional and majority
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<PanelRule>,
}

/// The judges of the study.
#[derive(Debug, Args)]
pub(crate) struct JudgesFlag {
    /// A judge of the study, or as llull run takes it; repeat for several (a panel). By default as in the last run
    #[arg(long = "judge", value_name = "JUDGE")]
    pub(crate) judges: Vec<String>,
}

impl JudgesFlag {
    /// The settings that this flag overrides.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides { judges: self.judges.clone(), ..Overrides::default() }
    }

    /// The flag, if it was given, which plain files have no use for.
    pub(crate) fn first(&self) -> Option<&'static str> {
        (!self.judges.is_empty()).then_some("--judge")
    }
}

/// The judges of the study, and their settings.
#[derive(Debug, Args)]
pub(crate) struct StudyFlags {
    #[command(flatten)]
    pub(crate) judges: JudgesFlag,
    #[command(flatten)]
    pub(crate) asked: AskedAs,
}

impl StudyFlags {
    /// The settings that these flags override.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides { judges: self.judges.judges.clone(), ..self.asked.overrides() }
    }

    /// The first of these flags that was given, which plain files have no use for.
    pub(crate) fn first(&self) -> Option<&'static str> {
        self.judges.first().or(self.asked.first())
    }
}
