import { describe, expect, it } from 'vitest';
import { createContextTools } from '../../../src/bridge/server/context-tools.ts';
import type { ServedSession } from '../../../src/bridge/server/folder-sessions.ts';
import { transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import { entriesOf, said, typed } from '../../support/messages.ts';

const never = new AbortController().signal;

it('search_history searches only the newest part of a long session, and says so', async () => {
  const long = 'x'.repeat(4_000_000);
  const transcript = transcriptOf(
    entriesOf([
      typed('m1', 'The zebra is old.'),
      ...['m2', 'm3'].map((id) => said(id, long)),
      typed('m4', 'The giraffe is new.'),
    ]),
  );
  const opened = { id: 's1', agent: 'codex', problem: undefined, session: { transcript, problems: [] } };
  const tools = createContextTools({
    sessions: {
      list: () => Promise.resolve([]),
      open: () => Promise.resolve(opened as unknown as ServedSession),
    },
    agent: () => undefined,
    count: (texts) => Promise.resolve(texts.map(({ length }) => length / 4)),
  });
  const found = async (query: string) => (await tools.get('search_history')!.run({ query }, never)).content;
  const part = 'Only the newest 3 entries of this long session were searched.';
  expect(await found('giraffe')).toContain('The giraffe is new.');
  expect(await found('giraffe')).toContain(part);
  expect(await found('zebra')).toContain(`Nothing in this session matches "zebra".\n\n${part}`);
});

async function answerOf(problem: string | undefined, problems: readonly string[] = []): Promise<string> {
  const session = { transcript: transcriptOf([]), problems };
  const opened = { id: 's1', agent: 'codex', problem, session };
  const tools = createContextTools({
    sessions: {
      list: () => Promise.resolve([]),
      open: () => Promise.resolve(opened as unknown as ServedSession),
    },
    agent: () => undefined,
    count: () => Promise.resolve([]),
  });
  return (await tools.get('what_was_lost')!.run({}, never)).content;
}

describe('an answer about a session', () => {
  it('names the session', async () => {
    expect(await answerOf(undefined)).toContain('Session s1 of Codex.\n\nThis session has had no compaction');
  });

  it('reports the unreadable parts of the session', async () => {
    expect(await answerOf(undefined, ['Line 3 was skipped: it has more than 16 MB.', 'b', 'c'])).toContain(
      'Session s1 of Codex. Parts of its file are missing here: Line 3 was skipped: it has more than 16 MB. And 2 more parts.',
    );
  });

  it('contains no key of the environment, not even in base64', async () => {
    process.env['SHOP_API_TOKEN'] = 'qa71-Tm3xK9vv-2Lp0';
    try {
      const base64 = Buffer.from('qa71-Tm3xK9vv-2Lp0').toString('base64');
      const text = await answerOf(undefined, [`a qa71-Tm3xK9vv-2Lp0 b ${base64}`]);
      expect(text).toContain('a [SHOP_API_TOKEN] b [SHOP_API_TOKEN]');
    } finally {
      delete process.env['SHOP_API_TOKEN'];
    }
  });

  it('states that the session file can no longer be read', async () => {
    expect(await answerOf('It is larger than 200 MB.')).toContain(
      'Session s1 of Codex. As it was read earlier; it cannot be read now: It is larger than 200 MB.',
    );
  });
});
