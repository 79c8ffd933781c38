import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContextTools } from '../../src/bridge/server/context-tools.ts';
import { FolderSessions } from '../../src/bridge/server/folder-sessions.ts';
import type { ContextToolName } from '../../src/bridge/server/tool-names.ts';
import { factsOfModel } from '../../src/compaction/budget/model-table.ts';
import { headOf } from '../../src/compaction/text/clip.ts';
import { messagesOf } from '../../src/compaction/transcript/transcript.ts';
import { handoffOf } from '../../src/insights/handoff/handoff.ts';
import { importTranscript } from '../../src/transcripts/import-transcript.ts';
import type { FoundAgent } from '../../src/transcripts/session-places.ts';
import { titleOf } from '../../src/transcripts/typed-title.ts';
import { createMeter } from '../support/engine.ts';
import {
  claudeCodeFields,
  copilotCliFields,
  copilotFields,
  HookedSession,
  type HookFields,
} from '../support/hook-agents.ts';
import { hostileSessions } from '../support/injection/hostile-sessions.ts';
import { allInjectionTexts } from '../support/injection/injection-texts.ts';
import { foreignWord } from '../support/injection/orders.ts';
import { conversationWith, places } from '../support/injection/placed-texts.ts';
import { harmInAnswer } from './support/answer-measures.ts';
import { fault } from './support/fault.ts';

const harmless = 'a line of a file';
const byCharacters = (texts: readonly string[]) =>
  Promise.resolve(texts.map(({ length }) => Math.ceil(length / 4)));
const shortened = (text: string) => JSON.stringify(text.slice(0, 80));

/** Agents that call hooks: their sessions, the fields of their calls, and the event that they answer after a compaction. */
const agents: readonly (readonly [agent: string, session: string, fields: HookFields, occasion: string])[] = [
  ['Claude Code', 'Claude Code', claudeCodeFields, 'SessionStart'],
  ['Claude Code, later', 'Claude Code', claudeCodeFields, 'PostToolUse'],
  ['Codex', 'Codex', claudeCodeFields, 'UserPromptSubmit'],
  ['Copilot', 'Copilot', copilotFields, 'PostToolUse'],
  ['Copilot CLI', 'Copilot', copilotCliFields, 'PostToolUse'],
];

async function givenBack(
  [, session, fields, occasion]: (typeof agents)[number],
  text: string,
): Promise<string> {
  const { session: before, summary } = hostileSessions[session]!(text);
  const held = await HookedSession.hold(before, fields);
  try {
    await held.call('Stop');
    await held.call('PreCompact');
    await held.append(summary);
    return (await held.call(occasion, { source: 'compact' })) ?? '';
  } finally {
    await rm(held.folder, { recursive: true, force: true });
  }
}

for (const agent of agents) {
  fault(`what hooks give back to ${agent[0]} holds text of others as data`, async (count) => {
    const before = await givenBack(agent, harmless);
    for (const { kind, text } of allInjectionTexts) {
      count.tried();
      const given = await givenBack(agent, text);
      const harm = harmInAnswer(given, before);
      if (harm !== undefined) count.harmed(`${kind}: ${shortened(text)}: ${harm}`);
    }
  });
}

const meter = await createMeter();
const never = new AbortController().signal;
/** The agent of each session. */
const agentOf: Readonly<Record<string, FoundAgent>> = {
  'Claude Code': 'claude-code',
  Codex: 'codex',
  Copilot: 'copilot-cli',
};

/** A name that a file can have, with as much of a text in it as there is room for. */
function fileName(text: string): string {
  return headOf(text.replace(/[/\0]/gu, ' '), 60);
}

/** What the tools of the server answer about a session with a text in it, beside one that has the text in its name. */
async function answersAbout(
  session: string,
  text: string,
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  const { session: before, summary } = hostileSessions[session]!(text);
  await writeFile(join(folder, 's1.jsonl'), before + summary);
  await writeFile(join(folder, `${fileName(text)}.jsonl`), before);
  const sessions = new FolderSessions(
    [{ agent: agentOf[session]!, folder, levels: [/\.jsonl$/u] }],
    { meterOf: () => meter, budget: () => ({ triggerRatio: 0.8, targetRatio: 0.5 }), factsOf: factsOfModel },
    () => Promise.resolve(['/projects/printer']),
  );
  const tools = createContextTools({
    sessions,
    agent: () => undefined,
    count: (texts) => meter.countTexts(texts),
  });
  const call = async (name: ContextToolName, input: object) =>
    (await tools.get(name)!.run({ session: 's1', ...input }, never)).content;
  const { transcript } = (await sessions.open('s1', undefined, never)).session;
  const recalled = messagesOf(transcript).map(({ id }) => call('recall', { id }));
  const answers = {
    context_usage: await call('context_usage', {}),
    what_was_lost: await call('what_was_lost', {}),
    search_history: await call('search_history', { query: foreignWord }),
    'search_history, own words': await call('search_history', { query: 'line file push main Next steps' }),
    recall: (await Promise.all(recalled)).join('\n'),
    'no session': await call('recall', { session: 's9', id: 'm1' }),
    resources: (await sessions.list(undefined, never)).map(({ title, id }) => `> ${id} ${title}`).join('\n'),
  };
  await rm(join(folder, `${fileName(text)}.jsonl`));
  return answers;
}

for (const session of Object.keys(hostileSessions)) {
  fault(`the server’s answers about a session of ${session} hold text of others as data`, async (count) => {
    const folder = await mkdtemp(join(tmpdir(), 'answers-'));
    const before = await answersAbout(session, harmless, folder);
    for (const { kind, text } of allInjectionTexts) {
      for (const [tool, given] of Object.entries(await answersAbout(session, text, folder))) {
        count.tried();
        const harm = harmInAnswer(given, before[tool] ?? '');
        if (harm !== undefined) count.harmed(`${tool}, ${kind}: ${shortened(text)}: ${harm}`);
      }
    }
    await rm(folder, { recursive: true });
  });
}

async function handoffOfConversation(place: string, text: string): Promise<string> {
  const messages = conversationWith(place, text);
  return (
    (await handoffOf(
      { title: titleOf(text), messages, folder: '/projects/printer' },
      100_000,
      byCharacters,
    )) ?? ''
  );
}

fault('a handoff holds text of others as data', async (count) => {
  for (const place of Object.keys(places)) {
    const before = await handoffOfConversation(place, harmless);
    for (const { kind, text } of allInjectionTexts) {
      count.tried();
      const written = await handoffOfConversation(place, text);
      const harm = harmInAnswer(written, before);
      if (harm !== undefined) count.harmed(`${place}, ${kind}: ${shortened(text)}: ${harm}`);
    }
  }
});

fault('a handoff of another agent’s session holds text of others as data', async (count) => {
  for (const [agent, write] of Object.entries(hostileSessions)) {
    const of = async (text: string) => {
      const messages = messagesOf(importTranscript(write(text).session).transcript);
      return (await handoffOf({ title: 't', messages }, 100_000, byCharacters)) ?? '';
    };
    const before = await of(harmless);
    for (const { kind, text } of allInjectionTexts) {
      count.tried();
      const written = await of(text);
      const harm = harmInAnswer(written, before);
      if (harm !== undefined) count.harmed(`${agent}, ${kind}: ${shortened(text)}: ${harm}`);
    }
  }
});
