import { describe, expect, it } from 'vitest';
import type { ApiKeys } from '../../../src/extension/models/api-keys.ts';
import { ModelProvider } from '../../../src/extension/models/model-provider.ts';
import { readSettings } from '../../../src/extension/settings/read-settings.ts';

/** A provider with a key for every endpoint. */
function provider(values: Readonly<Record<string, unknown>>): ModelProvider {
  const keys: Pick<ApiKeys, 'get'> = { get: () => Promise.resolve('key') };
  return new ModelProvider(keys as ApiKeys, () => readSettings((name) => values[name]));
}

async function modelsOf(values: Readonly<Record<string, unknown>>) {
  return provider(values).models();
}

describe('the models of a chat', () => {
  it('are one and the same where no other is set', async () => {
    const { chat, compaction, named } = await modelsOf({});
    expect(compaction).toBe(chat);
    expect(named('gpt-5-mini')).toBe(chat);
  });

  it('have one for summaries where one is set, with the window that is known of it', async () => {
    const { compaction } = await modelsOf({ compactionModel: 'gpt-4.1-nano' });
    expect(compaction).toMatchObject({ id: 'gpt-4.1-nano', window: 1_047_576 });
    const models = { tiny: { window: 9_000 } };
    expect((await modelsOf({ compactionModel: 'tiny', models })).compaction?.window).toBe(9_000);
  });

  it('continue the chat’s requests only with the chat’s own model', async () => {
    const { chat, compaction, named } = await modelsOf({ compactionModel: 'gpt-4.1-nano' });
    expect(chat.continuesRequests).toBe(true);
    expect(compaction?.continuesRequests).toBeUndefined();
    expect(named('gpt-4o').continuesRequests).toBeUndefined();
  });

  it('make no window up', async () => {
    const { compaction } = await modelsOf({ compactionModel: 'nobody-knows' });
    expect(compaction?.window).toBeUndefined();
  });
});

describe('the budget', () => {
  it('takes from the table what settings leave open', async () => {
    const of = provider({ model: 'claude-sonnet-5', triggerTurns: 9 });
    await of.refresh();
    expect(of.budget).toMatchObject({
      window: 1_000_000,
      maxOutput: 128_000,
      cachePrice: { read: 0.1, write: 1.25 },
      isApproximate: true,
      triggerTurns: 9,
    });
  });
});
