import { beforeAll, describe, expect, it } from 'vitest';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import type { SessionEvent } from '../../../src/transcripts/session/session-event.ts';
import { readSession } from '../../../src/transcripts/session/session-format.ts';
import { createMeter } from '../../support/engine.ts';
import { SessionHarness } from './session-harness.ts';

const kindOf = (event: SessionEvent) =>
  event.type === 'message' ? `message of the ${event.message.role}` : event.type;

describe('an answer that cannot be saved', () => {
  let meter: UsageMeter;
  beforeAll(async () => {
    meter = await createMeter();
  });

  /** A session whose disk refuses some lines while it is full. */
  async function onFullDisk(...refused: readonly string[]) {
    const written: SessionEvent[] = [];
    const disk = { isFull: true };
    const harness = await SessionHarness.start(meter, {
      log: (event) => {
        if (disk.isFull && refused.includes(kindOf(event))) return Promise.reject(new Error('no space left'));
        written.push(structuredClone(event));
        return Promise.resolve();
      },
    });
    return { harness, disk, written };
  }

  const entriesOf = (written: readonly SessionEvent[]) =>
    readSession(written.map((event) => JSON.stringify(event))).entries;

  it.each([[['message of the assistant']], [['message of the assistant', 'turn', 'edits', 'partial']]])(
    'is shown, reported, and saved with the next entry (refused writes: %j)',
    async (refused) => {
      const { harness, disk, written } = await onFullDisk(...refused);
      await using _ = harness;
      harness.server.reply({ text: 'A long and valuable answer.', chunks: 3 });
      await harness.session.send('do it');
      expect(harness.view.at(-1)).toEqual(['assistant', 'A long and valuable answer.']);
      expect(harness.session.lastTurn).toMatchObject({ outcome: 'failed', message: 'no space left' });
      expect(harness.session.isBusy).toBe(false);

      disk.isFull = false;
      harness.server.reply({ text: 'Another one.' });
      await harness.session.send('go on');
      expect(entriesOf(written)).toEqual(harness.session.transcript.entries);
      expect(harness.view.map(([, text]) => text)).toEqual([
        'rules',
        'do it',
        'A long and valuable answer.',
        'go on',
        'Another one.',
      ]);
    },
  );

  it('does not fail its turn if only its pieces could not be saved', async () => {
    const { harness, written } = await onFullDisk('partial');
    await using _ = harness;
    harness.server.reply({ text: 'All of it.', chunks: 3 });
    await harness.session.send('do it');
    expect(harness.session.lastTurn).toBeUndefined();
    expect(entriesOf(written)).toHaveLength(3);
  });

  it('does not follow a message that could not be saved', async () => {
    const { harness, written } = await onFullDisk('message of the user');
    await using _ = harness;
    await expect(harness.session.send('do it')).rejects.toThrow('no space left');
    expect(harness.session.transcript.entries).toEqual(entriesOf(written));
  });
});

describe('ids of messages', () => {
  it('continue the highest existing number', async () => {
    await using harness = await SessionHarness.start(await createMeter());
    const message = { role: 'user', content: 'hi', origin: 'person', createdAt: '2026-01-01' } as const;
    const entries = [`m${'9'.repeat(400)}`, 'm7', 'm99999999999999999999'].map((id) => {
      return { type: 'message', message: { ...message, id } } as const;
    });
    harness.open({ title: 'x', entries, tools: [], lastTurn: undefined });
    harness.server.reply({ text: 'one' });
    await harness.session.send('a');
    harness.server.reply({ text: 'two' });
    await harness.session.send('b');
    expect(harness.session.lastTurn).toBeUndefined();
    expect(harness.view.at(-1)).toEqual(['assistant', 'two']);
  });
});
