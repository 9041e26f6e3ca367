//! Tests files that are odd and legal, and three bad lines of each form with their messages.

use llull_core::{Topic, Topics};
use llull_data::{
    Columns, CorpusFields, DataError, ReadDatasetOptions, ReadRunOptions, read_ballots, read_dataset,
    read_prefs, read_qrels, read_run, read_topics, stream_corpus,
};

use crate::file;

/// What a file is read as.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Queries,
    Run,
    Labels,
    Corpus,
    Answers,
    Comparisons,
    /// Preferences of trec_eval.
    Prefs,
    /// The saved replies to two queries.
    Replies,
}
use Kind::{Answers, Comparisons, Corpus, Labels, Prefs, Queries, Replies, Run};

/// The content in a line: `q1=text`, `q1: best next`, `q1 d1 2`, `d1=title/text`; `|` separates.
fn read(kind: Kind, content: &[u8]) -> Result<String, DataError> {
    let (_folder, path) = file(content);
    let mut all: Vec<String> = Vec::new();
    let topic = |id: &str| Topic { id: id.into(), text: format!("text of {id}") };
    let topics: Topics = ["q1", "q2"].map(topic).into_iter().collect();
    let queries = matches!(kind, Replies).then(|| std::sync::Arc::new(topics));
    match kind {
        Queries => all.extend(read_topics(&path)?.iter().map(|topic| format!("{}={}", topic.id, topic.text))),
        Run | Replies => all.extend(
            read_run(&path, &ReadRunOptions { queries, ..ReadRunOptions::default() })?.run.iter().map(
                |(query, ranking)| {
                    let documents: Vec<&str> = ranking.iter().map(|hit| hit.document).collect();
                    format!("{query}: {}", documents.join(" "))
                },
            ),
        ),
        Labels => {
            let qrels = read_qrels(&path)?.qrels;
            for (query, grades) in qrels.iter() {
                all.extend(grades.iter().map(|(document, grade)| format!("{query} {document} {grade}")));
            }
            all.sort();
        }
        Corpus => drop(stream_corpus(&path, &CorpusFields::default(), |document, _| {
            all.push(format!("{}={}/{}", document.id, document.title, document.text));
            Ok(())
        })?),
        Answers => {
            all.extend(
                read_dataset(&path, &ReadDatasetOptions::default())?.dataset.queries.iter().map(|query| {
                    format!("{}={}: {}", query.id, query.text, query.expected_answers.join("; "))
                }),
            );
        }
        Prefs => all.push(read_prefs(&path)?.notes.lines.to_string()),
        Comparisons => all.push(read_ballots(&[&path], None, &Columns::default())?.notes.ballots.to_string()),
    }
    Ok(all.join("|"))
}

#[test]
fn forty_odd_and_legal_files_are_read_as_they_are_meant() {
    let files: [(Kind, &str, &str); 41] = [
        // Marks, line ends, blank lines.
        (Queries, "\u{feff}id,query\n1,shoes\n", "1=shoes"),
        (Queries, "\u{feff}1\tshoes\n", "1=shoes"),
        (Run, "\u{feff}q1 Q0 d1 1 2 t\n", "q1: d1"),
        (Labels, "\u{feff}{\"q1\":{\"d1\":1}}", "q1 d1 1"),
        (Corpus, "\u{feff}{\"id\":\"d1\",\"text\":\"a\"}\n", "d1=/a"),
        (Queries, "id,query\r\n1,shoes\r\n\r\n\r\n2,boots\r\n", "1=shoes|2=boots"),
        (Queries, "\n\n\nid,query\n\n1,shoes", "1=shoes"),
        (Labels, "q1 0 d1 1\r\n\r\n  \r\nq1 0 d2 0", "q1 d1 1|q1 d2 0"),
        // Quotes.
        (Queries, "id,query\n1,\"red\nshoes\"\n2,boots\n", "1=red\nshoes|2=boots"),
        (Corpus, "id,title,text\nd1,\"A, B\",\"one\n\ntwo \"\"x\"\"\"\n", "d1=A, B/one\n\ntwo \"x\""),
        (Queries, "\"id\";\"query\"\n\"1\";\"a;b\"\n", "1=a;b"),
        (Run, "\"query_id\",\"doc_id\",\"score\"\n\"q1\",\"d,1\",\"2\"\n\"q1\",\"d2\",\"3\"\n", "q1: d2 d,1"),
        (Queries, "id\tquery\n1\t5\" pipe\n", "1=5\" pipe"),
        (Queries, "id,query\n1,\"  \"\" \"\n", "1=\""),
        // Identifiers as numbers.
        (Queries, "{\"id\":7,\"query\":\"shoes\"}\n{\"id\":\"8\",\"query\":\"boots\"}\n", "7=shoes|8=boots"),
        (
            Run,
            "[{\"query_id\":1,\"doc_id\":2,\"score\":3},{\"query_id\":1,\"doc_id\":3,\"score\":4}]",
            "1: 3 2",
        ),
        (Run, "query_id,doc_id,score\n007,0042,1\n007,42,2\n", "007: 42 0042"),
        (Labels, "query,docid,rating\n1,9007199254740993,1\n", "1 9007199254740993 1"),
        (Labels, "{\"1\":{\"2\":1.0}}", "1 2 1"),
        (Corpus, "{\"id\":-3,\"text\":\"a\"}\n", "-3=/a"),
        // Empty and repeated columns, trailing separators.
        (Queries, "id,,query,\n1,,shoes,\n", "1=shoes"),
        (Queries, "id,query,query\n1,shoes,boots\n", "1=shoes"),
        (Run, "query_id,doc_id,score,,,\nq1,d1,2,,,\n", "q1: d1"),
        (Labels, "query,docid,rating,\nq1,d1,2,\nq1,d2,,\n,,,\n", "q1 d1 2"),
        (Corpus, "id\ttitle\ttext\nd1\t\tone\nd2\ttwo\t\n", "d1=/one|d2=two/"),
        (
            Corpus,
            "{\"id\":\"d1\",\"text\":\"a\",\"title\":null}\n{\"id\":\"d2\",\"text\":\"b\"}\n",
            "d1=/a|d2=/b",
        ),
        (Run, "query_id,doc_id,score\nq1,d1\u{a0},1\n", "q1: d1"),
        (Queries, " id , query \n 1 , shoes \n", "1=shoes"),
        (Queries, "ID;Query;Id_Alt\n1;shoes;x\n", "1=shoes"),
        // Scripts and characters.
        (
            Queries,
            "id,query\n1,\u{645}\u{631}\u{62d}\u{628}\u{627}\n2,\u{202b}\u{5e9}\u{5dc}\u{202c}\n",
            "1=\u{645}\u{631}\u{62d}\u{628}\u{627}|2=\u{202b}\u{5e9}\u{5dc}\u{202c}",
        ),
        (
            Queries,
            "1\t\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} \u{1f45f}\n",
            "1=\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} \u{1f45f}",
        ),
        (Run, "q\u{e9} Q0 \u{6587}\u{66f8} 1 2 t\n", "q\u{e9}: \u{6587}\u{66f8}"),
        (Queries, "{\"id\":\"\\u0031\",\"query\":\"\\ud83d\\udc5f\"}\n", "1=\u{1f45f}"),
        (Queries, "id,query\n1,e\u{301}\n", "1=e\u{301}"),
        (Queries, "id,query\n1,=SUM(A1)\n2,-5\n3,+1\n", "1==SUM(A1)|2=-5|3=+1"),
        (Queries, "id,query\n1,nan\n2,null\n3,true\n", "1=nan|2=null|3=true"),
        // Numbers and forms.
        (Run, "q1 Q0 d1 1 1e-3 t\nq1 Q0 d2 2 -inf t\nq1 Q0 d3 3 +.5 t\n", "q1: d3 d1 d2"),
        (Labels, "q1\t0\td1\t-1\nq1   0 d2 2.0\n", "q1 d1 -1|q1 d2 2"),
        (Queries, "[ {\"id\":\"1\",\n\"query\":\"shoes\"} ]\n\n\n", "1=shoes"),
        (Answers, "\u{feff}question;answers;note\nWhat?;\"yes; no\";\n", "q1=What?: yes; no"),
        (Comparisons, "\u{feff}left,right,winner\r\n\"a\nb\",c,right\r\n", "1"),
    ];
    for (kind, content, expected) in files {
        assert_eq!(read(kind, content.as_bytes()).unwrap(), expected, "{kind:?} {content:?}");
    }
}

/// What is read, a file that is whole but for `{}`, and three bad lines of different kinds with their messages.
type Form = (Kind, &'static str, [(&'static str, &'static str); 3]);

#[test]
fn three_bad_lines_of_each_form_are_named_with_their_fault() {
    let forms: [Form; 39] = [
        (
            Queries,
            "id,query\n1,a\n{}\n",
            [
                (",b", "line 3: found no id"),
                ("2,", "line 3: found no query"),
                ("2,b,c", "line 3: found 3 fields, expected the 2 of the header"),
            ],
        ),
        (
            Queries,
            "id\tquery\n1\ta\n{}\n",
            [
                ("\tb", "line 3: found no id"),
                ("2\t ", "line 3: found no query"),
                ("2\tb\tc", "line 3: found 3 fields, expected the 2 of the header"),
            ],
        ),
        (
            Queries,
            "1\ta\n{}\n",
            [
                ("\tb", "line 2: found no id"),
                ("2", "line 2: found 1 column"),
                ("2\tb\tc", "line 2: found 3 columns"),
            ],
        ),
        (
            Queries,
            "{\"id\":\"1\",\"query\":\"a\"}\n{}\n",
            [
                ("{\"id\":\"2\"}", "line 2: found no query"),
                ("{\"id\":\"2\",\"query\":[[1]]}", "line 2"),
                ("{\"id\":\"2\",", "(the end of the text inside a JSON value"),
            ],
        ),
        (
            Queries,
            "[{\"id\":\"1\",\"query\":\"a\"},\n{}]\n",
            [
                ("{\"id\":\"2\"}", "at [1]: found no query"),
                ("{\"id\":[\"2\",\"3\"],\"query\":\"b\"}", "at [1]: found a list of several in \"id\""),
                ("7", "at [1]: found \"7\""),
            ],
        ),
        (
            Queries,
            "<top><num>1<title>a</top>\n{}\n",
            [
                ("<top><num>2</top>", "line 2: found no query"),
                ("<top><title>b</top>", "line 2: found no id"),
                ("<top><num>2<title>b", "line 2: found <top> without an end"),
            ],
        ),
        (
            Run,
            "q1 Q0 d1 1 2 t\n{}\n",
            [
                ("q1 Q0 d2 2 high t", "line 2, column 5 (score): found \"high\""),
                ("q1 Q0 d2 2 NaN t", "line 2, column 5 (score): found \"NaN\""),
                ("q1 d2 2", "line 2: found 3 columns"),
            ],
        ),
        (
            Run,
            "query_id,doc_id,score\nq1,d1,2\n{}\n",
            [
                ("q1,d2,high", "line 3: found \"high\" as score"),
                ("q1,,2", "line 3: found no document"),
                (",d2,2", "line 3: found no query"),
            ],
        ),
        (
            Run,
            "{\"query_id\":\"q1\",\"doc_id\":\"d1\",\"score\":2}\n{}\n",
            [
                (
                    "{\"query_id\":\"q1\",\"doc_id\":\"d2\",\"score\":\"high\"}",
                    "line 2: found \"high\" as score",
                ),
                ("{\"query_id\":\"q1\",\"doc_id\":\"d2\"}", "line 2: found no score"),
                ("{\"query_id\":\"q1\",\"score\":1}", "line 2: found no document"),
            ],
        ),
        (
            Run,
            "{\"q1\":{\"d1\":2},\n\"q2\":{}}",
            [
                ("{\"d2\":\"high\"}", "at q2.d2"),
                ("7", "found no query, expected a value for query in every row"),
                ("{\"d2\":{}}", "at q2.d2"),
            ],
        ),
        (
            Labels,
            "q1 0 d1 2\n{}\n",
            [
                ("q1 0 d2 high", "line 2, column 4 (grade): found \"high\""),
                ("q1 0 d2 0.5", "line 2, column 4 (grade): found \"0.5\""),
                ("q1 d2 2", "line 2: found 3 columns"),
            ],
        ),
        (
            Labels,
            "query,docid,rating\nq1,d1,2\n{}\n",
            [
                ("q1,d2,high", "line 3: found \"high\" as grade"),
                ("q1,,2", "line 3: found no document"),
                ("q1,d2,2,5", "line 3: found 4 fields, expected the 3 of the header"),
            ],
        ),
        (
            Labels,
            "{\"query\":\"q1\",\"doc_id\":\"d1\",\"relevance\":2}\n{}\n",
            [
                (
                    "{\"query\":\"q1\",\"doc_id\":\"d2\",\"relevance\":\"high\"}",
                    "line 2: found \"high\" as grade",
                ),
                ("{\"query\":\"q1\",\"relevance\":2}", "line 2: found no document"),
                ("[", "line 2"),
            ],
        ),
        (
            Corpus,
            "id,text\nd1,a\n{}\n",
            [
                (",b", "line 3: found no id"),
                ("d2,b,c", "line 3: found 3 fields, expected the 2 of the header"),
                ("d2,\"b", "line 3: found a quote that is never closed"),
            ],
        ),
        (
            Corpus,
            "{\"id\":\"d1\",\"text\":\"a\"}\n{}\n",
            [
                ("{\"text\":\"b\"}", "line 2: found no id"),
                ("{\"id\":\"d2\",\"text\":[[3]]}", "a list of lists or objects in \"text\""),
                ("d2\tb", "line 2: found \"d2\\tb\""),
            ],
        ),
        (
            Answers,
            "query_id,query_text,expected_answers\n1,a,b\n{}\n",
            [
                ("1,c,d", "line 3, column 1 (query_id): found \"1\""),
                ("2,,d", "line 3"),
                ("2,c,d,e", "line 3: found 4 fields, expected the 3 of the header"),
            ],
        ),
        (
            Comparisons,
            "left,right,winner\na,b,left\n{}\n",
            [
                ("a,b,middle", "line 3, column 3 (winner): found \"middle\""),
                ("a,b", "line 3: found 2 fields, expected 3"),
                (",b,b", "line 3: found an item without a name"),
            ],
        ),
        (
            Comparisons,
            "{\"left\":\"a\",\"right\":\"b\",\"winner\":\"a\"}\n{}\n",
            [
                ("{\"left\":\"a\",\"right\":\"b\",\"winner\":\"c\"}", "line 2: found the winner \"c\""),
                ("{\"ranking\":[\"a\"]}", "line 2: found one item"),
                ("{\"left\":\"a\"", "line 2"),
            ],
        ),
        // BEIR's queries, documents and labels.
        (
            Queries,
            "{\"_id\":\"1\",\"text\":\"a\",\"metadata\":{}}\n{}\n",
            [
                ("{\"_id\":\"2\",\"metadata\":{}}", "line 2: found no query"),
                ("{\"text\":\"b\"}", "line 2: found no id"),
                ("{\"_id\":\"1\",\"text\":\"b\"}", "lines 1 and 2: both are query 1"),
            ],
        ),
        (
            Corpus,
            "{\"_id\":\"d1\",\"title\":\"\",\"text\":\"a\"}\n{}\n",
            [
                ("{\"title\":\"b\",\"text\":\"c\"}", "line 2: found no id"),
                ("{\"_id\":[\"d2\",\"d3\"],\"text\":\"b\"}", "line 2: found"),
                ("{\"_id\":\"d2\",\"text\":\"b\"", "line 2"),
            ],
        ),
        (
            Labels,
            "query-id\tcorpus-id\tscore\nq1\td1\t1\n{}\n",
            [
                ("q1\td2\thigh", "line 3, column 3 (grade): found \"high\""),
                ("q1\t\t1", "line 3: found 2 columns, expected the three of BEIR's qrels"),
                ("q1\td2\t0.5", "line 3, column 3 (grade): found \"0.5\""),
            ],
        ),
        (
            Prefs,
            "q1 g 0 d1 1\n{}\n",
            [
                ("q1 g d2 1", "line 2: found 4 columns, expected the five of prefs"),
                ("q1 g 0 d2 -1", "line 2, column 5 (level): found \"-1\""),
                (
                    "q1 g 0 d1 2",
                    "line 2 and a line before it: document d1 of query q1 has level 1 and then 2",
                ),
            ],
        ),
        // Saved replies: Elasticsearch's and OpenSearch's, one and several; Qdrant, Vespa, Solr, Weaviate.
        (
            Replies,
            "[{\"hits\":{\"hits\":[{\"_id\":\"d1\"}]}},\n{}]",
            [
                ("{\"hits\":{\"hits\":[{\"_score\":2}]}}", "at [1].hits.hits[0]: found no document"),
                ("{\"hits\":{\"hits\":[null]}}", "at [1].hits.hits[0]: found \"null\""),
                (
                    "{\"error\":{\"type\":\"timeout\"},\"status\":503}",
                    "at [1]: found the error of a search engine",
                ),
            ],
        ),
        (
            Replies,
            "{\"responses\":[{\"hits\":{\"hits\":[{\"_id\":\"d1\"}]}},\n{}]}",
            [
                ("{\"hits\":{\"hits\":[{\"_score\":2}]}}", "at responses[1].hits.hits[0]: found no document"),
                ("{\"hits\":{\"hits\":[{\"_id\":\"d1\",\"_score\":\"high\"}]}}", "found \"high\" as score"),
                ("{\"error\":\"x\"}", "at responses[1]: found the error of a search engine"),
            ],
        ),
        (
            Replies,
            "{\"result\":[{\"points\":[{\"id\":\"d1\",\"score\":0.9}]},\n{}],\"status\":\"ok\"}",
            [
                ("{\"points\":[{\"score\":0.5}]}", "at result[1].points[0]: found no document"),
                ("{\"points\":[{\"id\":\"d2\",\"score\":\"high\"}]}", "found \"high\" as score"),
                ("{\"points\":[[]]}", "at result[1].points[0]: found \"[]\""),
            ],
        ),
        (
            Replies,
            "[{\"root\":{\"children\":[{\"id\":\"d1\",\"relevance\":0.4}]}},\n{}]",
            [
                (
                    "{\"root\":{\"children\":[{\"relevance\":0.4}]}}",
                    "at [1].root.children[0]: found no document",
                ),
                ("{\"root\":{\"children\":[{\"id\":\"d2\",\"relevance\":\"x\"}]}}", "found \"x\" as score"),
                ("{\"root\":{\"children\":[{\"id\":[\"d2\",\"d3\"]}]}}", "found a list of several in \"id\""),
            ],
        ),
        (
            Replies,
            "[{\"response\":{\"docs\":[{\"id\":\"d1\"}]}},\n{}]",
            [
                (
                    "{\"response\":{\"docs\":[{\"title\":\"x\"}]}}",
                    "at [1].response.docs[0]: found no document",
                ),
                ("{\"response\":{\"docs\":[null]}}", "at [1].response.docs[0]: found \"null\""),
                (
                    "{\"error\":{\"msg\":\"undefined field\",\"code\":400}}",
                    "at [1]: found the error of a search engine",
                ),
            ],
        ),
        (
            Replies,
            "[{\"data\":{\"Get\":{\"P\":[{\"_additional\":{\"id\":\"d1\"}}]}}},\n{}]",
            [
                (
                    "{\"data\":{\"Get\":{\"P\":[{\"name\":\"x\"}]}}}",
                    "at [1].data.Get.P[0]: found no document",
                ),
                (
                    "{\"data\":{\"Get\":{\"P\":[{\"_additional\":{\"id\":[\"a\",\"b\"]}}]}}}",
                    "found a list of several",
                ),
                ("{\"data\":{\"Get\":{\"P\":[null]}}}", "at [1].data.Get.P[0]: found \"null\""),
            ],
        ),
        // Documents of LangChain, LlamaIndex and Haystack, and Elasticsearch's _bulk.
        (
            Corpus,
            "[{\"id\":\"d1\",\"metadata\":{},\"page_content\":\"a\",\"type\":\"Document\"},\n{}]",
            [
                ("{\"id\":null,\"metadata\":{},\"page_content\":\"b\"}", "at [1]: found no id"),
                (
                    "{\"id\":\"d2\",\"page_content\":[[\"b\"]]}",
                    "at [1]: found a list of lists or objects in \"page_content\"",
                ),
                ("\"d2\"", "at [1]: found"),
            ],
        ),
        (
            Corpus,
            "{\"id_\":\"d1\",\"metadata\":{},\"text\":\"a\",\"class_name\":\"TextNode\"}\n{}\n",
            [
                ("{\"metadata\":{},\"text\":\"b\"}", "line 2: found no id"),
                ("{\"id_\":[\"d2\",\"d3\"],\"text\":\"b\"}", "(a list of several in \"id_\""),
                ("{\"id_\":\"d2\",\"text\":\"b\"", "line 2: found"),
            ],
        ),
        (
            Corpus,
            "{\"id\":\"d1\",\"content\":\"a\",\"meta\":{}}\n{}\n",
            [
                ("{\"content\":\"b\",\"meta\":{}}", "line 2: found no id"),
                ("[1]", "(a list in place of an object"),
                ("{\"id\":\"d2\",\"content\":\"a\"} {", "(invalid JSON: trailing characters"),
            ],
        ),
        (
            Corpus,
            "{\"index\":{\"_id\":\"d1\"}}\n{\"body\":\"a\"}\n{}\n",
            [
                ("{\"index\":{\"_id\":\"d2\"}}", "line 3: found an action without a document"),
                ("{\"body\":\"b\"}", "line 3: found \"{\\\"body\\\":\\\"b\\\"}\", expected an action"),
                ("{\"index\":{\"_id\":\"d2\"}}\n[1]", "line 4: found \"[1]\", expected a document"),
            ],
        ),
        // Quepid's snapshots; replies of Algolia and Azure; results of LangChain and LlamaIndex.
        (
            Run,
            "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\nBase,,8,shoes,d1,1\n{}\n",
            [
                ("Base,,8,shoes,,2", "line 3: found no document"),
                ("Base,,8,shoes,d2,two", "line 3: found \"two\" as rank"),
                ("Base,,8,shoes,d2", "line 3: found no rank"),
            ],
        ),
        (
            Replies,
            "{\"results\":[{\"hits\":[{\"objectID\":\"d1\"}],\"query\":\"text of q1\"},\n{}]}",
            [
                (
                    "{\"hits\":[{\"name\":\"x\"}],\"query\":\"text of q2\"}",
                    "at results[1].hits[0]: found no document",
                ),
                ("{\"hits\":[null],\"query\":\"text of q2\"}", "at results[1].hits[0]: found \"null\""),
                (
                    "{\"hits\":[{\"objectID\":\"d1\"}],\"query\":{\"a\":[]}}",
                    "at results[1]: found a query that is neither",
                ),
            ],
        ),
        (
            Replies,
            "{\"value\":[{\"@search.score\":1.5,\"id\":\"d1\"}]}\n{}\n",
            [
                ("{\"value\":[{\"@search.score\":1.5}]}", "at line 2 value[0]: found no document"),
                (
                    "{\"value\":[{\"@search.score\":\"high\",\"id\":\"d2\"}]}",
                    "at line 2 value[0]: found \"high\" as score",
                ),
                (
                    "{\"error\":{\"code\":\"\",\"message\":\"x\"}}",
                    "at line 2: found the error of a search engine",
                ),
            ],
        ),
        (
            Replies,
            "{\"query\":\"text of q1\",\"documents\":[{\"id\":\"d1\",\"page_content\":\"a\"}]}\n{}\n",
            [
                (
                    "{\"query\":\"text of q2\",\"documents\":[{\"id\":null,\"page_content\":\"b\"}]}",
                    "at line 2 documents[0]: found no document",
                ),
                (
                    "{\"query\":null,\"documents\":[{\"id\":\"d2\",\"page_content\":\"b\"}]}",
                    "at line 2: found a query that is neither",
                ),
                ("{\"query\":\"text of q2\"}", "at line 2: found no document"),
            ],
        ),
        (
            Replies,
            "{\"query\":\"text of q1\",\"source_nodes\":[{\"node\":{\"id_\":\"d1\"},\"score\":0.5}]}\n{}\n",
            [
                (
                    "{\"query\":\"text of q2\",\"source_nodes\":[{\"node\":{\"text\":\"b\"},\"score\":0.4}]}",
                    "at line 2 source_nodes[0]: found no document",
                ),
                (
                    "{\"query\":\"text of q2\",\"source_nodes\":[{\"node\":{\"id_\":\"d2\"},\"score\":\"high\"}]}",
                    "found \"high\" as score",
                ),
                (
                    "{\"query\":\"text of q2\",\"source_nodes\":[null]}",
                    "at line 2 source_nodes[0]: found \"null\"",
                ),
            ],
        ),
        // Chroma's replies.
        (
            Replies,
            "{\"documents\":[[\"a\"],[\"b\"]],\"ids\":[[\"d1\"],\n{}]}",
            [
                ("[null]", "at [1][0]: found no document"),
                ("[[\"d2\",\"d3\"]]", "at [1]: found"),
                ("7", "at [1]: found no query"),
            ],
        ),
        // Labels of _rank_eval.
        (
            Labels,
            "{\"requests\":[{\"id\":\"q1\",\"ratings\":[{\"_index\":\"p\",\"_id\":\"d1\",\"rating\":2}]},\n{}]}",
            [
                (
                    "{\"id\":\"q2\",\"ratings\":[{\"_index\":\"p\",\"_id\":\"d1\",\"rating\":\"high\"}]}",
                    "at requests[1].ratings[0]: found \"high\" as grade",
                ),
                (
                    "{\"id\":\"q2\",\"ratings\":[{\"_index\":\"p\",\"rating\":2}]}",
                    "at requests[1].ratings[0]: found no document",
                ),
                (
                    "{\"ratings\":[{\"_id\":\"d1\",\"rating\":2}]}",
                    "at requests[1].ratings[0]: found no query",
                ),
            ],
        ),
    ];
    let mut unlike = Vec::new();
    for (kind, whole, bad) in forms {
        for (line, expected) in bad {
            let content = match whole.rfind("{}") {
                Some(at) => format!("{}{line}{}", &whole[..at], &whole[at + 2..]),
                None => whole.to_owned(),
            };
            match read(kind, content.as_bytes()) {
                Err(error) if error.to_string().contains(expected) => {}
                other => unlike.push(format!("{kind:?} {content:?}, {expected}: {other:?}")),
            }
        }
    }
    assert!(unlike.is_empty(), "{}", unlike.join("\n"));
}

#[cfg(feature = "xlsx")]
#[test]
fn the_first_sheet_of_a_workbook_is_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.xlsx");
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    for (column, name) in (0..).zip(["query_id", "doc_id", "score", "rating", "text"]) {
        sheet.write_string(0, column, name).unwrap();
    }
    for (row, (document, score)) in (1..).zip([("d\u{fc}1", 1.5), ("d2", 2.5)]) {
        sheet.write_string(row, 0, "q1").unwrap();
        sheet.write_string(row, 1, document).unwrap();
        sheet.write_number(row, 2, score).unwrap();
        sheet.write_number(row, 3, f64::from(row)).unwrap();
        sheet.write_string(row, 4, "one, \"two\"\nthree").unwrap();
    }
    book.save(&path).unwrap();
    let bytes = fs_err::read(&path).unwrap();
    assert_eq!(read(Run, &bytes).unwrap(), "q1: d2 d\u{fc}1");
    assert_eq!(read(Labels, &bytes).unwrap(), "q1 d2 2|q1 d\u{fc}1 1");
    assert_eq!(read(Corpus, &bytes).unwrap(), "d\u{fc}1=/one, \"two\"\nthree|d2=/one, \"two\"\nthree");
    let error = read(Run, b"PK\x03\x04 and no workbook").unwrap_err().to_string();
    assert!(error.contains("file.txt: this workbook cannot be read"), "{error}");
}
