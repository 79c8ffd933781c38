import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../src/compaction/messages/message.ts';
import type { CompactionRecord } from '../../src/compaction/records/record.ts';
import { strategyIds, type StrategyId } from '../../src/compaction/strategies/index.ts';
import { findViolations } from '../../src/compaction/messages/validity.ts';
import { runCommand as cli } from '../support/command-line.ts';
import { textOfTokens } from '../support/messages.ts';

const run = promisify(execFile);

const history: readonly ChatMessage[] = [
  { role: 'system', content: 'rules' },
  { role: 'user', content: 'find the bug' },
  ...Array.from({ length: 8 }, (_, step): readonly ChatMessage[] => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: `a${step}`,
          type: 'function',
          function: { name: 'read_file', arguments: `{"path":"f${step}.ts"}` },
        },
      ],
    },
    { role: 'tool', tool_call_id: `a${step}`, content: textOfTokens(400) },
  ]).flat(),
  { role: 'assistant', content: 'It is in f3.ts.' },
  { role: 'user', content: 'fix it' },
];

/** Options that some strategies need to act on so short a history. */
const optionsFor: Partial<Record<StrategyId, Readonly<Record<string, unknown>>>> = {
  'last-n-messages': { n: 4 },
  'middle-truncation': { maxChars: 1_000 },
};

describe('context-budget', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cli-'));
    file = join(folder, 'history.json');
    await writeFile(file, JSON.stringify(history));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const at = (name: string) => join(folder, name);
  const readJson = async <T>(name: string) => JSON.parse(await readFile(at(name), 'utf8')) as T;

  describe('strategies', () => {
    it('lists the catalogue with option schemas and defaults', async () => {
      const { code, out } = await cli('strategies', '--json');
      expect(code).toBe(0);
      const list = JSON.parse(out) as readonly {
        id: string;
        options: Record<string, { default: unknown }>;
      }[];
      expect(list.map(({ id }) => id)).toEqual(strategyIds);
      expect(list.find(({ id }) => id === 'llm-summary')?.options['preserveMessages']?.default).toBe(2);
    });
  });

  describe('count', () => {
    it('reports kinds that add up to the total', async () => {
      const { out } = await cli('count', file, '--json');
      const { total, byKind, messages } = JSON.parse(out) as {
        total: number;
        byKind: Record<string, number>;
        messages: number;
      };
      expect(Object.values(byKind).reduce((sum, tokens) => sum + tokens, 0)).toBe(total);
      expect(messages).toBe(history.length);
    });
  });

  describe('a session of another agent', () => {
    const line = (row: object) => JSON.stringify({ sessionId: 's1', ...row });
    const reply = {
      id: 'r1',
      role: 'assistant',
      model: 'claude-opus-4-6',
      content: [{ type: 'text', text: 'Hello.' }],
      usage: {
        input_tokens: 10,
        cache_read_input_tokens: 900,
        cache_creation_input_tokens: 90,
        output_tokens: 5,
      },
    };
    const rows = [
      { type: 'user', uuid: 'a', parentUuid: null, message: { role: 'user', content: 'hi' } },
      { type: 'user', uuid: 'b', parentUuid: 'a', message: { role: 'user', content: 'left' } },
      { type: 'assistant', uuid: 'c', parentUuid: 'a', message: reply },
    ].map(line);
    const usage = { inputTokens: 1_000, cachedInputTokens: 900, cacheWriteTokens: 90, outputTokens: 5 };

    beforeEach(() => writeFile(at('claude.jsonl'), rows.join('\n')));

    it('is imported and read back with the model and the usage of each reply', async () => {
      const { out, notes } = await cli('import', at('claude.jsonl'));
      const document = JSON.parse(out) as { messages: readonly object[] };
      expect(document.messages).toEqual([
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'Hello.', model: 'claude-opus-4-6', usage },
      ]);
      expect(notes.join('\n')).toContain('branch b, “left”');
      await writeFile(at('imported.json'), out);
      expect(JSON.parse((await cli('import', at('imported.json'))).out)).toEqual(document);
    });

    it('has branches that can be imported', async () => {
      const { out } = await cli('import', at('claude.jsonl'), '--conversation', 'b');
      expect(JSON.parse(out)).toMatchObject({ messages: [{ content: 'hi' }, { content: 'left' }] });
      const { notes } = await cli('import', at('claude.jsonl'), '--conversation', 'z');
      expect(notes.join('\n')).toContain('besides the active conversation, it contains b.');
    });

    it('is counted, with the reported usage', async () => {
      const { out } = await cli('count', at('claude.jsonl'), '--json');
      const { reported } = JSON.parse(out) as { reported: Record<string, unknown> };
      expect(reported).toMatchObject({ models: ['claude-opus-4-6'], requests: 1, ...usage });
      const last = reported['last'] as Record<string, number>;
      expect(last['notInFileTokens']).toBe(1_000 - last['countedTokens']!);
      expect((await cli('count', at('claude.jsonl'))).out).toContain('are not in the file');
    });
  });

  describe('import', () => {
    it('returns plain OpenAI messages unchanged', async () => {
      await cli('import', file, '--out', at('out.json'));
      expect(await readJson('out.json')).toEqual({ messages: history });
    });
  });

  describe('handoff', () => {
    it("writes the user's requests, the added note and the files read", async () => {
      const { out } = await cli('handoff', file, '--note', 'Mind the tests.', '--window', '4000');
      expect(out).toMatch(/^# Handoff: find the bug\n/);
      expect(out).toContain('- find the bug\n- fix it');
      expect(out).toContain('- Mind the tests.');
      expect(out).toContain('f3.ts');
    });

    it('writes no file if nothing was said', async () => {
      await writeFile(file, JSON.stringify(history.slice(0, 1)));
      const { code, notes } = await cli('handoff', file, '--out', at('handoff.md'));
      expect(code).toBe(1);
      expect(notes).toEqual(['Nothing was said in this session, so there is nothing to hand off.']);
      await expect(readFile(at('handoff.md'))).rejects.toThrow('ENOENT');
    });
  });

  describe('compact', () => {
    // A custom strategy needs a module, see custom-strategy.test.ts.
    it.each(strategyIds.filter((id) => id !== 'custom'))(
      'produces a valid view with %s, and undo restores the messages',
      async (id) => {
        const { code, out } = await cli(
          'compact',
          file,
          '--strategy',
          id,
          '--window',
          '1000',
          '--options',
          JSON.stringify(optionsFor[id] ?? {}),
          '--out',
          at('view.json'),
          '--record',
          at('record.json'),
          '--json',
        );
        expect(code).toBe(0);
        const record = JSON.parse(out) as CompactionRecord;
        expect(record).toMatchObject({
          requestedStrategy: id,
          status: id === 'none' ? 'unchanged' : 'applied',
        });
        const view = await readJson<ChatMessage[]>('view.json');
        expect(findViolations(view)).toEqual([]);

        await cli('undo', at('record.json'), '--view', at('view.json'), '--out', at('back.json'));
        expect(JSON.stringify(await readJson('back.json'))).toBe(JSON.stringify(history));
      },
    );

    it('undoes a compaction after messages were added', async () => {
      const args = [
        'compact',
        file,
        '--strategy',
        'tool-result-hiding',
        '--out',
        at('view.json'),
        '--record',
        at('record.json'),
      ];
      await cli(...args);
      const later = { role: 'assistant', content: 'done' };
      await writeFile(
        at('view.json'),
        JSON.stringify([...(await readJson<ChatMessage[]>('view.json')), later]),
      );
      const { out } = await cli('undo', at('record.json'), '--view', at('view.json'));
      expect(JSON.parse(out)).toEqual([...history, later]);
    });

    it('refuses to undo in a view that is not the result of the compaction', async () => {
      await cli('compact', file, '--strategy', 'tool-result-hiding', '--record', at('record.json'));
      const { code, notes } = await cli('undo', at('record.json'), '--view', file);
      expect(code).toBe(1);
      expect(notes[0]).toContain('nothing was undone');
    });

    it('uses prepared replies', async () => {
      await writeFile(
        at('replies.json'),
        JSON.stringify([{ content: '<summary>from the file</summary>', finish_reason: 'stop' }]),
      );
      await cli(
        'compact',
        file,
        '--strategy',
        'llm-summary',
        '--replies',
        at('replies.json'),
        '--out',
        at('view.json'),
      );
      expect(JSON.stringify(await readJson('view.json'))).toContain('from the file');
    });

    it.each([
      [
        'a cut-off reply',
        [{ content: '<summary>half', finish_reason: 'length' }],
        'refused',
        'summary-cut-off',
      ],
      ['a blank reply', [' '], 'refused', 'summary-whitespace'],
      ['a failing model', [{ error: 'overloaded', status: 503 }], 'failed', 'model-failed'],
      ['a lack of prepared replies', [], 'failed', 'model-failed'],
    ])(
      'exits 1 with the reason after %s, and leaves the view unchanged',
      async (_name, replies, status, code) => {
        await writeFile(at('replies.json'), JSON.stringify(replies));
        const { code: exit, out } = await cli(
          'compact',
          file,
          '--strategy',
          'llm-summary',
          '--replies',
          at('replies.json'),
          '--out',
          at('view.json'),
          '--json',
        );
        expect(exit).toBe(1);
        expect(JSON.parse(out)).toMatchObject({ status, reason: { code } });
        expect(await readJson('view.json')).toEqual(history);
      },
    );

    it('meets a hard target even with the strategy none', async () => {
      const { code, out } = await cli(
        'compact',
        file,
        '--strategy',
        'none',
        '--requirement',
        'hard',
        '--target',
        '900',
        '--json',
      );
      expect(code).toBe(0);
      expect((JSON.parse(out) as CompactionRecord).after.tokens).toBeLessThanOrEqual(900);
    });

    it('reports "exhausted" if a hard target cannot be met', async () => {
      const { code, out } = await cli(
        'compact',
        file,
        '--strategy',
        'none',
        '--requirement',
        'hard',
        '--target',
        '5',
        '--json',
      );
      expect(code).toBe(1);
      expect(JSON.parse(out)).toMatchObject({ status: 'failed', reason: { code: 'exhausted' } });
    });

    it('keeps pins and, with --protect-first, the first message word for word', async () => {
      const args = [
        'compact',
        file,
        '--strategy',
        'llm-summary',
        '--pin',
        '3',
        '--protect-first',
        '--out',
        at('view.json'),
      ];
      expect((await cli(...args)).code).toBe(0);
      const view = await readJson<ChatMessage[]>('view.json');
      expect(view).toContainEqual(history[1]);
      expect(view).toContainEqual(history[3]);
    });

    it('prints one line without --json', async () => {
      const { out } = await cli('compact', file, '--strategy', 'tool-result-hiding');
      expect(out).toMatch(/^tool-result-hiding · applied · [\d,]+ → [\d,]+ tokens \(−\d+%\)$/);
    });
  });

  describe('diff', () => {
    it('shows the outcome of each message, as text and as HTML', async () => {
      await cli('compact', file, '--strategy', 'tool-result-hiding', '--record', at('record.json'));
      const { out } = await cli('diff', at('record.json'));
      expect(out).toMatch(/kept +3 messages/);
      expect(out).toMatch(/hidden +1 message /);
      await cli('diff', at('record.json'), '--html', at('diff.html'));
      expect(await readFile(at('diff.html'), 'utf8')).toContain('<td class="fate">hidden');
    });

    it('escapes text from the transcript', async () => {
      await writeFile(
        file,
        JSON.stringify([{ role: 'user', content: '<script>alert(1)</script>' }, ...history]),
      );
      await cli('compact', file, '--strategy', 'tool-result-hiding', '--record', at('record.json'));
      await cli('diff', at('record.json'), '--html', at('diff.html'));
      expect(await readFile(at('diff.html'), 'utf8')).not.toContain('<script>alert');
    });
  });

  describe('bad usage', () => {
    const missing = ['no such file'];
    it.each([
      [[], 'Usage'],
      [['dance'], 'Unknown command "dance"'],
      [['count'], 'Expected FILE, got nothing.'],
      [['count', 'missing.json'], ...missing],
      [['count', '.'], 'it is a directory'],
      [['count', 'FILE', '--encoding', 'p50k'], '--encoding must be one of o200k_base, cl100k_base'],
      [['import', 'FILE', '--format', 'word'], '--format must be one of auto'],
      [['compact', 'FILE', '--strategy', 'magic'], 'Unknown strategy "magic". Strategies: none'],
      [['compact', 'FILE', '--options', '{'], '--options must be a JSON object'],
      [
        ['compact', 'FILE', '--strategy', 'llm-summary', '--options', '{"preserveMessages":-1}'],
        'preserveMessages must be a whole number from 0 to 1,000',
      ],
      [['compact', 'FILE', '--window', 'big'], '--window must be a whole number'],
      [['compact', 'FILE', '--requirement', 'maybe'], '--requirement must be one of soft, hard'],
      [['compact', 'FILE', '--pin', '99'], 'the transcript has messages 0 to'],
      [['compact', 'FILE', '--replies', 'missing.json'], ...missing],
      [['compact', 'FILE', '--model', 'x'], '--model needs --base-url'],
      [['compact', 'FILE', '--base-url', 'nowhere', '--model', 'x'], '--base-url must be a URL'],
      [['compact', 'FILE', '--frobnicate'], "Unknown option '--frobnicate'"],
      [['undo', 'FILE'], '--view VIEW.json is required'],
      [['undo', 'FILE', '--view', 'FILE'], 'is not a compaction record'],
      [['diff', 'missing.json'], ...missing],
      [['diff', 'FILE'], 'is a transcript (format openai), not a compaction record; give --from POINT'],
    ])('exits with 2 and one line: %j', async (args, message) => {
      const { code, out, notes } = await cli(...args.map((arg) => (arg === 'FILE' ? file : arg)));
      expect(code).toBe(2);
      expect(out).toBe('');
      expect(notes.join('\n')).toContain(message);
      if (args.length > 0) expect(notes).toHaveLength(1);
    });

    it('names the invalid message of a transcript', async () => {
      await writeFile(file, '[{"role":"user","content":"x"},{"role":"user","content":3}]');
      const { code, notes } = await cli('count', file);
      expect(code).toBe(2);
      expect(notes[0]).toContain('Message 1: expected content');
    });
  });

  it('prints one JSON document to stdout and sets the exit code', async () => {
    const program = ['src/cli/main.ts', 'compact', file, '--strategy', 'tool-result-hiding', '--json'];
    const { stdout } = await run(process.execPath, program);
    expect((JSON.parse(stdout) as CompactionRecord).status).toBe('applied');
    await expect(
      run(process.execPath, ['src/cli/main.ts', 'count', at('missing.json')]),
    ).rejects.toMatchObject({ code: 2 });
  });
});
