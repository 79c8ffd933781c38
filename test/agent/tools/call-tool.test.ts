import { describe, expect, it } from 'vitest';
import { createCallTool } from '../../../src/agent/tools/call-tool.ts';
import { act, proposalOf } from './act.ts';
import { serverTool } from './server-tools.ts';

const parameters = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

describe('call_tool', () => {
  const done: unknown[] = [];
  const tool = serverTool('add_note', '', { parameters, done });
  const call = createCallTool([tool]);
  const name = 'mcp_notes_add_note';

  it("asks the tool's own question, and returns its result", async () => {
    const input = { text: 'x' };
    const { approval } = await proposalOf(call, { name, arguments: input });
    expect(approval).toEqual((await proposalOf(tool, input)).approval);
    expect(done).toEqual([]);
    expect(await act(call, { name, arguments: input })).toEqual({
      content: 'add_note is done.',
      isError: false,
    });
    expect(done).toEqual([input]);
  });

  it('accepts arguments that a model wrote as a string', async () => {
    expect((await act(call, { name, arguments: '{"text":"x"}' })).isError).toBe(false);
  });

  it.each([
    [
      { name: 'mcp_notes_burn', arguments: {} },
      'No MCP server offers a tool "mcp_notes_burn"; find_tools finds those that are offered.',
    ],
    [
      { name: 'run_command', arguments: { command: 'rm -r .' } },
      'No MCP server offers a tool "run_command"; find_tools finds those that are offered.',
    ],
    [
      { name: 'toString', arguments: {} },
      'No MCP server offers a tool "toString"; find_tools finds those that are offered.',
    ],
    [{ arguments: {} }, '"name" must be the name of a tool, a string.'],
    [{ name, arguments: [1] }, `"arguments" must be an object with the arguments of ${name}.`],
    [{ name, arguments: '{"text"' }, `"arguments" must be an object with the arguments of ${name}.`],
    [{ name, arguments: { text: 1 } }, '"text" must be of type string.'],
    [{ name }, 'The argument "text" is missing.'],
  ])('refuses %j with one sentence, without a question', async (input, content) => {
    const before = done.length;
    expect(await act(call, input)).toEqual({ content, isError: true });
    expect(done).toHaveLength(before);
  });
});
