import { rgPath } from '@vscode/ripgrep';
import { beforeAll, describe, expect, it } from 'vitest';
import { diskEditor } from '../../src/agent/edits/disk-editor.ts';
import { OfflineModel } from '../../src/agent/offline/offline-model.ts';
import { OpenaiModel } from '../../src/agent/openai/openai-model.ts';
import { AgentSession } from '../../src/agent/session/agent-session.ts';
import type { ToolAccess } from '../../src/agent/session/session-ports.ts';
import { createEditFile } from '../../src/agent/tools/edit-file.ts';
import { createFindFiles } from '../../src/agent/tools/find-files.ts';
import { createListDirectory } from '../../src/agent/tools/list-directory.ts';
import { createReadFile } from '../../src/agent/tools/read-file.ts';
import { createRecall } from '../../src/agent/tools/recall.ts';
import { createRunCommand } from '../../src/agent/tools/run-command-tool.ts';
import { createSearchHistory } from '../../src/agent/tools/search-history.ts';
import { createSearchText } from '../../src/agent/tools/search-text.ts';
import type { Tool } from '../../src/agent/tools/support/tool.ts';
import { Workspace } from '../../src/agent/files/workspace.ts';
import { type Message, originalText, textOf } from '../../src/compaction/messages/message.ts';
import { resolveOptions } from '../../src/compaction/strategies/contract/options.ts';
import { strategyIds, strategyOf, type StrategyId } from '../../src/compaction/strategies/index.ts';
import type { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import { recordsOf } from '../../src/compaction/transcript/transcript.ts';
import { createMeter } from '../support/engine.ts';
import { soak } from '../support/soak.ts';

import { markers, StoryModel, storyFiles, turns, typedIn, type Marker } from './long-session-story.ts';
import { ScriptedServer } from '../agent/openai/scripted-server.ts';
import { allowAll } from '../agent/session/session-harness.ts';
import { TemporaryWorkspace } from '../agent/tools/temporary-workspace.ts';

const never = new AbortController().signal;
/** Largest request the server accepts, in tokens. */
const window = 32_000;

/** Place of a fact at the end of the session; undefined if it is lost. */
type Found = 'view' | 'recall' | 'search' | undefined;

/** A strategy, and the model's window in the settings. */
type Run = readonly [id: StrategyId, believed: number | undefined];

/** A long session and its outcome. */
interface Outcome {
  readonly server: ScriptedServer;
  readonly model: StoryModel;
  readonly session: AgentSession;
  /** Compactions that started in the background. */
  readonly besideCalls: number;
  readonly found: ReadonlyMap<Marker, Found>;
}

/** Runs a session with this strategy through the story. The caller disposes of it. */
async function live(id: StrategyId, believed: number | undefined, meter: UsageMeter): Promise<Outcome> {
  await using files = await TemporaryWorkspace.create(storyFiles());
  const workspace = new Workspace([files.path]);
  const story = new StoryModel();
  await using server = await ScriptedServer.start({ window, answer: (request) => story.answer(request) });
  const chat = new OpenaiModel({ baseUrl: server.baseUrl, apiKey: 'key', model: 'scripted', maxRetries: 0 });
  const offline = new OfflineModel();
  const strategy = strategyOf(id);
  const settings = {
    strategy,
    options: resolveOptions(strategy.options, {}).options,
    budget: { window: believed, triggerRatio: 0.85, targetRatio: 0.5, backgroundRatio: 0.75 },
    mode: 'auto',
    protectFirst: true,
  } as const;
  let besideCalls = 0;
  let history: readonly [recall: Tool, search: Tool] | undefined;
  const toolsOf = (access: ToolAccess) => {
    const recall = createRecall((messageId) => {
      const message = access.recall(messageId);
      return message === undefined ? undefined : originalText(message);
    });
    history = [recall, createSearchHistory(access.searchHistory)];
    return [
      createReadFile(workspace),
      createListDirectory(workspace),
      createFindFiles(workspace, rgPath),
      createSearchText(workspace, rgPath),
      createEditFile(workspace, diskEditor),
      createRunCommand(workspace, { environment: () => process.env }),
      ...history,
    ];
  };
  const session = new AgentSession(
    { title: undefined, entries: [], tools: [], lastTurn: undefined },
    {
      log: () => Promise.resolve(),
      models: () => Promise.resolve({ chat, compaction: offline, named: () => offline }),
      tools: toolsOf,
      approvals: allowAll,
      settings: () => settings,
      meter,
      systemPrompt: () => 'rules',
      now: () => 0,
    },
    (event) => {
      if (event.type === 'compaction-start' && event.isBackground === true) besideCalls++;
    },
  );
  for (let turn = 1; turn <= turns; turn++) {
    story.begin(turn);
    await session.send(typedIn(turn));
    if (session.lastTurn !== undefined) throw new Error(`Turn ${turn}: ${session.lastTurn.message}`);
  }
  const [recall, search] = history!;
  const found = new Map<Marker, Found>();
  for (const marker of markers) {
    found.set(marker, await find(marker, session.transcript.view, recall, search));
  }
  return { server, model: story, session, besideCalls, found };
}

/** Source from which an agent limited to its context would get a fact. */
async function find(
  { fact, query }: Marker,
  view: readonly Message[],
  recall: Tool,
  search: Tool,
): Promise<Found> {
  const texts = view.map(
    (message) => `${textOf(message.content)} ${JSON.stringify(message.tool_calls ?? [])}`,
  );
  if (texts.some((text) => text.includes(fact))) return 'view';
  const ids = texts.flatMap((text) =>
    [...text.matchAll(/recall\(\\?"([^"\\]+)\\?"\)/g)].map(([, id]) => id!),
  );
  for (const id of new Set(ids)) {
    if (textOf((await recall.run({ id }, never)).content).includes(fact)) return 'recall';
  }
  return (await search.run({ query }, never)).content.includes(fact) ? 'search' : undefined;
}

/**
 * One strategy for each mechanism, and the model's window in the settings: the server's own, another one, or
 * none.
 */
const chosen: readonly Run[] = [
  ['ladder', window],
  ['state-snapshot', undefined],
  ['anchored-summary', 48_000],
  ['tool-result-hiding', window],
  ['layered-truncation', window],
  ['sliding-window', window],
];

/** Strategies that do nothing without a user’s module, a provider’s own compaction, or at all. */
const idle: ReadonlySet<StrategyId> = new Set(['none', 'custom', 'provider-native']);

const others = strategyIds.filter((id) => !idle.has(id) && !chosen.some(([known]) => known === id));
const runs = soak(chosen, [...chosen, ...others.map((id): Run => [id, window])]);

describe.each(runs.map(([id, believed]) => ({ id, believed })))(
  'a long session with $id, a window set to $believed and a server that accepts 32,000 tokens',
  ({ id, believed }) => {
    let outcome: Outcome;
    beforeAll(async () => {
      outcome = await live(id, believed, await createMeter());
      print(id, believed, outcome);
    });

    it('sends no malformed request that a strict server would refuse', () => {
      expect(outcome.server.refusals.filter(({ reason }) => reason !== 'overflow')).toEqual([]);
    });

    it('sends few requests that are too long, and compacts after each', () => {
      const overflows = outcome.server.refusals.filter(({ reason }) => reason === 'overflow');
      const forced = recordsOf(outcome.session.transcript).filter(
        ({ status, trigger }) => status === 'applied' && trigger.source === 'overflow',
      );
      expect(overflows.length).toBeLessThanOrEqual(forced.length);
      expect(overflows.length).toBeLessThanOrEqual(believed === window ? 0 : 2);
    });

    it("always shows the user's last request to the model", () => {
      expect(outcome.model.lost).toEqual([]);
    });

    it('can still find every fact of its first ten turns', () => {
      const lost = markers.filter((marker) => outcome.found.get(marker) === undefined);
      expect(lost.map(({ what }) => what)).toEqual([]);
    });
  },
);

/** Numbers of a run, for comparing strategies. */
function print(
  id: string,
  believed: number | undefined,
  { server, session, besideCalls, found }: Outcome,
): void {
  const places = [...found.values()];
  const count = (place: Found) => places.filter((one) => one === place).length;
  const records = recordsOf(session.transcript);
  console.info(
    [
      `${id} (${believed ?? 'no window'})`,
      `requests ${server.requests.length}`,
      `overflows ${server.refusals.filter(({ reason }) => reason === 'overflow').length}`,
      `other refusals ${server.refusals.filter(({ reason }) => reason !== 'overflow').length}`,
      `compactions ${records.filter(({ status }) => status === 'applied').length} of ${records.length}, ${besideCalls} begun beside a call`,
      `peak ${Math.max(...server.requests.map(({ tokens = 0 }) => tokens))} tokens`,
      `facts in view ${count('view')}, by recall ${count('recall')}, by search ${count('search')}, lost ${count(undefined)}`,
    ].join(' · '),
  );
}
