import { describe, expect, it } from 'vitest';
import { offlineFacts, OfflineModel } from '../../../src/agent/offline/offline-model.ts';
import { mostTokensOf } from '../../../src/agent/offline/extractive-summary.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { parseFacts } from '../../../src/compaction/summary/concept-facts.ts';
import type { FactConcept, SummaryRequest } from '../../../src/compaction/summary/summary-model.ts';
import { called, result, said, textOfTokens, typed } from '../../support/messages.ts';

const signal = new AbortController().signal;

const session: readonly Message[] = [
  typed('m1', 'Why does the lease expire too early? Never change the public interface.'),
  called('m2', ['a', 'write_file', { path: 'src/lease.ts', content: textOfTokens(400) }]),
  result('m3', 'a', textOfTokens(400)),
  said('m4', 'The renewal timer reads the clock before the lease is taken. The weather is fine today.'),
  said('m5', 'I will look at the renewal timer of the cluster next.'),
];

const requestFor = (maxOutputTokens = 4_000): SummaryRequest => ({
  instructions: '',
  prompt: '',
  sources: session,
  focus: undefined,
  tag: 'facts',
  maxOutputTokens,
});
const about = (keyword: string, description: string, factType: FactConcept['factType'] = 'MULTIPLE') => ({
  keyword,
  description,
  factType,
});
const answerTo = async (concept: FactConcept, maxOutputTokens?: number) =>
  offlineFacts(requestFor(maxOutputTokens), concept, signal);
const factsAbout = async (concept: FactConcept) => parseFacts(await answerTo(concept), concept);

describe('facts from the offline model', () => {
  it('are exactly the sentences that name the concept', async () => {
    expect(await factsAbout(about('renewal timer', 'how it reads the time'))).toEqual([
      'The renewal timer reads the clock before the lease is taken.',
      'I will look at the renewal timer of the cluster next.',
    ]);
  });

  it('come from the ledger if the concept names one of its sections', async () => {
    expect(await factsAbout(about('files', 'each path'))).toContain('src/lease.ts');
    expect(await factsAbout(about('constraints', 'rules'))).toContain('Never change the public interface.');
  });

  it('are limited to one on request', async () => {
    expect(await factsAbout(about('timer', 'renewal', 'SINGLE'))).toHaveLength(1);
  });

  it('are empty if the concept is not mentioned', async () => {
    expect(await factsAbout(about('billing', 'invoices and money'))).toEqual([]);
  });

  it('fit into the output limit', async () => {
    expect(mostTokensOf(await answerTo(about('renewal timer', 'how it reads the time'), 30))).toBeLessThan(
      30,
    );
  });

  it('are the whole summary if the request names a concept', async () => {
    const concept = about('renewal timer', 'how it reads the time');
    const reply = await new OfflineModel().summarise({ ...requestFor(), concept }, signal);
    expect(reply.content).toBe(await answerTo(concept));
  });
});
