import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe } from 'vitest';
import { resolveOptions } from '../../src/compaction/strategies/contract/options.ts';
import { strategyOf, type StrategyId } from '../../src/compaction/strategies/index.ts';
import { recordsOf } from '../../src/compaction/transcript/transcript.ts';
import { findViolations } from '../../src/compaction/messages/validity.ts';
import { recordsInForce } from '../../src/compaction/transcript/view.ts';
import { createMeter } from '../support/engine.ts';
import { ownStrategyIds } from '../support/own-sessions.ts';
import { soak } from '../support/soak.ts';
import { fault } from './support/fault.ts';
import { WrittenChat } from './support/written-chat.ts';

type Command = fc.AsyncCommand<object, WrittenChat>;

let steps = 0;

/** A step, after which memory, file and oracle have to agree. */
function step(name: string, act: (chat: WrittenChat) => Promise<unknown>): Command {
  return {
    check: () => true,
    run: async (_, chat) => {
      steps++;
      await act(chat);
      await agree(chat);
    },
    toString: () => name,
  };
}

async function agree(chat: WrittenChat): Promise<void> {
  const expected = chat.acknowledged.join('\n');
  const { entries, view } = chat.session.transcript;
  const inMemory = entries.map((entry) => JSON.stringify(entry)).join('\n');
  if (inMemory !== expected) throw new Error('Memory does not hold what was acknowledged.');
  const { contents } = (await chat.read()) ?? {};
  const inFile = contents?.entries.map((entry) => JSON.stringify(entry)).join('\n') ?? '';
  if (inFile !== expected) throw new Error('The file does not hold what was acknowledged.');
  const [violation] = findViolations(view);
  if (violation !== undefined) throw new Error(`The view is not valid: ${JSON.stringify(violation)}`);
}

function compact(chat: WrittenChat, id: StrategyId): Promise<unknown> {
  const strategy = strategyOf(id);
  return chat.session.compactNow({ strategy, options: resolveOptions(strategy.options, {}).options });
}

async function undo(chat: WrittenChat, choice: number): Promise<void> {
  const records = recordsInForce(chat.session.transcript.entries);
  const record = records[choice % Math.max(1, records.length)];
  if (record !== undefined) await chat.session.undo(record.id);
}

/** Messages before the steps, so that there is something to compact. */
const opening = Array.from({ length: 6 }, (_, index) => `Request ${index}: look at src/f${index}.ts`);

const idAt = ({ messageIds }: WrittenChat, choice: number) => messageIds[choice % messageIds.length]!;

const commands: fc.Arbitrary<Command>[] = [
  fc
    .string({ minLength: 1 })
    .filter((text) => text.trim() !== '')
    .map((text) => step(`say ${JSON.stringify(text)}`, (chat) => chat.session.send(text))),
  fc.constantFrom(...ownStrategyIds).map((id) => step(`compact with ${id}`, (chat) => compact(chat, id))),
  fc.nat(20).map((choice) => step(`undo compaction ${choice}`, (chat) => undo(chat, choice))),
  fc
    .nat(40)
    .map((choice) => step(`restore message ${choice}`, (chat) => chat.session.restore(idAt(chat, choice)))),
  fc
    .tuple(fc.nat(40), fc.boolean())
    .map(([choice, isPinned]) =>
      step(`${isPinned ? 'pin' : 'unpin'} message ${choice}`, (chat) =>
        chat.session.pin([idAt(chat, choice)], isPinned),
      ),
    ),
  fc.nat(10).map((choice) => step(`fork at request ${choice}`, (chat) => chat.fork(choice))),
  fc.constant(step('crash', (chat) => chat.reopen(true))),
  fc.constant(step('reload', (chat) => chat.reopen(false))),
  fc.constant(
    step('a second window reads', async (chat) => {
      const found = await chat.read();
      await found?.file.close();
    }),
  ),
  fc.constant(
    step('the file is deleted', async (chat) => {
      await rm(chat.path, { force: true });
      await chat.session.rename('still here');
    }),
  ),
  fc.tuple(fc.constantFrom('one', 'two'), fc.constantFrom(1_000, 4_000, 32_000)).map(([name, window]) =>
    step(`model ${name} with a window of ${window}`, (chat) => {
      chat.switchModel(name, window);
      return Promise.resolve();
    }),
  ),
  fc
    .constantFrom('{"type":"message","mess', '\0\0\0', '{"type":"undo","recordIds":["c999"]}\n')
    .map((garbage) =>
      step(`a tail of ${JSON.stringify(garbage)}`, async (chat) => {
        await chat.tear(garbage);
        const problems = await chat.reopen(true);
        if (problems.length === 0) throw new Error('The damage was not told.');
      }),
    ),
];

describe('a chat', () => {
  fault('keeps everything acknowledged, whatever happens in any order', async (count) => {
    const meter = await createMeter();
    let entries = 0;
    let records = 0;
    const folder = await mkdtemp(join(tmpdir(), 'model-based-'));
    try {
      await fc.assert(
        fc.asyncProperty(fc.commands(commands, { maxCommands: 25, size: 'max' }), async (story) => {
          const chat = new WrittenChat(folder, meter);
          count.tried();
          try {
            await fc.asyncModelRun(async () => {
              for (const text of opening) await chat.session.send(text);
              return { model: {}, real: chat };
            }, story);
          } finally {
            entries += chat.acknowledged.length;
            records += recordsOf(chat.session.transcript).filter(({ status }) => status === 'applied').length;
            await chat.close();
          }
        }),
        { numRuns: soak(60, 500) },
      );
      count.note(`${steps} steps, ${entries} entries, ${records} applied compactions`);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
