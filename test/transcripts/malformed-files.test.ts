import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import { transcriptOf } from '../../src/compaction/transcript/transcript.ts';
import { ImportError } from '../../src/transcripts/reading/transcript-format.ts';
import { readTranscript as importTranscript } from '../../src/library/foreign-transcripts.ts';
import { formatIds } from '../../src/transcripts/all-formats.ts';
import { addForeignCompactions } from '../../src/transcripts/foreign-compactions.ts';
import { createMeter } from '../support/engine.ts';
import { formatSamples, otherShapes } from '../support/format-samples.ts';
import { malformed } from '../support/agents/malformed.ts';

let meter: UsageMeter;
beforeAll(async () => {
  meter = await createMeter();
});

/** Reads a text and all its conversations. A refusal has to be an `ImportError`. */
function readAll(text: string) {
  const orNothing = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      expect(error).toBeInstanceOf(ImportError);
      return undefined;
    }
  };
  const imported = orNothing(() => importTranscript(text));
  for (const other of imported?.others ?? []) orNothing(() => other.read());
  return imported;
}

it.each([
  ['a message of the user has no content', '[{"role":"user"},{"role":"user","content":"hi"}]'],
  [
    'a type cannot be converted to a text',
    '{"type":"attachment","uuid":"u","sessionId":"s","attachment":{"type":{"toString":3}}}',
  ],
  [
    'an id cannot be converted to a text',
    '{"uuid":"u","sessionId":"s","type":"user","message":{"role":"user","parts":[{"functionResponse":{"id":{"toString":3}}}]}}',
  ],
  [
    'a time cannot be converted to a number',
    (otherShapes.find(([, shape]) => shape.includes('what is shown'))?.[2] ?? '').replace(
      /"ts": ?20\b/u,
      '"ts":{"toString":3}',
    ),
  ],
])('a file in which %s is either read or refused with an explanation', (_what, text) => {
  expect(text).toMatch(/"toString":3|"role":"user"\}/u);
  readAll(text);
});

const samples = [
  ...formatIds.map((format) => [format, '', formatSamples[format] ?? ''] as const),
  ...otherShapes,
];

describe.each(samples)('a file in the format %s %s', (format, _shape, sample) => {
  it('is recognised and read without problems if it is complete', () => {
    const imported = importTranscript(sample);
    expect(imported.format).toBe(format);
    expect(imported.problems).toEqual([]);
    expect(imported.entries.length).toBeGreaterThan(2);
  });

  it('is read with its compactions, or refused, if it is damaged', async () => {
    await fc.assert(
      fc.asyncProperty(malformed(sample), async (text) => {
        const imported = readAll(text);
        if (imported === undefined || imported.entries.some(({ type }) => type !== 'message')) return;
        const transcript = transcriptOf(await addForeignCompactions(imported, meter));
        expect(transcript.entries.length).toBeGreaterThanOrEqual(imported.entries.length);
      }),
      { numRuns: 100 },
    );
  });
});
