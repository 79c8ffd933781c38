import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelRequestOf } from '../../../src/agent/model/chat-model.ts';
import { standardDialect, type Dialect } from '../../../src/agent/openai/dialect.ts';
import { requestBody, responsesBody } from '../../../src/agent/openai/request-body.ts';
import { createTools } from '../../../src/agent/tools/catalogue.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { createMeter } from '../../support/engine.ts';
import { histories } from '../../support/histories.ts';
import { SessionHarness, settingsFor } from '../session/session-harness.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';
import type { RequestBody } from './scripted-reply.ts';

/**
 * Providers cache a request from its beginning: tools, then messages. The beginning that a request shares
 * with the previous one, byte for byte, costs less.
 */

const reasoner = { endpoint: 'https://models.example/v1', model: 'thinker' };

/** A message in the form of a reasoning provider. */
function reasoned(message: Message, index: number): Message {
  if (message.role !== 'assistant') return message;
  const item =
    index % 2 === 0
      ? { type: 'text', field: 'reasoning_content' }
      : { type: 'reasoning', summary: [], encrypted_content: `sealed ${index}` };
  return {
    ...message,
    reasoning: `thought ${index}`,
    reasoningItems: { ...reasoner, items: [item] },
  };
}

const views = histories.map(({ messages }) => messages.map(reasoned));
const dialects = fc
  .constantFrom<Dialect['reasoning']>('returned', 'refused', 'demanded')
  .map((reasoning): Dialect => ({ ...standardDialect, reasoning }));
const apis = fc.constantFrom(
  (view: readonly Message[], dialect: Dialect) =>
    requestBody(modelRequestOf(view, []), reasoner, dialect)['messages'],
  (view: readonly Message[], dialect: Dialect) =>
    responsesBody(modelRequestOf(view, []), reasoner, dialect)['input'],
);

/** The bytes of a list without its end, where another request may continue. */
const open = (list: unknown) => JSON.stringify(list).slice(0, -1);

describe('a request', () => {
  it('begins with the whole previous request, however many turns have begun since', () => {
    fc.assert(
      fc.property(views, dialects, apis, fc.nat(), (view, dialect, written, cut) => {
        const before = open(written(view.slice(0, cut % (view.length + 1)), dialect));
        expect(open(written(view, dialect)).startsWith(before)).toBe(true);
      }),
    );
  });

  it('shares everything before the first changed message', () => {
    fc.assert(
      fc.property(views, dialects, apis, fc.nat(), (view, dialect, written, seed) => {
        const at = seed % view.length;
        const changed = view.map((message, index) =>
          index === at ? { ...message, content: 'something else' } : message,
        );
        const common = open(written(view.slice(0, at), dialect));
        expect(open(written(changed, dialect)).startsWith(common)).toBe(true);
      }),
    );
  });
});

describe('a whole session', () => {
  /** Number of leading messages that two requests share. */
  const alike = (before: RequestBody, next: RequestBody) => {
    const first = before.messages.findIndex(
      (message, index) => JSON.stringify(message) !== JSON.stringify(next.messages[index]),
    );
    return first < 0 ? before.messages.length : first;
  };

  it('sends requests that each continue the previous one, unless the view was changed', async () => {
    await using workspace = await TemporaryWorkspace.create({ 'a.ts': 'line\n'.repeat(400), 'b.ts': 'b' });
    const meter = await createMeter();
    const tools = createTools({ workspace: new Workspace([workspace.path]), recall: () => undefined });
    const hiding = settingsFor();
    const settings = { ...hiding, options: { ...hiding.options, preserveRecentGroups: 1 } };
    await using harness = await SessionHarness.start(meter, {
      tools: () => tools,
      settings: () => settings,
    });
    const { server, session } = harness;
    const read = (path: string) => ({
      reasoning: `I want to see ${path}.`,
      toolCalls: [{ name: 'read_file', arguments: { path } }],
    });
    const answer = { reasoning: 'That is all.', text: 'Done.' };

    server.reply(read('a.ts'), read('b.ts'), answer, read('b.ts'), answer);
    await session.send('Look at both.');
    await session.send('And again.');
    const untouched = server.requests.length;

    server.reply(answer, answer, answer);
    const { id: record, actions } = await session.compactNow();
    await session.send('What did you see?');
    await session.undo(record);
    await session.send('And now?');
    const bodies = server.requests.map(({ body }) => body);
    expect(bodies).toHaveLength(untouched + 2);

    for (const [index, body] of bodies.entries()) {
      const before = bodies[index - 1];
      if (before === undefined) continue;
      expect(JSON.stringify(body.tools)).toBe(JSON.stringify(before.tools));
      if (index < untouched) expect(alike(before, body)).toBe(before.messages.length);
    }
    const [last, compacted, restored] = bodies.slice(-3);
    if (last === undefined || compacted === undefined || restored === undefined) {
      throw new Error('There are too few requests.');
    }
    const touched = new Set(actions.flatMap(({ kind, sourceIds }) => (kind === 'keep' ? [] : sourceIds)));
    const firstChange = session.transcript.view.findIndex(({ id }) => touched.has(id));
    expect(firstChange).toBeGreaterThan(0);
    expect(alike(last, compacted)).toBe(firstChange);
    expect(alike(compacted, restored)).toBe(firstChange);
    // After the undo the provider may still have the request from before the compaction.
    expect(alike(last, restored)).toBe(last.messages.length);
  });
});
