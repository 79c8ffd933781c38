import { describe, expect, it } from 'vitest';
import { providerLimits } from '../../src/insights/provider-limits.ts';

const at = '2026-11-27T10:00:00.000Z';
const limitsOf = (headers: Readonly<Record<string, string>>) => providerLimits(headers, at);

describe('limits of a provider', () => {
  it('are the windows of a Claude subscription, the shortest first', () => {
    const limits = limitsOf({
      'anthropic-ratelimit-unified-status': 'allowed',
      'anthropic-ratelimit-unified-7d-utilization': '0.30',
      'anthropic-ratelimit-unified-7d-reset': '1796169911',
      'anthropic-ratelimit-unified-5h-utilization': '0.42',
      'anthropic-ratelimit-unified-5h-reset': '1795784400',
    });
    expect(limits).toEqual([
      { name: 'window', minutes: 300, used: 0.42, resetsAt: '2026-11-27T13:00:00.000Z' },
      { name: 'window', minutes: 10_080, used: 0.3, resetsAt: '2026-12-02T00:05:11.000Z' },
    ]);
  });

  it('are the windows of a ChatGPT subscription, with a time or a duration', () => {
    const limits = limitsOf({
      'x-codex-primary-used-percent': '12.5',
      'x-codex-primary-window-minutes': '300',
      'x-codex-primary-reset-at': '1795784400',
      'x-codex-secondary-used-percent': '40',
      'x-codex-secondary-window-minutes': '10080',
      'x-codex-secondary-reset-after-seconds': '7200',
      'x-codex-credits-has-credits': 'False',
    });
    expect(limits).toEqual([
      { name: 'window', minutes: 300, used: 0.125, resetsAt: '2026-11-27T13:00:00.000Z' },
      { name: 'window', minutes: 10_080, used: 0.4, resetsAt: '2026-11-27T12:00:00.000Z' },
    ]);
  });

  it('are the quotas of Copilot that have an end', () => {
    const limits = limitsOf({
      'x-quota-snapshot-chat': 'ent=-1&ov=0.0&ovPerm=false&rem=100.0&rst=2026-12-01T00%3A00%3A00Z',
      'x-quota-snapshot-premium_interactions':
        'ent=300&ov=0.0&ovPerm=false&rem=75.0&rst=2026-12-01T00%3A00%3A00Z',
    });
    expect(limits).toEqual([{ name: 'requests', used: 0.25, resetsAt: '2026-12-01T00:00:00.000Z' }]);
  });

  it('are requests and tokens of an API, without a reset within the minute', () => {
    const limits = limitsOf({
      'x-ratelimit-limit-requests': '200',
      'x-ratelimit-remaining-requests': '150',
      'x-ratelimit-reset-requests': '6m30s',
      'x-ratelimit-limit-tokens': '30000',
      'x-ratelimit-remaining-tokens': '29970',
      'x-ratelimit-reset-tokens': '60ms',
    });
    expect(limits).toEqual([
      { name: 'requests', used: 0.25, resetsAt: '2026-11-27T10:06:30.000Z' },
      { name: 'tokens', used: 0.001 },
    ]);
  });

  it('are the total of the tokens rather than their input and output', () => {
    const anthropic = (unit: string, remaining: string) => ({
      [`anthropic-ratelimit-${unit}-limit`]: '1000',
      [`anthropic-ratelimit-${unit}-remaining`]: remaining,
      [`anthropic-ratelimit-${unit}-reset`]: '2026-11-27T10:00:03Z',
    });
    const parts = { ...anthropic('input-tokens', '900'), ...anthropic('output-tokens', '500') };
    expect(limitsOf(parts).map(({ name, used }) => [name, used])).toEqual([
      ['inputTokens', expect.closeTo(0.1) as number],
      ['outputTokens', 0.5],
    ]);
    expect(limitsOf({ ...parts, ...anthropic('tokens', '250') })).toEqual([{ name: 'tokens', used: 0.75 }]);
  });

  it.each([
    { 'retry-after': '7' },
    { 'anthropic-ratelimit-unified-5h-utilization': 'most of it' },
    { 'anthropic-ratelimit-unified-5h-reset': '1795784400' },
    { 'x-codex-primary-used-percent': '12' },
    { 'x-ratelimit-limit-tokens': '0', 'x-ratelimit-remaining-tokens': '0' },
    { 'x-quota-snapshot-premium_models': 'everything' },
  ])('are none in %o', (headers) => {
    expect(limitsOf(headers as Readonly<Record<string, string>>)).toEqual([]);
  });

  it('have no reset that is no time', () => {
    const headers = {
      'anthropic-ratelimit-unified-5h-utilization': '1.2',
      'anthropic-ratelimit-unified-5h-reset': '99999999999999999999',
    };
    expect(limitsOf(headers)).toEqual([{ name: 'window', minutes: 300, used: 1.2 }]);
  });
});
