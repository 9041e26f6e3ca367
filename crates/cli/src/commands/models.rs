//! `llull models`: lists and adds the encoders on this machine.

use anyhow::Result;
use llull::encoder::{MiniLm, add_minilm, minilm_files};
use llull::report::text::count;
use serde::Serialize;

use super::{Context, minilm_folder};
use crate::args::{AddModelArgs, ModelsAction, ModelsArgs};
use crate::exit::Exit;

/// A model that llull knows.
#[derive(Serialize)]
struct Model {
    name: &'static str,
    about: &'static str,
    folder: String,
    ready: bool,
    /// Why it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    bytes: u64,
}

pub(crate) fn run(context: &Context, args: &ModelsArgs) -> Result<Exit> {
    let folder = minilm_folder()?;
    if let Some(ModelsAction::Add(AddModelArgs { name, from })) = &args.action {
        add_minilm(from, &folder)?;
        context.printer.note(format!("{name} is in {}", folder.display()));
    }
    let loaded = MiniLm::load(&folder);
    let model = Model {
        name: "minilm",
        about: "all-MiniLM-L6-v2, int8: 384 dimensions, the first 256 tokens of a text",
        ready: loaded.is_ok(),
        why: loaded.err().map(|error| error.to_string()),
        bytes: minilm_files(&folder).iter().map(|(_, bytes)| bytes).sum(),
        folder: folder.display().to_string(),
    };
    let Model { name, about, folder, bytes, why, .. } = &model;
    context.show(std::slice::from_ref(&model), || match why {
        None => format!("{name}: {about}; {} bytes in {folder}", count(*bytes)),
        Some(why) => format!("{name}: {about}; not ready: {why}"),
    })?;
    Ok(Exit::Fine)
}
