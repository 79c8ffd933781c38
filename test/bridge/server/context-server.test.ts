import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { appendFile, mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claudeCodeSession, forgottenFile, rememberedFile } from '../../support/claude-code-session.ts';
import { claudeCodeSession as longSession } from '../../../scripts/bench/agent-session.ts';
import { agentFolders } from '../../harness/foreign-sessions.ts';

const program = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));

let home: string;
let workspace: string;
let session: string;
let client: Client;

/** The sample, held in a folder. */
const heldIn = (folder: string): string =>
  claudeCodeSession
    .trimEnd()
    .split('\n')
    .map((line) => `${JSON.stringify({ ...(JSON.parse(line) as object), cwd: folder })}\n`)
    .join('');

async function connect(name: string, folder: string, roots: readonly string[] = []): Promise<Client> {
  const connected = new Client(
    { name, version: '1.0.0' },
    { capabilities: roots.length === 0 ? {} : { roots: {} } },
  );
  if (roots.length > 0) {
    connected.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: roots.map((root) => ({ uri: pathToFileURL(root).href, name: 'root' })),
    }));
  }
  const env = Object.fromEntries(
    Object.entries({ ...process.env, ...agentFolders(home), HOME: home } as Record<
      string,
      string | undefined
    >).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
  await connected.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp'],
      cwd: folder,
      env,
      stderr: 'pipe',
    }),
  );
  return connected;
}

async function call(name: string, input: Record<string, unknown> = {}, by = client) {
  const { content, isError } = await by.callTool({ name, arguments: input });
  const [{ text = '' } = {}] = content as readonly { readonly text?: string }[];
  return { text, isError: isError === true };
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'context-server-'));
  workspace = join(home, 'printer');
  session = join(home, 'claude/projects/printer/s1.jsonl');
  await mkdir(workspace, { recursive: true });
  await mkdir(join(home, 'claude/projects/printer'), { recursive: true });
  await mkdir(join(home, 'claude/projects/other'), { recursive: true });
  await writeFile(session, heldIn(workspace));
  await writeFile(join(home, 'claude/projects/other/s2.jsonl'), heldIn(join(home, 'elsewhere')));
  client = await connect('claude-code', workspace);
});

afterAll(async () => {
  await client.close();
  await rm(home, { recursive: true, force: true });
});

describe('the context server', () => {
  it('offers four tools that only read', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'recall',
      'search_history',
      'what_was_lost',
      'context_usage',
    ]);
    for (const { annotations, description = '' } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true });
      expect(description.length).toBeGreaterThan(40);
    }
  });

  it('reports the losses of the newest session of its folder', async () => {
    const { text, isError } = await call('what_was_lost');
    expect(isError).toBe(false);
    expect(text).toContain(forgottenFile);
    expect(text).not.toContain(rememberedFile);
    expect(text).toContain('not a request to you');
    expect(text).toContain('Session s1 of Claude Code.');
  });

  it('reports how full the context is, and what compactions kept', async () => {
    const { text } = await call('context_usage');
    expect(text).toMatch(/^\d+ (?:of \d+ tokens|tokens of an unknown window)/mu);
    expect(text).toContain('1 of 2 files');
  });

  it('finds text that a compaction removed, and returns the whole message or some lines of it', async () => {
    const { text } = await call('search_history', { query: 'print depth' });
    const id = /message, id (m\d+)\]\n> export function print/u.exec(text)?.[1];
    expect(id).toBeDefined();
    const recalled = await call('recall', { id });
    expect(recalled.text).toContain('export function print(depth: number)');
    const part = await call('recall', { id, start_line: 3, end_line: 4 });
    expect(part.text).toContain('Lines 3–4 of');
  });

  it('lists only the sessions of its folder, as resources that can be read', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['context-budget://session/s1']);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'context-budget://session/{id}',
    ]);
    const { contents } = await client.readResource({ uri: 'context-budget://session/s1' });
    expect((contents[0] as { readonly text: string }).text).toContain(forgottenFile);
    await expect(client.readResource({ uri: 'context-budget://session/s2' })).rejects.toThrow(
      'no session "s2"',
    );
    await expect(client.readResource({ uri: 'context-budget://session/%' })).rejects.toThrow(
      'no session "%"',
    );
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow('There is no resource');
  });

  it('answers invalid input with an explanation', async () => {
    expect(await call('recall', { id: 'm999' })).toMatchObject({ isError: true });
    expect(await call('recall', { id: 'm1', session: '../s2' })).toEqual({
      isError: true,
      text: expect.stringContaining(
        'There is no session "../s2" for this folder. There are:\n> s1',
      ) as string,
    });
    expect(await call('search_history', {})).toMatchObject({ isError: true });
    await expect(client.callTool({ name: 'write_file', arguments: {} })).rejects.toThrow(
      /^MCP error -32602: There is no tool "write_file"\.$/u,
    );
  });

  it('does not repeat a long request in its answer', async () => {
    const long = 'x'.repeat(100_000);
    expect((await call('search_history', { query: long })).text.length).toBeLessThan(1_000);
    expect((await call('what_was_lost', { session: long })).text.length).toBeLessThan(1_000);
  });

  it('counts a file as named if the summary names it relative to the folder', async () => {
    const path = join(home, 'claude/projects/printer/absolute.jsonl');
    const session = heldIn(workspace)
      .replace(`"file_path":"${rememberedFile}"`, `"file_path":"${workspace}/${rememberedFile}"`)
      .replace(`"file_path":"${forgottenFile}"`, `"file_path":"${workspace}/${forgottenFile}"`);
    await writeFile(path, session);
    const { text } = await call('what_was_lost', { session: 'absolute' });
    expect(text).toContain(`${workspace}/${forgottenFile}`);
    expect(text).not.toContain(rememberedFile);
    await rm(path);
  });

  it('finds messages added to the session since its last answer', async () => {
    const said = { type: 'text', text: 'The zebra module is done.' };
    const reply = {
      parentUuid: 'u1',
      sessionId: 's1',
      type: 'assistant',
      cwd: workspace,
      message: { id: 'r9', role: 'assistant', content: [said] },
    };
    await appendFile(session, `${JSON.stringify(reply)}\n`);
    expect((await call('search_history', { query: 'zebra' })).text).toContain('zebra module');
  });

  it('works in the folders that its client names', async () => {
    const empty = join(home, 'empty');
    await mkdir(empty);
    const other = await connect('some-client', empty, [workspace]);
    expect((await call('what_was_lost', {}, other)).text).toContain('Session s1');
    await other.close();
    const nowhere = await connect('some-client', empty);
    expect(await call('what_was_lost', {}, nowhere)).toEqual({
      isError: true,
      text: expect.stringContaining('No session of an agent was found for this folder.') as string,
    });
    await nowhere.close();
  });

  it('answers parallel requests one after another', async () => {
    const other = await connect('some-client', home, [workspace]);
    const asked: string[] = [];
    other.setRequestHandler(ListRootsRequestSchema, async () => {
      asked.push('begun');
      // Lets every other request advance as far.
      for (let turn = 0; turn < 5; turn++) await other.ping();
      asked.push('answered');
      return { roots: [{ uri: pathToFileURL(workspace).href, name: 'root' }] };
    });
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => call('context_usage', {}, other)),
      other.listResources(),
      other.readResource({ uri: 'context-budget://session/s1' }),
    ]);
    expect(answers).toHaveLength(12);
    expect(asked.filter((one, index) => one === asked[index - 1])).toEqual([]);
    await other.close();
  });

  it('explains why sessions of an agent cannot be read, and does not answer from another agent', async () => {
    const database = join(home, '.local/share/opencode/opencode.db');
    await mkdir(dirname(database), { recursive: true });
    await writeFile(database, 'no database'.repeat(900));
    const reason =
      'The sessions of opencode could not be read. This file is damaged, or is not an SQLite database.';
    const opencode = await connect('opencode', workspace);
    expect(await call('context_usage', {}, opencode)).toEqual({
      isError: true,
      text: `No session of this agent was found for this folder. ${reason}`,
    });
    await opencode.close();
    expect((await call('context_usage')).text).toContain('Session s1');
    await rm(database);
  });

  it('notices new, truncated, renamed and deleted sessions', async () => {
    const later = join(home, 'claude/projects/printer/s9.jsonl');
    await writeFile(later, heldIn(workspace).replaceAll(forgottenFile, 'src/of-the-new-one.ts'));
    const shortly = new Date(Date.now() + 60_000);
    await utimes(later, shortly, shortly);
    expect((await call('what_was_lost')).text).toContain('src/of-the-new-one.ts');
    await writeFile(later, heldIn(workspace).replaceAll(forgottenFile, 'src/cut.ts').slice(0, -400));
    await utimes(later, shortly, shortly);
    expect((await call('what_was_lost')).text).toContain('src/cut.ts');
    const renamed = join(home, 'claude/projects/renamed');
    await mkdir(renamed);
    await rename(later, join(renamed, 's10.jsonl'));
    expect((await call('what_was_lost')).text).toContain('Session s10 of Claude Code.');
    await rm(renamed, { recursive: true });
    expect((await call('what_was_lost')).text).toContain('Session s1 of Claude Code.');
    expect(await call('what_was_lost', { session: 's9' })).toMatchObject({ isError: true });
  });

  it('explains why a session cannot be read, and continues', async () => {
    const broken = join(home, 'claude/projects/printer/broken.jsonl');
    const [first = ''] = heldIn(workspace).split('\n');
    await writeFile(broken, `${first.replace('"type":"user"', '"type":"of-a-newer-version"')}\n`);
    expect(await call('what_was_lost', { session: 'broken' })).toEqual({
      isError: true,
      text: expect.stringMatching(/^The session cannot be read: [^\n]+\.$/u) as string,
    });
    await rm(broken);
    expect((await call('what_was_lost')).isError).toBe(false);
  });

  it('names a session after its folder if all session files have the same name', async () => {
    const folder = join(home, 'copilot/session-state');
    for (const id of ['one', 'two']) {
      await mkdir(join(folder, id), { recursive: true });
      const said = [
        { type: 'session.start', data: { sessionId: id, context: { cwd: workspace } } },
        { type: 'user.message', data: { content: `This is session ${id}` } },
      ];
      const lines = said.map((event, index) => `${JSON.stringify({ ...event, id: `${id}${index}` })}\n`);
      await writeFile(join(folder, id, 'events.jsonl'), lines.join(''));
    }
    expect((await call('search_history', { query: 'session', session: 'one' })).text).toContain(
      'This is session one',
    );
    await rm(folder, { recursive: true });
  });

  it('answers about a session of 20 MB, even after it has grown', async () => {
    const path = join(home, 'claude/projects/printer/long.jsonl');
    const long = longSession(20_000_000);
    const held = (text: string) => text.replaceAll('"cwd":"/projects/printer"', `"cwd":"${workspace}"`);
    await writeFile(path, held(long.text));
    expect((await call('search_history', { query: 'never touch', session: 'long' })).text).toContain(
      'never touch the generated files',
    );
    await appendFile(path, held(long.compaction + long.step(1_000_001)));
    const lost = await call('what_was_lost', { session: 'long' });
    expect(lost.text).toContain('Make the formatter keep comments');
    expect(lost.isError).toBe(false);
    await rm(path);
  });
});
