import { describe, expect, it } from 'vitest';
import type { NativeCompaction, SummaryModel } from '../../../src/compaction/summary/model.ts';
import { summaryModelBeside } from '../../../src/extension/models/summary-model.ts';
import { SummaryModelDouble } from '../../support/engine.ts';

/** A chat's model that compacts natively and says with which endpoint. */
class NativeChat extends SummaryModelDouble implements SummaryModel {
  readonly continuesRequests = true;
  private readonly endpoint = 'https://chat.example';

  compactNatively(): Promise<NativeCompaction> {
    return Promise.resolve({ item: { endpoint: this.endpoint, content: 'x' } });
  }
}

const never = new AbortController().signal;

describe('a model beside the chat’s own', () => {
  it('writes summaries under its own name and within its own window', async () => {
    const other = new SummaryModelDouble('notes', 9_000);
    const beside = summaryModelBeside(new NativeChat('chat'), other);
    expect(beside).toMatchObject({ id: 'double', window: 9_000 });
    const request = {
      instructions: '',
      prompt: '',
      sources: [],
      focus: undefined,
      tag: 'summary',
      maxOutputTokens: 100,
    };
    expect((await beside.summarise(request, never)).content).toBe('notes');
    expect(other.requests).toEqual([request]);
  });

  it('does not continue the chat’s requests', () => {
    expect(summaryModelBeside(new NativeChat('chat'), new NativeChat('x')).continuesRequests).toBeUndefined();
  });

  it('leaves the provider’s own compaction to the chat’s model', async () => {
    const beside = summaryModelBeside(new NativeChat('chat'), new SummaryModelDouble('notes'));
    expect((await beside.compactNatively?.([], never))?.item.endpoint).toBe('https://chat.example');
    const without = summaryModelBeside(new SummaryModelDouble('chat'), new NativeChat('x'));
    expect(without).not.toHaveProperty('compactNatively');
  });
});
