import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OnDemand } from '../../../src/agent/session/session-ports.ts';
import { defineTool } from '../../../src/agent/tools/support/define-tool.ts';
import { type AgentTool, ok } from '../../../src/agent/tools/support/tool.ts';
import { textOf } from '../../../src/compaction/messages/message.ts';
import { llmSummary } from '../../../src/compaction/strategies/llm-summary.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { createMeter } from '../../support/engine.ts';
import { textOfTokens } from '../../support/messages.ts';
import type { ScriptedToolCall } from '../openai/scripted-reply.ts';
import { serverTool } from '../tools/server-tools.ts';
import { SessionHarness, settingsFor } from './session-harness.ts';

const look = (name: string): AgentTool =>
  defineTool({
    name,
    description: '',
    properties: { path: { type: 'string', description: '' } },
    required: [],
    describe: () => '',
    run: () => ok(name),
  });

/** The tools of a session, as the model gets them with each request. */
describe('the tools of a session', () => {
  let meter: UsageMeter;
  let harness: SessionHarness;
  let offered: readonly AgentTool[];
  let setting: OnDemand;
  let window: number;
  let done: unknown[];

  const small = () => serverTool('add_note', 'Writes a note.', { done });
  const large = () => serverTool('paint', 'Paints. '.repeat(2_000), { server: 'art', done });
  const ports = () => ({
    tools: () => offered,
    mcpToolsOnDemand: () => setting,
    settings: () => {
      const { budget, ...settings } = settingsFor();
      return { ...settings, budget: { ...budget, window } };
    },
  });

  beforeAll(async () => {
    meter = await createMeter();
  });
  beforeEach(async () => {
    done = [];
    setting = 'auto';
    window = 100_000;
    offered = [look('read_file'), look('recall'), small()];
    harness = await SessionHarness.start(meter, ports());
    return () => harness[Symbol.asyncDispose]();
  });

  const requests = () => harness.server.requests.map(({ body }) => body);
  const names = () =>
    requests()
      .at(-1)!
      .tools?.map((tool) => tool.function.name);
  const ask = async (...toolCalls: readonly ScriptedToolCall[]) => {
    harness.server.reply(...toolCalls.map((call) => ({ toolCalls: [call] })), { text: 'Done.' });
    await harness.session.send('go on');
  };
  const call = (name: string, input: object): ScriptedToolCall => ({ name, arguments: input });
  const lastResult = () => harness.session.transcript.view.findLast(({ role }) => role === 'tool');

  describe('that come from MCP servers', () => {
    it('are in the request if they are small', async () => {
      await ask();
      expect(names()).toEqual(['read_file', 'recall', 'mcp_notes_add_note']);
    });

    it('are found on demand if they take more than a tenth of the window', async () => {
      offered = [...offered, large()];
      window = 30_000;
      await ask();
      expect(names()).toEqual(['read_file', 'recall', 'find_tools', 'call_tool']);
    });

    it.each([
      ['always', ['read_file', 'recall', 'find_tools', 'call_tool']],
      ['never', ['read_file', 'recall', 'mcp_notes_add_note', 'mcp_art_paint']],
    ] as const)('follow the setting %s, whatever their size', async (value, expected) => {
      setting = value;
      if (value === 'never') window = 30_000;
      if (value === 'never') offered = [...offered, large()];
      await ask();
      expect(names()).toEqual(expected);
    });

    it('stay unchanged when the window changes, and are chosen again when a server adds tools', async () => {
      await ask();
      window = 1_000_000;
      offered = [...offered, large()];
      await ask();
      expect(names()).toContain('mcp_art_paint');
      window = 30_000;
      await ask();
      expect(names()).toContain('mcp_art_paint');
      offered = [...offered, serverTool('erase', '', { server: 'art' })];
      await ask();
      expect(names()).toEqual(['read_file', 'recall', 'find_tools', 'call_tool']);
    });

    it('are chosen again when the size of a tool changes', async () => {
      const tool = (description: string) => serverTool('paint', description, { server: 'art', done });
      const others = offered;
      window = 30_000;
      offered = [...others, tool('Paints.')];
      await ask();
      expect(names()).toContain('mcp_art_paint');
      offered = [...others, tool('Paints. '.repeat(2_000))];
      await ask();
      expect(names()).toEqual(['read_file', 'recall', 'find_tools', 'call_tool']);
      offered = [...others, tool('Paints.')];
      await ask();
      expect(names()).toContain('mcp_art_paint');
    });

    it('stay on demand in a reopened chat, whatever the window', async () => {
      offered = [...offered, large()];
      window = 30_000;
      await ask();
      window = 1_000_000;
      harness.reopen(ports());
      await ask();
      expect(names()).toEqual(['read_file', 'recall', 'find_tools', 'call_tool']);
    });
  });

  describe('that are found on demand', () => {
    beforeEach(() => {
      setting = 'always';
      offered = [...offered, large()];
    });

    it('are found and called without changing the sent prefix', async () => {
      await ask(
        call('find_tools', { query: 'write a note' }),
        call('call_tool', { name: 'mcp_notes_add_note', arguments: { text: 'x' } }),
      );
      expect(textOf(lastResult()!.content)).toBe('add_note is done.');
      expect(done).toEqual([{ text: 'x' }]);
      await ask(call('call_tool', { name: 'mcp_art_paint', arguments: {} }));
      const sent = requests();
      expect(sent).toHaveLength(5);
      for (const [index, request] of sent.slice(1).entries()) {
        const before = sent[index]!;
        expect(JSON.stringify(request.tools)).toBe(JSON.stringify(before.tools));
        const prefix = JSON.stringify(before.messages).slice(0, -1);
        expect(JSON.stringify(request.messages).startsWith(prefix)).toBe(true);
      }
    });

    it('leave the request unchanged while a server is gone and when it is back', async () => {
      const all = offered;
      await ask();
      offered = all.filter(({ server }) => server === undefined);
      await ask(call('call_tool', { name: 'mcp_art_paint', arguments: {} }));
      expect(lastResult()).toMatchObject({ isError: true });
      offered = all;
      await ask();
      expect(new Set(requests().map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
    });

    it('are neither found nor called if disabled, and the request stays unchanged', async () => {
      await ask();
      await harness.session.switchTool({ server: 'art', isOn: false });
      await ask(
        call('find_tools', { query: 'paint' }),
        call('call_tool', { name: 'mcp_art_paint', arguments: {} }),
      );
      expect(done).toEqual([]);
      expect(JSON.stringify(harness.view)).toContain('No tool fits \\"paint\\"');
      expect(new Set(requests().map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
    });
  });

  describe('that are disabled', () => {
    it('are both disabled if the user disables two at once', async () => {
      await ask();
      await Promise.all([
        harness.session.switchTool({ tool: 'read_file', isOn: false }),
        harness.session.switchTool({ server: 'notes', isOn: false }),
      ]);
      await ask();
      expect(names()).toEqual(['recall']);
    });

    it('are missing from the next request, and return to their place once enabled', async () => {
      await ask();
      await harness.session.switchTool({ tool: 'read_file', isOn: false });
      await ask();
      expect(names()).toEqual(['recall', 'mcp_notes_add_note']);
      await harness.session.switchTool({ server: 'notes', isOn: false });
      await ask();
      expect(names()).toEqual(['recall']);
      await harness.session.switchTool({ tool: 'read_file', isOn: true });
      await harness.session.switchTool({ server: 'notes', isOn: true });
      await ask();
      expect(names()).toEqual(['read_file', 'recall', 'mcp_notes_add_note']);
    });

    it('cannot be called', async () => {
      await ask();
      await harness.session.switchTool({ server: 'notes', isOn: false });
      await ask(call('mcp_notes_add_note', {}));
      expect(done).toEqual([]);
      expect(textOf(lastResult()!.content)).toBe(
        'There is no tool mcp_notes_add_note. There are: read_file, recall.',
      );
    });

    it.each([
      ['only if read_file is enabled', true, ['src/lock.ts']],
      ['not if read_file is disabled', false, []],
    ])('let a compaction restore files: %s', async (_, isOn, expected) => {
      offered = [...offered, look('edit_file')];
      harness.session = harness.reopen({
        ...ports(),
        settings: () => ({ ...settingsFor(llmSummary), restoreFiles: { files: 5, tokens: 5_000 } }),
        readFile: (path) => Promise.resolve({ path, lines: ['const lock = 1;'], modifiedAt: 0 }),
      });
      await ask(call('edit_file', { path: 'src/lock.ts' }));
      await harness.session.switchTool({ tool: 'read_file', isOn });
      harness.server.reply({ text: textOfTokens(3_000) }, { text: 'Done.' });
      await harness.session.send('explain');
      await harness.session.send('thanks');
      harness.server.reply({ text: '<summary>The lock was raised.</summary>' });
      expect(await harness.session.compactNow()).toMatchObject({ status: 'applied' });
      const files = harness.session.transcript.view.filter(({ kind }) => kind === 'file');
      expect(files.map(({ source }) => source)).toEqual(expected);
    });

    it('never include recall, because compacted conversations refer to it', async () => {
      await ask();
      await harness.session.switchTool({ tool: 'recall', isOn: false });
      await ask();
      expect(names()).toContain('recall');
    });

    it('stay disabled in a reopened chat', async () => {
      await ask();
      await harness.session.switchTool({ tool: 'read_file', isOn: false });
      const session = harness.reopen(ports());
      expect(await session.toolSet()).toMatchObject({
        aside: [{ function: { name: 'read_file' } }],
        off: { tools: ['read_file'], servers: [] },
      });
      await ask();
      expect(names()).toEqual(['recall', 'mcp_notes_add_note']);
    });

    it('can be disabled before the first message, without creating a file', async () => {
      await harness.session.switchTool({ tool: 'read_file', isOn: false });
      expect(harness.lines).toEqual([]);
      expect((await harness.session.toolSet()).tools.map((tool) => tool.function.name)).toEqual([
        'recall',
        'mcp_notes_add_note',
      ]);
      await ask();
      expect(names()).toEqual(['recall', 'mcp_notes_add_note']);
    });
  });

  it('are the tools of its earlier requests in an old session', async () => {
    const tools = [look('read_file').schema];
    const session = harness.open({ title: 'old', entries: [], tools, lastTurn: undefined }, ports());
    expect(await session.toolSet()).toEqual({ tools });
  });
});
