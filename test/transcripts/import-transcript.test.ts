import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTranscript as importTranscript } from '../../src/library/foreign-transcripts.ts';
import { formatIds } from '../../src/transcripts/all-formats.ts';
import { fileShape } from '../../src/transcripts/import-transcript.ts';
import { formatSamples, otherShapes } from '../support/format-samples.ts';

describe('importTranscript', () => {
  const lines = (...events: readonly unknown[]) => events.map((event) => JSON.stringify(event)).join('\n');
  const message = { role: 'user', content: 'hi' };
  const createdAt = '2026-01-01T00:00:00.000Z';

  /** The smallest file of each format that can be recognised. */
  const files = {
    session: lines(
      { type: 'session', version: 1, id: 's1', createdAt },
      { type: 'message', message: { ...message, id: 'm1', origin: 'person', createdAt } },
    ),
    openai: lines([message]),
    'claude-code': lines({ parentUuid: null, sessionId: 's1', type: 'user', message }),
    'qwen-code': lines({
      parentUuid: null,
      type: 'user',
      message: { role: 'user', parts: [{ text: 'hi' }] },
    }),
    codex: lines({ type: 'response_item', payload: { type: 'message', ...message } }),
    pi: lines({ type: 'session', id: 's1', cwd: '/work' }, { type: 'message', message }),
    openhands: lines({
      instance_id: 'i1',
      history: [{ id: 0, source: 'user', action: 'message', args: { content: 'hi' } }],
    }),
    litellm: lines({ messages: [message], response: {}, latency_sec: 1 }),
    'copilot-cli': lines({ type: 'user.message', data: { content: 'hi' } }),
    'copilot-chat': lines({ version: 3, initialLocation: 'panel', requests: [{ message: { text: 'hi' } }] }),
    opencode: lines({
      info: { id: 's1' },
      messages: [{ info: { role: 'user' }, parts: [{ type: 'text', text: 'hi' }] }],
    }),
    'gemini-cli': lines({ sessionId: 's1', projectHash: 'h1' }, { id: 'g1', type: 'user', content: 'hi' }),
  };

  describe("the agent's working folder", () => {
    const folder = '/home/user/project';
    const typed = { type: 'user.message', data: { content: 'hi' } };
    const geminiContext = {
      id: 'g1',
      type: 'user',
      content: `<session_context>\n- **Workspace Directories:**\n  - ${folder}\n</session_context>`,
    };
    const named = {
      'claude-code': lines({ parentUuid: null, sessionId: 's1', cwd: folder, type: 'user', message }),
      codex: lines(
        { type: 'session_meta', payload: { cwd: folder } },
        { type: 'response_item', payload: { type: 'message', ...message } },
      ),
      'qwen-code': lines({
        parentUuid: null,
        cwd: folder,
        type: 'user',
        message: { role: 'user', parts: [] },
      }),
      pi: lines({ type: 'session', id: 's1', cwd: folder }, { type: 'message', message }),
      'copilot-cli': lines({ type: 'session.start', data: { context: { cwd: folder } } }, typed),
      'copilot-cli, of the repository': lines(
        { type: 'session.start', data: { context: { gitRoot: folder } } },
        typed,
      ),
      opencode: lines({
        info: { id: 's1', directory: folder },
        messages: [{ info: { role: 'user' }, parts: [{ type: 'text', text: 'hi' }] }],
      }),
      'gemini-cli': lines({ sessionId: 's1', projectHash: 'h1', directories: [folder] }, geminiContext),
      'gemini-cli, in what it tells the model': lines({ sessionId: 's1', projectHash: 'h1' }, geminiContext),
      'cline-task': JSON.stringify([
        {
          role: 'user',
          content: [
            { type: 'text', text: '<task>hi</task>' },
            {
              type: 'text',
              text: `<environment_details>\n# Current Working Directory (${folder}) Files\na.ts`,
            },
          ],
        },
      ]),
    };

    it.each(Object.entries(named))('is read from a file of %s', (_format, text) => {
      expect(importTranscript(text).folder).toBe(folder);
    });

    it.each(['project', '', 7])('is unknown if the file names %j, which is not an absolute path', (cwd) => {
      const text = lines({ parentUuid: null, sessionId: 's1', cwd, type: 'user', message });
      expect(importTranscript(text).folder).toBeUndefined();
    });
  });

  describe('a versioned file', () => {
    const pi = (version: number) =>
      lines({ type: 'session', version, id: 's1', cwd: '/work' }, { type: 'message', message });
    const copilotCli = (version: number) =>
      lines({ type: 'session.start', data: { version } }, { type: 'user.message', data: { content: 'hi' } });
    const copilotChat = (version: number) =>
      lines({ version, initialLocation: 'panel', requests: [{ message: { text: 'hi' } }] });
    const cline = (version: number) => lines({ version, sessionId: 's1', messages: [message] });
    const versioned = [
      ['Pi', pi, 3],
      ['Copilot CLI', copilotCli, 1],
      ['Copilot Chat', copilotChat, 3],
      ['Cline', cline, 1],
    ] as const;

    it.each(versioned)('of %s in a known version is read without a problem', (_agent, file, known) => {
      expect(importTranscript(file(known)).problems).toEqual([]);
    });

    it.each(versioned)('of %s in a newer version is read, with a warning', (agent, file, known) => {
      const { entries, problems } = importTranscript(file(known + 1));
      expect(entries).toMatchObject([{ message: { content: 'hi' } }]);
      expect(problems).toEqual([
        `This ${agent} session uses version ${known + 1} of its format; the newest known version is ${known}. Only parts whose format has not changed were read.`,
      ]);
    });
  });

  describe('recognising formats', () => {
    it.each(Object.entries(files))('recognises a file of %s', (format, text) => {
      const { entries } = importTranscript(text);
      expect(entries).toMatchObject([{ type: 'message', message: { role: 'user', content: 'hi' } }]);
      expect(entries).toEqual(importTranscript(text, format).entries);
    });

    it.each(Object.entries(files))('reads a file of %s after a byte order mark', (_format, text) => {
      const read = importTranscript(`\uFEFF${text}`);
      expect(read).toEqual(importTranscript(text));
    });

    it('is not affected by a transcript quoted in a message', () => {
      for (const [format, content] of Object.entries(files)) {
        const text = JSON.stringify({ messages: [{ role: 'user', content }] });
        expect(importTranscript(text).entries, format).toMatchObject([{ message: { content } }]);
      }
    });

    it('knows every format', () => {
      expect([...formatIds].sort()).toEqual([
        'aider',
        'chat-replay',
        'claude-code',
        'cline',
        'cline-task',
        'codex',
        'copilot-chat',
        'copilot-cli',
        'gemini-cli',
        'litellm',
        'openai',
        'opencode',
        'openhands',
        'otel',
        'pi',
        'qwen-code',
        'session',
        'specstory',
        'swe-agent',
        'tau-bench',
      ]);
    });
  });
});

describe('fileShape', () => {
  describe('the description of a file', () => {
    it.each([
      [{ id: 'x', n: 1, done: true, none: null }, '{"id": "…", "n": 1, "done": true, "none": null}'],
      [{ turns: [{ by: 'a', says: { text: 'b' } }, {}] }, '{"turns": [2 × {"by": "…", "says": {…}}]}'],
      [[], '[]'],
      [[[[[1]]]], '[1 × [1 × [1 × […]]]]'],
      [
        Object.fromEntries('abcdefghij'.split('').map((name) => [name, 1])),
        '{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1, "h": 1, …}',
      ],
    ])('names the structure of %j', (value, shape) => {
      expect(fileShape(JSON.stringify(value)).english).toBe(`JSON like ${shape}`);
    });

    it.each([
      [
        `{"messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
        'JSON that is nested too deeply to be read',
      ],
      ['{"a":1}\nnot JSON\n{"a":2}', 'lines of JSON like {"a": 1}'],
      ['{"a":1}\n{"a":', 'lines of JSON like {"a": 1}'],
      ['[1,\n2', 'JSON that is broken on line 2'],
      ['PK\u0003\u0000', 'a file that is not text'],
      [' \n', 'an empty file'],
      ['# Notes', 'plain text'],
    ])('exists for %.60j', (text, shape) => {
      expect(fileShape(text).english).toBe(shape);
    });

    it('is one short line without control characters or values from the file', () => {
      fc.assert(
        fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.constant('secret')), (fields) => {
          const shape = fileShape(JSON.stringify(fields)).english;
          expect(shape).not.toMatch(/[\p{Cc}\p{Cf}]/u);
          expect(shape.length).toBeLessThan(600);
          if (!Object.keys(fields).some((name) => name.includes('secret')))
            expect(shape).not.toContain('secret');
        }),
      );
    });
  });

  describe('Windows line ends', () => {
    const samples = [...formatIds.map((id) => [id, '', formatSamples[id] ?? ''] as const), ...otherShapes];

    it.each(samples)('do not change the result of importTranscript for %s %s', (format, _shape, sample) => {
      const told = (text: string) => {
        const { others = [], transcript, ...imported } = importTranscript(text);
        return { ...imported, view: transcript.view, others: others.map((other) => other.read().entries) };
      };
      expect(sample).not.toContain('\r');
      const windows = told(sample.replaceAll('\n', '\r\n'));
      expect(windows.format).toBe(format);
      expect(windows).toEqual(told(sample));
    });
  });
});
