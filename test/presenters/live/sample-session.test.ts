import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFolder } from '../../../scripts/project.ts';
import { factsOfModel } from '../../../src/compaction/budget/model-table.ts';
import type { CompactionRecord } from '../../../src/compaction/records/record.ts';
import { recordsOf } from '../../../src/compaction/transcript/transcript.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';
import { compactionNotice } from '../../../src/presenters/live/announced-compactions.ts';
import { LiveSession } from '../../../src/presenters/live/live-session.ts';
import { readerOf } from '../../../src/presenters/live/session-reader.ts';
import { createMeter } from '../../support/engine.ts';

const meter = await createMeter();

async function open(...path: readonly string[]): Promise<LiveSession> {
  const file = join(projectFolder, ...path);
  const ports = {
    meterOf: () => meter,
    budget: () => ({ triggerRatio: 0.85, targetRatio: 0.5 }),
    factsOf: (model: string) => factsOfModel(model),
    readerOf,
    reader: readerOf({ path: file }),
    failed: () => {},
    name: 'sample',
  };
  return LiveSession.open(ports as never, new AbortController().signal);
}

describe('the sample session of Claude Code', () => {
  let session: LiveSession;
  let record: CompactionRecord | undefined;
  beforeAll(async () => {
    session = await open('samples', 'sessions', 'claude-code.jsonl');
    record = recordsOf(session.transcript)[0];
  });
  afterAll(() => session.dispose());

  it('names its agent, and has a window that is known', async () => {
    expect(session.title).toBe('Add an undo to driftwood.');
    expect(session.foreign.agent).toBe('Claude Code');
    expect(await session.foreign.fullness()).toMatchObject({ window: 200_000, basis: 'reported' });
  });

  it('was compacted automatically when the window was nearly full', () => {
    expect(record?.trigger).toMatchObject({ source: 'ratio' });
    expect(record?.trigger.tokens).toBeGreaterThan(150_000);
  });

  it('lost three of thirty files, and what the user had forbidden', () => {
    expect(record?.coverage.files).toMatchObject({ kept: 27, total: 30 });
    expect(record && englishWording.text(compactionNotice(record))).toBe(
      'Claude Code compacted. Its summary no longer mentions 3 of 30 files and 2 of your 8 messages.',
    );
  });
});

describe('the sample session of our own agent', () => {
  it('still opens', async () => {
    const session = await open('media', 'sample-session.jsonl');
    expect(recordsOf(session.transcript)).toHaveLength(3);
    session.dispose();
  });
});
