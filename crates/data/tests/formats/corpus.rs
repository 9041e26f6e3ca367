//! Tests corpora: forms, memory and refusals.

use llull_core::Document;
use llull_data::{CorpusFields, RowPlace, UnreadField, read_documents, stream_corpus};

use crate::{file, fixture, message};

fn all(name: &str) -> Vec<(Document, RowPlace)> {
    let mut documents = Vec::new();
    stream_corpus(fixture(name), &CorpusFields::default(), |document, place| {
        documents.push((document.clone(), place));
        Ok(())
    })
    .unwrap();
    documents
}

fn document(id: &str, title: &str, text: &str) -> Document {
    Document { id: id.into(), title: title.into(), text: text.into() }
}

#[test]
fn blanks_around_an_identifier_are_not_part_of_it() {
    let (_folder, path) = file(" d1 \tone\nd2\t two \n");
    let mut documents = Vec::new();
    stream_corpus(&path, &CorpusFields::default(), |document, _| {
        documents.push(document.clone());
        Ok(())
    })
    .unwrap();
    assert_eq!(documents, [document("d1", "", "one"), document("d2", "", " two ")]);
}

#[test]
fn tsv_json_lines_and_beir_are_read() {
    let leases = document("d1", "Leases", "They expire after ten seconds.");
    let watch = document("d2", "", "A watch ends when its session does.");
    let untitled = document("d1", "", "Leases expire after ten seconds.");
    let line = RowPlace::Line;
    assert_eq!(all("corpus2.tsv"), [(untitled, line(1)), (watch.clone(), line(2))]);
    assert_eq!(all("corpus3.tsv"), [(leases.clone(), line(1)), (watch.clone(), line(2))]);
    assert_eq!(all("beir"), [(leases, line(1)), (watch.clone(), line(2))]);
    assert_eq!(
        all("corpus.jsonl"),
        [
            (document("d1", "Leases", "They expire after \"ten\" seconds."), line(1)),
            (Document { id: "2".into(), ..watch }, line(2)),
            (document("d3", "", ""), line(3))
        ]
    );
}

#[test]
fn tabs_inside_a_text_stay_in_it() {
    for (content, title, text) in
        [("d1\tone\nd2\ta\tb\tc\n", "", "a\tb\tc"), ("d1\tt\tone\nd2\ta\tb\tc\n", "a", "b\tc")]
    {
        let (_folder, path) = file(content);
        let documents = read_documents(&path, &CorpusFields::default(), |_| true, &mut |_| {}).unwrap();
        assert_eq!(documents.found["d2"], document("d2", title, text));
    }
}

#[test]
fn only_the_wanted_are_held_and_all_are_seen() {
    let mut seen = Vec::new();
    let documents =
        read_documents(fixture("corpus.jsonl"), &CorpusFields::default(), |id| id != "d1", &mut |document| {
            seen.push(document.id.clone());
        })
        .unwrap();
    assert_eq!(seen, ["d1", "2", "d3"]);
    assert_eq!(documents.found.keys().collect::<Vec<_>>(), ["2", "d3"]);
    assert_eq!(documents.blank().collect::<Vec<_>>(), [("d3", &RowPlace::Line(3))]);
    let names: Vec<&str> = documents.notes.table.unread.iter().map(|field| &*field.name).collect();
    assert_eq!((documents.notes.documents, documents.notes.blank, names), (3, 1, Vec::new()));
}

#[test]
fn a_wanted_document_with_two_texts_is_refused() {
    let wanted = |ids: &'static [&str]| {
        read_documents(
            fixture("corpus-twice.tsv"),
            &CorpusFields::default(),
            |id| ids.contains(&id),
            &mut |_| {},
        )
    };
    assert_eq!(wanted(&["d1"]).unwrap().found["d1"].text, "one", "the same text twice is harmless");
    assert_eq!(
        message(wanted(&["d1", "d2"]).unwrap_err()),
        "corpus-twice.tsv lines 2 and 4: both are document d2, with different texts. \
         Give each document its own identifier, or remove one"
    );
}

#[test]
fn a_wrong_line_is_named() {
    for (content, expected) in [
        ("d1\tone\nd2\n", "line 2: found 1 column, expected two, id<TAB>text"),
        ("d1\ta\tb\tc\n", "line 1: found \"d1\\ta\\tb\\tc\", expected a header with id"),
        ("d1\tt\tone\nd2\ttwo\n", "line 2: found 2 columns, expected three"),
        ("d1 one\n", "line 1: found \"d1 one\", expected a header with id, JSON, or lines of id<TAB>text"),
        ("<DOC>\n", "line 1: found <doc> without an end"),
        ("{\"_id\": \"d1\"}\n", "line 1: found no column for title or text among \"_id\""),
        ("{\"text\": \"one\"}\n", "line 1: found no column for id among \"text\""),
        ("{\"_id\": \"\", \"text\": \"one\"}\n", "found no id, expected a value for id in every row"),
        ("{\"_id\": \"d1\", \"text\": [[3]]}\n", "a list of lists or objects in \"text\""),
        ("{\"_id\": \"d1\", \"text\": \"a\"}\nd2\ttwo\n", "line 2: found \"d2\\ttwo\" ("),
        ("\n\n", "there is no document in it"),
        ("id\ttext\n", "there is no document in it"),
    ] {
        let (_folder, path) = file(content);
        let error = stream_corpus(&path, &CorpusFields::default(), |_, _| Ok(())).unwrap_err().to_string();
        assert!(error.contains(expected), "{content:?}: {error}");
    }
}

#[test]
fn a_damaged_archive_is_an_error_and_not_a_shorter_corpus() {
    let mut bytes = fs_err::read(fixture("beir/queries.jsonl.gz")).unwrap();
    bytes.truncate(bytes.len() - 10);
    let (_folder, path) = file(bytes);
    let error = stream_corpus(&path, &CorpusFields::default(), |_, _| Ok(())).unwrap_err().to_string();
    assert!(error.contains("cannot read"), "{error}");
}

/// The first document, with its notes, of a corpus read with these fields.
fn mapped(fields: &CorpusFields, content: &str) -> Result<(Document, Vec<UnreadField>), String> {
    let (_folder, path) = file(content);
    let mut first = None;
    let notes = stream_corpus(&path, fields, |document, _| {
        first.get_or_insert_with(|| document.clone());
        Ok(())
    });
    let notes = notes.map_err(|error| error.to_string())?;
    Ok((first.unwrap(), notes.table.unread))
}

fn fields(id: Option<&str>, title: Option<&str>, text: &[&str], ignore: &[&str]) -> CorpusFields {
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    CorpusFields {
        id: id.map(str::to_owned),
        title: title.map(str::to_owned),
        text: list(text),
        ignore: list(ignore),
        ..CorpusFields::default()
    }
}

/// As ESCI's products have it.
const PRODUCT: &str = concat!(
    r#"{"asin":"B01","title":"Kettle","text":"Boils.","bullet_points":["1.7 l",null,"2200 W"],"#,
    r#""brand":"Ace","price":19.5,"empty":"","none":null}"#
);

#[test]
fn fields_that_hold_something_and_are_not_read_are_noticed_once_with_their_lines() {
    let usual = r#"{"_id":"d1","title":"","text":"a","contents":"b","metadata":{},"tags":[]}"#;
    let (_, unread) =
        mapped(&CorpusFields::default(), &format!("{usual}\n{}\n", PRODUCT.replace("asin", "id"))).unwrap();
    let unread: Vec<_> = unread.iter().map(|field| (&*field.name, field.count, field.first)).collect();
    assert_eq!(unread, [("contents", 1, 1), ("bullet_points", 1, 2), ("brand", 1, 2), ("price", 1, 2)]);
}

#[test]
fn other_fields_of_the_documents_found_are_metadata() {
    let tags = r#""tags":["new",null,"sale"],"vector":[0.5,0.25],"url":"https://x.test/1","_index":"p""#;
    let long = "x".repeat(1_001);
    let lines = [
        format!(
            "{{\"id\":\"a\",\"text\":\"Boils.\",\"contents\":\"Other.\",\"metadata\":{{\"brand\":\"Ace\"}},{tags}}}"
        ),
        format!("{{\"id\":\"b\",\"text\":\"Runs.\",\"price\":19.5,\"stock\":true,\"notes\":\"{long}\"}}"),
        r#"{"id":"c","text":"Rings.","brand":"","brand":"Bo","price":null}"#.to_owned(),
    ];
    let (_folder, path) = file(lines.join("\n"));
    let fields = CorpusFields { ignore: vec!["stock".into()], ..CorpusFields::default() };
    let read = read_documents(&path, &fields, |id| id != "c", &mut |_| {}).unwrap();
    let of = |id: &str| -> Vec<(&str, &str)> {
        read.metadata[id].iter().map(|(field, value)| (field.as_str(), value.as_str())).collect()
    };
    let expected =
        [("contents", "Other."), ("brand", "Ace"), ("tags", "new, sale"), ("url", "https://x.test/1")];
    assert_eq!(of("a"), expected);
    let cut = format!("{}…", "x".repeat(1_000 - "price19.5notes".len()));
    assert_eq!(of("b"), [("price", "19.5"), ("notes", cut.as_str())]);
    assert!(!read.metadata.contains_key("c"), "only those of wanted documents are saved");
    assert_eq!(
        read.notes.table.line("f").unwrap(),
        "f: id = id, text = text; 6 fields saved as metadata: metadata.brand, tags, contents, price, ...; 1 field \
         unused: vector"
    );
}

#[test]
fn metadata_of_a_document_is_bounded() {
    let long = "é".repeat(600);
    let many: Vec<String> = (0..256).map(|at| format!("\"f{at:03}\":\"{long}\"")).collect();
    let exact = "x".repeat(996);
    let (_folder, path) = file(format!(
        "{{\"id\":\"a\",\"text\":\"Boils.\",{}}}\n\
         {{\"id\":\"b\",\"text\":\"Runs.\",\"f000\":\"{exact}\",\"f001\":\"y\"}}\n",
        many.join(",")
    ));
    let read = read_documents(&path, &CorpusFields::default(), |_| true, &mut |_| {}).unwrap();
    let of = |field: &str, value: String| (field.to_owned(), value);
    let cut = format!("{}…", "é".repeat(1_000 - 604 - 4));
    assert_eq!(read.metadata["a"], [of("f000", long), of("f001", cut)]);
    assert_eq!(read.metadata["b"], [of("f000", exact)], "what fits is whole");
}

#[test]
fn columns_of_a_table_without_a_role_are_metadata_of_its_documents() {
    let (_folder, path) = file("sku;title;brand;stock\nB1;Boot;Bo;\nK1;Kettle;Ace;7\n");
    let read = read_documents(&path, &CorpusFields::default(), |_| true, &mut |_| {}).unwrap();
    let of = |field: &str, value: &str| (field.to_owned(), value.to_owned());
    assert_eq!(read.metadata["B1"], [of("brand", "Bo")]);
    assert_eq!(read.metadata["K1"], [of("brand", "Ace"), of("stock", "7")]);
    let line = read.notes.table.line("f").unwrap();
    assert_eq!(line, "f: id = sku, title = title; 2 fields saved as metadata: brand, stock");
}

#[test]
fn a_field_is_read_where_it_is_named() {
    let named = fields(Some("asin"), None, &["title", "bullet_points", "price", "empty", "none"], &["text"]);
    let (first, unread) = mapped(&named, PRODUCT).unwrap();
    assert_eq!(first, document("B01", "", "Title: Kettle\nBullet points: 1.7 l\n2200 W\nPrice: 19.5"));
    assert_eq!(unread, [UnreadField { name: "brand".into(), count: 1, first: 1 }]);
    let named = fields(Some("asin"), Some("brand"), &["text"], &[]);
    assert_eq!(mapped(&named, PRODUCT).unwrap().0, document("B01", "Ace", "Boils."));
    let named = fields(Some("asin"), None, &["bullet_points"], &[]);
    assert_eq!(mapped(&named, PRODUCT).unwrap().0.title, "Kettle", "the title stays where it was");
}

#[test]
fn a_named_field_that_no_document_has_is_refused() {
    let said = mapped(&fields(Some("asin"), None, &["bulet_points"], &[]), PRODUCT).unwrap_err();
    assert!(said.contains("no document has the field \"bulet_points\""), "{said}");
    assert!(
        said.ends_with(
            "Documents have \"asin\", \"title\", \"text\", \"bullet_points\", \"brand\", \"price\""
        )
    );
    let said = mapped(&fields(None, None, &["text"], &[]), "d1\tone\n").unwrap_err();
    assert!(
        said.contains("expected a file whose columns have names, since [corpus] in llull.toml names"),
        "{said}"
    );
    let said = mapped(&fields(Some("sku"), None, &[], &[]), PRODUCT).unwrap_err();
    assert!(said.contains("found no column for id among \"asin\""), "{said}");
}
