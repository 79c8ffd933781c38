import { describe, expect, it } from 'vitest';
import { lastSaid, setPinned } from '../../src/agent/pins.ts';
import type { Message } from '../../src/compaction/message.ts';
import type { CompactionHost } from '../../src/compaction/service-ports.ts';
import { append, transcriptOf, type Transcript } from '../../src/compaction/transcript.ts';
import type { TranscriptEntry } from '../../src/compaction/transcript-entry.ts';
import { called, entriesOf, result, said, system, typed } from '../support/messages.ts';
import { recordWith } from '../support/records.ts';

const now = '2026-01-01T00:00:00.000Z';

class HostInMemory implements CompactionHost {
  transcript: Transcript;
  readonly tools = [];

  constructor(entries: readonly TranscriptEntry[]) {
    this.transcript = transcriptOf(entries);
  }

  append(entry: TranscriptEntry): Promise<void> {
    this.transcript = append(this.transcript, entry);
    return Promise.resolve();
  }
}

const messages = [system('m1', 'rules'), typed('m2', 'go'), said('m3', 'done')];

describe('setPinned', () => {
  it('pins and takes pins away', async () => {
    const host = new HostInMemory(entriesOf(messages));
    expect(await setPinned(host, ['m2', 'm3'], true, now)).toEqual(['m2', 'm3']);
    expect(host.transcript.pins).toEqual(new Set(['m2', 'm3']));
    expect(await setPinned(host, ['m2'], false, now)).toEqual(['m2']);
    expect(host.transcript.pins).toEqual(new Set(['m3']));
  });

  it('writes down only what changes, and nothing where nothing does', async () => {
    const host = new HostInMemory(entriesOf(messages));
    await setPinned(host, ['m2'], true, now);
    expect(await setPinned(host, ['m2', 'm3', 'm3'], true, now)).toEqual(['m3']);
    expect(await setPinned(host, ['m1'], false, now)).toEqual([]);
    expect(host.transcript.entries.slice(messages.length)).toEqual([
      { type: 'pin', createdAt: now, messageIds: ['m2'], pinned: true },
      { type: 'pin', createdAt: now, messageIds: ['m3'], pinned: true },
    ]);
  });

  it.each(['m9', 'c1'])('refuses %s, which is no message, and pins nothing', async (id) => {
    const host = new HostInMemory([
      ...entriesOf(messages),
      { type: 'compaction', record: recordWith('c1', [], []) },
    ]);
    await expect(setPinned(host, ['m2', id], true, now)).rejects.toThrow(
      `The transcript has no message ${id}.`,
    );
    expect(host.transcript.pins.size).toBe(0);
  });
});

describe('the last thing said', () => {
  const lastOf = (...more: readonly Message[]) => lastSaid(transcriptOf(entriesOf([...messages, ...more])));

  it('is an answer, or what a person typed', () => {
    expect(lastOf()).toBe('m3');
    expect(lastOf(typed('m4', 'and now?'))).toBe('m4');
  });

  it('is no call without a word, and no result', () => {
    expect(lastOf(called('m4', ['a', 'read_file']), result('m5', 'a', 'text'))).toBe('m3');
  });

  it('is nothing where nothing was said', () => {
    expect(lastSaid(transcriptOf(entriesOf([system('m1', 'rules')])))).toBeUndefined();
  });
});
