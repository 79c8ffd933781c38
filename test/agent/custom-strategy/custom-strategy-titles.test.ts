import { describe, expect, it } from 'vitest';
import { CustomStrategyTitles } from '../../../src/agent/custom-strategy/custom-strategy-titles.ts';
import { RegisteredStrategies } from '../../../src/agent/custom-strategy/registered-strategies.ts';

const id = 'someone.tools/short';
const plan = () => ({});

describe('titles of custom strategies', () => {
  it('of extensions are known while they are registered', () => {
    const registered = new RegisteredStrategies();
    const titles = new CustomStrategyTitles(registered);
    const registration = registered.register({ id, title: 'Keep Decisions', plan });
    expect(titles.of(id)).toBe('Keep Decisions');
    registration.dispose();
    expect(titles.of(id)).toBeUndefined();
  });

  it('of extensions are absent if undeclared or not a string', () => {
    const registered = new RegisteredStrategies();
    registered.register({ id, title: 7 as unknown as string, plan });
    expect(new CustomStrategyTitles(registered).of(id)).toBeUndefined();
  });

  it('of modules are known after their first answer', async () => {
    const titles = new CustomStrategyTitles(new RegisteredStrategies());
    const answer = { kind: 'unchanged', reason: 'small', title: 'Keep Decisions' };
    const strategy = titles.learning({ name: './keep.mjs#Keep', plan: () => Promise.resolve(answer) });
    expect(titles.of('./keep.mjs#Keep')).toBeUndefined();
    expect(await strategy.plan(...([] as unknown as Parameters<typeof strategy.plan>))).toBe(answer);
    expect(titles.of('./keep.mjs#Keep')).toBe('Keep Decisions');
  });
});
