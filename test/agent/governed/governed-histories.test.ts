import { describe, expect, it } from 'vitest';
import type { SentMessage } from '../../../src/agent/governed/history-change.ts';
import { textOf, toChatMessage } from '../../../src/compaction/messages/message.ts';
import { rewrittenId } from '../../../src/compaction/records/record.ts';
import { readSession } from '../../../src/transcripts/session/session-format.ts';
import { createMeter } from '../../support/engine.ts';
import { textOfTokens } from '../../support/messages.ts';
import { GovernedHarness } from './governed-harness.ts';

const meter = await createMeter();
const rules: SentMessage = { role: 'system', origin: 'harness', content: 'rules' };

function asks(content: string): SentMessage {
  return { role: 'user', origin: 'person', content };
}

function says(content: string): SentMessage {
  return { role: 'assistant', origin: 'model', content };
}

/** A call of a tool with its result. */
function reads(id: string, content: string): readonly SentMessage[] {
  const called = { name: 'read_file', arguments: '{"path":"a.ts"}' };
  return [
    {
      role: 'assistant',
      origin: 'model',
      content: null,
      tool_calls: [{ id, type: 'function', function: called }],
    },
    { role: 'tool', origin: 'tool', tool_call_id: id, content },
  ];
}

/** A history that is too long for the window of the harness. */
const long = [rules, asks('look'), ...reads('a', textOfTokens(3_000)), ...reads('b', textOfTokens(900))];

describe('GovernedHistories', () => {
  it('sends a history as it is while it fits', async () => {
    const client = new GovernedHarness(meter, {});
    const sent = [rules, asks('hello')];
    expect(await client.sends(sent)).toEqual([
      { role: 'system', content: 'rules' },
      { role: 'user', content: 'hello' },
    ]);
  });

  it('compacts a history that is due, and sends the same beginning with every later request', async () => {
    const client = new GovernedHarness(meter, {});
    const compacted = await client.sends(long);
    const next = await client.sends([...long, says('done'), asks('thanks')]);
    expect(client.records).toHaveLength(1);
    expect(next.slice(0, compacted.length)).toEqual(compacted);
  });

  it('takes the reply that the client returns as the recorded one', async () => {
    const client = new GovernedHarness(meter, {});
    const request = await client.take([rules, asks('hello')]);
    await request.replied({ ...says('yes'), usage: { inputTokens: 9, outputTokens: 1 } });
    await client.sends([rules, asks('hello'), says(' yes'), asks('more')]);
    const { entries } = readSession(client.files[0]!.map((line) => JSON.stringify(line)).join('\n'));
    expect(entries.map((entry) => entry.type === 'message' && textOf(entry.message.content))).toEqual([
      'rules',
      'hello',
      'yes',
      'more',
    ]);
  });

  it('records what the client rewrote under the id of the message', async () => {
    const client = new GovernedHarness(meter, {});
    const [call, result] = reads('a', 'line');
    await client.take([rules, asks('look'), call!, result!, says('seen')]);
    await client.take([rules, asks('look'), call!, { ...result!, content: 'cleared' }, says('seen')]);
    expect(client.records).toMatchObject([
      { actualStrategy: rewrittenId, outputs: [{ id: 'm4', content: 'cleared' }] },
    ]);
  });

  it('records the compaction of the client itself', async () => {
    const client = new GovernedHarness(meter, {});
    const turns = [1, 2, 3].flatMap((turn) => [asks(`ask ${turn}`), says(`answer ${turn}`)]);
    await client.take([rules, ...turns]);
    const sent = [rules, asks('so far: two turns'), ...turns.slice(4)];
    expect(await client.sends(sent)).toEqual(sent.map(chat));
    expect(client.records).toMatchObject([
      { actualStrategy: rewrittenId, after: { messages: 4 }, outputs: [{ content: 'so far: two turns' }] },
    ]);
  });

  it('keeps conversations apart that begin alike', async () => {
    const client = new GovernedHarness(meter, {});
    await client.take([rules, asks('one')]);
    await client.take([rules, asks('two')]);
    await client.take([rules, asks('one'), says('1'), asks('and')]);
    expect(client.files.map((lines) => lines.filter(({ type }) => type === 'message').length)).toEqual([
      4, 2,
    ]);
  });

  it('sends the messages again when the client goes back into what was summarised', async () => {
    const client = new GovernedHarness(meter, { strategy: 'llm-summary' });
    const turns = Array.from({ length: 30 }, (_, turn) => [
      asks(`ask ${turn}`),
      says(`answer ${turn} ${textOfTokens(150)}`),
    ]).flat();
    await client.take([rules, ...turns]);
    expect(client.records.map(({ status }) => status)).toEqual(['applied']);
    client.mode = 'off';
    const back = [rules, ...turns.slice(0, 40), asks('instead')];
    expect(await client.sends(back)).toEqual(back.map(chat));
    expect(await client.sends([...back, says('done')])).toEqual([...back, says('done')].map(chat));
    expect(client.files).toHaveLength(1);
  });

  it('widens a chosen window that instructions and tools fill, so that the newest result stays', async () => {
    const description = textOfTokens(5_000);
    const tools = [
      { type: 'function', function: { name: 'read_file', description, parameters: {} } },
    ] as const;
    const client = new GovernedHarness(meter, { tools, isWindowChosen: true });
    const newest = reads('c', textOfTokens(1_000));
    await client.take(long);
    const view = await client.sends([...long, ...newest]);
    expect(view.slice(-2)).toEqual(newest.map(chat));
    expect(client.widened).toEqual([expect.closeTo(10_060, -2)]);
  });

  it('sends the messages of an undone compaction again, until the user compacts', async () => {
    const client = new GovernedHarness(meter, { window: 5_000 });
    await client.take(long);
    const conversation = client.histories.find('conversation-1');
    await conversation?.undo('c1');
    const sent = [...long, says('done'), asks('thanks')];
    expect(await client.sends(sent)).toEqual(sent.map(chat));
  });

  it('sends the history unchanged if nothing can be recorded or compacted', async () => {
    const client = new GovernedHarness(meter, {
      log: () => Promise.reject(new Error('disk full')),
      models: () => Promise.reject(new Error('no model')),
    });
    expect(await client.sends(long)).toEqual(long.map(chat));
    expect(client.warnings).not.toEqual([]);
  });

  it('compacts once more when the endpoint refuses the request as too long', async () => {
    const client = new GovernedHarness(meter, { window: 100_000 });
    const request = await client.take(long);
    const overflow = { limit: 3_000, actual: 4_000 };
    const again = await request.recover(overflow, new AbortController().signal);
    expect(again?.view).not.toEqual(request.view);
    expect(client.records.at(-1)).toMatchObject({ status: 'applied', trigger: { source: 'overflow' } });
  });
});

function chat(message: SentMessage) {
  return toChatMessage({ ...message, id: '', createdAt: '' });
}
