import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparedTo, type SentMessage } from '../../../src/agent/governed/history-change.ts';
import { repairPairs } from '../../../src/compaction/messages/exchange.ts';
import { isPrompt, type Message, toChatMessage } from '../../../src/compaction/messages/message.ts';
import { findViolations } from '../../../src/compaction/messages/validity.ts';
import { strategyIds } from '../../../src/compaction/strategies/index.ts';
import { createMeter } from '../../support/engine.ts';
import { histories } from '../../support/histories.ts';
import { asSent, GovernedHarness } from './governed-harness.ts';

const meter = await createMeter();

/** A change that a client makes in its history before its next request. */
type Edit =
  | { readonly kind: 'append'; readonly count: number }
  | { readonly kind: 'rewrite' | 'leave out'; readonly at: number }
  | { readonly kind: 'insert'; readonly at: number; readonly text: string }
  | { readonly kind: 'summarise'; readonly end: number }
  | { readonly kind: 'go back'; readonly by: number; readonly text: string };

const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 0, max: 6 }) }),
    },
    fc.record({ kind: fc.constantFrom('rewrite' as const, 'leave out' as const), at: fc.nat() }),
    fc.record({ kind: fc.constant('insert' as const), at: fc.nat(), text: fc.string() }),
    fc.record({ kind: fc.constant('summarise' as const), end: fc.nat() }),
    fc.record({
      kind: fc.constant('go back' as const),
      by: fc.integer({ min: 1, max: 9 }),
      text: fc.string(),
    }),
  ),
  { maxLength: 8 },
);

function prompt(text: string): SentMessage {
  return { role: 'user', origin: 'person', content: `said ${text}` };
}

/** The histories of all requests, one for each edit. */
function requestsOf(
  messages: readonly SentMessage[],
  steps: readonly Edit[],
): readonly (readonly SentMessage[])[] {
  let rest = messages.slice(3);
  let history = messages.slice(0, 3);
  return [
    history,
    ...steps.map((step) => {
      switch (step.kind) {
        case 'append':
          history = [...history, ...rest.slice(0, step.count)];
          rest = rest.slice(step.count);
          break;
        case 'rewrite':
          history = history.map((message, index) =>
            index === step.at % history.length && message.content !== null
              ? { ...message, content: `rewritten ${step.at}` }
              : message,
          );
          break;
        case 'leave out':
          history = history.filter((_, index) => index !== step.at % history.length);
          break;
        case 'insert':
          history = history.toSpliced(step.at % (history.length + 1), 0, prompt(step.text));
          break;
        case 'summarise':
          history = [prompt('in short'), ...history.slice(step.end % (history.length + 1))];
          break;
        case 'go back':
          history = [...history.slice(0, -step.by), prompt(step.text)];
      }
      return history;
    }),
  ];
}

const sequences = fc
  .tuple(histories, edits)
  .map(([{ messages }, steps]) => requestsOf(asSent(messages), steps));

const strategies = fc.constantFrom(...strategyIds.filter((id) => id !== 'none' && id !== 'custom'));

const keysOf = (messages: readonly SentMessage[]) => messages.map((message) => comparedTo(message).key);

describe('GovernedHistories, for any sequence of histories', () => {
  it('sends exactly the history of the client while nothing is compacted', async () => {
    await fc.assert(
      fc.asyncProperty(sequences, async (requests) => {
        const client = new GovernedHarness(meter, { mode: 'off' });
        for (const sent of requests) {
          const { view } = await client.take(sent);
          const stamped = sent.map((message, index): Message => ({
            ...message,
            id: `m${index}`,
            createdAt: '',
          }));
          expect(keysOf(view)).toEqual(keysOf(repairPairs(stamped)));
        }
        expect(client.warnings).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('sends a valid view with the newest request in full', async () => {
    await fc.assert(
      fc.asyncProperty(sequences, async (requests) => {
        const client = new GovernedHarness(meter, {});
        for (const sent of requests) {
          const { view } = await client.take(sent);
          expect(findViolations(view.map(toChatMessage))).toEqual([]);
          const newest = sent.findLast((message) => isPrompt({ ...message, id: '', createdAt: '' }));
          // Only the last resort may shorten it, if the window is too small for it.
          const isSmall = client.records.some(({ trigger }) => trigger.requirement === 'hard');
          if (newest !== undefined && !isSmall) expect(keysOf(view)).toContain(comparedTo(newest).key);
        }
        expect(client.warnings).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('never tells the model to recall a message, whatever the strategy', async () => {
    await fc.assert(
      fc.asyncProperty(sequences, strategies, async (requests, strategy) => {
        const client = new GovernedHarness(meter, { strategy });
        for (const sent of requests)
          expect(JSON.stringify(await client.sends(sent))).not.toMatch(/recall(?:\(| returns)/u);
      }),
      { numRuns: 80 },
    );
  });

  it('names the source of each message that it sends as the client sent it', async () => {
    await fc.assert(
      fc.asyncProperty(sequences, async (requests) => {
        const client = new GovernedHarness(meter, {});
        for (const sent of requests) {
          const { view, sources } = await client.take(sent);
          for (const message of view) {
            const source = sources.get(message.id);
            if (source !== undefined) expect(comparedTo(message)).toEqual(comparedTo(sent[source]!));
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it('sends the same view for the same history, in every run and when a request is repeated', async () => {
    await fc.assert(
      fc.asyncProperty(sequences, async (requests) => {
        const [one, other] = [new GovernedHarness(meter, {}), new GovernedHarness(meter, {})];
        for (const sent of requests) {
          const first = await one.sends(sent);
          expect(await one.sends(sent)).toEqual(first);
          expect(await other.sends(sent)).toEqual(first);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('sends the same view for a repeated request after a restart', async () => {
    await fc.assert(
      fc.asyncProperty(sequences, strategies, async (requests, strategy) => {
        const client = new GovernedHarness(meter, { strategy });
        for (const sent of requests) {
          const first = await client.sends(sent);
          client.restart();
          expect(await client.sends(sent)).toEqual(first);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('keeps its compactions and the changes of the client over restarts', async () => {
    await fc.assert(
      fc.asyncProperty(sequences, strategies, fc.nat(8), async (requests, strategy, compacted) => {
        const one = new GovernedHarness(meter, { strategy });
        const other = new GovernedHarness(meter, { strategy });
        for (const [index, sent] of requests.entries()) {
          // Another attempt after a restart may succeed where the attempts before it failed.
          if (index > compacted) {
            one.mode = other.mode = 'off';
            other.restart();
          }
          expect(await other.sends(sent)).toEqual(await one.sends(sent));
        }
      }),
      { numRuns: 40 },
    );
  });
});
