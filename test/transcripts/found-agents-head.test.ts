import { describe, expect, it } from 'vitest';
import { type FoundAgent, sessionHead } from '../../src/transcripts/found-agents.ts';

describe('sessionHead', () => {
  const lines = (...events: readonly unknown[]) => events.map((event) => JSON.stringify(event)).join('\n');
  const text = (said: string) => ({ type: 'text', text: said });

  describe('for a session of Claude Code', () => {
    const user = (content: unknown, more: object = {}) => ({
      type: 'user',
      cwd: '/projects/here',
      message: { role: 'user', content },
      ...more,
    });

    it('returns the first typed text and the folder', () => {
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

    it('returns the title that the user chose', () => {
      const given = { type: 'custom-title', customTitle: 'Spring cleaning' };
      expect(sessionHead('claude-code', lines(user('Tidy up'), given)).title).toBe('Spring cleaning');
    });

    it('returns a summary as the title if nothing was typed', () => {
      expect(sessionHead('claude-code', lines({ type: 'summary', summary: 'Tidying' })).title).toBe(
        'Tidying',
      );
    });

    it('ignores a partial last line', () => {
      expect(sessionHead('claude-code', `${lines(user('Tidy up'))}\n{"type":"us`).title).toBe('Tidy up');
    });
  });

  describe('for a session of Copilot CLI', () => {
    const start = {
      type: 'session.start',
      data: { sessionId: 's1', version: 1, selectedModel: 'gpt-5', context: { cwd: '/projects/here' } },
    };
    const asked = { type: 'user.message', data: { content: 'Tidy up' } };

    it('returns the first request, the folder and the model', () => {
      expect(sessionHead('copilot-cli', lines(start, asked))).toEqual({
        title: 'Tidy up',
        workspace: '/projects/here',
        model: 'gpt-5',
      });
    });

    it('returns the title given later, and the model of the last reply', () => {
      const titled = { type: 'session.title_changed', data: { title: 'Spring cleaning' } };
      const reply = { type: 'assistant.message', data: { content: 'Done.', model: 'claude-x' } };
      expect(sessionHead('copilot-cli', lines(start, asked, titled, reply))).toMatchObject({
        title: 'Spring cleaning',
        model: 'claude-x',
      });
    });

    it('returns the request from the single object of older versions', () => {
      const old = JSON.stringify({ sessionId: 's1', chatMessages: [{ role: 'user', content: 'Tidy up' }] });
      expect(sessionHead('copilot-cli', old.slice(0, -3)).title).toBe('Tidy up');
    });
  });

  describe('for a chat of Copilot Chat', () => {
    const request = { message: { text: 'Tidy up' }, modelId: 'copilot/gpt-5' };

    it('returns the first request and the model, even from a cut-off object', () => {
      const chat = JSON.stringify({ version: 3, requests: [request, request] }, undefined, 1);
      expect(sessionHead('copilot-chat', chat)).toMatchObject({ title: 'Tidy up', model: 'gpt-5' });
      expect(sessionHead('copilot-chat', chat.slice(0, chat.indexOf('Tidy up') + 4)).title).toBe('Tidy');
    });

    it('returns the title that the user chose', () => {
      const chat = { version: 3, customTitle: 'Spring cleaning', requests: [request] };
      expect(sessionHead('copilot-chat', JSON.stringify(chat)).title).toBe('Spring cleaning');
    });

    it('finds requests that a log adds to an empty chat', () => {
      const first = { kind: 0, v: { version: 3, requests: [] } };
      const pushed = { kind: 2, k: ['requests'], v: [request] };
      expect(sessionHead('copilot-chat', lines(first, pushed)).title).toBe('Tidy up');
      const renamed = { kind: 1, k: ['customTitle'], v: 'Spring cleaning' };
      expect(sessionHead('copilot-chat', lines(first, pushed, renamed)).title).toBe('Spring cleaning');
    });

    it('reads a log whose first line is cut off', () => {
      const log = JSON.stringify({ kind: 0, v: { version: 3, requests: [request, request] } });
      expect(sessionHead('copilot-chat', log.slice(0, -20)).title).toBe('Tidy up');
    });
  });

  describe("for opencode's data about a session", () => {
    const info = { id: 'ses_2', title: 'Tidy up', directory: '/projects/here', parentID: 'ses_1' };

    it.each(['opencode', 'kilo-code'] as const)('returns title, folder and parent: %s', (agent) => {
      expect(sessionHead(agent, JSON.stringify(info))).toEqual({
        title: 'Tidy up',
        workspace: '/projects/here',
        parentId: 'ses_1',
      });
    });
  });

  describe('for a session of Codex', () => {
    const meta = { type: 'session_meta', payload: { id: 's1', cwd: '/projects/here' } };
    const said = (content: string) => ({
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: content }] },
    });

    it("returns the user's text as the title, not the program's", () => {
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

    it('prefers the event with the typed text', () => {
      const typed = { type: 'event_msg', payload: { type: 'user_message', message: 'Tidy' } };
      expect(sessionHead('codex', lines(meta, said('Tidy, and more'), typed)).title).toBe('Tidy');
    });

    it("returns the first text typed after the parent's copied messages in a fork", () => {
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

  describe('for a session of Qwen Code', () => {
    const asked = (...texts: readonly string[]) => ({
      type: 'user',
      cwd: '/projects/here',
      message: { role: 'user', parts: texts.map((text) => ({ text })) },
    });
    const replied = { type: 'assistant', model: 'coder-model', contextWindowSize: 131_072 };

    it('returns the typed text without the attached files', () => {
      expect(sessionHead('qwen-code', lines(asked('Tidy up @a', 'FILE'), replied))).toMatchObject({
        title: 'Tidy up @a',
        workspace: '/projects/here',
        model: 'coder-model',
        window: 131_072,
      });
    });

    it('returns the title given later, and the session that started a sub-agent', () => {
      const titled = { type: 'system', subtype: 'custom_title', systemPayload: { customTitle: 'Tidying' } };
      const started = { type: 'system', subtype: 'parent_session', systemPayload: { parentSessionId: 's0' } };
      expect(sessionHead('qwen-code', lines(started, asked('Tidy up'), titled))).toMatchObject({
        title: 'Tidying',
        parentId: 's0',
      });
    });
  });

  it('returns the chosen name of a session of Pi, or else the typed text', () => {
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

  describe('for a session of Gemini CLI', () => {
    const header = { sessionId: 's1', projectHash: 'h1' };
    const message = { id: 'u1', type: 'user', content: [{ text: 'Tidy up @a' }, { text: 'FILE' }] };
    const preamble = { id: 'u0', type: 'user', content: '<session_context>' };

    it('returns the typed text in its displayed form, and the project', () => {
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

    it('reports an empty session', () => {
      const resumed = { $set: { messages: [preamble] } };
      expect(sessionHead('gemini-cli', lines(header, resumed)).isEmpty).toBe(true);
      expect(sessionHead('gemini-cli', lines(header, resumed, message)).isEmpty).toBeUndefined();
    });

    it("returns the agent's summary as the title", () => {
      const changed = { $set: { summary: 'Tidying' } };
      expect(sessionHead('gemini-cli', lines(header, message, changed)).title).toBe('Tidying');
    });

    it('reads a cut-off object', () => {
      const whole = JSON.stringify({ ...header, messages: [preamble, message, message] }, undefined, 2);
      expect(sessionHead('gemini-cli', whole.slice(0, -40))).toMatchObject({
        title: 'Tidy up @a\nFILE',
        workspaceHash: 'h1',
      });
    });

    it('reads a checkpoint', () => {
      const history = [{ role: 'user', parts: [{ text: 'Tidy up' }] }];
      expect(sessionHead('gemini-cli', JSON.stringify({ history })).title).toBe('Tidy up');
    });
  });

  describe('for a task of Cline', () => {
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
    ] as const)('returns the task and the folder: %s', (agent, folder) => {
      expect(sessionHead(agent, JSON.stringify(task(folder)))).toEqual({
        title: 'Tidy up',
        workspace: '/projects/here',
      });
    });

    it('returns the available part of a cut-off task', () => {
      expect(sessionHead('cline', JSON.stringify(task('Working')).slice(0, 62))).toMatchObject({
        title: 'Tidy',
      });
    });
  });

  describe('for a session of Cline since version 4', () => {
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

    it('returns the first prompt and the model', () => {
      expect(sessionHead('cline', session({ agent: 'lead', sessionId: '17_a' }))).toEqual({
        title: 'Tidy up',
        model: 'claude-opus-4.8',
      });
    });

    it.each(['17_a__agent_1', '17_a__teamtask__agent__x'])(
      "returns the parent of a sub-agent's session: %s",
      (sessionId) => {
        const head = sessionHead('cline', session({ agent: 'subagent', sessionId }));
        expect(head.parentId).toBe('17_a');
      },
    );
  });

  describe('for another file', () => {
    const agents: readonly FoundAgent[] = ['claude-code', 'codex', 'gemini-cli', 'cline'];
    it.each(
      agents.flatMap((agent) =>
        ['', '# notes', '{', '[[[', '"x"', 'null', '{"messages":3}', '[null]'].map(
          (file) => [agent, file] as const,
        ),
      ),
    )('returns no title and no folder for %s: %j', (agent, file) => {
      const { title, workspace } = sessionHead(agent, file);
      expect([title, workspace]).toEqual([undefined, undefined]);
    });
  });
});
