import { beforeEach, describe, expect, it, vi } from 'vitest';
import { McpConsents } from '../../../src/agent/mcp/consents.ts';
import type { McpServer } from '../../../src/agent/mcp/server-settings.ts';
import {
  describeServer,
  McpReview,
  McpSecrets,
  StoredConsents,
} from '../../../src/extension/agent/mcp-review.ts';
import { answers, choices, notices, questions, resetEditor } from '../../support/editor/vscode-settings.ts';

vi.mock('vscode', () => import('../../support/editor/vscode-settings.ts'));

const notes: McpServer = {
  type: 'stdio',
  declaredBy: 'workspace',
  name: 'notes',
  command: 'npx',
  args: ['-y', 'some-server'],
  environment: { TOKEN: '${secret:NOTES}', HOME: '${env:HOME}' },
};

function consentsInMemory(): McpConsents {
  const values = new Map<string, unknown>();
  const update = (name: string, value: unknown) => Promise.resolve(void values.set(name, value));
  const memory = { get: (name: string) => values.get(name), update };
  return new McpConsents(new StoredConsents(memory as ConstructorParameters<typeof StoredConsents>[0]));
}

let consents: McpConsents;
let servers: McpServer[];
let review: McpReview;

beforeEach(() => {
  resetEditor();
  consents = consentsInMemory();
  servers = [notes];
  review = new McpReview({
    consents,
    servers: () => servers,
    folder: () => '/project',
    log: { warn: () => undefined },
  });
});

const standing = () => consents.consentTo(notes, '/project');

describe('a server of a folder', () => {
  it('is reported once, however often it waits for permission', async () => {
    await review.tell([notes]);
    await review.tell([{ ...notes }]);
    expect(notices).toEqual(['Context Budget: MCP servers need your permission to start: notes']);
    expect(standing()).toBe('unasked');
  });

  it('is reported again once its program changes', async () => {
    await review.tell([notes]);
    await review.tell([{ ...notes, args: ['-y', 'other-server'] }]);
    expect(notices).toHaveLength(2);
  });

  it('starts after the user has reviewed and allowed it', async () => {
    choices.push('Review MCP Servers…', 'Start');
    await review.tell([notes]);
    expect(standing()).toBe('allowed');
  });

  it('stays unanswered if the user closes the question', async () => {
    answers.push('notes');
    await review.choose();
    expect(standing()).toBe('unasked');
  });

  it('can be refused, and allowed later', async () => {
    answers.push('notes', 'notes');
    choices.push('Do Not Start', 'Start');
    await review.choose();
    expect(standing()).toBe('refused');
    await review.choose();
    expect(standing()).toBe('allowed');
    expect(questions.map(({ entries }) => entries)).toEqual([['notes needs your answer'], ['notes refused']]);
  });

  it('is not started if a dialog cannot show its whole configuration', async () => {
    servers = [{ ...notes, args: ['x'.repeat(3_000)] }];
    answers.push('notes');
    choices.push('Start');
    await review.choose();
    expect(consents.consentTo(servers[0]!, '/project')).toBe('unasked');
    expect(notices).toHaveLength(1);
  });
});

describe('a server of the user', () => {
  it('needs no review', async () => {
    servers = [{ ...notes, declaredBy: 'person' }];
    await review.choose();
    expect(notices).toEqual(['No MCP server needs your permission.']);
  });
});

describe('the review of a server', () => {
  it('shows everything that the server runs and receives, one line each', () => {
    const lines = describeServer({ ...notes, directory: '/srv' }).split('\n');
    for (const shown of ['npx', '  -y', '  some-server', '/srv', '  TOKEN: ${secret:NOTES}', 'NOTES', 'HOME'])
      expect(lines.filter((line) => line.includes(shown))).not.toEqual([]);
  });

  it('makes hidden characters visible', () => {
    const description = describeServer({ ...notes, args: ['one\ntwo', 'a\u202eb'] });
    expect(description).toContain('one⟨U+000A⟩two');
    expect(description).toContain('a⟨U+202E⟩b');
  });

  it('shows the address and the headers of a server over HTTP', () => {
    const description = describeServer({
      type: 'http',
      declaredBy: 'person',
      name: 'remote',
      url: 'https://mcp.example.com',
      headers: { Authorization: 'Bearer ${secret:REMOTE}' },
    });
    expect(description).toContain('https://mcp.example.com');
    expect(description).toContain('  Authorization: Bearer ${secret:REMOTE}');
  });
});

describe('a secret for servers', () => {
  const stored = new Map<string, string>();
  const secrets = new McpSecrets({
    get: (name: string) => Promise.resolve(stored.get(name)),
    store: (name: string, value: string) => Promise.resolve(void stored.set(name, value)),
    delete: (name: string) => Promise.resolve(void stored.delete(name)),
  } as unknown as ConstructorParameters<typeof McpSecrets>[0]);
  beforeEach(() => stored.clear());

  it('is kept under the name that was typed', async () => {
    answers.push('not a name', 'NOTES', 'sk-secret');
    expect(await secrets.ask()).toBeUndefined();
    expect(questions[0]?.refused).toBeDefined();
    expect(await secrets.get('NOTES')).toBe('sk-secret');
  });

  it('is removed by an empty value, with a message that names it', async () => {
    answers.push('NOTES', 'sk-secret', 'NOTES', '');
    await secrets.ask();
    expect(await secrets.ask()).toBe('NOTES');
    expect(await secrets.get('NOTES')).toBeUndefined();
  });

  it('stays unchanged when its box is closed', async () => {
    answers.push('NOTES', 'sk-secret', 'NOTES', undefined);
    await secrets.ask();
    expect(await secrets.ask()).toBeUndefined();
    expect(await secrets.get('NOTES')).toBe('sk-secret');
  });
});
