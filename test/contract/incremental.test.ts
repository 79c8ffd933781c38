import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messagesOf, append, emptyTranscript } from '../../src/compaction/transcript/transcript.ts';
import type { TranscriptEntry } from '../../src/compaction/transcript/transcript-entry.ts';
import { project, unpairedView } from '../../src/compaction/transcript/view.ts';
import { sum } from '../../src/compaction/tokens/usage.ts';
import { createTimeline } from '../../src/insights/session-timeline.ts';
import { LedgerFeed } from '../../src/presenters/inspector/ledger-feed.ts';
import { createMeter } from '../support/engine.ts';
import { sessionStories, tell } from '../support/own-sessions.ts';

const meter = await createMeter();

/** State that is kept up to date as a session grows equals the state computed from all of its entries at once. */
describe('a growing session with compactions, undo steps, hidden messages and returns to earlier points', () => {
  const grown = (entries: readonly TranscriptEntry[]) => {
    const states = [emptyTranscript];
    for (const entry of entries) states.push(append(states.at(-1)!, entry));
    return states;
  };
  const check = (property: (entries: readonly TranscriptEntry[]) => Promise<void>) =>
    fc.assert(
      fc.asyncProperty(sessionStories, async (story) => property((await tell(story, meter)).entries)),
      { numRuns: 60 },
    );

  it('has the same view as all of its entries', () =>
    check((entries) => {
      for (const { entries: some, view, unpaired } of grown(entries)) {
        expect(view).toEqual(project(some));
        expect(unpaired).toEqual(unpairedView(some));
      }
      return Promise.resolve();
    }));

  it('has the same totals as all of its messages', () =>
    check(async (entries) => {
      for (const { view } of grown(entries)) {
        const fresh = await createMeter();
        expect(await meter.measure(view)).toEqual(sum(await fresh.measureEach(view)));
      }
    }));

  it('has the same timeline as a reopened session', () =>
    check(async (entries) => {
      const read = createTimeline(meter, []);
      for (const { entries: some } of grown(entries)) await read(some);
      expect(await read(entries)).toEqual(await createTimeline(meter, [])(entries));
    }));

  it('has the same facts as a reopened session', () =>
    check(async (entries) => {
      const all = { section: undefined, presence: undefined, text: '' };
      const [growing, opened] = [new LedgerFeed(), new LedgerFeed()];
      const states = grown(entries);
      for (const transcript of states) await growing.facts({ transcript }, all, 0);
      const transcript = states.at(-1)!;
      expect(messagesOf(transcript)).toEqual(messagesOf({ entries }));
      expect(await growing.facts({ transcript }, all, 0)).toEqual(await opened.facts({ transcript }, all, 0));
    }));

  it('is not affected by later entries if it continues from an earlier point', () =>
    check((entries) => {
      const states = grown(entries);
      const middle = states[Math.floor(states.length / 2)]!;
      const again = entries.slice(middle.entries.length).reduce(append, middle);
      expect(again.view).toEqual(states.at(-1)!.view);
      return Promise.resolve();
    }));
});
