import { describe, expect, it } from 'vitest';
import { RegisteredStrategies } from '../../src/agent/custom-strategy/registered-strategies.ts';
import { createApi } from '../../src/extension/api.ts';

describe('the exported API', () => {
  it('says which version it is', () => {
    expect(createApi(new RegisteredStrategies()).version).toBe(1);
  });

  it('registers a strategy until that is disposed of', () => {
    const registered = new RegisteredStrategies();
    const id = 'someone.tools/short';
    const registration = createApi(registered).registerStrategy({ id, plan: () => ({}) });
    expect(registered.find(id, 1_000).name).toBe(id);
    registration.dispose();
    expect(() => registered.find(id, 1_000)).toThrow(/taken back/);
  });

  it('cannot be changed by one of its users for the others', () => {
    expect(createApi(new RegisteredStrategies())).toSatisfy(Object.isFrozen);
  });
});
