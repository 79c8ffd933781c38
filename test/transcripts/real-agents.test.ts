import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type LastRequest, fixturesFolder } from '../../scripts/agents/fixtures.ts';
import { subAgentsOf } from '../../scripts/agents/measure-run.ts';
import { wires } from '../../scripts/agents/server/model-server.ts';
import type { SentMessage } from '../../scripts/agents/server/wires/wire.ts';
import { prompts, workFolder } from '../../scripts/agents/task.ts';
import { createMeter } from '../../src/cli/measuring.ts';
import { isTyped, type Message, textOf, typedText } from '../../src/compaction/messages/message.ts';
import { messagesOf } from '../../src/compaction/transcript/transcript.ts';
import { project } from '../../src/compaction/transcript/view.ts';
import type { ListedSession } from '../../src/presenters/import/found-sessions.ts';
import { SessionCatalogue } from '../../src/presenters/sessions/session-catalogue.ts';
import { readSessionText } from '../../src/presenters/import/session-text.ts';
import { openedLimits } from '../../src/transcripts/reading/read-limits.ts';
import { addForeignCompactions } from '../../src/transcripts/foreign-compactions.ts';
import { type ImportedTranscript, importTranscript } from '../../src/transcripts/import-transcript.ts';
import { sessionPlaces } from '../../src/transcripts/found-agents.ts';

/**
 * Texts of requests that are in no file of the agent, which makes them again at each start or for each
 * request.
 */
const notWritten: Readonly<Record<string, readonly RegExp[]>> = {
  'gemini-cli': [/^<session_context>/u, /^Got it\. Thanks for the additional context!$/u],
  'kilo-code': [/^What did we do so far\?$/u, /^<environment_details>/u],
  opencode: [/^What did we do so far\?$/u],
  'qwen-code': [/^This is the Qwen Code\./u, /^Got it\. Thanks for the (?:additional )?context!$/u],
};

/** Agents that record nothing about their sub-agents' work. */
const hidesSubAgents: ReadonlySet<string> = new Set(['qwen-code']);

/** All prompts; Pi gets one to continue before it compacts. */
const asked: ReadonlySet<string> = new Set([...Object.values(prompts), 'Go on.']);

const agents = globSync('*/last-request.json', { cwd: fixturesFolder })
  .map((path) => path.split(/[\\/]/u)[0] ?? '')
  .sort();
const signal = new AbortController().signal;

/** Blanks and line ends may differ, as may the escapes of arguments. */
function plain(text: string): string {
  return text.replaceAll(/\\[nt"]|[\s"\\]/gu, '');
}

function textsOf({ content, tool_calls: calls = [] }: Message): string {
  return plain([textOf(content), ...calls.map((call) => call.function.arguments)].join(''));
}

function sentTexts({ texts, calls }: SentMessage): readonly string[] {
  return [...texts, ...calls.map(({ input }) => input)].filter((text) => plain(text) !== '');
}

describe.each(agents)('the sessions that %s wrote', (agent) => {
  const home = join(fixturesFolder, agent);
  const last = JSON.parse(readFileSync(join(home, 'last-request.json'), 'utf8')) as LastRequest;
  const sent = wires.find(({ id }) => id === last.wire)?.read(last.body).messages ?? [];
  const path = join(home, last.session);
  let imported: ImportedTranscript;
  let view: readonly Message[];
  let found: readonly ListedSession[];

  beforeAll(async () => {
    imported = importTranscript(await readSessionText(path, signal, openedLimits));
    view = project(await addForeignCompactions(imported, createMeter('o200k_base')));
    const places = sessionPlaces({ home, platform: 'linux', environment: {} });
    const catalogue = new SessionCatalogue({ places, folders: [workFolder] });
    await catalogue.list();
    await catalogue.readAll();
    found = await catalogue.all();
  });

  it('are read without problems', () => {
    expect(imported.problems).toEqual([]);
  });

  it('are found, with their folder and a title', () => {
    expect(found.find((session) => session.path === path)).toMatchObject({
      workspace: workFolder,
      isOfWorkspace: true,
      title: expect.stringMatching(/\w/u) as string,
    });
  });

  it('contain every message of the last request in the same role', () => {
    const summary = plain(imported.compactions.at(-1)?.summary ?? '');
    const isKnown = ({ role, text }: { readonly role: string; readonly text: string }) =>
      view.some((message) => message.role === role && textsOf(message).includes(plain(text))) ||
      // Agents frame summaries, and some put them into the assistant's role.
      plain(text).includes(summary);
    const missing = sent
      .filter(({ role }) => role !== 'system')
      .flatMap((message) => sentTexts(message).map((text) => ({ role: message.role, text })))
      .filter(({ text }) => !(notWritten[agent] ?? []).some((pattern) => pattern.test(text.trim())))
      .filter((one) => !isKnown(one));
    expect(missing).toEqual([]);
  });

  it('contain only messages of the last request since the last compaction', () => {
    const all = plain(sent.flatMap(sentTexts).join(''));
    const reply = view.at(-1);
    const extra = view
      .filter((message) => message !== reply && message.role !== 'system' && message.kind !== 'summary')
      // Cline removes the frame of typed text before it sends it.
      .filter((message) => ![textsOf(message), plain(typedText(message))].some((text) => all.includes(text)))
      .map(({ role, content }) => `${role}: ${textOf(content).slice(0, 80)}`);
    expect(extra).toEqual([]);
  });

  it('attribute only typed text to the user', () => {
    // opencode quotes its command-line input.
    const typed = messagesOf(imported.transcript)
      .filter(isTyped)
      .map((message) =>
        typedText(message)
          .trim()
          .replace(/^"(.*)"$/u, '$1'),
      );
    expect(typed).toContain(prompts.first);
    expect(typed.filter((text) => !asked.has(text))).toEqual([]);
  });

  it('show every compaction', () => {
    expect(imported.compactions).toHaveLength(last.compactions);
  });

  it('are linked to the sessions of all sub-agents', async () => {
    expect(await subAgentsOf(path, imported, found)).toBe(hidesSubAgents.has(agent) ? 0 : last.subAgents);
  });

  it('report the usage of the last request', () => {
    const reported = messagesOf(imported.transcript).findLast(({ usage }) => usage !== undefined);
    expect(reported?.usage?.inputTokens).toBe(last.reported);
  });

  it('name no folders of the machine that recorded them', () => {
    const files = globSync('**/*', { cwd: home, withFileTypes: true }).filter((file) => file.isFile());
    const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
    expect(texts.filter((text) => /\/(?:root|work|tmp\/bench)\//u.test(text))).toEqual([]);
    expect(existsSync(path.replace(/#.*/u, ''))).toBe(true);
  });
});
