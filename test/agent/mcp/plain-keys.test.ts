import { describe, expect, it } from 'vitest';
import { plainKeysOf } from '../../../src/agent/mcp/plain-keys.ts';
import { readMcpServers } from '../../../src/agent/mcp/server-settings.ts';

const keysOf = (given: object) => plainKeysOf(readMcpServers({ x: given }, () => true).servers[0]!);
const url = 'https://mcp.example.com/mcp';

describe('plainKeysOf', () => {
  it.each<[string, object, string]>([
    ['a bearer token', { url, headers: { Authorization: 'Bearer abc123' } }, 'abc123'],
    [
      'a key of any form in a header for keys',
      { url, headers: { 'X-Api-Key': 'correct-horse' } },
      'correct-horse',
    ],
    ['a header password', { url, headers: { Authorization: `Basic ${btoa('me:pa55word')}` } }, 'pa55word'],
    ['a key in a cookie', { url, headers: { cookie: 'lang=en; sid=k3y9w2' } }, 'k3y9w2'],
    [
      'a key in a header of any name',
      { url, headers: { 'X-Tenant': '9f86d081884c7d659a2feaa0c55ad015' } },
      '9f86d081884c7d659a2feaa0c55ad015',
    ],
    ['a key in a URL parameter', { url: `${url}?api_key=abc123` }, 'abc123'],
    ['a key in the path', { url: 'https://x.example/s/MzkxZjQ4YTgtNWQ3Mi00/mcp' }, 'MzkxZjQ4YTgtNWQ3Mi00'],
    ['a password in a URL', { url: 'https://me:p%40ssw0rd@x.example/mcp' }, 'p@ssw0rd'],
    ['a key in a variable', { command: 'x', env: { GITHUB_TOKEN: 'abc12345' } }, 'abc12345'],
    ['a key after an option', { command: 'x', args: ['--api-key', 'abc123'] }, 'abc123'],
    ['a key within an option', { command: 'x', args: ['--token=abc123'] }, 'abc123'],
    ['a key as an argument', { command: 'x', args: ['sk-proj-9Xa1b2W5tq7Zk3f'] }, 'sk-proj-9Xa1b2W5tq7Zk3f'],
  ])('finds %s', (_what, given, key) => {
    expect(keysOf(given)).toContain(key);
  });

  it.each<[string, object]>([
    ['toolsets', { url, headers: { 'X-MCP-Toolsets': 'repos,issues,pull_requests,code_security' } }],
    ['kinds of content', { url, headers: { Accept: 'application/json, text/event-stream' } }],
    ['versions', { url, headers: { 'MCP-Protocol-Version': '2025-06-18', 'User-Agent': 'editor/1.110.0' } }],
    ['regions', { url: 'https://gitlab.example.com/api/v4/mcp?region=eu-central-1&read_only=true' }],
    [
      'packages',
      { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem@2025.8.21', '/home/me/notes'] },
    ],
    [
      'containers',
      { command: 'docker', args: ['run', '-i', '--rm', 'ghcr.io/github/github-mcp-server:0.20.1'] },
    ],
    ['models', { command: 'uvx', args: ['mcp-server-fetch', '--model=claude-3-5-sonnet-20241022'] }],
    [
      'files',
      { command: 'python3', args: ['server.py', '--db-path', './data/test.sqlite3', '--port', '8080'] },
    ],
    [
      'variables',
      { command: 'x', env: { LOG_LEVEL: 'debug', DATA_DIR: '/var/lib/notes', NODE_ENV: 'production' } },
    ],
  ])('ignores %s', (_what, given) => {
    expect(keysOf(given)).toEqual([]);
  });
});
