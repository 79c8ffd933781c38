import { beforeEach, describe, expect, it } from 'vitest';
import { McpConsents, visibleLine } from '../../../src/agent/mcp/consents.ts';
import { readMcpServers, type McpServer } from '../../../src/agent/mcp/server-settings.ts';
import { consentsInMemory } from './consents-in-memory.ts';

const folder = '/work';

function server(given: object, declaredBy: 'person' | 'workspace' = 'workspace', name = 'notes'): McpServer {
  return readMcpServers({ [name]: given }, () => declaredBy === 'person').servers[0]!;
}

describe('consent for MCP servers', () => {
  let consents: McpConsents;
  beforeEach(() => {
    consents = new McpConsents(consentsInMemory());
  });

  const program = { command: 'node', args: ['server.js'], env: { MODE: 'a' } };
  const address = { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${secret:notes}' } };

  it("is required for a server of a folder, not for the user's own", () => {
    expect(consents.consentTo(server(program), folder)).toBe('unasked');
    expect(consents.consentTo(server(program, 'person'), folder)).toBe('allowed');
  });

  it.each([
    ['command', { ...program, command: 'deno' }],
    ['arguments', { ...program, args: ['server.js', '--all'] }],
    ['order of arguments', { ...program, args: ['--all', 'server.js'] }],
    ['environment', { ...program, env: { MODE: 'b' } }],
    ['variable that the server gets', { ...program, env: { MODE: '${env:HOME}' } }],
    ['secret that the server gets', { ...program, env: { MODE: '${secret:notes}' } }],
    ['folder of the program', { ...program, cwd: 'elsewhere' }],
    ['kind', address],
  ])('is required again after a change of the %s', async (_what, changed) => {
    await consents.answer(server(program), folder, 'allowed');
    expect(consents.consentTo(server(program), folder)).toBe('allowed');
    expect(consents.consentTo(server(changed), folder)).toBe('unasked');
  });

  it.each([
    ['address', { ...address, url: 'https://example.com/other' }],
    ['header', { ...address, headers: { Authorization: 'Basic ${secret:notes}' } }],
  ])('is required again after a change of the %s', async (_what, changed) => {
    await consents.answer(server(address), folder, 'allowed');
    expect(consents.consentTo(server(address), folder)).toBe('allowed');
    expect(consents.consentTo(server(changed), folder)).toBe('unasked');
  });

  it('covers only one folder', async () => {
    await consents.answer(server(program), folder, 'allowed');
    expect(consents.consentTo(server(program), '/elsewhere')).toBe('unasked');
  });

  it('stays refused until the server changes', async () => {
    await consents.answer(server(program), folder, 'refused');
    expect(consents.consentTo(server(program), folder)).toBe('refused');
    expect(consents.consentTo(server({ ...program, args: [] }), folder)).toBe('unasked');
  });

  it('does not depend on the order of fields', async () => {
    await consents.answer(server({ command: 'x', env: { A: '1', B: '2' } }), folder, 'allowed');
    expect(consents.consentTo(server({ env: { B: '2', A: '1' }, command: 'x' }), folder)).toBe('allowed');
  });

  describe('to use a secret', () => {
    const own = server(address, 'person');

    it("is given to the first of the user's servers that names the secret, and to no other", async () => {
      expect(consents.consentTo(own, folder)).toBe('allowed');
      await consents.giveSecrets(own, folder);
      expect(consents.consentTo(own, folder)).toBe('allowed');
      const others = [
        server({ ...address, url: 'https://example.org/mcp' }, 'person'),
        server({ ...address, url: 'https://example.com:8443/mcp' }, 'person'),
        server({ command: 'node', env: { KEY: '${secret:notes}' } }, 'person'),
        server(address),
      ];
      expect(others.map((other) => consents.consentTo(other, folder))).toEqual(others.map(() => 'unasked'));
    });

    it('is kept for another path of the same origin', async () => {
      await consents.giveSecrets(own, folder);
      const moved = server({ ...address, url: 'https://example.com/v2' }, 'person');
      expect(consents.consentTo(moved, folder)).toBe('allowed');
    });

    it('is included in the consent to start a server', async () => {
      await consents.giveSecrets(own, folder);
      const ofFolder = server({ ...address, url: 'https://example.org/mcp' });
      await consents.answer(ofFolder, folder, 'allowed');
      expect(consents.consentTo(ofFolder, folder)).toBe('allowed');
    });

    it('is removed with the secret', async () => {
      await consents.giveSecrets(server(address, 'person'), folder);
      await consents.forgetSecret('notes');
      const other = server({ ...address, url: 'https://example.org/mcp' }, 'person');
      expect(consents.consentTo(other, folder)).toBe('allowed');
    });

    it.each(['__proto__', 'constructor', 'toString'])('covers a secret named %s', async (name) => {
      const named = (url: string) => server({ url, headers: { Key: `\${secret:${name}}` } }, 'person');
      await consents.giveSecrets(named('https://example.com'), folder);
      expect(consents.consentTo(named('https://example.com'), folder)).toBe('allowed');
      expect(consents.consentTo(named('https://example.org'), folder)).toBe('unasked');
    });
  });
});

describe('a string for the user to judge', () => {
  it.each([
    ['a\u202Eb', 'a⟨U+202E⟩b'],
    ['a\nb\tc', 'a⟨U+000A⟩b⟨U+0009⟩c'],
    [
      '\u00A0\u200B\u3164\u115F\u1160\uFFA0\u2800\u034F\uFE0F',
      '⟨U+00A0⟩⟨U+200B⟩⟨U+3164⟩⟨U+115F⟩⟨U+1160⟩⟨U+FFA0⟩⟨U+2800⟩⟨U+034F⟩⟨U+FE0F⟩',
    ],
    ['e\u0301', 'e⟨U+0301⟩'],
    ['\u{E0041}', '⟨U+E0041⟩'],
    ['--name=Größe 你好', '--name=Größe 你好'],
  ])('shows every character of %j', (text, shown) => {
    expect(visibleLine(text)).toBe(shown);
  });
});
