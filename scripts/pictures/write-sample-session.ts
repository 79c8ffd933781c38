/**
 * Writes the sample sessions. In two of them, the offline model answers questions about the sample workspace with real
 * tool calls, compacts, and continues: `samples/sessions/questions.jsonl` is for tests that read real sessions, and
 * `media/sample-session.jsonl` has three compactions. `samples/sessions/claude-code.jsonl` is a made-up session of
 * Claude Code about the same workspace, whose summary leaves facts out. A new chat offers to open it.
 *
 * Usage: node scripts/pictures/write-sample-session.ts
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { Workspace } from '../../src/agent/files/workspace.ts';
import { OfflineModel } from '../../src/agent/offline/offline-model.ts';
import { AgentSession } from '../../src/agent/session/agent-session.ts';
import type { SessionPorts } from '../../src/agent/session/session-ports.ts';
import { systemPrompt } from '../../src/agent/session/system-prompt.ts';
import { createTools } from '../../src/agent/tools/catalogue.ts';
import { resolveOptions } from '../../src/compaction/strategies/contract/options.ts';
import { type StrategyId, strategyOf } from '../../src/compaction/strategies/index.ts';
import { encodingCounter } from '../../src/compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import { type SessionEvent, sessionVersion } from '../../src/transcripts/session/session-event.ts';
import { projectFolder } from '../project.ts';
import { runMain } from '../run-main.ts';
import { claudeSample } from './claude-sample.ts';
import { scratchCopy } from '../test/scratch-copy.ts';

interface Sample {
  readonly id: string;
  readonly file: string;
  /** Questions of the user, each in a separate turn. */
  readonly questions: readonly string[];
  /** Index of a question → strategy that compacts before it. */
  readonly compactions: ReadonlyMap<number, StrategyId>;
}

const questions = [
  'How does the store keep notes on disk?',
  'Where is the lock taken, and who gives it back?',
  'Read src/store.ts.',
  'What does merge do with two versions of a note?',
  'Read src/lock.ts and src/merge.ts.',
  'Where is `parseWhen` used?',
  'Which tests are there for the search?',
  '会话和笔记保存在哪里？',
  'Read docs/storage.md.',
  'Which commands does the program have?',
  'Read src/commands.ts.',
  'Where is the frobnicator?',
  'How does the search rank what it finds?',
  'List the files in `test/`.',
  'Read test/store.test.ts.',
];

const samples: readonly Sample[] = [
  {
    id: 'questions',
    file: join(projectFolder, 'samples', 'sessions', 'questions.jsonl'),
    questions,
    compactions: new Map([[questions.length - 3, 'ladder']]),
  },
  {
    id: 'sample-session',
    file: join(projectFolder, 'media', 'sample-session.jsonl'),
    questions: [
      'How does the store keep notes on disk?',
      'Read src/store.ts.',
      'Where is the lock taken, and who gives it back?',
      'Read src/lock.ts.',
      'Read src/merge.ts.',
      'Which tests are there for the search?',
      'Read src/search.ts.',
      'Which commands does the program have?',
      'Read test/store.test.ts.',
      'How does the search rank what it finds?',
    ],
    compactions: new Map([
      [4, 'tool-result-hiding'],
      [7, 'whole-history'],
      [9, 'ladder'],
    ]),
  },
];

const claudeFile = join(projectFolder, 'samples', 'sessions', 'claude-code.jsonl');

/** Time of a clock that advances by one second each time it is read. */
const start = Date.UTC(2026, 0, 5, 9);
let time = start;
const now = (): number => (time += 1_000);

async function main(): Promise<void> {
  for (const sample of samples) await write(sample);
  await writeFile(claudeFile, await claudeSample());
}

async function write(sample: Sample): Promise<void> {
  const { id, file, compactions } = sample;
  time = start;
  const { folder, remove } = await scratchCopy(join(projectFolder, 'samples', 'workspace'));
  const events: SessionEvent[] = [
    { type: 'session', version: sessionVersion, id, createdAt: new Date(now()).toISOString() },
  ];
  try {
    const log = (event: SessionEvent): Promise<void> => {
      events.push(event);
      return Promise.resolve();
    };
    const session = new AgentSession(
      { title: undefined, entries: [], tools: [], lastTurn: undefined },
      portsOf(folder, log),
      () => {},
    );
    for (const [turn, question] of sample.questions.entries()) {
      const strategy = compactions.get(turn);
      if (strategy !== undefined) {
        const { status } = await session.compactNow({ strategy: strategyOf(strategy) });
        if (status !== 'applied') throw new Error(`${strategy} before question ${turn} was ${status}.`);
      }
      await session.send(question);
      if (session.lastTurn !== undefined) throw new Error(session.lastTurn.message);
    }
  } finally {
    await remove();
  }
  const text = events
    // The parts of a streamed answer are not needed, because the whole answer follows.
    .filter(({ type }) => type !== 'partial')
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('');
  if (text.includes(folder)) throw new Error(`The session tells of ${folder}.`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  console.log(`${file}: ${events.length} events, ${text.length} characters`);
}

function portsOf(folder: string, log: SessionPorts['log']): SessionPorts {
  const offline = new OfflineModel();
  const strategy = strategyOf('ladder');
  return {
    log,
    models: () => Promise.resolve({ chat: offline, compaction: offline, named: () => offline }),
    tools: () =>
      createTools({ workspace: new Workspace([folder]), ripgrepPath: rgPath, recall: () => undefined }),
    approvals: { isAllowed: () => true, allow: () => {} },
    settings: () => ({
      strategy,
      options: resolveOptions(strategy.options, {}).options,
      budget: { window: 16_000, triggerRatio: 0.95, targetRatio: 0.5 },
      mode: 'off',
      protectFirst: true,
    }),
    meter: new UsageMeter(encodingCounter('o200k_base'), { countsReasoning: true }),
    systemPrompt: () => systemPrompt({ name: 'workspace' }),
    now,
  };
}

await runMain(main);
