import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ActionPorts, Actions } from '../../../src/extension/commands/actions.ts';
import { hostSentences } from '../../../src/language/english/host-english.ts';
import { SentenceError } from '../../../src/language/sentence.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { createMeter } from '../../support/engine.ts';
import { textOfTokens } from '../../support/messages.ts';
import { choices, notices } from '../../support/editor/vscode-window.ts';
import { HubWindow } from '../sessions/hub-window.ts';

vi.mock('vscode', () => import('../../support/editor/vscode-window.ts'));

let meter: UsageMeter;
let storage: string;
let window: HubWindow;
let actions: Actions;
const logged: string[] = [];

beforeAll(async () => {
  meter = await createMeter();
});
beforeEach(async () => {
  storage = await mkdtemp(join(tmpdir(), 'actions-'));
  for (const list of [logged, notices]) list.length = 0;
  window = new HubWindow(storage, meter);
  const log = { error: (line: string) => void logged.push(line) };
  actions = new Actions({ hub: window.hub, log } as unknown as ActionPorts);
  return async () => {
    await window.hub.close();
    await rm(storage, { recursive: true, maxRetries: 5 });
  };
});

const hide = (id: string) => actions.handlers.hide({ type: 'hide', selection: { messageIds: [id] } });

describe("the user's actions", () => {
  it('compact nothing in an empty chat, and say so', async () => {
    await actions.compactNow();
    expect(notices).toEqual(['There is nothing to compact yet.']);
  });

  it('say why a compaction changed nothing', async () => {
    await window.say('What is a ledger?');
    await actions.compactNow();
    expect(notices).toEqual([expect.stringMatching(/^Nothing was compacted\. \S/)]);
  });

  it('undo nothing without a compaction', async () => {
    await window.say('What is a ledger?');
    await actions.undo();
    expect(notices).toEqual(['There is no compaction to undo in this chat.']);
  });

  it('pin a message of the chat', async () => {
    await window.say('Keep this.');
    const { session } = await window.hub.current();
    const { id } = session.transcript.view.find(({ role }) => role === 'user')!;
    await actions.pin(id, true);
    expect([...session.transcript.pins]).toEqual([id]);
    await actions.pin(id, false);
    expect([...session.transcript.pins]).toEqual([]);
  });

  it('hide messages after a question that shows the price, and show them again', async () => {
    await window.say(`Read this. ${textOfTokens(300)}`);
    await window.say('And now?');
    const { session } = await window.hub.current();
    const { id } = session.transcript.view.find(({ role }) => role === 'assistant')!;
    await hide(id);
    expect(notices).toEqual(['Hide 1 message from the context?']);
    expect(session.transcript.view.map((message) => message.id)).toContain(id);
    choices.push('Hide');
    await hide(id);
    expect(session.transcript.view.map((message) => message.id)).not.toContain(id);
    await actions.handlers.show({ type: 'show', messageIds: [id] });
    expect(session.transcript.view.map((message) => message.id)).toContain(id);
  });

  it('ask only once if the user hides a message twice at once', async () => {
    await window.say('Read this.');
    await window.say('And now?');
    const { session } = await window.hub.current();
    const { id } = session.transcript.view.find(({ role }) => role === 'assistant')!;
    await Promise.all([hide(id), hide(id)]);
    expect(notices).toEqual(['Hide 1 message from the context?']);
    await hide(id);
    expect(notices).toHaveLength(2);
  });

  it('explain the protection of a message, and unpin it on request', async () => {
    await window.say('Read this.');
    await window.say('And now?');
    const { session } = await window.hub.current();
    const { id } = session.transcript.view.find(({ role }) => role === 'assistant')!;
    await actions.pin(id, true);
    choices.push('Unpin and Hide', 'Hide');
    await hide(id);
    expect(notices).toEqual([
      expect.stringMatching(/^“.+” is protected\.$/),
      'Hide 1 message from the context?',
    ]);
    expect(session.transcript.pins.has(id)).toBe(false);
    expect(session.transcript.view.map((message) => message.id)).not.toContain(id);
  });

  it('refuse to continue from the newest message', async () => {
    await window.say('Read this.');
    const { session } = await window.hub.current();
    await actions.handlers.rewind({ type: 'rewind', messageId: session.transcript.view.at(-1)!.id });
    expect(notices).toEqual(['Nothing in the context comes after this message.']);
  });

  it('show failures, and write them to the log', () => {
    actions.report(new SentenceError(hostSentences.say('nothingToExport')));
    expect(notices).toEqual(['Context Budget: There is nothing to export yet.']);
    expect(logged).toEqual([expect.stringContaining('actions.test.ts')]);
  });
});
