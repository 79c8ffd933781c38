import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonHead } from '../../src/transcripts/reading/json-head.ts';
import { type FoundAgent, sessionHead } from '../../src/transcripts/found-agents.ts';

describe('session head', () => {
  const lines = (...events: readonly unknown[]) => events.map((event) => JSON.stringify(event)).join('\n');
  const text = (said: string) => ({ type: 'text', text: said });

  describe('the beginning of a session of Claude Code', () => {
    const user = (content: unknown, more: object = {}) => ({
      type: 'user',
      cwd: '/projects/here',
      message: { role: 'user', content },
      ...more,
    });

    it('contains the first text that the user typed and the folder', () => {
      const head = sessionHead(
        'claude-code',
        lines(
          { type: 'file-history-snapshot' },
          user('Caveat: what follows was run by the person.', { isMeta: true }),
          user('<command-name>/clear</command-name>'),
          user([text('Tidy up')]),
          user('Tidy up more'),
        ),
      );
      expect(head).toEqual({ title: 'Tidy up', workspace: '/projects/here' });
    });

    it('has the title that the user gave it', () => {
      const given = { type: 'custom-title', customTitle: 'Spring cleaning' };
      expect(sessionHead('claude-code', lines(user('Tidy up'), given)).title).toBe('Spring cleaning');
    });

    it('has a summary as its title if nothing was typed', () => {
      expect(sessionHead('claude-code', lines({ type: 'summary', summary: 'Tidying' })).title).toBe(
        'Tidying',
      );
    });

    it('is read without a partial last line', () => {
      expect(sessionHead('claude-code', `${lines(user('Tidy up'))}\n{"type":"us`).title).toBe('Tidy up');
    });
  });

  describe('the beginning of a session of Copilot CLI', () => {
    const start = {
      type: 'session.start',
      data: { sessionId: 's1', version: 1, selectedModel: 'gpt-5', context: { cwd: '/projects/here' } },
    };
    const asked = { type: 'user.message', data: { content: 'Tidy up' } };

    it('contains the first request, the folder and the model', () => {
      expect(sessionHead('copilot-cli', lines(start, asked))).toEqual({
        title: 'Tidy up',
        workspace: '/projects/here',
        model: 'gpt-5',
      });
    });

    it('has the title given later, and the model of the last reply', () => {
      const titled = { type: 'session.title_changed', data: { title: 'Spring cleaning' } };
      const reply = { type: 'assistant.message', data: { content: 'Done.', model: 'claude-x' } };
      expect(sessionHead('copilot-cli', lines(start, asked, titled, reply))).toMatchObject({
        title: 'Spring cleaning',
        model: 'claude-x',
      });
    });

    it('contains the request in the single object of older versions', () => {
      const old = JSON.stringify({ sessionId: 's1', chatMessages: [{ role: 'user', content: 'Tidy up' }] });
      expect(sessionHead('copilot-cli', old.slice(0, -3)).title).toBe('Tidy up');
    });
  });

  describe('the beginning of a chat of Copilot', () => {
    const request = { message: { text: 'Tidy up' }, modelId: 'copilot/gpt-5' };

    it('contains the first request and the model, even in a cut-off object', () => {
      const chat = JSON.stringify({ version: 3, requests: [request, request] }, undefined, 1);
      expect(sessionHead('copilot-chat', chat)).toMatchObject({ title: 'Tidy up', model: 'gpt-5' });
      expect(sessionHead('copilot-chat', chat.slice(0, chat.indexOf('Tidy up') + 4)).title).toBe('Tidy');
    });

    it('has the title that the user gave it', () => {
      const chat = { version: 3, customTitle: 'Spring cleaning', requests: [request] };
      expect(sessionHead('copilot-chat', JSON.stringify(chat)).title).toBe('Spring cleaning');
    });

    it('includes requests that a log adds to an empty chat', () => {
      const first = { kind: 0, v: { version: 3, requests: [] } };
      const pushed = { kind: 2, k: ['requests'], v: [request] };
      expect(sessionHead('copilot-chat', lines(first, pushed)).title).toBe('Tidy up');
      const renamed = { kind: 1, k: ['customTitle'], v: 'Spring cleaning' };
      expect(sessionHead('copilot-chat', lines(first, pushed, renamed)).title).toBe('Spring cleaning');
    });

    it('is read from a log whose first line is cut off', () => {
      const log = JSON.stringify({ kind: 0, v: { version: 3, requests: [request, request] } });
      expect(sessionHead('copilot-chat', log.slice(0, -20)).title).toBe('Tidy up');
    });
  });

  describe("opencode's data about a session", () => {
    const info = { id: 'ses_2', title: 'Tidy up', directory: '/projects/here', parentID: 'ses_1' };

    it.each(['opencode', 'kilo-code'] as const)('contain its title, folder and parent for %s', (agent) => {
      expect(sessionHead(agent, JSON.stringify(info))).toEqual({
        title: 'Tidy up',
        workspace: '/projects/here',
        parentId: 'ses_1',
      });
    });
  });

  describe('the beginning of a session of Codex', () => {
    const meta = { type: 'session_meta', payload: { id: 's1', cwd: '/projects/here' } };
    const said = (content: string) => ({
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: content }] },
    });

    it("has the user's text as its title, not the program's", () => {
      const head = sessionHead(
        'codex',
        lines(
          meta,
          said('# AGENTS.md instructions for /work'),
          said('<environment_context>'),
          said('Tidy up'),
        ),
      );
      expect(head).toEqual({ title: 'Tidy up', workspace: '/projects/here' });
    });

    it('prefers the event that contains the typed text', () => {
      const typed = { type: 'event_msg', payload: { type: 'user_message', message: 'Tidy' } };
      expect(sessionHead('codex', lines(meta, said('Tidy, and more'), typed)).title).toBe('Tidy');
    });

    it('has the first text typed after the copied parent in a fork', () => {
      const fork = (more: object = {}) => ({
        type: 'session_meta',
        payload: { id: '019d7e36-0000', forked_from_id: '019d7d08-0000', ...more },
      });
      const turn = (id: string) => ({ type: 'turn_context', payload: { turn_id: id } });
      const asked = (message: string) => ({ type: 'event_msg', payload: { type: 'user_message', message } });
      const copied = [meta, turn('019d7d1b-0000'), asked('Copied')];
      const own = [turn('019d7e4e-0000'), asked('Own')];
      const titleOf = (...events: readonly object[]) => sessionHead('codex', lines(...events)).title;
      expect(titleOf(fork(), ...copied, ...own)).toBe('Own');
      expect(titleOf(fork(), ...copied)).toBe('Copied');
      const subAgent = {
        source: { subagent: { thread_spawn: { parent_thread_id: 'p' } } },
        agent_nickname: 'McClintock',
      };
      expect(titleOf(fork(subAgent), ...copied)).toBe('McClintock');
      expect(titleOf(fork(subAgent), ...copied, ...own)).toBe('Own');
    });
  });

  describe('the beginning of a session of Qwen Code', () => {
    const asked = (...texts: readonly string[]) => ({
      type: 'user',
      cwd: '/projects/here',
      message: { role: 'user', parts: texts.map((text) => ({ text })) },
    });
    const replied = { type: 'assistant', model: 'coder-model', contextWindowSize: 131_072 };

    it('has the typed text without the attached files', () => {
      expect(sessionHead('qwen-code', lines(asked('Tidy up @a', 'FILE'), replied))).toMatchObject({
        title: 'Tidy up @a',
        workspace: '/projects/here',
        model: 'coder-model',
        window: 131_072,
      });
    });

    it('has the title given later, and the session that started it', () => {
      const titled = { type: 'system', subtype: 'custom_title', systemPayload: { customTitle: 'Tidying' } };
      const started = { type: 'system', subtype: 'parent_session', systemPayload: { parentSessionId: 's0' } };
      expect(sessionHead('qwen-code', lines(started, asked('Tidy up'), titled))).toMatchObject({
        title: 'Tidying',
        parentId: 's0',
      });
    });
  });

  it('the beginning of a session of Pi has the given name, or else the typed text', () => {
    const header = { type: 'session', id: 's1', cwd: '/projects/here' };
    const asked = {
      type: 'message',
      message: { role: 'user', content: [{ type: 'text', text: 'Tidy up' }] },
    };
    const replied = { type: 'message', message: { role: 'assistant', content: [], model: 'x' } };
    expect(sessionHead('pi', lines(header, asked, replied))).toMatchObject({
      title: 'Tidy up',
      workspace: '/projects/here',
      model: 'x',
    });
    expect(sessionHead('pi', lines(header, asked, { type: 'session_info', name: 'Tidying' })).title).toBe(
      'Tidying',
    );
  });

  describe('the beginning of a session of Gemini CLI', () => {
    const header = { sessionId: 's1', projectHash: 'h1' };
    const message = { id: 'u1', type: 'user', content: [{ text: 'Tidy up @a' }, { text: 'FILE' }] };
    const preamble = { id: 'u0', type: 'user', content: '<session_context>' };

    it('has the typed text in its displayed form, and the project', () => {
      const shown = { ...message, displayContent: [{ text: 'Tidy up @a' }] };
      expect(
        sessionHead('gemini-cli', lines({ ...header, directories: ['/projects/here'] }, preamble, shown)),
      ).toEqual({
        title: 'Tidy up @a',
        sessionId: 's1',
        workspace: '/projects/here',
        workspaceHash: 'h1',
      });
    });

    it('states whether the session is empty', () => {
      const resumed = { $set: { messages: [preamble] } };
      expect(sessionHead('gemini-cli', lines(header, resumed)).isEmpty).toBe(true);
      expect(sessionHead('gemini-cli', lines(header, resumed, message)).isEmpty).toBeUndefined();
    });

    it("has the agent's summary as its title", () => {
      const changed = { $set: { summary: 'Tidying' } };
      expect(sessionHead('gemini-cli', lines(header, message, changed)).title).toBe('Tidying');
    });

    it('is read from a cut-off object', () => {
      const whole = JSON.stringify({ ...header, messages: [preamble, message, message] }, undefined, 2);
      expect(sessionHead('gemini-cli', whole.slice(0, -40))).toMatchObject({
        title: 'Tidy up @a\nFILE',
        workspaceHash: 'h1',
      });
    });

    it('is read from a checkpoint', () => {
      const history = [{ role: 'user', parts: [{ text: 'Tidy up' }] }];
      expect(sessionHead('gemini-cli', JSON.stringify({ history })).title).toBe('Tidy up');
    });
  });

  describe('the beginning of a task of Cline', () => {
    const task = (folder: string) => [
      {
        role: 'user',
        content: [
          text('<task>\nTidy up\n</task>'),
          text(`<environment_details>\n# Current ${folder} Directory (/projects/here) Files\na.ts`),
        ],
      },
    ];
    it.each([
      ['cline', 'Working'],
      ['roo-code', 'Workspace'],
    ] as const)('has the task and the folder of %s', (agent, folder) => {
      expect(sessionHead(agent, JSON.stringify(task(folder)))).toEqual({
        title: 'Tidy up',
        workspace: '/projects/here',
      });
    });

    it('has the available part of a cut-off task', () => {
      expect(sessionHead('cline', JSON.stringify(task('Working')).slice(0, 62))).toMatchObject({
        title: 'Tidy',
      });
    });
  });

  describe('the beginning of a session of Cline since version 4', () => {
    const session = (more: object) =>
      JSON.stringify(
        {
          version: 1,
          ...more,
          messages: [
            { role: 'user', content: [text('Tidy up')] },
            { role: 'assistant', content: [text('Done.')], modelInfo: { id: 'claude-opus-4.8' } },
          ],
        },
        undefined,
        2,
      );

    it('has the first prompt and the model', () => {
      expect(sessionHead('cline', session({ agent: 'lead', sessionId: '17_a' }))).toEqual({
        title: 'Tidy up',
        model: 'claude-opus-4.8',
      });
    });

    it.each(['17_a__agent_1', '17_a__teamtask__agent__x'])(
      "names the parent of a sub-agent's session: %s",
      (sessionId) => {
        const head = sessionHead('cline', session({ agent: 'subagent', sessionId }));
        expect(head.parentId).toBe('17_a');
      },
    );
  });

  describe('the beginning of another file', () => {
    const agents: readonly FoundAgent[] = ['claude-code', 'codex', 'gemini-cli', 'cline'];
    it.each(
      agents.flatMap((agent) =>
        ['', '# notes', '{', '[[[', '"x"', 'null', '{"messages":3}', '[null]'].map(
          (file) => [agent, file] as const,
        ),
      ),
    )('has no title or folder for %s: %j', (agent, file) => {
      const { title, workspace } = sessionHead(agent, file);
      expect([title, workspace]).toEqual([undefined, undefined]);
    });
  });
});

describe('json head', () => {
  describe('the beginning of a JSON text', () => {
    it.each([
      ['{"a":1,"b":[1,2', { a: 1, b: [1, 2] }],
      ['{"a":{"b":"lon', { a: { b: 'lon' } }],
      ['{"a":1,"lon', { a: 1 }],
      ['{"a":1,"b":', { a: 1 }],
      ['{"a":1,"b":tr', { a: 1 }],
      ['["a\\', ['a']],
      ['["a\\u00', ['a']],
      ['["\\"]', ['"]']],
      ['[[1],', [[1]]],
      ['# notes', undefined],
      ['', undefined],
    ])('%s is %j', (text, value) => {
      expect(readJsonHead(text)).toEqual(value);
    });

    it('is the whole value if nothing is missing', () => {
      fc.assert(
        fc.property(fc.jsonValue(), (value) => {
          const text = JSON.stringify(value);
          if (text !== 'null') expect(readJsonHead(text)).toEqual(JSON.parse(text));
        }),
      );
    });

    it('can be read wherever an object or an array is cut off', () => {
      const container = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
      fc.assert(
        fc.property(container, fc.nat(), (value, cut) => {
          const text = JSON.stringify(value);
          expect(readJsonHead(text.slice(0, 1 + (cut % text.length)))).toBeTypeOf('object');
        }),
      );
    });
  });
});
