import { describe, expect, it } from 'vitest';
import { calledFunction } from '../../../src/compaction/ledger/called-function.ts';
import { factsOfCall } from '../../../src/compaction/ledger/call-facts.ts';

const through = (input: unknown) => ({ name: 'call_tool', arguments: JSON.stringify(input) });

describe('the function that a call runs', () => {
  it('is the tool named by call_tool, with the arguments passed to it', () => {
    expect(calledFunction(through({ name: 'mcp_notes_add', arguments: { text: 'x' } }))).toEqual({
      name: 'mcp_notes_add',
      arguments: '{"text":"x"}',
    });
  });

  it.each([
    ['arguments as a string', { name: 'mcp_a_b', arguments: '{"text":"x"}' }, '{"text":"x"}'],
    ['no arguments', { name: 'mcp_a_b' }, '{}'],
  ])('has its arguments if call_tool has %s', (_, input, expected) => {
    expect(calledFunction(through(input)).arguments).toBe(expected);
  });

  it.each([
    ['another tool', { name: 'read_file', arguments: '{"name":"mcp_a_b"}' }],
    ['a tool that is not of a server', through({ name: 'read_file', arguments: {} })],
    ["an invalid name of a server's tool", through({ name: 'mcp_a"><b', arguments: {} })],
    ['invalid JSON', { name: 'call_tool', arguments: '{"name"' }],
  ])('is the called function itself for %s', (_, called) => {
    expect(calledFunction(called)).toBe(called);
  });

  it('yields the same facts as a direct call', () => {
    const passed = { path: 'src/lock.ts', content: 'x' };
    const call = (called: { name: string; arguments: string }) =>
      factsOfCall({ id: 'a1', type: 'function', function: called });
    expect(call(through({ name: 'mcp_files_write_file', arguments: passed }))).toEqual(
      call({ name: 'mcp_files_write_file', arguments: JSON.stringify(passed) }),
    );
  });
});
