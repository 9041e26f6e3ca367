//! `llull models`: what encodes texts on this machine.

use anyhow::Result;
use llull::encoder::{LocalModel, MiniLm, Splade, add_model, model_files};
use llull::report::text::count;
use serde::Serialize;

use super::{Context, model_folder};
use crate::args::{AddModelArgs, ModelsAction, ModelsArgs};
use crate::exit::{Exit, Usage};

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
    let asked = match &args.action {
        Some(ModelsAction::Add(AddModelArgs { name, from })) => {
            let model = LocalModel::of_name(name).ok_or_else(|| Usage(format!("{name:?} is no model")))?;
            let folder = model_folder(model)?;
            add_model(model, from, &folder)?;
            context.printer.note(format!("{name} is in {}", folder.display()));
            vec![model]
        }
        None => LocalModel::ALL.to_vec(),
    };
    let models: Vec<Model> = asked.into_iter().map(described).collect::<Result<_>>()?;
    if context.global.json {
        context.printer.result(serde_json::to_string_pretty(&models)?)?;
        return Ok(Exit::Fine);
    }
    for Model { name, about, folder, bytes, why, .. } in models {
        match why {
            None => context.printer.result(format!("{name}: {about}; {} bytes in {folder}", count(bytes)))?,
            Some(why) => context.printer.result(format!("{name}: {about}; not ready: {why}"))?,
        }
    }
    Ok(Exit::Fine)
}

fn described(model: LocalModel) -> Result<Model> {
    let folder = model_folder(model)?;
    let loaded = match model {
        LocalModel::MiniLm => MiniLm::load(&folder).map(drop),
        LocalModel::Splade => Splade::load(&folder).map(drop),
    };
    Ok(Model {
        name: model.name(),
        about: model.about(),
        ready: loaded.is_ok(),
        why: loaded.err().map(|error| error.to_string()),
        bytes: model_files(model, &folder).iter().map(|(_, bytes)| bytes).sum(),
        folder: folder.display().to_string(),
    })
}
