import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/o200k_base';
import { describe, expect, it } from 'vitest';
import {
  mostTokensOf,
  createTextRoom,
  extractiveSummary,
} from '../../../src/agent/offline/extractive-summary.ts';
import { OfflineModel } from '../../../src/agent/offline/offline-model.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { parseSummary } from '../../../src/compaction/summary/write-summary.ts';
import { noSession } from '../../../src/compaction/quoting/session-tags.ts';
import { summaryText } from '../../../src/compaction/summary/summary-form.ts';
import { growth } from '../../support/growth.ts';

const signal = new AbortController().signal;
let made = 0;

function message(role: Message['role'], content: string | null, more: Partial<Message> = {}): Message {
  const origin = role === 'user' ? 'person' : role === 'tool' ? 'tool' : 'model';
  return { role, content, id: `m${++made}`, origin, createdAt: '2026-01-01T00:00:00Z', ...more };
}

function call(name: string, input: Readonly<Record<string, unknown>>, result: string): readonly Message[] {
  const id = `call_${++made}`;
  const called = { name, arguments: JSON.stringify(input) };
  return [
    message('assistant', null, { tool_calls: [{ id, type: 'function', function: called }] }),
    message('tool', result, { tool_call_id: id }),
  ];
}

async function summarise(
  sources: readonly Message[],
  options: { focus?: string; maxOutputTokens?: number } = {},
): Promise<string> {
  const { focus, maxOutputTokens = 20_000 } = options;
  return extractiveSummary(
    { instructions: '', prompt: '', sources, focus, tag: 'summary', maxOutputTokens },
    signal,
  );
}

const charactersOf = (sources: readonly Message[]) =>
  sources.reduce(
    (sum, { content, tool_calls: calls }) =>
      sum + (typeof content === 'string' ? content.length : 0) + JSON.stringify(calls ?? '').length,
    0,
  );

/** Requests with their replies. */
const replies = (count: number) =>
  Array.from({ length: count }, (_, index) => [
    message('user', `Look into job ${index} now.`),
    message('assistant', `The scheduler moved job ${index} to another queue when its worker was late.`),
  ]).flat();

const filler = 'Nothing of this output is of any interest to anybody.\n'.repeat(60);

const session: readonly Message[] = [
  message('user', 'Why does the lease expire too early?'),
  ...call('read_file', { path: 'src/lease.ts' }, filler),
  ...call('run', { command: 'npm test -- lease' }, `${filler}TypeError: lease.renew is not a function\n`),
  message(
    'assistant',
    'The lease expires early because the clock of the renewal timer is read before the lease is taken. I will look at the timer next.\n\n```ts\nconst secretCode = 1;\n```\n\n{"json": "is left out"}',
  ),
  ...call('search_text', { pattern: 'renewalTimer' }, filler),
  message('assistant', 'The renewal timer of the lease is started in the constructor. Good.'),
  message('user', 'Never change the public interface.\nAnd keep it short.'),
];

describe('an extractive summary', () => {
  it('omits requests, files, commands and errors, which are copied as facts', async () => {
    const summary = await summarise(session);
    for (const fact of ['Never change', 'src/lease.ts', 'npm test -- lease', 'TypeError']) {
      expect(summary).not.toContain(fact);
    }
  });

  it('keeps sentences of final replies with their request, without code and JSON', async () => {
    const reply =
      'The clock of the renewal timer was read before the lease. I will look on.\n\n```ts\nconst secretCode = 1;\n```\n\n{"json": "is left out"}';
    expect(await summarise([...session.slice(0, 7), message('assistant', reply), session.at(-1)!])).toBe(
      '<summary>\n## From the replies\n- On “Why does the lease expire too early?”: The clock of the renewal timer was read before the lease.\n</summary>',
    );
  });

  it('keeps nothing from replies before the final one', async () => {
    expect(await summarise(session)).not.toContain('The lease expires early');
  });

  it('keeps no sentence about a file that was edited later', async () => {
    const reply = message('assistant', 'The clock in src/lease.ts was read.');
    const asked = [message('user', 'Where is the clock read?'), message('tool', filler)];
    const sources = [...asked, reply, message('user', 'Mend it.')];
    expect(await summarise(sources)).toContain('The clock in src/lease.ts was read.');
    expect(await summarise([...sources, ...call('edit_file', { path: '/srv/src/lease.ts' }, 'done')])).toBe(
      '',
    );
  });

  it('contains every sentence once', async () => {
    const sentence = 'The parser needs a second pass over `tokens` to find what was left.';
    const sources = Array.from({ length: 40 }, () => [
      message('user', 'Look into it.'),
      message('assistant', `${sentence} ${sentence}`),
    ]).flat();
    expect((await summarise(sources)).split(sentence)).toHaveLength(2);
  });

  it('prefers the newest replies', async () => {
    const summary = await summarise(replies(30), { maxOutputTokens: 80 });
    expect(summary).toContain('job 29 ');
    expect(summary).not.toContain('job 0 ');
  });

  it('follows the focus', async () => {
    const sources = [
      message('user', 'And the birds?'),
      message('assistant', 'Penguins were found to have 4 toes.'),
      ...replies(30),
    ];
    const summary = await summarise(sources, { maxOutputTokens: 80, focus: 'penguins toes' });
    expect(summary).toContain('Penguins were found to have 4 toes.');
  });

  it('takes at most about a fifth of its source', async () => {
    const sources = Array.from({ length: 80 }, (_, index) => [
      message('user', `Please look into topic number ${index}, which is different from all others.`),
      message('assistant', `Topic ${index} turned out to be about subject ${index * 7}, as expected of it.`),
    ]).flat();
    const summary = await summarise(sources);
    expect(summary.length).toBeLessThanOrEqual(charactersOf(sources) / 5);
    expect(summary).toContain('Topic 7');
  });

  it('stays below its output limit in any script', async () => {
    for (const text of ['word '.repeat(4_000), '锁文件过期。'.repeat(4_000), '0x9f{}[];'.repeat(4_000)]) {
      const sources = [message('user', text), ...call('read_file', { path: 'a.ts' }, filler)];
      const summary = await summarise(sources, { maxOutputTokens: 100 });
      expect(mostTokensOf(summary)).toBeLessThan(100);
    }
  });

  it('is valid, whatever tags its sources contain', async () => {
    const sources = [
      message('user', 'Explain </summary> and <think> to me, and <summary>.'),
      ...call('read_file', { path: 'src/a.ts' }, filler),
      message('assistant', 'The tag <thinking> has a block that the parser of `tags` takes away.'),
    ];
    const parsed = parseSummary({ content: await summarise(sources), finishReason: 'stop' });
    expect(parsed).toContain('The tag &lt;thinking> has a block');
  });

  it.each([
    ['a request', [message('user', 'Fix the bug in the parser, please, and say what it was.')]],
    ['assent', [message('user', 'ok')]],
    ['a single letter', [message('assistant', 'x')]],
    ['nothing', []],
  ])('is empty if the session contains only %s', async (_name, sources) => {
    expect(await summarise(sources)).toBe('');
  });

  it('ends when it is stopped', async () => {
    const request = {
      instructions: '',
      prompt: '',
      sources: session,
      focus: undefined,
      tag: 'summary',
      maxOutputTokens: 100,
    };
    await expect(extractiveSummary(request, AbortSignal.abort())).rejects.toMatchObject({
      name: 'CancelledError',
    });
  });

  it('takes time proportional to the length of the session', async () => {
    const ofSteps = (steps: number) => summarise(replies(steps));
    expect(await growth(ofSteps, 750)).toBeLessThan(10);
  });
});

describe('an earlier summary', () => {
  const carried = (text: string) =>
    message('user', summaryText(text, noSession), { kind: 'summary', origin: 'strategy' });
  const news = message('assistant', 'The queue has the same fault as the lease, in its constructor.');
  const work = call('read_file', { path: 'src/queue.ts' }, filler.repeat(3));

  it('moves to the part for earlier notes, with the newest notes last', async () => {
    const summary = await summarise([
      carried(
        '## So far\n- The lease was the first goal of all.\n## Since the last compaction\n- The timer reads its clock too early.',
      ),
      ...work,
      news,
    ]);
    expect(summary).toBe(`<summary>
## So far
- The lease was the first goal of all.
- The timer reads its clock too early.
## Since the last compaction
- The queue has the same fault as the lease, in its constructor.
</summary>`);
  });

  it('contributes only its notes, without tags, plan and copied facts', async () => {
    const notes = `<state_snapshot>\n## Goal\nFix the lease.\n</state_snapshot>
<current_plan>\n{"steps": "lease, then queue"}\n</current_plan>
<ledger>\n## Files read\n- src/lease.ts\n</ledger>
[Messages behind this one that were kept: 3]`;
    expect(await summarise([carried(notes), message('tool', filler)])).toBe(
      '<summary>\n## So far\n- Goal: Fix the lease.\n</summary>',
    );
  });

  it('takes at most a quarter of the room, however often it is summarised', async () => {
    let sources: readonly Message[] = [];
    for (let round = 0; round < 12; round++) {
      const fresh = Array.from({ length: 40 }, (_, index) => [
        message('user', `Look into event ${index}.`),
        message('assistant', `Module${round}-${index} lost event ${index * 7} as queue ${index} was full.`),
      ]).flat();
      const summary = await summarise([...sources, ...fresh], { maxOutputTokens: 400 });
      const [soFar = '', since = ''] = summary.split(/## (?:Since the last compaction|From the replies)/u);
      expect(mostTokensOf(soFar)).toBeLessThanOrEqual(100 + mostTokensOf('<summary>\n## So far\n'));
      expect(since).toContain(`Module${round}-`);
      sources = [carried(parseSummary({ content: summary, finishReason: 'stop' }))];
    }
  });
});

describe('the offline model', () => {
  it('uses the extractive summary', async () => {
    const request = {
      instructions: '',
      prompt: '',
      sources: session,
      focus: undefined,
      tag: 'summary',
      maxOutputTokens: 500,
    };
    expect(await new OfflineModel().summarise(request, signal)).toEqual({
      content: await extractiveSummary(request, signal),
      finishReason: 'stop',
    });
  });
});

describe('room for texts', () => {
  describe('the estimated cost of a string', () => {
    const tokenizer = new Tiktoken(ranks);

    it.each([
      'The quick brown fox jumps over the lazy dog, again and again.',
      '锁文件在续期之前就过期了，因为时钟读取得太早。',
      'Der Schlüssel für die Übergrößenträger läßt grüßen.',
      '- src/compaction/strategies/tool-result-hiding.ts\n- test/agent/openai/scripted-server.ts\n',
      'TypeError: Cannot read properties of undefined (reading "0") at Object.<anonymous> (/a/b.ts:12:7)',
      'npm exec -c "vitest run --project unit test/agent" && git log --oneline -n 20 | head',
      '🎉👩‍👩‍👧‍👦🇩🇪 done',
      '{"a":[1,2,3],"b":{"c":null}}',
      '2026-11-20T10:15:30.123Z 0.5 1e-9 4294967296',
    ])('is not below the real number of tokens: %s', (text) => {
      expect(mostTokensOf(text)).toBeGreaterThanOrEqual(tokenizer.encode(text, [], []).length);
    });
  });

  describe('room for text', () => {
    it('refuses a text that exceeds it in characters or in tokens', () => {
      const room = createTextRoom(10, 100);
      expect(room.take('12345678901')).toBe(false);
      expect(room.take('123456')).toBe(true);
      expect(room.take('12345')).toBe(false);
      expect(createTextRoom(100, 5).take('锁文件过期')).toBe(false);
    });

    it('is not reduced by texts taken from a part of it', () => {
      const room = createTextRoom(10, 10);
      expect(room.part(0.5).take('abcde')).toBe(true);
      expect(room.take('abcdefghij')).toBe(true);
    });
  });
});
