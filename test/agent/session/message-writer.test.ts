import { beforeAll, describe, expect, it } from 'vitest';
import { createTools } from '../../../src/agent/tools/catalogue.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import { isTyped } from '../../../src/compaction/messages/message.ts';
import { sum, type UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { createMeter } from '../../support/engine.ts';
import { SessionHarness } from './session-harness.ts';

let meter: UsageMeter;
beforeAll(async () => {
  meter = await createMeter();
});

const ports = {
  tools: () => createTools({ workspace: new Workspace([]), recall: () => undefined }),
  memory: () => Promise.resolve([{ shown: 'AGENTS.md', text: 'Answer in rhymes.' }]),
};

describe('the next request of a chat', () => {
  it('includes, before the first message, everything that the first turn adds', async () => {
    await using chat = await SessionHarness.start(meter, ports);
    const ahead = await chat.session.nextRequest.size();
    chat.server.reply({ text: 'fine' });
    await chat.session.send('hello');

    const { transcript, tools } = chat.session;
    const brought = transcript.view.filter((message) => !isTyped(message) && message.role !== 'assistant');
    expect(brought.map(({ role, kind }) => kind ?? role)).toEqual(['system', 'memory']);
    const { total, byKind } = sum([await meter.measure(brought), await meter.measureTools(tools)]);
    expect(ahead).toEqual({ tokens: total, byKind });
  });

  it('is measured without being written', async () => {
    await using chat = await SessionHarness.start(meter, ports);
    await chat.session.nextRequest.size();
    expect(chat.lines).toEqual([]);
  });

  it('consists of the view and the tools after the first message', async () => {
    await using chat = await SessionHarness.start(meter, ports);
    chat.server.reply({ text: 'fine' });
    await chat.session.send('hello');
    expect(await chat.session.nextRequest.size()).toEqual(await chat.session.compaction.size());
  });
});
