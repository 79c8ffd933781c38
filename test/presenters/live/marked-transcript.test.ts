import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import type { MarkEntry, TranscriptEntry } from '../../../src/compaction/transcript/transcript-entry.ts';
import { messagesOf, transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import { factsOfModel } from '../../../src/compaction/budget/model-table.ts';
import { LiveSession } from '../../../src/presenters/live/live-session.ts';
import { MarkedTranscript } from '../../../src/presenters/live/marked-transcript.ts';
import { readerOf } from '../../../src/presenters/live/session-reader.ts';
import { markFile } from '../../../src/presenters/storage/mark-file.ts';
import { claudeCodeSession } from '../../support/claude-code-session.ts';
import { createMeter } from '../../support/engine.ts';
import { entriesOf, typed } from '../../support/messages.ts';

const mark = (sentence: string, as?: MarkEntry['as'], messageIds: readonly string[] = []): MarkEntry => ({
  type: 'mark',
  createdAt: '2026-01-01T00:00:00.000Z',
  messageIds,
  sentence,
  ...(as === undefined ? {} : { as }),
});

describe('a transcript with marks', () => {
  it('is extended, not read again, while its file and its marks grow', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('message', 'mark', 'look'), { maxLength: 20 }), (steps) => {
        const marked = new MarkedTranscript();
        let bare: readonly TranscriptEntry[] = [];
        let before: readonly TranscriptEntry[] = [];
        let marks = 0;
        for (const [index, step] of steps.entries()) {
          if (step === 'message') bare = [...bare, ...entriesOf([typed(`m${index}`, `Go on ${index}.`)])];
          if (step === 'mark') {
            marked.add(mark(`Go on ${index}.`, 'rule'));
            marks++;
          }
          const { entries } = marked.of(transcriptOf(bare));
          expect(entries.slice(0, before.length)).toEqual(before);
          expect(entries).toHaveLength(bare.length + marks);
          before = entries;
        }
      }),
    );
  });

  it('keeps a mark on the remaining messages if others were removed', () => {
    const marked = new MarkedTranscript();
    marked.add(mark('Use tabs.', 'rule', ['m1', 'm9']));
    const shown = marked.of(transcriptOf(entriesOf([typed('m1', 'Use tabs.')])));
    expect(extractLedger(messagesOf(shown)).marked).toEqual([{ text: 'Use tabs.', as: 'rule' }]);
  });
});

describe('the marks in a session of another agent', () => {
  let folder: string;
  let path: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'marks-'));
    path = join(folder, 'session.jsonl');
    await writeFile(path, claudeCodeSession);
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function open() {
    const meter = await createMeter();
    return LiveSession.open(
      {
        meterOf: () => meter,
        budget: () => ({ window: 10_000, triggerRatio: 0.85, targetRatio: 0.5 }),
        factsOf: (model) => factsOfModel(model),
        reader: readerOf({ path }),
        name: 'name',
        marks: markFile(join(folder, 'state'), path),
        failed: () => {},
      },
      new AbortController().signal,
    );
  }

  it('are stored next to the session, announced, and kept when it is opened again', async () => {
    const live = await open();
    let told = 0;
    live.follow(() => told++);
    const [sentence = ''] = extractLedger(messagesOf(live.transcript)).requests;
    expect(await live.mark?.({ sentence, as: 'done' })).toBe(true);
    expect(told).toBeGreaterThan(0);
    live.dispose();
    const again = await open();
    const { marked, requests } = extractLedger(messagesOf(again.transcript));
    again.dispose();
    expect(marked).toEqual([{ text: sentence, as: 'done' }]);
    expect(requests).not.toContain(sentence);
    expect(await readFile(path, 'utf8')).toBe(claudeCodeSession);
  });

  it('are empty if their file is damaged', async () => {
    const marks = markFile(join(folder, 'damaged'), path);
    await marks.add(mark('Use tabs.', 'rule'));
    expect(await marks.read()).toHaveLength(1);
    const [name = ''] = await readdir(join(folder, 'damaged'));
    const file = join(folder, 'damaged', name);
    await writeFile(file, (await readFile(file, 'utf8')).replace('tabs', 'tags'));
    expect(await marks.read()).toEqual([]);
  });
});
