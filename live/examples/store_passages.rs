//! Stores a study's documents and vectors in a PostgreSQL database.
//!
//! It makes a new database on the server that `scripts/servers` starts, for `conformance/small_collections.py`. The
//! vectors are those by MiniLM that the study has saved.
//!
//!     store_passages FOLDER DATABASE
//!
//! Makes the table `passages (id, title, body, embedding)` and prints how many documents have a vector. No text is
//! encoded here.

#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use llull::Folder;
use llull::candidates::Fields;
use llull::core::Document;
use llull::data::{CorpusFields, read_documents};
use llull::encoder::TextRole;
use llull_live::Database;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, name] = arguments.as_slice() else {
        return Err("usage: store_passages FOLDER DATABASE".into());
    };
    let folder = Folder::new(folder);
    let mut documents: Vec<Document> = Vec::new();
    let mut all = |document: &Document| documents.push(document.clone());
    read_documents(folder.path("corpus.jsonl"), &CorpusFields::default(), |_| false, &mut all)?;
    let kept = llull::saved_vectors(&folder, "minilm")?;
    let vector = |document: &Document| {
        let row = kept.row(&Fields::All.of(document), TextRole::Document)?;
        Some(kept.vector(row))
    };
    let database = Database::create(name);
    database.execute(
        "CREATE EXTENSION vector; \
         CREATE TABLE passages (id text PRIMARY KEY, title text, body text, embedding vector(384))",
    );
    database.insert("passages", documents.iter().map(|document| (document, vector(document))));
    println!("{}", documents.iter().filter(|document| vector(document).is_some()).count());
    Ok(())
}
