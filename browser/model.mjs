// A model behind a server that speaks OpenAI's chat completions. It answers any question in the form that is asked
// for, by a hash of the question: a coin, so that comparisons run in cycles. What it writes of its reasons is `says`.

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

/** Starts it on a port of its own; `close` ends it. `says(n)` is the rationale of the n-th answer. The n-th request
 * waits for `until(n)`, and of `each` requests the first fails. */
export async function startModel(says, { until = () => {}, each = 0 } = {}) {
  let [asked, requests] = [0, 0];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const number = requests++;
    await until(number);
    if (each > 0 && number % each === 0) {
      response.statusCode = 500;
      response.end('it failed');
      return;
    }
    const question = JSON.parse(body || '{}');
    const schema = question.response_format?.json_schema?.schema;
    const content = schema ? JSON.stringify(answer(schema, JSON.stringify(question.messages), says(asked++))) : 'OK';
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({
      id: 'x', object: 'chat.completion', created: 0, model: question.model ?? 'm',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
      usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
    }));
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return { url: `http://127.0.0.1:${server.address().port}/v1`, close: () => server.close() };
}

function answer(schema, question, reason) {
  const coin = (of) => createHash('sha256').update(`${of} ${question}`).digest().readUInt32BE();
  const value = (name, form) => {
    if (name === 'ranking') return places(form.items.items?.enum ?? form.items.enum, form.items.items, coin);
    if (form.enum) return form.enum[coin(name) % form.enum.length];
    if (form.type === 'array') return name.startsWith('facets') ? [reason] : [];
    if (form.type === 'integer' || form.type === 'number') return (form.minimum ?? 0) + (coin(name) % 2);
    if (form.type === 'object') return answer(form, question, reason);
    return reason;
  };
  return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, form]) => [name, value(name, form)]));
}

/** The labels in the order of a coin, as a list of places where places are asked for. */
function places(labels, inPlaces, coin) {
  const order = [...labels].sort((a, b) => coin(a) - coin(b));
  return inPlaces?.enum ? order.map((label) => [label]) : order;
}
