import { describe, expect, it } from 'vitest';
import { readMcpServers } from '../../../src/agent/mcp/server-settings.ts';

describe('the setting for MCP servers', () => {
  it('names programs to start and servers to reach', () => {
    const { servers, problems } = readMcpServers({
      files: { command: 'npx', args: ['-y', 'server'], env: { KEY: '${secret:key}' } },
      web: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer x' } },
    });
    expect(problems).toEqual([]);
    expect(servers).toEqual([
      {
        type: 'stdio',
        declaredBy: 'workspace',
        name: 'files',
        command: 'npx',
        args: ['-y', 'server'],
        environment: { KEY: '${secret:key}' },
        directory: undefined,
      },
      {
        type: 'http',
        declaredBy: 'workspace',
        name: 'web',
        url: 'https://example.com/mcp',
        headers: { Authorization: 'Bearer x' },
      },
    ]);
  });

  it('omits a disabled server', () => {
    expect(readMcpServers({ files: { command: 'x', disabled: true } }).servers).toEqual([]);
  });

  it.each([
    [[], 'mcpServers must be an object'],
    ['x', 'mcpServers must be an object'],
    [{ 'a b': { command: 'x' } }, 'A name must start with a letter'],
    [{ ['a'.repeat(32)]: { command: 'x' } }, 'at most 31 characters'],
    [{ a: 'x' }, 'contextBudget.mcpServers.a: The server must be an object with "command" or "url"'],
    [{ a: {} }, 'Set "command"'],
    [{ a: { command: ' ' } }, 'Set "command"'],
    [{ a: { command: 'x', args: 'y' } }, '"args" must be a list'],
    [{ a: { command: 'x', env: { KEY: 1 } } }, '"env" must be an object whose values are strings'],
    [{ a: { command: 'x', cwd: 1 } }, '"cwd" must be a string'],
    [{ a: { url: 'file:///etc/passwd' } }, '"url" must be an http or https URL'],
    [{ a: { url: 'nowhere' } }, '"url" must be an http or https URL'],
    [
      { a: { url: 'https://example.com', headers: [1] } },
      '"headers" must be an object whose values are strings',
    ],
  ])('explains the fault in %j', (value, problem) => {
    const read = readMcpServers(value);
    expect(read.servers).toEqual([]);
    expect(read.problems.map(({ english }) => english)).toEqual([expect.stringContaining(problem)]);
  });

  it('accepts valid servers next to an invalid one', () => {
    const { servers, problems } = readMcpServers({ good: { command: 'x' }, bad: {} });
    expect(servers).toHaveLength(1);
    expect(problems).toHaveLength(1);
  });
});
