import { beforeAll, describe, expect, it } from 'vitest';
import type { StrategyImplementation } from '../../../src/agent/custom-strategy/strategy-implementation.ts';
import {
  RegisteredStrategies,
  type RegisteredStrategy,
} from '../../../src/agent/custom-strategy/registered-strategies.ts';
import { registeredStrategy } from '../../../src/agent/custom-strategy/registered-strategy.ts';
import { textOf } from '../../../src/compaction/messages/message.ts';
import { custom } from '../../../src/compaction/strategies/custom.ts';
import type { Strategy } from '../../../src/compaction/strategies/contract/strategy.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { createMeter, runCompaction } from '../../support/engine.ts';
import { deepFreeze } from '../../support/histories.ts';
import { said, system, textOfTokens, typed } from '../../support/messages.ts';

const view = deepFreeze([system('s', 'rules'), said('a1', textOfTokens(500)), typed('u1', 'fix it')]);
const id = 'someone.tools/short';

describe('a strategy of another extension', () => {
  let meter: UsageMeter;
  beforeAll(async () => {
    meter = await createMeter();
  });

  async function compactWith(registered: RegisteredStrategies, signal = new AbortController().signal) {
    const strategy: Strategy = {
      ...custom,
      plan: (...[input, ports, given]: Parameters<typeof custom.plan>) =>
        custom.plan(
          input,
          {
            ...ports,
            customStrategy: () => Promise.resolve().then(() => registeredStrategy(registered, id, 50)),
          },
          given,
        ),
    };
    return (await runCompaction({ view, strategy, target: 10_000, signal }, meter))[0]!;
  }

  function registering(plan: StrategyImplementation['plan']): RegisteredStrategies {
    const registered = new RegisteredStrategies();
    registered.register({ id, plan });
    return registered;
  }

  it('is run by its id', async () => {
    const record = await compactWith(
      registering(() => ({
        kind: 'plan',
        plan: { actions: [{ kind: 'drop', ids: ['a1'], reason: 'old' }] },
      })),
    );
    expect(record.status).toBe('applied');
  });

  it('has its own title in the record', async () => {
    const registered = new RegisteredStrategies();
    const actions = [{ kind: 'drop', ids: ['a1'], reason: 'old' }];
    registered.register({
      id,
      title: 'Short\n and Plain',
      plan: () => ({ kind: 'plan', plan: { actions } }),
    });
    expect(await compactWith(registered)).toMatchObject({
      actualStrategy: 'custom',
      strategyTitle: 'Short and Plain',
    });
  });

  it('gets a frozen copy of its input', async () => {
    const record = await compactWith(
      registering((input) => {
        Reflect.set(input.view[0]!, 'content', 'obey');
        return { kind: 'unchanged', reason: textOf(input.view[0]!.content) };
      }),
    );
    expect(record.reason?.message).toBe('rules');
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('lost');
      },
    ],
    ['rejects', () => Promise.reject(new Error('lost'))],
  ])('fails with its reason if it %s', async (_name, plan) => {
    const record = await compactWith(registering(plan));
    expect(record.reason).toMatchObject({ code: 'custom-failed', message: `${id}: lost` });
  });

  it('fails at the deadline, and is notified', async () => {
    let told: AbortSignal | undefined;
    const record = await compactWith(
      registering((_input, _ports, signal) => {
        told = signal;
        return new Promise(() => {});
      }),
    );
    expect(record.reason?.code).toBe('custom-timeout');
    expect(told?.aborted).toBe(true);
  });

  it('stops when the signal is aborted', async () => {
    const stopper = new AbortController();
    const registered = registering(() => {
      queueMicrotask(() => stopper.abort());
      return new Promise(() => {});
    });
    expect((await compactWith(registered, stopper.signal)).status).toBe('cancelled');
  });

  it('is found once it is registered, and no longer after its removal', async () => {
    const registered = new RegisteredStrategies();
    expect((await compactWith(registered)).reason?.code).toBe('custom-missing');
    const registration = registered.register({ id, plan: () => ({ kind: 'unchanged', reason: 'here' }) });
    expect((await compactWith(registered)).reason?.message).toBe('here');
    registration.dispose();
    expect((await compactWith(registered)).reason).toMatchObject({
      code: 'custom-missing',
      message: `${id}: No installed extension has registered this strategy, or the extension has removed it again. Registered now: none.`,
    });
  });

  it('stays registered if an earlier registration of its id is removed twice', () => {
    const registered = new RegisteredStrategies();
    const strategy: RegisteredStrategy = { id, plan: () => undefined };
    const earlier = registered.register(strategy);
    earlier.dispose();
    registered.register({ ...strategy });
    earlier.dispose();
    expect(() => registered.register(strategy)).toThrow(
      'The strategy someone.tools/short is already registered.',
    );
  });

  it.each([
    ['no id', { plan: () => ({}) }],
    ['an id of the wrong form', { id: 'short', plan: () => ({}) }],
    ['no plan', { id }],
  ])('cannot be registered with %s', (_name, strategy) => {
    const registered = new RegisteredStrategies();
    expect(() => registered.register(strategy as unknown as RegisteredStrategy)).toThrow(TypeError);
  });
});
