import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createContextTools } from '../../../src/bridge/server/context-tools.ts';
import { FolderSessions } from '../../../src/bridge/server/folder-sessions.ts';
import type { ContextToolName } from '../../../src/bridge/server/tool-names.ts';
import { factsOfModel } from '../../../src/compaction/budget/model-table.ts';
import { headOf } from '../../../src/compaction/text/clip.ts';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import type { FoundAgent } from '../../../src/transcripts/found-agents.ts';
import { createMeter } from '../../support/engine.ts';
import {
  claudeCodeFields,
  copilotCliFields,
  copilotFields,
  HookedSession,
  type HookFields,
} from '../../support/agents/hook-agents.ts';
import { hostileSessions } from '../../support/injection/hostile-sessions.ts';

/**
 * Agents that call hooks: their sessions, the fields of their calls, and the event that they answer after a
 * compaction.
 */
export const hookAgents: readonly (readonly [
  agent: string,
  session: string,
  fields: HookFields,
  occasion: string,
])[] = [
  ['Claude Code', 'Claude Code', claudeCodeFields, 'SessionStart'],
  ['Claude Code, after a tool', 'Claude Code', claudeCodeFields, 'PostToolUse'],
  ['Codex', 'Codex', claudeCodeFields, 'UserPromptSubmit'],
  ['Copilot', 'Copilot', copilotFields, 'PostToolUse'],
  ['Copilot CLI', 'Copilot', copilotCliFields, 'PostToolUse'],
];

/** The text that hooks return after a compaction of a session with a text in it; empty without any. */
export async function givenBack(
  [, session, fields, occasion]: (typeof hookAgents)[number],
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

const meter = await createMeter();
const never = new AbortController().signal;
/** The agent of each session. */
const agentOf: Readonly<Record<string, FoundAgent>> = {
  'Claude Code': 'claude-code',
  Codex: 'codex',
  Copilot: 'copilot-cli',
};

/** A valid file name with as much of a text as fits. */
function fileName(text: string): string {
  return headOf(text.replace(/[/\0]/gu, ' '), 60);
}

/**
 * The server's answers about a session with a text in it, next to one with the text in its name.
 *
 * @param folder for the sessions
 */
export async function answersAbout(
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
    search_history: await call('search_history', { query: 'always run commit npm deploy host' }),
    'search_history, own words': await call('search_history', { query: 'line file push main Next steps' }),
    recall: (await Promise.all(recalled)).join('\n'),
    'no session': await call('recall', { session: 's9', id: 'm1' }),
    resources: (await sessions.list(undefined, never)).map(({ title, id }) => `> ${id} ${title}`).join('\n'),
  };
  await rm(join(folder, `${fileName(text)}.jsonl`));
  return answers;
}
