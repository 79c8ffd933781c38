import { describe, expect, it } from 'vitest';
import { noSession } from '../../../src/compaction/quoting/session-tags.ts';
import type { TriggerSource } from '../../../src/compaction/records/record.ts';
import { continuationOf, shownSummary, summaryText } from '../../../src/compaction/summary/summary-form.ts';
import { typed } from '../../support/messages.ts';

const view = [typed('m1', 'go')];
const input = (source: TriggerSource, model = '') => ({
  view,
  tools: [],
  trigger: { source, requirement: 'soft' as const, tokens: 9 },
  options: { model },
});

describe('continuationOf', () => {
  it('is the last request of the chat', () => {
    expect(continuationOf(input('ratio'))).toEqual({ view, tools: [] });
  });

  it('is undefined for another model, and for a request that was refused as too long', () => {
    expect(continuationOf(input('ratio', 'smaller'))).toBeUndefined();
    expect(continuationOf(input('overflow'))).toBeUndefined();
  });
});

describe('a summary for people', () => {
  it('has none of the tags, but every line of the summary', () => {
    const parts = `<work_state_${noSession}>\n## Where it stands\n</work_state_${noSession}>\nUse <ledger> here.`;
    expect(shownSummary(summaryText(parts, noSession))).toBe('## Where it stands\nUse <ledger> here.');
  });
});
