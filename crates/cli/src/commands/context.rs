//! The context of every command, which opens the study.

use std::path::Path;

use anyhow::{Result, anyhow};
use llull::config::{ConfigError, FILE_NAME, JudgeKind, Overrides, SystemSource, intervals_of, names_files};
use llull::data::{ColumnName, Columns};
use llull::encoder::TextRole;
use llull::judge::{BUILTIN_COMPARING_PROMPTS, BUILTIN_GRADING_PROMPTS};
use llull::reach::{ReachEntry, ReachKind, Trust, Untrusted};
use llull::stats::BootstrapOptions;
use llull::{EncodingError, Folder, LiveRequests, Recalled, Study, StudyError, connect_model};

use super::EncodingProgress;
use crate::args::GlobalArgs;
use crate::environment::{Environment, exported};
use crate::exit::refuse;
use crate::printer::Printer;
use crate::trust::{Answer, ask, remember, remembered};

/// The context of every command.
#[derive(Clone)]
pub(crate) struct Context {
    /// The options of every command; its columns are those of the folder's `llull.toml`, too.
    pub(crate) global: GlobalArgs,
    /// The columns of `--columns` alone, which are no typing errors if a file has them.
    pub(crate) typed_columns: Columns,
    /// The printer of all output.
    pub(crate) printer: Printer,
    /// The environment, with `.env` below it.
    pub(crate) environment: Environment,
    /// Whether the result is not JSON.
    pub(crate) is_for_people: bool,
}

/// A study that is about to be opened: its overriding settings, its trust, and its reach.
pub(crate) struct Opening {
    pub(crate) overrides: Overrides,
    pub(crate) trust: Trust,
    pub(crate) reach: Vec<ReachEntry>,
    as_last_run: bool,
    /// The address of `--base-url`.
    address: Option<String>,
}

impl Context {
    /// Returns the context without addresses from a file, if this is no study's folder. The user has not been able to
    /// trust such an address, and its server would get the user's key.
    pub(crate) fn at_hand(&self) -> Self {
        let mut here = self.clone();
        if self.folder().is_none() {
            here.environment = here.environment.without_addresses();
        }
        here
    }

    /// The study's folder; `None` if it holds no study.
    pub(crate) fn folder(&self) -> Option<Folder> {
        Some(Folder::new(&self.global.study)).filter(|folder| folder.config().is_file())
    }

    /// Returns how a command on plain files draws intervals: by the folder's `llull.toml`, if it has one.
    ///
    /// # Errors
    ///
    /// Returns an error if that file cannot be read, or one of these values is invalid there or in the environment.
    pub(crate) fn intervals(&self) -> Result<BootstrapOptions> {
        let environment = Overrides::from_environment(&|name| self.environment.get(name))?;
        Ok(intervals_of(&Folder::new(&self.global.study), &environment)?)
    }

    /// Prints how tables were read since the last call, for people.
    pub(crate) fn say_columns(&self) {
        let tables = self.global.columns.take_tables();
        if self.is_for_people {
            self.printer.notes(tables);
        }
    }

    /// Does the same, and checks that a file has each column that `--columns` names, as far as files were searched for
    /// it.
    ///
    /// # Errors
    ///
    /// Returns an error with the columns that none has.
    pub(crate) fn check_columns(&self) -> Result<()> {
        self.say_columns();
        match self.typed_columns.never_found() {
            Some(typed) => Err(anyhow!(
                "--columns {typed}: no file that was read has such a column. Correct the name, or leave it out"
            )),
            None => Ok(()),
        }
    }

    /// Warns of columns of `--columns` for which no file was searched, and of those of `llull.toml` that no file has,
    /// unless it names files of a study: `llull run` checks them with these.
    pub(crate) fn warn_of_idle_columns(&self) {
        // Plain files may lack the others. These are one column each.
        let is_needed = |name: &ColumnName| matches!(name, ColumnName::Document | ColumnName::Grade);
        let absent = self.global.columns.absent().filter(|(name, _)| is_needed(name));
        let absent: Vec<String> =
            absent.map(|(name, fields)| format!("{} = {:?}", name.name(), fields.concat())).collect();
        if !absent.is_empty() && !names_files(&Folder::new(&self.global.study)) {
            self.printer.warn(format!(
                "[columns] of {FILE_NAME}: no file that was read has {}, so the usual names counted. Check the name if \
                 one of these files should have it",
                absent.join(", ")
            ));
        }
        if let Some(typed) = self.typed_columns.never_searched() {
            self.printer.warn(format!(
                "--columns {typed} has no effect: no file that was read has such columns. The formats of TREC, and \
                 comparisons without a header, have fixed ones"
            ));
        }
    }

    /// Checks that there is a study. `text` completes the words for its absence.
    pub(crate) fn need_study(&self, text: impl FnOnce(&str) -> String) -> Result<()> {
        let none = format!("{} holds no study ({FILE_NAME})", self.global.study.display());
        if self.folder().is_some() { Ok(()) } else { Err(anyhow!(text(&none))) }
    }

    /// Opens the study, with the settings that the command line overrides. It may read the files that it is trusted
    /// with.
    ///
    /// # Errors
    ///
    /// Returns an error if the study's configuration is missing or invalid, or if it reaches a file without trust. Also
    /// if an option names no judge or prompt.
    pub(crate) fn study(&self, typed: Overrides) -> Result<Study> {
        let mut opening = self.opening(typed, false)?;
        self.ask_for_trust(&mut opening, |entry| entry.kind == ReachKind::File)?;
        let study = self.open(&opening)?.0;
        self.warn_of_idle_address(&opening, &study);
        Ok(study)
    }

    /// Opens the study to retrieve with its systems: it may run the programs that it is trusted with, too. Programs
    /// without saved results run at once; with `refresh` all programs do.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`study`](Self::study), also if it runs a program without trust, or one fails.
    pub(crate) fn study_to_retrieve(&self, typed: Overrides, refresh: bool) -> Result<Study> {
        let study = self.study_to_evaluate(typed)?;
        self.retrieve_missing(&study, refresh)?;
        Ok(study)
    }

    /// Opens the study to run its systems on other queries: it may run the programs that it is trusted with.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`study_to_retrieve`](Self::study_to_retrieve).
    pub(crate) fn study_to_evaluate(&self, typed: Overrides) -> Result<Study> {
        let mut opening = self.opening(typed, false)?;
        let of_retrieval = [ReachKind::File, ReachKind::Command, ReachKind::RetrievalServer];
        self.ask_for_trust(&mut opening, |entry| of_retrieval.contains(&entry.kind))?;
        Ok(self.open(&opening)?.0)
    }

    fn retrieve_missing(&self, study: &Study, refresh: bool) -> Result<()> {
        crate::interrupt::end_programs_on_signals();
        let began = |system: &str| self.printer.note(format!("retrieving: {system}"));
        let environment = |name: &str| self.environment.get(name);
        let vectors = |name: &str, texts: &[&str]| {
            let failed =
                |reason: anyhow::Error| StudyError::Encoding(EncodingError::Encoder(format!("{reason:#}")));
            let encoder = self.encoder(name, None).map_err(failed)?;
            let vectors = encoder.encode(texts, TextRole::Query)?;
            Ok(vectors.iter().map(|(vector, _)| vector.to_vec()).collect())
        };
        let requests = LiveRequests { environment: &environment, vectors: &vectors };
        study.retrieval().ask_live(requests, refresh, began)?;
        let progress = EncodingProgress::new(self.printer);
        study
            .retrieval()
            .retrieve_dense(|name| self.encoder(name, None), |system, done| progress.indexed(system, done))
    }

    /// Opens the study with the flags of its last run, and with the settings that the command line overrides. It is for
    /// commands that send no request. It prints the flags that it applies, if they change anything.
    ///
    /// # Errors
    ///
    /// Those of [`study`](Self::study), and an error if the saved flags of the last run are broken.
    pub(crate) fn study_as_last_run(&self, typed: Overrides) -> Result<Study> {
        let (study, recalled) = self.recalled(typed)?;
        self.say_recalled(&recalled);
        Ok(study)
    }

    /// Does the same without a note about the last run.
    ///
    /// # Errors
    ///
    /// Those of [`study_as_last_run`](Self::study_as_last_run).
    pub(crate) fn study_again(&self, typed: Overrides) -> Result<Study> {
        Ok(self.recalled(typed)?.0)
    }

    fn recalled(&self, typed: Overrides) -> Result<(Study, Recalled)> {
        let mut opening = self.opening(typed, true)?;
        self.ask_for_trust(&mut opening, |entry| matches!(entry.kind, ReachKind::File | ReachKind::Ledger))?;
        self.open(&opening)
    }

    /// Prints the flags of the last run that are applied, or no longer applied.
    pub(crate) fn say_recalled(&self, recalled: &Recalled) {
        match recalled {
            Recalled::Nothing => {}
            Recalled::Applied(flags) => {
                self.printer.note(format!("settings of the last run: {}", flags.as_typed()));
            }
            Recalled::Dropped(flags) => self.printer.warn(format!(
                "llull.toml was edited since the last run, so its flags are not applied: {flags}"
            )),
        }
    }

    /// Opens the study to send requests to its judges: it may use the servers and programs that it is trusted with,
    /// too. Typed files are remembered, for later commands that use the same answers.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`study_to_retrieve`](Self::study_to_retrieve), also if it reaches a server without trust.
    pub(crate) fn study_to_ask(&self, typed: Overrides) -> Result<Study> {
        self.to_ask(typed, false, true)
    }

    /// Does the same with the judges of the last run.
    ///
    /// # Errors
    ///
    /// Those of [`study_to_ask`](Self::study_to_ask) and of [`study_as_last_run`](Self::study_as_last_run).
    pub(crate) fn study_to_ask_as_last_run(&self, typed: Overrides) -> Result<Study> {
        self.to_ask(typed, true, true)
    }

    /// Opens the study to exchange batches, as [`study_to_ask`](Self::study_to_ask) does, but without its models' keys.
    ///
    /// # Errors
    ///
    /// Those of [`study_to_ask`](Self::study_to_ask).
    pub(crate) fn study_to_batch(&self, typed: Overrides) -> Result<Study> {
        self.to_ask(typed, false, false)
    }

    fn to_ask(&self, typed: Overrides, as_last_run: bool, needs_keys: bool) -> Result<Study> {
        let mut opening = self.opening(typed, as_last_run)?;
        self.environment.refuse_proxies()?;
        self.ask_for_trust(&mut opening, |_| true)?;
        let (study, recalled) = self.open(&opening)?;
        self.say_recalled(&recalled);
        self.warn_of_idle_address(&opening, &study);
        let lookup = |name: &str| self.environment.get(name);
        let all = opening.overrides.clone().from_file("the command line");
        let all = Study::reach(&self.global.study, &all, false, &opening.trust, &lookup)?;
        // Sending a key in clear text needs a new confirmation.
        let clear_text = all.iter().filter(|entry| entry.kind == ReachKind::ClearText);
        let typed = all.iter().filter(|entry| {
            let known = opening.reach.iter().chain(clear_text.clone());
            !known.map(|known| &known.entry).any(|known| *known == entry.entry)
        });
        let typed: Vec<String> = typed.map(|entry| entry.entry.clone()).collect();
        if !typed.is_empty() {
            // If the entry cannot be saved, llull asks for trust again when it is needed.
            let _ = remember(&self.global.study, &typed);
        }
        if needs_keys && retrieves_or_encodes(&study) {
            let judges = study.settings().judges.iter().chain(&study.settings().graders);
            for judge in judges.filter(|judge| matches!(judge.kind, JudgeKind::Prompted { .. })) {
                connect_model(judge, &lookup)?;
            }
        }
        self.retrieve_missing(&study, false)?;
        let progress = EncodingProgress::new(self.printer);
        study
            .students()
            .encode(|name| self.encoder(known_encoder(name)?, None), |at| progress.encoded(at))?;
        Ok(study)
    }

    /// Opens the study to send requests to its judges, and nothing else: no program runs, and no trust is remembered.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`study`](Self::study), also if a judge is at a server without trust.
    pub(crate) fn judges_to_ask(&self, typed: Overrides) -> Result<Study> {
        let mut opening = self.opening(typed, false)?;
        self.environment.refuse_proxies()?;
        let of_retrieval = [ReachKind::Command, ReachKind::RetrievalServer];
        self.ask_for_trust(&mut opening, |entry| !of_retrieval.contains(&entry.kind))?;
        Ok(self.open(&opening)?.0)
    }

    fn warn_of_idle_address(&self, opening: &Opening, study: &Study) {
        if let Some(address) = opening.address.as_ref().filter(|_| !asks_a_server(study)) {
            self.printer.warn(format!("--base-url {address} has no effect: no judge here asks a server"));
        }
    }

    /// Finds the study's reach, before any of it is used.
    ///
    /// # Errors
    ///
    /// Returns an error if the configuration or an entry of the trust is invalid, or if an option names no judge or
    /// prompt.
    pub(crate) fn opening(&self, typed: Overrides, as_last_run: bool) -> Result<Opening> {
        let typed = Overrides {
            judges: typed.judges.iter().map(|judge| self.locate_replay_file(judge)).collect(),
            prompt: typed.prompt.map(|prompt| self.locate(&prompt, Path::is_file).unwrap_or(prompt)),
            paraphrases: typed.paraphrases.map(|file| self.locate(&file, Path::is_file).unwrap_or(file)),
            control: typed.control.map(|folder| self.locate(&folder, Path::is_dir).unwrap_or(folder)),
            queries: typed
                .queries
                .into_iter()
                .map(|file| self.locate(&file, Path::is_file).unwrap_or(file))
                .collect(),
            columns: self.typed_columns.clone(),
            ..typed
        };
        if let Some(prompt) = &typed.prompt {
            self.check_prompt(prompt)?;
        }
        let has_judges = !typed.judges.is_empty();
        let address = typed.base_url.clone();
        let in_files =
            Overrides::from_environment(&|name| self.environment.in_files(name))?.from_file(".env");
        let overrides = typed.over(Overrides::from_environment(&exported)?).over(in_files);
        let trust = self.trust()?;
        let lookup = |name: &str| self.environment.get(name);
        let reach = Study::reach(&self.global.study, &overrides, as_last_run, &trust, &lookup);
        Ok(Opening { reach: known_judges(has_judges, reach)?, overrides, trust, as_last_run, address })
    }

    /// Opens the study whose reach was found.
    ///
    /// # Errors
    ///
    /// Returns an error if its configuration is invalid, or it reaches a file that it is not trusted with.
    pub(crate) fn open(&self, opening: &Opening) -> Result<(Study, Recalled)> {
        let Opening { overrides, trust, .. } = opening;
        let (study, recalled) = match opening.as_last_run {
            true => Study::open_as_last_run(&self.global.study, overrides, trust)?,
            false => (Study::open_trusting(&self.global.study, overrides, trust)?, Recalled::Nothing),
        };
        Ok((study.find_ledger(trust, &|name| self.environment.get(name))?, recalled))
    }

    /// The trust in the study: from the command line, the process's environment, and remembered confirmations. No file
    /// of the study adds to it.
    fn trust(&self) -> Result<Trust> {
        let mut trust = Trust::default().variables_of_study(self.environment.of_files());
        for entry in &self.global.trust {
            trust = match trust.with(entry) {
                Ok(trust) => trust,
                Err(error) => refuse!("--trust: {error}"),
            };
        }
        let several = exported("LLULL_TRUST").unwrap_or_default();
        let remembered = remembered(&self.global.study)?;
        for entry in several.split(',').chain(remembered.iter().map(String::as_str)) {
            trust = trust.with(entry)?;
        }
        Ok(trust)
    }

    /// Asks the user about every needed entry without trust. Returns an error that names those that were not allowed.
    fn ask_for_trust(&self, opening: &mut Opening, needed: impl Fn(&ReachEntry) -> bool) -> Result<()> {
        let runs = |entry: &ReachEntry| matches!(entry.kind, ReachKind::Command | ReachKind::JudgingCommand);
        if opening.reach.iter().any(|entry| runs(entry) && needed(entry)) {
            for (name, file) in self.environment.passed_over() {
                self.printer.warn(format!(
                    "{file}: {name} is ignored: programs get it from the process's environment alone; export it"
                ));
            }
        }
        let mut refused = Vec::new();
        let mut always = Vec::new();
        for entry in opening.reach.iter().filter(|entry| needed(entry)) {
            if opening.trust.holds(entry) {
                continue;
            }
            match ask(self.printer, entry)? {
                Some(Answer::No) | None => {
                    refused.push(entry.clone());
                    continue;
                }
                Some(Answer::Once) => {}
                Some(Answer::Always) => always.push(entry.entry.clone()),
            }
            opening.trust = std::mem::take(&mut opening.trust).with(&entry.entry)?;
        }
        if !always.is_empty()
            && let Err(error) = remember(&self.global.study, &always)
        {
            self.printer.warn(format!("the answer is not remembered: {error}"));
        }
        if refused.is_empty() { Ok(()) } else { Err(StudyError::Untrusted(Untrusted(refused)).into()) }
    }

    /// Refuses a word that names no built-in prompt, unless it looks like a path or is a file.
    fn check_prompt(&self, prompt: &str) -> Result<()> {
        let built_in = || BUILTIN_GRADING_PROMPTS.iter().chain(&BUILTIN_COMPARING_PROMPTS);
        let path_like = prompt.contains(['/', '.']) || self.global.study.join(prompt).exists();
        if path_like || built_in().any(|known| *known == prompt) {
            return Ok(());
        }
        let known: Vec<&str> = built_in().copied().collect();
        refuse!(
            "--prompt {prompt}: no such prompt is built in; choose one of {}, or give the path of a template file",
            known.join(", ")
        );
    }

    /// Replaces the file of `replay:FILE` by its whole path, if it is in this folder and not in the study's.
    fn locate_replay_file(&self, judge: &str) -> String {
        let file = judge.strip_prefix("replay:").and_then(|file| self.locate(file, Path::is_file));
        file.map_or_else(|| judge.to_owned(), |file| format!("replay:{file}"))
    }

    /// The whole path of a file or folder that is in the current folder and not in the study's.
    fn locate(&self, file: &str, is_such: fn(&Path) -> bool) -> Option<String> {
        let here = Path::new(file);
        let in_study = self.global.study.join(here).exists();
        let full = (!in_study && is_such(here)).then(|| here.canonicalize().ok()).flatten()?;
        full.into_os_string().into_string().ok()
    }
}

/// The encoder of a student. The student's file may be a stranger's, so the encoder uses no server.
fn known_encoder(name: &str) -> Result<&str> {
    match name {
        "minilm" => Ok(name),
        _ => anyhow::bail!(
            "a student of this study has the encoder {name:?}, and none but \"minilm\" can be a student's: teach it \
             again, llull train --student NAME --encoder minilm"
        ),
    }
}

/// Whether work may come before judging: the requests of systems, or vectors of texts.
fn retrieves_or_encodes(study: &Study) -> bool {
    let settings = study.settings();
    let of_system =
        |source: &SystemSource| matches!(source, SystemSource::Live(_) | SystemSource::Dense { .. });
    settings.systems.iter().any(|system| of_system(&system.source))
        || settings.judges.iter().any(|judge| matches!(judge.kind, JudgeKind::Student { .. }))
}

/// Whether a judge of the study may use a server: a language model, or one of the user's own.
fn asks_a_server(study: &Study) -> bool {
    let mut judges = study.settings().judges.iter().chain(&study.settings().graders);
    judges.any(|judge| matches!(judge.kind, JudgeKind::Prompted { .. } | JudgeKind::Custom { .. }))
}

/// Counts a typed judge that is no model as wrong usage.
fn known_judges<T>(typed: bool, opened: Result<T, StudyError>) -> Result<T> {
    match opened {
        Err(StudyError::Config(error @ ConfigError::NoModel { .. })) if typed => refuse!("{error}"),
        opened => Ok(opened?),
    }
}

/// Refuses a flag of a study if plain files are given.
pub(crate) fn no_study_flag(flag: Option<&str>) -> Result<()> {
    match flag {
        Some(flag) => refuse!("{flag} is about the judges of a study, and files are given; leave it out"),
        None => Ok(()),
    }
}
