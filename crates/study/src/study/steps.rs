//! A study and its steps.

use std::path::Path;
use std::sync::Arc;

use llull_audit::JudgeCheck;
use llull_config::{
    ConfigError, Environment, Folder, JudgeSettings, LAST_RUN_FILE, LastRun, Overrides, Recalled, SavedFile,
    Settings, Source, StudyFile, default_measures, is_variable, on_scale, relevant_level,
};
use llull_core::{Hash, LabelSet, Topics};
use llull_data::DataError;
use llull_llm::Endpoint;
use llull_metrics::{Measure, MeasureError, Scores, WrittenMeasure};
use llull_stats::{BootstrapOptions, Gate};

use crate::auditing::study_checks;
use crate::diff::{SideEvidence, StudySide, side_evidence};
use crate::doctor::{Checked, DoctorFinding, examine};
use crate::error::StudyError;
use crate::evidence::{MissingPairs, StudyEvidence};
use crate::history::{UnchangedPairs, keep, kept_base};
use crate::inputs::{InputError, Inputs, topics};
use crate::judging::{Excerpt, Judging, PromptPreview, endpoint, previews, read_evidence, read_excerpt};
use crate::ledger::StudyLedger;
use crate::measured::measured;
use crate::reach::{ReachEntry, StudyReach, Trust, Untrusted, ledger, live, paths};
use crate::reporting::{StudyReport, bootstrap, measures_of};
use crate::saved::{rubric, save_prompts, save_rubric, saved_rubric};
use crate::study_config::StudyConfig;

/// A study: topics, systems, judges and measures.
///
/// [`open`](Self::open) fills it from a folder with `llull.toml`, [`builder`](Self::builder) from values in memory and
/// from judges, models, retrievers and ledgers of the caller's own. Its steps are the same in both cases:
/// [`inputs`](Self::inputs), [`judge`](Self::judge) or [`evidence`](Self::evidence), [`measure`](Self::measure),
/// [`report`](Self::report).
#[derive(Clone)]
pub struct Study {
    pub(super) settings: Settings,
    folder: Folder,
    pub(super) ledger: StudyLedger,
    pub(super) config_hash: Option<Hash>,
    /// The values that overrode `llull.toml` when it was opened.
    flags: Overrides,
    pub(super) reach: StudyReach,
}

impl Study {
    /// Opens the study in a folder, with no trust: see [`open_trusting`](Self::open_trusting).
    ///
    /// # Errors
    /// Returns an error if there is no `llull.toml`, or it or the overrides are invalid. Also if no measure is named
    /// and the rubric, whose cutoff then defines relevance, cannot be read.
    pub fn open(dir: &Path, overrides: &Overrides) -> Result<Self, StudyError> {
        Self::open_trusting(dir, overrides, &Trust::default())
    }

    /// Opens the study in a folder, which may use the trusted part of its [reach](crate::reach).
    ///
    /// # Errors
    /// Returns [`StudyError::Untrusted`] if it names a file outside its folder without trust, and the errors of
    /// [`open`](Self::open). Servers are checked when judges run.
    pub fn open_trusting(dir: &Path, overrides: &Overrides, trust: &Trust) -> Result<Self, StudyError> {
        let opened = ConfigText::read(dir)?;
        let settings = opened.resolve(overrides)?;
        opened.study(settings, overrides, trust)
    }

    /// Returns the reach of the study in a folder, trusted or not: files first, then programs, then servers. With
    /// `as_last_run` it is that of a study that is [opened so](Self::open_as_last_run). It reads only the
    /// configuration, and the files that commands name, for their hashes.
    ///
    /// # Errors
    /// Returns an error if there is no `llull.toml`, or it, the overrides or the saved flags of the last run are
    /// invalid. Also if a file that a command names cannot be read.
    pub fn reach(
        dir: &Path,
        overrides: &Overrides,
        as_last_run: bool,
        trust: &Trust,
        environment: Environment<'_>,
    ) -> Result<Vec<ReachEntry>, StudyError> {
        let opened = ConfigText::read(dir)?;
        let (settings, overrides) = match as_last_run {
            true => {
                let (settings, overrides, _) = opened.as_last_run(overrides)?;
                (settings, overrides)
            }
            false => (opened.resolve(overrides)?, overrides.clone()),
        };
        let config = StudyConfig { settings: &settings, folder: &opened.folder };
        let mut reach = paths(config, &overrides);
        reach.extend(live(config, environment)?);
        reach.extend(ledger(config, trust, environment));
        reach.extend(StudyReach::of_folder(&opened.folder, &overrides, trust).asked(&settings, environment)?);
        Ok(reach)
    }

    /// Opens the study in a folder with the flags of its last run: those that [`remember`](Self::remember) saved come
    /// between `overrides` and `llull.toml`, unless that was edited since. Also returns their effect.
    ///
    /// # Errors
    /// Returns those of [`open`](Self::open), and an error if the saved flags are broken or of a newer llull.
    pub fn open_as_last_run(
        dir: &Path,
        overrides: &Overrides,
        trust: &Trust,
    ) -> Result<(Self, Recalled), StudyError> {
        let opened = ConfigText::read(dir)?;
        let (settings, all, recalled) = opened.as_last_run(overrides)?;
        Ok((opened.study(settings, &all, trust)?, recalled))
    }

    /// Saves the rubric and prompts of the user's own, so that answers can still be explained when these have changed.
    /// For a study in memory, or in a read-only folder, it does nothing.
    ///
    /// # Errors
    /// Returns an error if a copy cannot be written.
    pub fn save_prompts(&self) -> Result<(), StudyError> {
        if self.config_hash.is_none() || !self.folder.keeps() {
            return Ok(());
        }
        save_rubric(self.config())?;
        save_prompts(self.config())
    }

    /// Does the same as [`save_prompts`](Self::save_prompts), and saves the flags of the study next to `llull.toml`,
    /// for [`open_as_last_run`](Self::open_as_last_run). A run without an answer is not the last run, so this is called
    /// after its first answer.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written.
    pub fn remember(&self) -> Result<(), StudyError> {
        let Some(config) = self.config_hash.filter(|_| self.folder.keeps()) else { return Ok(()) };
        self.save_prompts()?;
        Ok(LastRun::new(config, &self.flags).write(&self.folder)?)
    }

    /// Keeps the labels that an earlier report, by default the last, has of pairs of the pool with the same texts and
    /// judges, as far as the ledger has none, so that [`judge`](Self::judge) asks only about the others. The report is
    /// named by its number in the history, or by a folder with it. Without `saves` nothing is written, and the study is
    /// good for estimates alone.
    ///
    /// # Errors
    /// Returns an error if there is no such report, its judges are others or failed a check, or the study's labels
    /// cannot be kept. Also those of [`inputs`](Self::inputs) and [`evidence`](Self::evidence).
    pub fn keep_unchanged(
        mut self,
        report: Option<&str>,
        saves: bool,
    ) -> Result<(Self, UnchangedPairs), StudyError> {
        let inputs = self.inputs()?;
        let evidence = self.evidence(&inputs)?;
        let (base, pairs) = keep(self.config(), &evidence, report, saves)?;
        self.flags.kept = base.as_ref().and_then(|base| base.kept.clone());
        if base.is_some() {
            self.settings.base = base;
        }
        Ok((self, pairs))
    }

    /// Combines the parts of a study. The rubric's cutoff sets the relevant grades for measures without their own, and
    /// suggests measures if none is named. Gains count from the lowest grade of the rubric's scale.
    pub(super) fn new(
        mut settings: Settings,
        folder: Folder,
        ledger: StudyLedger,
        config_hash: Option<Hash>,
    ) -> Result<Self, StudyError> {
        // If only gains depend on the rubric, an unreadable one is an error when inputs are read.
        let written = settings.written_measures.as_slice();
        let of_gates = settings.gates.iter().map(|gate| gate.measure().parse());
        let of_gates = of_gates.collect::<Result<Vec<WrittenMeasure>, MeasureError>>()?;
        let (relevant, cutoff, lowest) = match rubric(StudyConfig { settings: &settings, folder: &folder }) {
            Ok(rubric) => {
                let cutoff = rubric.cutoff;
                let lowest = settings.lowest(rubric.scale);
                (settings.relevant_from(cutoff), Some(settings.measured_from(cutoff)), lowest)
            }
            Err(_)
                if !written.is_empty() && !written.iter().chain(&of_gates).any(WrittenMeasure::is_open) =>
            {
                (None, None, 0)
            }
            Err(error) => return Err(error),
        };
        settings.measures = match written {
            [] => default_measures(relevant, lowest)?,
            written => on_scale(written, cutoff, lowest),
        };
        for (gate, written) in settings.gates.iter_mut().zip(of_gates) {
            let measure = written.at_level(relevant_level(cutoff)).on_scale_from(lowest);
            *gate = gate.clone().on_measure(measure.to_string());
        }
        let first = settings.measures.first().filter(|measure| !llull_report::is_comparable(measure));
        if let Some(measure) = first {
            let config = folder.config().display().to_string();
            return Err(StudyError::Inputs(InputError::CannotDecide {
                config,
                measure: measure.to_string(),
            }));
        }
        Ok(Self {
            settings,
            folder,
            ledger,
            config_hash,
            flags: Overrides::default(),
            reach: StudyReach::default(),
        })
    }

    /// Returns the resolved configuration.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(super) fn config(&self) -> StudyConfig<'_> {
        StudyConfig { settings: &self.settings, folder: &self.folder }
    }

    /// Returns the study's folder.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Returns the measure with the study's lowest relevant grade and the lowest of its scale, if it leaves them open.
    ///
    /// # Errors
    /// Returns an error if the rubric, whose cutoff that is, cannot be read.
    pub fn measure_here(&self, written: &WrittenMeasure) -> Result<Measure, StudyError> {
        let rubric = rubric(self.config())?;
        let measure = written.at_level(relevant_level(Some(self.settings.measured_from(rubric.cutoff))));
        Ok(measure.on_scale_from(self.settings.lowest(rubric.scale)))
    }

    /// Adds the measures of these gates to those of the study, without repeats.
    ///
    /// # Errors
    /// Returns an error if a gate has no valid measure.
    pub fn add_measures_of(&mut self, gates: &[Gate]) -> Result<(), StudyError> {
        for measure in measures_of(gates)? {
            if !self.settings.measures.contains(&measure) {
                self.settings.measures.push(measure);
            }
        }
        Ok(())
    }

    /// Reads the topics.
    ///
    /// # Errors
    /// Returns an error if they cannot be read, or there are none.
    pub fn topics(&self) -> Result<Topics, StudyError> {
        topics(self.config())
    }

    /// Begins a session of judging: [`run`](Judging::run) sends the questions that the ledger lacks.
    pub fn judge<'a>(&'a self, inputs: &'a Inputs) -> Judging<'a> {
        Judging::new(self.config(), &self.ledger, inputs, &self.reach)
    }

    /// Reads the evidence in the ledger, in one pass. It sends no request, writes nothing and needs no key.
    ///
    /// # Errors
    /// Returns an error if the corpus lacks a document, a judge is invalid, or the ledger cannot be read.
    pub fn evidence(&self, inputs: &Inputs) -> Result<StudyEvidence, StudyError> {
        let config = self.config();
        self.ledger.read(&mut |ledger| Ok(read_evidence(config, inputs, ledger)?))
    }

    /// Reads the answers of a side: the present study, or an earlier state of it in the ledger. `now` is the evidence
    /// of the present study. It sends no request.
    ///
    /// # Errors
    /// Returns an error that lists the ledger's judges if there is no such judge, or several; or if it cannot be read.
    pub fn side(
        &self,
        inputs: &Inputs,
        now: &StudyEvidence,
        side: &StudySide,
    ) -> Result<SideEvidence, StudyError> {
        let config = self.config();
        self.ledger.read(&mut |ledger| side_evidence(config, inputs, now, side, ledger))
    }

    /// Reads the evidence for the pairs at these places of the pool alone, in a study whose judges grade.
    ///
    /// # Errors
    /// Returns those of [`evidence`](Self::evidence), and an error if judges compare.
    pub fn evidence_of(&self, inputs: &Inputs, places: &[usize]) -> Result<StudyEvidence, StudyError> {
        let config = self.config();
        let excerpt = Excerpt { only: Some(places), ..Excerpt::default() };
        self.ledger.read(&mut |ledger| Ok(read_excerpt(config, inputs, excerpt, ledger)?))
    }

    /// Measures every system under these labels, in the order of the configuration. Compat takes the tiers behind
    /// labels that are ratings.
    pub fn measure(&self, inputs: &Inputs, labels: &LabelSet) -> Vec<Scores> {
        measured(&self.settings.measures, labels, &inputs.runs)
    }

    /// Returns the pairs of the pool without a label, which could change a comparison.
    pub fn missing_pairs(&self, inputs: &Inputs, evidence: &StudyEvidence) -> MissingPairs {
        MissingPairs::new(&self.settings, inputs, evidence, &evidence.labels)
    }

    /// Returns the checks of judges, passed ones too: for each judge, in the order of the panel. It sends no request
    /// and reads no ledger.
    pub fn judge_checks(&self, inputs: &Inputs, evidence: &StudyEvidence) -> Vec<JudgeCheck> {
        study_checks(&self.settings, inputs, evidence)
    }

    /// Makes the report.
    ///
    /// # Errors
    /// Returns an error if intervals cannot be computed.
    pub fn report<'a>(
        &'a self,
        inputs: &'a Inputs,
        evidence: &'a StudyEvidence,
    ) -> Result<StudyReport<'a>, StudyError> {
        StudyReport::new(&self.settings, inputs, evidence)
    }

    /// Returns the prompt of each language model among the judges about a document, by default the first of the pool.
    /// No model is contacted.
    ///
    /// # Errors
    /// Returns an error if the query or the document does not exist, or a template cannot be rendered.
    pub fn preview(
        &self,
        inputs: &Inputs,
        query: Option<&str>,
        document: Option<&str>,
    ) -> Result<Vec<PromptPreview>, StudyError> {
        previews(self.config(), inputs, query, document)
    }

    /// Checks the study: files, identifiers, texts, prompts, keys, and with `online` whether each language model
    /// answers (one request of about a hundred tokens each).
    pub fn examine(&self, environment: Environment<'_>, online: bool) -> Vec<DoctorFinding> {
        let Self { ledger, config_hash, reach, .. } = self;
        let checked = Checked { config: self.config(), ledger, config_hash: *config_hash, reach };
        examine(&checked, environment, online)
    }

    /// Returns the server and the key of a judge's requests; `None` if it is no language model.
    ///
    /// # Errors
    /// Returns an error if its name or address cannot be used.
    pub fn endpoint(
        &self,
        judge: &JudgeSettings,
        environment: Environment<'_>,
    ) -> Result<Option<Endpoint>, StudyError> {
        endpoint(judge, environment)
    }

    /// Returns the options of intervals.
    pub fn bootstrap(&self) -> BootstrapOptions {
        bootstrap(&self.settings)
    }

    /// Returns the ledger, for reading and appending.
    pub fn ledger(&self) -> &StudyLedger {
        &self.ledger
    }

    /// Returns another ledger: a file, or that of the PostgreSQL database whose address a variable has.
    ///
    /// # Errors
    /// Returns an error if the variable has no address of a PostgreSQL server.
    pub fn ledger_at(&self, place: &Path, environment: Environment<'_>) -> Result<StudyLedger, StudyError> {
        match place.to_str().filter(|name| is_variable(name) && !place.exists()) {
            None => Ok(StudyLedger::File(place.to_owned())),
            Some(name) => {
                let variable = (name.to_owned(), environment(name));
                StudyLedger::in_database(variable, &self.settings.name, &self.folder)
            }
        }
    }

    /// Looks up the address of the database that the ledger is in, if it is in one. Without this, without trust in the
    /// database, or without the variable, the study can be opened, and its ledger neither read nor written.
    ///
    /// # Errors
    /// Returns an error if the variable has no address of a PostgreSQL server.
    pub fn find_ledger(self, trust: &Trust, environment: Environment<'_>) -> Result<Self, StudyError> {
        let Some(variable) = self.settings.ledger.clone() else { return Ok(self) };
        let entry = ledger(self.config(), trust, environment);
        let untrusted: Vec<ReachEntry> = entry.into_iter().filter(|entry| !trust.holds(entry)).collect();
        let ledger = match untrusted.is_empty() {
            false => {
                let error = move || StudyError::Untrusted(Untrusted(untrusted.clone()));
                StudyLedger::Unused { variable, error: Arc::new(error) }
            }
            true => {
                let address = environment(&variable);
                StudyLedger::in_database((variable, address), &self.settings.name, &self.folder)?
            }
        };
        Ok(Self { ledger, ..self })
    }
}

/// Reads the configuration, without waiting for a pipe.
fn read_config(path: &Path) -> Result<String, ConfigError> {
    if fs_err::metadata(path).is_ok_and(|found| !found.is_file()) {
        let message = "it is no regular file; write one, or name another folder".to_owned();
        return Err(ConfigError::Syntax { file: path.display().to_string(), message });
    }
    llull_data::read_text(path).map_err(|error| match error {
        DataError::File(source) if source.kind() == std::io::ErrorKind::NotFound => {
            ConfigError::NoStudy(path.to_owned())
        }
        DataError::File(source) => ConfigError::Unreadable(source),
        other => ConfigError::File(other),
    })
}

/// The text of `llull.toml`.
struct ConfigText {
    folder: Folder,
    text: String,
}

impl ConfigText {
    fn read(dir: &Path) -> Result<Self, StudyError> {
        let folder = Folder::new(dir);
        let text = read_config(&folder.config())?;
        // None of llull's own files may be behind a link, even if they are not used.
        let _ = SavedFile::new(&folder, "ledger.sqlite").path()?;
        Ok(Self { folder, text })
    }

    fn hash(&self) -> Hash {
        Hash::of(self.text.as_bytes())
    }

    fn resolve(&self, overrides: &Overrides) -> Result<Settings, StudyError> {
        let path = self.folder.config();
        let file = StudyFile::parse(&self.text, &path)?;
        let mut settings = Settings::resolve(file, &self.text, &path, overrides)?;
        if let Some(prefix) = &overrides.rubric_hash {
            settings.rubric = Some(Source::File(saved_rubric(&self.folder, prefix)?));
        }
        if let Some(kept) = &overrides.kept {
            settings.base = Some(kept_base(&self.folder, kept)?);
        }
        Ok(settings)
    }

    /// Resolves it with the flags of the last run: the settings, the values that override `llull.toml`, and the effect
    /// of these flags.
    fn as_last_run(&self, overrides: &Overrides) -> Result<(Settings, Overrides, Recalled), StudyError> {
        let alone = self.resolve(overrides);
        let Some(last) = LastRun::read(&self.folder)? else {
            return Ok((alone?, overrides.clone(), Recalled::Nothing));
        };
        let all = overrides.clone().over(last.flags.clone().from_file(LAST_RUN_FILE));
        let together = self.resolve(&all);
        if !last.is_of(self.hash()) {
            let alone = alone?;
            let recalled = match together {
                Ok(together) if alone == together => Recalled::Nothing,
                _ => Recalled::Dropped(last.flags.as_typed()),
            };
            return Ok((alone, overrides.clone(), recalled));
        }
        let together = together?;
        let recalled = match alone {
            Ok(alone) if alone == together => Recalled::Nothing,
            _ => Recalled::Applied(Box::new(last.flags)),
        };
        Ok((together, all, recalled))
    }

    fn study(self, mut settings: Settings, flags: &Overrides, trust: &Trust) -> Result<Study, StudyError> {
        trust.allow(paths(StudyConfig { settings: &settings, folder: &self.folder }, flags))?;
        settings.queries.lists = settings.queries.read_lists(|file| self.folder.path(Path::new(file)));
        let query_lists = settings.queries.lists.clone();
        let reach = StudyReach::of_folder(&self.folder, flags, trust);
        let ledger = match &settings.ledger {
            Some(variable) => StudyLedger::without_address(variable.clone()),
            None => StudyLedger::File(self.folder.ledger()),
        };
        let hash = self.hash();
        let study = Study::new(settings, self.folder, ledger, Some(hash))?;
        Ok(Study { flags: Overrides { query_lists, ..flags.clone() }, reach, ..study })
    }
}

impl std::fmt::Debug for Study {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Study")
            .field("settings", &self.settings)
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}
