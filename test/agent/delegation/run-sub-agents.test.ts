import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  runSubAgents,
  type SubAgentOutcome,
  type SubAgentRun,
} from '../../../src/agent/delegation/run-sub-agents.ts';
import type { SubAgentProgress } from '../../../src/agent/session/session-ports.ts';
import { dependenciesOf, type SubAgent } from '../../../src/agent/delegation/sub-agents.ts';

function subAgent(name: string, ...dependsOn: readonly string[]): SubAgent {
  return { name, task: `Do ${name}.`, dependsOn };
}

const done = (report: string): SubAgentOutcome => ({ state: 'done', report });

/** Runs sub-agents whose work a test can delay, and keeps the displayed states. */
function start(
  subAgents: readonly SubAgent[],
  run: SubAgentRun['run'],
  options: { readonly mostAtOnce?: number; readonly signal?: AbortSignal } = {},
) {
  const shown: (readonly SubAgentProgress[])[] = [];
  const { mostAtOnce = 3, signal = new AbortController().signal } = options;
  const ended = runSubAgents(subAgents, {
    run,
    mostAtOnce,
    signal,
    show: (progress) => shown.push(progress),
  });
  return { ended, shown };
}

const statesOf = (subAgents: readonly { readonly name: string; readonly state: string }[]) =>
  Object.fromEntries(subAgents.map(({ name, state }) => [name, state]));

describe('sub-agents', () => {
  it('start when their dependencies are done, and get their results', async () => {
    const order: string[] = [];
    const { ended } = start([subAgent('ui', 'api'), subAgent('api'), subAgent('docs')], (one, outcomes) => {
      order.push(`${one.name} knows ${[...outcomes.keys()].join(', ')}`);
      return Promise.resolve(done(`${one.name} is done`));
    });
    expect(statesOf(await ended)).toEqual({ ui: 'done', api: 'done', docs: 'done' });
    expect(order.slice(0, 2)).toEqual(['api knows ', 'docs knows ']);
    expect(order[2]).toMatch(/^ui knows .*api/);
  });

  it('show what they wait for, what they do, and how they ended', async () => {
    const { ended, shown } = start([subAgent('api'), subAgent('ui', 'api')], ({ name }, _outcomes, tell) => {
      tell({ sessionId: `session-${name}`, tokens: 12, note: 'read_file' });
      return Promise.resolve(done('Found it.\nIn two places.'));
    });
    await ended;
    expect(shown[0]).toMatchObject([
      { name: 'api', task: 'Do api.', state: 'waiting', note: '' },
      { name: 'ui', dependsOn: ['api'], state: 'waiting', note: { english: 'Waits for api' } },
    ]);
    expect(shown[2]).toMatchObject([{ sessionId: 'session-api', state: 'running', note: 'read_file' }, {}]);
    expect(shown.at(-1)).toMatchObject([
      { state: 'done', note: 'Found it.', tokens: 12 },
      { sessionId: 'session-ui', state: 'done' },
    ]);
  });

  it('that are stopped are awaited if they run, and never start otherwise', async () => {
    const stopper = new AbortController();
    const begun: string[] = [];
    let cleaned = 0;
    const { ended } = start(
      [subAgent('a'), subAgent('b'), subAgent('c'), subAgent('d', 'a')],
      async ({ name }, _outcomes, _tell, signal) => {
        begun.push(name);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        cleaned++;
        return { state: 'stopped', report: 'It was stopped.' };
      },
      { mostAtOnce: 2, signal: stopper.signal },
    );
    stopper.abort();
    expect(statesOf(await ended)).toEqual({ a: 'stopped', b: 'stopped', c: 'stopped', d: 'stopped' });
    expect(begun).toEqual(['a', 'b']);
    expect(cleaned).toBe(2);
  });

  it('report nothing once they are done', async () => {
    let tellLate: ((news: { readonly note: string }) => void) | undefined;
    const { ended } = start([subAgent('a'), subAgent('b', 'a')], (_subAgent, _outcomes, tell) => {
      tellLate?.({ note: 'late' });
      tellLate = tell;
      return Promise.resolve(done('in time'));
    });
    expect((await ended)[0]?.note).toBe('in time');
  });

  it('respect the limit and their dependencies, whichever sub-agents fail', async () => {
    const plans = fc.array(
      fc.record({ fails: fc.boolean(), before: fc.array(fc.nat(6), { maxLength: 3 }) }),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(plans, fc.integer({ min: 1, max: 4 }), async (plan, mostAtOnce) => {
        // Dependencies are earlier ones only, so there is no cycle.
        const subAgents = plan.map(({ before }, index) =>
          subAgent(
            `s${index}`,
            ...new Set(before.filter((other) => other < index).map((other) => `s${other}`)),
          ),
        );
        const fails = (name: string) => plan[Number(name.slice(1))]?.fails === true;
        let running = 0;
        const { ended } = start(
          subAgents,
          async ({ name, dependsOn }, outcomes) => {
            running++;
            expect(running).toBeLessThanOrEqual(mostAtOnce);
            expect(dependsOn.map((other) => outcomes.get(other)?.state)).toEqual(dependsOn.map(() => 'done'));
            await Promise.resolve();
            running--;
            if (fails(name)) throw new Error('It broke.');
            return done('');
          },
          { mostAtOnce },
        );
        for (const { name, state } of await ended) {
          const isHopeless = [...dependenciesOf(name, subAgents)].some(fails);
          expect(state).toBe(isHopeless ? 'skipped' : fails(name) ? 'failed' : 'done');
        }
      }),
    );
  });
});
