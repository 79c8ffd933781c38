import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe } from 'vitest';
import { ImportError } from '../../src/transcripts/reading/transcript-format.ts';
import { readTranscript as importTranscript } from '../../src/library/foreign-transcripts.ts';
import { formatIds } from '../../src/transcripts/all-formats.ts';
import { runCommand } from '../support/command-line.ts';
import { formatSamples } from '../support/format-samples.ts';
import { malformed } from '../support/agents/malformed.ts';
import { soak } from '../support/soak.ts';
import { fault } from './support/fault.ts';
import type { FaultCount } from './support/fault-count.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fuzz-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Wording of runtime errors, which must never reach the user. */
const surprise =
  /TypeError|RangeError|unexpectedly|Cannot (?:read prop|use 'in'|convert)|is not (?:a function|iterable)|Maximum call stack|\n\s+at /u;
const oneLine = /^[^\p{Cc}\p{Bidi_Control}]+$/u;

const lists = '['.repeat(100_000) + ']'.repeat(100_000);

/** Files that are each extreme in one way: large, deep or long. */
const extremes: readonly string[] = [
  lists,
  `{"messages":${lists}}`,
  `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  `{"messages":[{"role":"user","content":"hi","x":${lists}}]}`,
  JSON.stringify([{ role: 'user', content: 'a'.repeat(1_000_000) }]),
  JSON.stringify([{ role: 'user', content: '<'.repeat(300_000) }]),
  JSON.stringify([{ role: 'user', content: '汉'.repeat(200_000) }]),
  JSON.stringify(Array.from({ length: 5_000 }, () => ({ role: 'user', content: 'a' }))),
  '{}\n'.repeat(100_000),
  '\n'.repeat(1_000_000),
  '#### '.repeat(200_000),
  '# aider chat started at 2026-01-01 00:00:00\n' + '> a\n#### b\n'.repeat(20_000),
  '\0'.repeat(100_000),
];

/** A command has to end with a result, or with one line that explains its absence. */
async function run(count: FaultCount, ...args: readonly string[]): Promise<void> {
  count.tried();
  const what = `${args[0]} ${args.slice(2).join(' ')}`;
  try {
    const { code, notes } = await runCommand(...args);
    if (code !== 0 && notes.length !== 1) count.harmed(`${what}: ${notes.length} lines`);
    const wrong = notes.find((note) => surprise.test(note) || !oneLine.test(note));
    if (wrong !== undefined) count.harmed(`${what}: ${wrong.slice(0, 300)}`);
  } catch (error) {
    count.harmed(`${what}: ${String(error)}`);
  }
}

/** Parses text as a format, or as its detected one. The only permitted error is an `ImportError` of one line. */
function read(count: FaultCount, text: string, format: string): void {
  count.tried();
  try {
    importTranscript(text, format);
  } catch (error) {
    const isTold = error instanceof ImportError && !surprise.test(error.message);
    if (!isTold) count.harmed(`${format}: ${String(error)}`);
  }
  if (Reflect.get({}, 'polluted') !== undefined) count.harmed(`${format}: a prototype was changed`);
}

/**
 * Damaged texts of a format. The soak adds damage within its structure, which the tests of the formats try.
 */
function harmed(text: string): fc.Arbitrary<string> {
  return soak(scrambled(text), fc.oneof({ weight: 2, arbitrary: malformed(text) }, scrambled(text)));
}

/** Changes of the text regardless of its structure. */
function scrambled(text: string): fc.Arbitrary<string> {
  const bytes = Buffer.from(text);
  const changes = fc.array(fc.tuple(fc.nat({ max: bytes.length }), fc.nat({ max: 255 })), {
    minLength: 1,
    maxLength: 30,
  });
  const flipped = changes.map((list) => {
    const copy = Buffer.from(bytes);
    for (const [at, byte] of list) copy[at] = byte;
    return copy.toString();
  });
  const poisoned = fc.constant(
    text.replaceAll('{"', '{"__proto__":{"polluted":1,"role":"user"},"constructor":{},"'),
  );
  const numbers = fc
    .constantFrom('-1', '1e400', '-1e999', '0.5', 'null', '9007199254740993', '"1"')
    .map((value) => text.replaceAll(/:\s*\d+/gu, `:${value}`));
  const encoded = fc
    .constantFrom<BufferEncoding>('utf16le', 'latin1')
    .map((as) => Buffer.from(text, as).toString());
  return fc.oneof({ weight: 6, arbitrary: flipped }, poisoned, numbers, encoded);
}

/** Runs Node.js, and reports how it ended. */
function endOf(args: readonly string[]): Promise<{ readonly code: unknown; readonly stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error, _, stderr) => resolve({ code: error?.code ?? 0, stderr }));
  });
}

describe('importers and the command line survive', () => {
  fault('fuzz: importers, mutated files', (count) => {
    for (const format of formatIds) {
      const sample = formatSamples[format] ?? '';
      const texts = harmed(sample);
      for (const text of fc.sample(texts, soak(60, 10_000))) {
        read(count, text, 'auto');
        read(count, text, format);
      }
    }
  });

  fault('fuzz: importers, every format with the files of all others', (count) => {
    const most = soak(4, extremes.length);
    for (const text of [...Object.values(formatSamples), ...extremes.slice(0, most)]) {
      for (const format of formatIds) read(count, text, format);
    }
  });

  fault('fuzz: command line, mutated files', async (count) => {
    const file = path.join(folder, 'file');
    for (const format of formatIds) {
      const sample = formatSamples[format] ?? '';
      const texts = harmed(sample);
      for (const text of fc.sample(texts, soak(3, 120))) {
        await writeFile(file, text);
        await run(count, 'import', file);
        await run(count, 'count', file, '--json');
        await run(count, 'diff', file);
        await run(
          count,
          'compact',
          file,
          '--strategy',
          'ladder',
          '--window',
          '8000',
          '--requirement',
          'hard',
        );
      }
    }
  });

  fault('fuzz: command line, files nested 100,000 levels, large or long', async (count) => {
    const file = path.join(folder, 'extreme');
    for (const text of extremes) {
      await writeFile(file, text);
      await run(count, 'count', file, '--json');
      await run(count, 'diff', file);
      await run(count, 'compact', file, '--strategy', 'observation-masking', '--window', '16000', '--json');
    }
  });

  fault('fuzz: command line in a process with 1 GB of memory', async (count) => {
    const main = path.resolve(import.meta.dirname, '../../src/cli/main.ts');
    const file = path.join(folder, 'in-process');
    for (const text of extremes.slice(0, soak(3, extremes.length))) {
      await writeFile(file, text);
      count.tried();
      const args = [
        '--disable-warning=ExperimentalWarning',
        '--max-old-space-size=1000',
        main,
        'count',
        file,
      ];
      const ended = await endOf(args);
      const isTold =
        ended.code === 0 || (ended.code === 2 && ended.stderr.trimEnd().split('\n').length === 1);
      if (!isTold || surprise.test(ended.stderr))
        count.harmed(`exit ${String(ended.code)}: ${ended.stderr.slice(0, 300)}`);
    }
  });
});
