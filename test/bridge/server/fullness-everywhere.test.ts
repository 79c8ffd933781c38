import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContextTools } from '../../../src/bridge/server/context-tools.ts';
import { factsOfModel } from '../../../src/compaction/budget/model-table.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import type { Fullness } from '../../../src/insights/context-fullness.ts';
import { englishWording } from '../../../src/language/wording.ts';
import { InspectorModel } from '../../../src/presenters/inspector/inspector-model.ts';
import { LiveSession } from '../../../src/presenters/live/live-session.ts';
import { fullnessReader } from '../../../src/presenters/live/session-fullness.ts';
import { readerOf } from '../../../src/presenters/live/session-reader.ts';
import { sourceOf } from '../../../src/presenters/live/session-source.ts';
import { type ListedSession, SessionCatalogue } from '../../../src/presenters/sessions/session-catalogue.ts';
import { sessionRow } from '../../../src/presenters/sessions/session-row.ts';
import { formatOf } from '../../../src/transcripts/import-transcript.ts';
import { sessionPlaces } from '../../../src/transcripts/session-places.ts';
import { agentFolders, foreignSessions } from '../../harness/foreign-sessions.ts';
import { runCommand } from '../../support/command-line.ts';
import { createMeter } from '../../support/engine.ts';

const shared = fileURLToPath(new URL('../../../../shared/', import.meta.url));
const patterns = [
  'transcripts/original/{claude-code-jsonl,codex-rollout-jsonl,pi-session-jsonl,cline-messages-json}/*',
  'agents/sessions/{codex,pi,qwen-code}/*.jsonl',
  // The others are resumes of this one, and stand for no session.
  'agents/sessions/gemini-cli/chats/session-*01-14-*.jsonl',
  'agents/sessions/cline/*/*ip81o.messages.json',
  'agents/sessions/{opencode,kilo-code}/*.db',
  'agents/small/copilot-cli-sub-agent.jsonl',
  'repro/real/*.jsonl',
];
interface Case {
  readonly name: string;
  /** Below a home. */
  readonly place: () => string;
  readonly bytes: () => string | Uint8Array;
}

const madeUp = foreignSessions.map(({ path, text }): Case => ({
  name: path,
  place: () => path,
  bytes: () => text,
}));
/** Real sessions, where the folder beside the project has them. */
const real = globSync(patterns, { cwd: shared })
  .toSorted()
  .map((file): Case => ({
    name: file,
    place: () => placeOf(file),
    bytes: () => bytesOf(file),
  }));

/** A sub-agent of Codex is listed below its parent only, which has no file here: it stands for itself. */
function bytesOf(file: string): string | Uint8Array {
  const bytes = readFileSync(shared + file);
  return file.endsWith('.jsonl') ? bytes.toString('utf8').replaceAll('"thread_spawn"', '"spawn"') : bytes;
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

describe('how full a session is', () => {
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
    readerOf: (place: { readonly path: string }) => Promise.resolve(readerOf(sourceOf(place))),
  });

  /** The sessions of a file as the tree lists them. */
  const listed = async ({ place, bytes }: Case): Promise<readonly ListedSession[]> => {
    const home = mkdtempSync(join(folder, 'home-'));
    const path = join(home, place());
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes());
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

  it.skipIf(real.length > 0)('is tried on real sessions, too (needs ../shared beside the project)', () => {});

  it.each([...madeUp, ...real])('is the same in all places: $name', async (one) => {
    const sessions = await listed(one);
    expect(sessions.length).toBeGreaterThan(0);
    for (const session of sessions) {
      const reader = readerOf(sourceOf({ path: session.path }));
      const { signal } = new AbortController();
      const opened = await LiveSession.open({ ...ports(), reader, name: 's', failed: () => {} }, signal);
      const read = opened.session;
      const { tokens, window, alternatives } = await read.foreign.fullness();
      const labels = { sessionId: 's', chatId: 's', otherSessions: [], model: '', strategy: '' };
      const { usage } = await new InspectorModel(read, () => meter).state(labels);
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

      if (!session.path.includes('.db')) {
        const { context } = JSON.parse((await runCommand('count', session.path, '--json')).out) as {
          context: Fullness;
        };
        expect(context.tokens).toBe(tokens);
      }

      // Where the end of the file has the provider's last word, nothing else may be said.
      const { usage: last } = session;
      if (last !== undefined && last.isOvertaken !== true) expect(tokens).toBe(last.tokens);
      opened.dispose();
    }
  });
});
