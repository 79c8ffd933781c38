import { beforeAll, describe, expect, it } from 'vitest';
import { schemasView } from '../../../src/presenters/inspector/schemas-view.ts';
import type { ToolSchema } from '../../../src/compaction/messages/message.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import type { ToolSet } from '../../../src/transcripts/session/session-event.ts';
import { createMeter } from '../../support/engine.ts';
import { called, entriesOf, result, textOfTokens, typed } from '../../support/messages.ts';

const schema = (name: string, tokens: number): ToolSchema => ({
  type: 'function',
  function: { name, description: textOfTokens(tokens), parameters: {} },
});

/** A note was added directly, and another one through call_tool. */
const transcript = transcriptOf(
  entriesOf([
    typed('m1', 'go'),
    called('m2', ['a1', 'mcp_notes_add', { text: 'x' }]),
    result('m3', 'a1', 'done'),
    called('m4', ['a2', 'call_tool', { name: 'mcp_notes_add', arguments: { text: 'y' } }]),
    result('m5', 'a2', 'done'),
  ]),
);

describe('the definitions of tools', () => {
  let meter: UsageMeter;

  beforeAll(async () => {
    meter = await createMeter();
  });

  const view = (toolSet: ToolSet, of = transcript) =>
    schemasView(
      { tools: toolSet.tools, transcript: of, toolSet: () => Promise.resolve(toolSet) },
      meter,
      5_000,
    );
  const notes = { mcp_notes_add: 'notes', mcp_notes_list: 'notes', mcp_art_paint: 'art' };

  it('are grouped by server, after our own tools, with the largest first', async () => {
    const { groups } = await view({
      tools: [
        schema('read_file', 50),
        schema('mcp_notes_add', 20),
        schema('mcp_notes_list', 90),
        schema('mcp_art_paint', 10),
      ],
      servers: notes,
    });
    expect(groups.map(({ server, tools }) => [server, tools.map(({ name }) => name)])).toEqual([
      [undefined, ['read_file']],
      ['art', ['mcp_art_paint']],
      ['notes', ['mcp_notes_list', 'mcp_notes_add']],
    ]);
    for (const { tokens, tools } of groups) {
      expect(tools.reduce((sum, tool) => sum + tool.tokens, 0)).toBe(tokens);
    }
  });

  it('count the direct and the indirect uses of a tool', async () => {
    const { groups } = await view({ tools: [schema('mcp_notes_add', 20)], servers: notes });
    expect(groups[0]!.tools[0]!.uses).toBe(2);
  });

  it('take no tokens if disabled', async () => {
    const { groups, tokens } = await view({
      tools: [schema('recall', 30)],
      aside: [schema('read_file', 50), schema('mcp_art_paint', 10)],
      servers: notes,
      off: { tools: ['read_file', 'recall'], servers: ['art'] },
    });
    expect(groups).toMatchObject([
      {
        isOn: true,
        tokens,
        tools: [
          { name: 'read_file', isOn: false },
          { name: 'recall', isOn: true, isFixed: true },
        ],
      },
      { server: 'art', isOn: false, tokens: 0 },
    ]);
  });

  it('save, when loaded on demand, their size minus the size of find_tools and call_tool', async () => {
    const { saved, groups, tokens } = await view({
      tools: [schema('find_tools', 40), schema('call_tool', 30)],
      aside: [schema('mcp_notes_add', 500), schema('mcp_notes_list', 400)],
      servers: notes,
      off: { tools: ['mcp_notes_list'], servers: [] },
    });
    const [own, server] = groups;
    expect(server).toMatchObject({ isOnDemand: true, isOn: true });
    expect(own!.tokens).toBe(tokens);
    expect(saved).toBe(server!.tokens - tokens);
    expect(own!.tools.every(({ isFixed }) => isFixed)).toBe(true);
  });

  it('state how many tokens a change would rewrite after the first message', async () => {
    const tools = [schema('read_file', 50)];
    expect((await view({ tools })).rewritten).toBe(5_000);
    expect((await view({ tools }, transcriptOf([]))).rewritten).toBe(0);
  });
});
