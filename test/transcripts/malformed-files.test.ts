import { describe, expect, it } from 'vitest';
import { formatIds, importTranscript } from '../../src/transcripts/import.ts';
import { formatSamples } from '../support/format-samples.ts';

describe.each(formatIds)('a file of the format %s', (format) => {
  const sample = formatSamples[format] ?? '';

  it('is recognised and read without a rest where it is whole', () => {
    const imported = importTranscript(sample);
    expect(imported.format).toBe(format);
    expect(imported.problems).toEqual([]);
    expect(imported.entries.length).toBeGreaterThan(2);
  });
});
