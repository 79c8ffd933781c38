import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContextTools } from '../../../src/bridge/server/context-tools.ts';
import { factsOfModel } from '../../../src/compaction/budget/model-table.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import type { Fullness } from '../../../src/insights/context-fullness.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';
import { InspectorModel } from '../../../src/presenters/inspector/inspector-model.ts';
import { LiveSession } from '../../../src/presenters/live/live-session.ts';
import { fullnessReader } from '../../../src/presenters/live/session-fullness.ts';
import { readerOf } from '../../../src/presenters/live/session-reader.ts';
import type { ListedSession } from '../../../src/presenters/import/found-sessions.ts';
import { SessionCatalogue } from '../../../src/presenters/sessions/session-catalogue.ts';
import { sessionRow } from '../../../src/presenters/sessions/session-row.ts';
import { formatOf } from '../../../src/transcripts/import-transcript.ts';
import { sessionPlaces } from '../../../src/transcripts/found-agents.ts';
import { agentFolders, foreignSessions } from '../../harness/foreign-sessions.ts';
import { clineTask, rooTask, type TaskFiles } from '../../support/agents/cline-task.ts';
import { runCommand } from '../../support/command-line.ts';
import { createMeter } from '../../support/engine.ts';

const shared = fileURLToPath(new URL('../../../../shared/', import.meta.url));
const patterns = [
  'transcripts/original/{claude-code-jsonl,codex-rollout-jsonl,pi-session-jsonl,cline-messages-json}/*',
  'agents/sessions/{codex,pi,qwen-code}/*.jsonl',
  // The others are resumed copies of this one, and not sessions.
  'agents/sessions/gemini-cli/chats/session-*01-14-*.jsonl',
  'agents/sessions/cline/*/*ip81o.messages.json',
  'agents/sessions/{opencode,kilo-code}/*.db',
  'agents/small/copilot-cli-sub-agent.jsonl',
  'repro/real/*.jsonl',
];
interface Case {
  readonly name: string;
  /** Texts or bytes by their paths below a home. */
  readonly files: () => Readonly<Record<string, string | Uint8Array>>;
}

const copilot = (...events: readonly (readonly [type: string, data: object])[]): Case['files'] => {
  const told = [
    ['session.start', { sessionId: 's1', version: 1, selectedModel: 'gpt-5' }],
    ['user.message', { content: 'Sort the imports.' }],
    ['assistant.message', { content: 'They are sorted.' }],
    ...events,
  ].map(([type, data], id) => `${JSON.stringify({ type, id: String(id), data })}\n`);
  return () => ({ 'copilot/session-state/s1/events.jsonl': told.join('') });
};
const sizes = { systemTokens: 4_000, conversationTokens: 1_000, toolDefinitionsTokens: 6_000 };
const tasks = (extension: string, { conversation, shown }: TaskFiles): Case['files'] => {
  const folder = `editor/${extension}/tasks/t1`;
  return () => ({
    [`${folder}/api_conversation_history.json`]: JSON.stringify(conversation),
    [`${folder}/ui_messages.json`]: JSON.stringify(shown),
  });
};

const madeUp: readonly Case[] = [
  ...foreignSessions.map(({ path, text }): Case => ({ name: path, files: () => ({ [path]: text }) })),
  { name: 'Copilot CLI, ended', files: copilot(['session.shutdown', { currentTokens: 11_000 }]) },
  { name: 'Copilot CLI, at work', files: copilot(['session.usage_info', { currentTokens: 11_000 }]) },
  {
    name: 'Copilot CLI, compacted',
    files: copilot([
      'session.compaction_complete',
      { success: true, summaryContent: 'They are sorted.', preCompactionTokens: 90_000, ...sizes },
    ]),
  },
  { name: 'Roo Code, condensed', files: tasks('rooveterinaryinc.roo-cline', rooTask) },
  { name: 'Cline, cut', files: tasks('saoudrizwan.claude-dev', clineTask) },
];
/** Real sessions, if the folder next to the project has them. */
const real = globSync(patterns, { cwd: shared })
  .toSorted()
  .map((file): Case => ({ name: file, files: () => ({ [placeOf(file)]: bytesOf(file) }) }));

/**
 * A sub-agent of Codex is listed below its parent only. The parent has no file here, so the sub-agent is
 * listed alone.
 */
function bytesOf(file: string): string | Uint8Array {
  const bytes = readFileSync(shared + file);
  return file.endsWith('.jsonl') ? bytes.toString('utf8').replaceAll('"subagent"', '"agent"') : bytes;
}

/** The place in a home at which an agent keeps a session of this file. */
function placeOf(file: string): string {
  const name = basename(file);
  if (name.endsWith('.db')) return join('.local/share', name === 'kilo.db' ? 'kilo' : 'opencode', name);
  switch (formatOf(readFileSync(shared + file, 'utf8'))?.id) {
    case 'claude-code':
      return join('.claude/projects/-home-user-shop', name);
    case 'codex':
      return join('.codex/sessions/2026/01/02', `rollout-${name.replace(/^rollout-/, '')}`);
    case 'gemini-cli':
      return join('.gemini/tmp/shop/chats', name);
    case 'copilot-cli':
      return '.copilot/session-state/s1/events.jsonl';
    case 'pi':
      return join('.pi/agent/sessions/--shop--', name);
    case 'qwen-code':
      return join('.qwen/projects/-home-user-shop/chats', name);
    default:
      return join(
        '.cline/data/sessions/s1',
        `s1-${name.replace(/(?:\.messages)?\.json$/, '.messages.json')}`,
      );
  }
}

describe('the fullness of a session', () => {
  let meter: UsageMeter;
  let folder: string;
  beforeAll(async () => {
    meter = await createMeter();
    folder = mkdtempSync(join(tmpdir(), 'fullness-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const ports = () => ({
    meterOf: () => meter,
    budget: () => ({ triggerRatio: 0.85, targetRatio: 0.5 }),
    factsOf: (model: string) => factsOfModel(model),
    readerOf: (place: { readonly path: string }) => Promise.resolve(readerOf(place)),
  });

  /** The sessions of a file as the tree lists them. */
  const listed = async ({ files }: Case): Promise<readonly ListedSession[]> => {
    const home = mkdtempSync(join(folder, 'home-'));
    for (const [place, content] of Object.entries(files())) {
      mkdirSync(dirname(join(home, place)), { recursive: true });
      writeFileSync(join(home, place), content);
    }
    const surroundings = { home, platform: 'linux', editorStorage: join(home, 'editor') };
    const catalogue = new SessionCatalogue({
      places: [{}, agentFolders(home)].flatMap((environment) =>
        sessionPlaces({ ...surroundings, environment }),
      ),
      folders: [],
      fill: { ...ports(), fullnessOf: fullnessReader(ports()) },
    });
    const agents = await catalogue.list();
    return (await Promise.all(agents.map(({ agent }) => catalogue.page(agent, 50)))).flatMap(
      ({ sessions }) => sessions,
    );
  };

  it.skipIf(real.length > 0)(
    'is also compared in real sessions (needs ../shared next to the project)',
    () => {},
  );

  it.each([...madeUp, ...real])('is the same in all places: $name', async (one) => {
    const sessions = await listed(one);
    expect(sessions.length).toBeGreaterThan(0);
    for (const session of sessions) {
      const reader = readerOf({ path: session.path });
      const { signal } = new AbortController();
      const read = await LiveSession.open({ ...ports(), reader, name: 's', failed: () => {} }, signal);
      const { tokens, window, alternatives } = await read.foreign.fullness();
      const labels = { chatId: 's', otherSessions: [], model: '', strategy: '' };
      const { usage } = await new InspectorModel({
        id: 's',
        session: read,
        meterOf: () => meter,
        wording: englishWording,
      }).state(labels);
      expect(usage.fullness?.tokens).toBe(tokens);
      expect(usage.window).toBe(window);

      const row = sessionRow(session, { ...ports(), wording: englishWording, now: 0 });
      const windows = window === undefined ? [] : [window, ...alternatives];
      const written = (number: number) => number.toLocaleString('en');
      const size = [
        written(tokens),
        ...(windows.length === 0 ? [] : ['of', windows.map(written).join(' or ')]),
      ];
      expect(row.details.at(-1)).toMatch(new RegExp(`^${size.join(' ')} tokens`));

      const folderSessions = {
        list: () => Promise.resolve([]),
        open: () => Promise.resolve({ ...session, title: 's', id: 's', session: read }),
      };
      const tools = createContextTools({
        sessions: folderSessions,
        agent: () => undefined,
        count: (texts) => meter.countTexts(texts),
      });
      const { content } = await tools.get('context_usage')!.run({}, signal);
      expect(content.split('\n')[2]).toMatch(new RegExp(`^${tokens} (?:of ${windows.join(' or ')} )?tokens`));

      // A command reads one file, and no database.
      if (!session.path.includes('.db') && Object.keys(one.files()).length === 1) {
        const { context } = JSON.parse((await runCommand('count', session.path, '--json')).out) as {
          context: Fullness;
        };
        expect(context.tokens).toBe(tokens);
      }

      // If the file ends with the provider's report, every place has to show it.
      const { usage: last, fullness } = session;
      if (last !== undefined && fullness === undefined) expect(tokens).toBe(last.tokens);
      read.dispose();
    }
  });
});
