import { describe, expect, it } from 'vitest';
import { RegisteredStrategies } from '../../../src/agent/custom-strategy/registered-strategies.ts';
import type { PhaseEvent } from '../../../src/compaction/service/service-ports.ts';
import { createApi } from '../../../src/extension/window/api.ts';

const nobody = () => ({ dispose: () => {} });

describe('the exported API', () => {
  it('states its version', () => {
    expect(createApi(new RegisteredStrategies(), nobody).version).toBe(1);
  });

  it('registers a strategy until its registration is disposed of', () => {
    const registered = new RegisteredStrategies();
    const id = 'someone.tools/short';
    const registration = createApi(registered, nobody).registerStrategy({ id, plan: () => ({}) });
    expect(registered.get(id)).toBeDefined();
    registration.dispose();
    expect(registered.get(id)).toBeUndefined();
  });

  it('cannot be changed by one extension for others', () => {
    expect(createApi(new RegisteredStrategies(), nobody)).toSatisfy(Object.isFrozen);
  });

  it('reports the phases of compactions as immutable copies, until disposed of', () => {
    const event: PhaseEvent = {
      type: 'compaction-phase',
      compaction: 1,
      trigger: { source: 'manual', requirement: 'soft', tokens: 9 },
      phase: 'before',
      strategy: 'ladder',
    };
    const listeners = new Set<(event: PhaseEvent) => void>();
    const api = createApi(new RegisteredStrategies(), (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    });
    const heard: PhaseEvent[] = [];
    const subscription = api.onCompactionPhase((told) => heard.push(told));
    for (const listener of listeners) listener(event);
    expect(heard).toEqual([event]);
    expect(heard[0]?.trigger).not.toBe(event.trigger);
    expect(heard[0]?.trigger).toSatisfy(Object.isFrozen);
    subscription.dispose();
    expect(listeners.size).toBe(0);
  });
});
