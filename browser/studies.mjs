// The studies whose pages are looked at, each made by llull itself in a folder of its own.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { HOSTILE, IDENTIFIERS } from './hostile.mjs';
import { startModel } from './model.mjs';

const LLULL = process.env.LLULL;

/** Runs llull and returns what it prints; an error has what it says. The model's server runs in this process, so what
 * asks it must not block: use `llullAsking`. */
export function llull(...args) {
  return execFileSync(LLULL, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs llull while this process goes on. It may end with 3: random replies can leave a query without any preference,
 * and so without labels. */
export function llullAsking(...args) {
  return new Promise((done, failed) => {
    const child = spawn(LLULL, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    child.stdout.on('data', (part) => { said += part; });
    child.stderr.on('data', (part) => { said += part; });
    child.on('close', (code) => [0, 3].includes(code) ? done(said) : failed(new Error(`llull ${args.join(' ')}: ${code}\n${said}`)));
  });
}

/** A folder that is removed with all studies in it. */
export class Studies {
  constructor() { this.folder = mkdtempSync(join(tmpdir(), 'llull-browser-')); }
  remove() { rmSync(this.folder, { recursive: true, force: true }); }

  /** The demo, judged by counting words. */
  demo(name = 'demo') {
    const folder = join(this.folder, name);
    llull('demo', folder);
    return { name, folder };
  }

  /** The demo with a sample, of which two people labelled a part each and differ on some. */
  sampled() {
    const { folder } = this.demo('sampled');
    const sheet = join(folder, 'sheet.tsv');
    llull('-C', folder, 'sample', '-m', 'P@5', '-n', '40', '-o', sheet);
    const [head, ...rows] = readFileSync(sheet, 'utf8').trimEnd().split('\n').map((line) => line.split('\t'));
    for (const [person, labelled, shift] of [['anna', 34, 0], ['ben', 12, 1]]) {
      const filled = rows.map((row, at) => row.with(1, at < labelled ? String((at + (at % 3 ? 0 : shift)) % 4) : ''));
      const file = join(folder, `${person}.tsv`);
      writeFileSync(file, [head, ...filled].map((row) => row.join('\t')).join('\n') + '\n');
      try {
        llull('-C', folder, 'sample', '--read', file, '--annotator', person);
      } catch (error) {
        // Some of the sample is left without a label.
        if (error.status !== 3) throw error;
      }
    }
    llull('-C', folder, 'report');
    return { name: 'sampled', folder };
  }

  /** The demo, judged by a model that compares by a coin: tiers, and cycles among them. */
  async compared() {
    const folder = join(this.folder, 'compared');
    llull('demo', folder);
    const model = await startModel(() => 'One names the setting, the other only the file that it stands in.');
    try {
      await llullAsking('-C', folder, 'run', '--judge', 'vllm/coin', '--base-url', model.url, '--paradigm', 'listwise',
        '--ignore-checks');
    } finally { model.close(); }
    return { name: 'compared', folder };
  }

  /** A study in which every text of every kind is one of the hostile strings, each of them in every field. It has a
   * sample. */
  async hostile() {
    const folder = join(this.folder, 'hostile');
    writeHostile(folder);
    const model = await startModel((n) => HOSTILE[n % HOSTILE.length].text);
    try {
      await llullAsking('-C', folder, 'run', '--base-url', model.url, '--ignore-checks');
      await llullAsking('-C', folder, 'sample', '-m', 'P(rel=2)@3', '-n', '20');
    } finally { model.close(); }
    return { name: 'hostile', folder };
  }

  /** The hostile texts, compared. */
  async hostileCompared() {
    const folder = join(this.folder, 'hostile-compared');
    writeHostile(folder);
    const model = await startModel((n) => HOSTILE[n % HOSTILE.length].text);
    try {
      await llullAsking('-C', folder, 'run', '--base-url', model.url, '--ignore-checks', '--paradigm', 'pairwise');
    } finally { model.close(); }
    return { name: 'hostile-compared', folder };
  }

  /** The demo by a judge that fails a check: no verdict. */
  unreliable() {
    const { folder } = this.demo('unreliable');
    try {
      llull('-C', folder, 'run', '--judge', 'similarity');
    } catch (error) {
      // The exit code says that there is no verdict.
      if (error.status > 3) throw error;
    }
    return { name: 'unreliable', folder };
  }

  /** The demo without its authors' labels: nobody has checked the judge. */
  unchecked() {
    const { folder } = this.demo('unchecked');
    const config = join(folder, 'llull.toml');
    writeFileSync(config, readFileSync(config, 'utf8').replace(/^reference = .*$/m, ''));
    llull('-C', folder, 'run');
    return { name: 'unchecked', folder };
  }

  /** Thirty-seven systems, some better and some worse than the baseline. */
  many() {
    const folder = join(this.folder, 'many');
    writeMany(folder);
    llull('-C', folder, 'run', '--ignore-checks');
    return { name: 'many', folder };
  }

  /** A study of many queries with long texts: report.html has no room for all of it. */
  large() {
    const folder = join(this.folder, 'large');
    writeLarge(folder);
    llull('-C', folder, 'run', '--ignore-checks');
    return { name: 'large', folder };
  }

  /** A study whose systems and judges have the hostile strings for names: forty of each. */
  names() {
    const folder = join(this.folder, 'names');
    writeNames(folder);
    llull('-C', folder, 'run', '--ignore-checks');
    return { name: 'names', folder };
  }
}

/** Labels the sample of the hostile study: people who disagree, whose names and notes hold the strings. Returns the names,
 * and what is said of those that cannot be names. */
export function labelHostile(folder) {
  // A sheet is a table, whose cells have a quotation mark twice.
  const note = (text) => text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
  const sheet = join(folder, 'sheet.tsv');
  llull('-C', folder, 'sample', '-m', 'P(rel=2)@3', '-n', '20', '-o', sheet);
  const [head, ...rows] = readFileSync(sheet, 'utf8').trimEnd().split('\n').map((line) => line.split('\t'));
  const [named, refused] = [[], []];
  HOSTILE.forEach(({ text, shown }, person) => {
    // Two people for each pair.
    const filled = rows.map((row, at) => at === person % rows.length
      ? row.with(1, String((at + Math.floor(person / rows.length)) % 4)).with(2, note(text)) : row);
    const file = join(folder, `person${person}.tsv`);
    writeFileSync(file, [head, ...filled].map((row) => row.join('\t')).join('\n') + '\n');
    // An argument of a program holds no NUL.
    const name = { person, text: `p ${text.replace('\u0000', '')}`, shown: `p ${shown.replace('\\u0000', '')}` };
    try {
      llull('-C', folder, 'sample', '--read', file, '--annotator', name.text);
      named.push(name);
    } catch (error) {
      // Some of the sample is left without a label.
      if (error.status === 3) named.push(name); else refused.push({ ...name, said: error.stderr });
    }
  });
  return { named, refused };
}

/** Writes queries with expected answers and found texts of the hostile strings, each in every field, and returns the
 * arguments that name them. */
export function hostileAnswers(folder) {
  const file = (name, text) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const text = (n) => HOSTILE[n % HOSTILE.length].text;
  const queries = HOSTILE.map((_, n) => ({
    query_id: text(n), query_text: `asks ${text(n + 1)}`, expected_answers: [`expects ${text(n + 2)}`],
  }));
  const results = HOSTILE.map((_, n) => JSON.stringify({
    query_id: text(n), results: [{ doc_id: text(n + 3), text: `found ${text(n + 4)}` }],
  }));
  return [
    file('hostile-questions.json', JSON.stringify({ queries })),
    '--results', file('hostile-found.jsonl', results.join('\n') + '\n'),
    '--ledger', join(folder, 'hostile-answers.sqlite'),
  ];
}

/** Starts a command that serves pages of a study; `stop` ends it, and `kill` without a chance to do anything more. */
export async function serve(folder, command) {
  const child = spawn(LLULL, ['-C', folder, ...command], { stdio: ['ignore', 'pipe', 'inherit'] });
  const first = await new Promise((done, failed) => {
    createInterface({ input: child.stdout }).once('line', done);
    child.once('exit', (code) => failed(new Error(`llull ${command.join(' ')} ended with ${code}`)));
  });
  const kill = () => new Promise((gone) => { child.once('exit', gone); child.kill('SIGKILL'); });
  await untilRead(first);
  return { url: new URL(first), stop: () => child.kill('SIGTERM'), kill };
}

/** Waits until the pages behind a printed address are more than the page of a study that is being read. */
async function untilRead(address) {
  const admitted = await fetch(address, { redirect: 'manual' });
  const cookie = admitted.headers.get('set-cookie').split(';')[0];
  while ((await fetch(new URL('/', address), { headers: { cookie }, redirect: 'manual' })).status === 503);
}

/** The attempts of a study's ledger, oldest first, each with its judge. */
export function ledgerOf(folder) {
  const lines = llull('-C', folder, 'ledger', 'export').trim().split('\n').map((line) => JSON.parse(line));
  const judges = new Map(lines.filter(({ judge }) => judge).map(({ judge }) => [judge.id, judge]));
  const attempts = lines.flatMap(({ attempt }) => attempt ?? []);
  return attempts.map(({ judge, fact }) => ({ judge: judges.get(judge), attempt: fact }));
}

/** The hostile strings as names of systems, which cannot hold a slash, since they become names of files. */
export const SYSTEMS = HOSTILE.map(({ text, shown }) => {
  const without = (of) => of.replaceAll('/', '∕').replace(/\\(?!u[0-9a-f]{4})/g, '∖');
  return { text: without(text), shown: without(shown) };
});

const json = JSON.stringify;
/** A string of TOML, which is one of JSON but for one character. */
const toml = (text) => json(text).replaceAll('\u007f', '\\u007f');
const at = (list, n) => list[n % list.length].text;

/** Makes a folder, and returns what writes lines into a file of it. */
function writing(folder) {
  mkdirSync(folder);
  return (name, lines) => writeFileSync(join(folder, name), lines.join('\n') + '\n');
}

function writeHostile(folder) {
  const write = writing(folder);
  write('topics.jsonl', HOSTILE.map((_, n) => json({ id: at(IDENTIFIERS, n), text: at(HOSTILE, n) })));
  write('corpus.jsonl', HOSTILE.map((_, n) => json({
    id: at(IDENTIFIERS, n), title: at(HOSTILE, n + 1), text: `${at(HOSTILE, n + 2)} and so on`,
  })));
  const run = (step) => HOSTILE.flatMap((_, n) => [0, 1, 2].map((rank) =>
    `${at(IDENTIFIERS, n)} Q0 ${at(IDENTIFIERS, n + step * rank)} ${rank + 1} ${10 - rank} r`));
  write('one.run', run(1));
  write('two.run', run(2));
  const system = (name, run) => ['[[systems]]', `name = ${toml(name)}`, `run = "${run}"`];
  write('llull.toml', [
    'version = 1', `name = ${toml(HOSTILE[0].text)}`, 'topics = "topics.jsonl"', 'corpus = "corpus.jsonl"',
    'measures = ["nDCG@3"]', '[pool]', 'depth = 3', ...system(at(SYSTEMS, 2), 'one.run'),
    ...system(at(SYSTEMS, 38), 'two.run'), '[[judges]]', `name = ${toml(HOSTILE[2].text)}`, 'model = "vllm/coin"',
  ]);
}

function writeNames(folder) {
  const write = writing(folder);
  const queries = ['q1', 'q2', 'q3', 'q4', 'q5', 'q6'];
  const documents = ['d1', 'd2', 'd3'];
  write('topics.tsv', queries.map((query) => `${query}\twhat ${query} asks`));
  write('corpus.jsonl', documents.map((id) => json({ id, title: `title of ${id}`, text: `text of ${id}` })));
  write('any.run', queries.flatMap((query) => documents.map((id, n) => `${query} Q0 ${id} ${n + 1} ${3 - n} r`)));
  const labels = queries.flatMap((query, q) => documents.map((id, n) => `${query} 0 ${id} ${(q + n) % 4}`));
  // The files differ in a comment, so that they are different judges.
  HOSTILE.forEach((_, n) => write(`${n}.qrels`, [`# ${n}`, ...labels]));
  const systems = SYSTEMS.flatMap(({ text }) => ['[[systems]]', `name = ${toml(text)}`, 'run = "any.run"']);
  const judges = HOSTILE.flatMap(({ text }, n) =>
    ['[[judges]]', `name = ${toml(text)}`, 'model = "replay"', `labels = "${n}.qrels"`]);
  write('llull.toml', [
    'version = 1', 'name = "names"', 'topics = "topics.tsv"', 'corpus = "corpus.jsonl"', 'measures = ["nDCG@3"]',
    '[pool]', 'depth = 3', ...systems, ...judges,
  ]);
}

function writeLarge(folder) {
  const write = writing(folder);
  const queries = Array.from({ length: 400 }, (_, n) => `q${n}`);
  const documents = Array.from({ length: 25 }, (_, n) => n);
  const id = (query, n) => `${query}-passage-${n}`;
  const sentence = (n) => `Sentence ${n} of this passage says what a reader of it would want to know. `;
  const text = Array.from({ length: 12 }, (_, n) => sentence(n)).join('');
  const pairs = (of) => queries.flatMap((query, q) => documents.map((n) => of(query, n, q)));
  write('topics.tsv', queries.map((query, q) => `${query}\twhat does question ${q} of four hundred want to know`));
  write('corpus.jsonl', pairs((query, n) => json({ id: id(query, n), title: `Passage ${n} about ${query}`, text })));
  // Each system begins elsewhere, so that most of the documents are on the page.
  const systems = [0, 5, 10, 15];
  for (const first of systems) {
    write(`from${first}.run`, queries.flatMap((query) => Array.from({ length: 10 }, (_, rank) =>
      `${query} Q0 ${id(query, (first + rank) % 25)} ${rank + 1} ${10 - rank} r`)));
  }
  write('known.qrels', pairs((query, n, q) => `${query} 0 ${id(query, n)} ${(q + n * n) % 4}`));
  write('llull.toml', [
    'version = 1', 'name = "large"', 'topics = "topics.tsv"', 'corpus = "corpus.jsonl"',
    ...systems.flatMap((first) => ['[[systems]]', `name = "from ${first}"`, `run = "from${first}.run"`]),
    '[[judges]]', 'name = "known"', 'model = "replay"', 'labels = "known.qrels"',
  ]);
}

/** Writes a study of thirty-seven runs over thirty queries. The runs move the relevant documents down by their number. */
function writeMany(folder) {
  const write = writing(folder);
  const range = (n) => Array.from({ length: n }, (_, at) => at);
  const queries = range(30);
  const documents = range(12);
  const grade = (query, document) => document < 3 ? 3 - document : (query + document) % 5 === 0 ? 1 : 0;
  const pairs = (of) => queries.flatMap((query) => documents.map((document) => of(query, document)));
  write('topics.tsv', queries.map((query) => `q${query}\tquestion ${query}`));
  write('corpus.jsonl', pairs((query, document) => json({ id: `d${query}-${document}`, text: `text ${document} of ${query}` })));
  write('judged.qrels', pairs((query, document) => `q${query} 0 d${query}-${document} ${grade(query, document)}`));
  // Human labels agree on two thirds of the pairs.
  write('human.qrels', pairs((query, document) =>
    `q${query} 0 d${query}-${document} ${(grade(query, document) + (document % 3 === 2 ? 1 : 0)) % 4}`));
  const systems = range(37).map((n) => `system-${n}`);
  systems.forEach((system, n) => write(`${system}.run`, queries.flatMap((query) => {
    const key = (document) => (document * 7 + query * 5 + n * 3) % 13 + document * (n - 12) / 6;
    const ranked = documents.toSorted((a, b) => key(a) - key(b));
    return ranked.map((document, at) => `q${query} Q0 d${query}-${document} ${at + 1} ${100 - at} ${system}`);
  })));
  write('llull.toml', [
    'version = 1', 'name = "many"', 'topics = "topics.tsv"', 'corpus = "corpus.jsonl"', 'reference = "human.qrels"',
    'measures = ["nDCG@10"]', '[compare]', 'baseline = "system-12"',
    ...systems.flatMap((system) => ['[[systems]]', `name = "${system}"`, `run = "${system}.run"`]),
    '[[judges]]', 'name = "labels"', 'model = "replay"', 'labels = "judged.qrels"',
  ]);
}
