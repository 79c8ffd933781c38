import { describe, expect, it } from 'vitest';
import { argumentWords, labelOf, longestLabel, shortened } from '../../../../src/agent/tools/support/tool.ts';
import { englishOf } from '../../../../src/compaction/records/reason.ts';
import { agentSentences } from '../../../../src/language/english/agent-english.ts';
import { isStoredSentence } from '../../../../src/language/sentence.ts';

describe('the label of a call', () => {
  it('is one line', () => {
    expect(labelOf(' npm\n  test ')).toBe('npm test');
  });

  it('shows the strings and numbers of an unknown tool', () => {
    expect(argumentWords({ path: 'a.ts', deep: { not: 'this' }, line: 4 })).toBe('a.ts · 4');
  });

  it('is limited in length, and so is each value in it', () => {
    const endless = 'x'.repeat(50_000);
    const what = agentSentences.say('labelIn', { what: endless, place: endless });
    const label = shortened(agentSentences.say('labelIn', { what, place: 'src' }));
    expect(englishOf(label).length).toBeLessThanOrEqual(longestLabel);
    expect(isStoredSentence(label)).toBe(true);
    expect(JSON.stringify(label).length).toBeLessThan(10 * longestLabel);
  });
});
