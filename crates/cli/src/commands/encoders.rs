//! The encoders of the command line, and the progress of encoding.

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::Result;
use llull::encoder::{Encoded, Encoder, KeptVectors, MiniLm, RemoteEncoder};
use llull::llm::{Endpoint, ModelSettings, connect_embedding_model};
use llull::report::text::count;
use llull::saved_vectors;

use super::Context;
use super::judge::announce_key;
use crate::environment::{exported, is_address};
use crate::exit::refuse;
use crate::printer::Printer;

/// The interval between lines of progress.
const LINE_EVERY: Duration = Duration::from_secs(5);

impl Context {
    /// Returns the encoder of this name: `minilm`, or `provider/model`, at `base_url` or at its provider's own address.
    ///
    /// Keys may come from `.env`, addresses may not: the folder may be a stranger's, and its address would get the
    /// user's key.
    ///
    /// # Errors
    ///
    /// Returns an error if the model is not on this machine, or its server cannot be used.
    pub(crate) fn encoder(&self, name: &str, base_url: Option<&str>) -> Result<Box<dyn Encoder>> {
        if name == "minilm" {
            if base_url.is_some() {
                refuse!("minilm is on this machine and has no address: leave --base-url out");
            }
            return Ok(Box::new(MiniLm::load(&minilm_folder()?)?));
        }
        if !name.contains('/') {
            refuse!(
                "{name:?} is no encoder: there is minilm, on this machine, and PROVIDER/MODEL behind a server, such as \
             openai/text-embedding-3-small, ollama/nomic-embed-text, voyage/voyage-3.5 or cohere/embed-v4.0"
            );
        }
        let settings = ModelSettings { base_url: base_url.map(str::to_owned), ..ModelSettings::new(name) };
        let lookup = |variable: &str| match is_address(variable) {
            true => exported(variable),
            false => self.environment.get(variable),
        };
        let endpoint = Endpoint::of_embedding_model(&settings, &lookup)?;
        self.printer.note(format!("{name}: {endpoint}"));
        announce_key(self, endpoint.key_variable());
        let model = connect_embedding_model(&settings, &lookup)?;
        Ok(Box::new(RemoteEncoder::new(model)?))
    }

    /// The vectors of an encoder that the study in this folder has saved; in memory alone, if there is no study.
    pub(crate) fn vectors_of(&self, encoder: &dyn Encoder) -> Result<KeptVectors> {
        Ok(match self.folder() {
            Some(folder) => saved_vectors(&folder, encoder.name())?,
            None => KeptVectors::in_memory(),
        })
    }
}

/// Returns the folder of MiniLM's files: in `LLULL_MODELS`, or else in the user's data folder.
///
/// # Errors
///
/// Returns an error if neither is known.
pub(crate) fn minilm_folder() -> Result<PathBuf> {
    let absolute = |variable: &str| exported(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = || absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")));
    let models = exported("LLULL_MODELS").map(PathBuf::from);
    let Some(models) = models.or_else(|| Some(data()?.join("llull/models"))) else {
        refuse!("neither LLULL_MODELS nor XDG_DATA_HOME nor HOME is set, so there is no folder for models");
    };
    Ok(models.join("minilm"))
}

/// Prints the progress of encoding now and then.
pub(crate) struct EncodingProgress {
    printer: Printer,
    last: Mutex<Instant>,
}

impl EncodingProgress {
    pub(crate) fn new(printer: Printer) -> Self {
        Self { printer, last: Mutex::new(Instant::now()) }
    }

    /// Receives the progress of encoding.
    pub(crate) fn encoded(&self, Encoded { done, of }: Encoded) {
        self.say(|| format!("encoded {} of {} texts", count(done), count(of)));
    }

    /// Receives the number of a system's encoded documents.
    pub(crate) fn indexed(&self, system: &str, done: usize) {
        self.say(|| format!("{system}: {} documents have their vectors", count(done)));
    }

    fn say(&self, line: impl FnOnce() -> String) {
        let mut last = self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if last.elapsed() >= LINE_EVERY {
            *last = Instant::now();
            self.printer.note(line());
        }
    }
}
