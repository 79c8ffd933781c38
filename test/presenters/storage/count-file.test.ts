import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { CountFile, countedIn } from '../../../src/presenters/storage/count-file.ts';
import { called, entriesOf, result, said, typed } from '../../support/messages.ts';

describe('the counts of a session', () => {
  let folder: string;
  let path: string;
  let counted: string[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'counts-'));
    path = join(folder, 's1.counts');
    counted = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  const meterOf = (vocabulary: string | undefined = 'o200k_base') =>
    new UsageMeter(
      {
        count: (texts) => {
          counted.push(...texts);
          return Promise.resolve(texts.map(({ length }) => length));
        },
      },
      { countsReasoning: false, vocabulary },
    );
  /** The same messages as other objects, as they are after a restart. */
  const messages = () => [
    typed('m1', 'find the bug'),
    called('m2', ['a', 'read_file', { path: 'src/a.ts' }]),
    result('m3', 'a', 'a long file'),
    said('m4', 'it is in line 3'),
  ];
  const save = async () => {
    const meter = meterOf();
    const all = messages();
    const usages = await meter.measureEach(all);
    await new CountFile(path).save(meter, all);
    counted = [];
    return usages;
  };
  /** Number of texts that a window counts when it opens the session. */
  const countedAgain = async (meter = meterOf(), all = messages()) => {
    await new CountFile(path).teach(meter, all);
    const usages = await meter.measureEach(all);
    return { usages, texts: counted };
  };

  it('survive a restart, so that nothing is counted again', async () => {
    const usages = await save();
    expect(await countedAgain()).toEqual({ usages, texts: [] });
  });

  it('are counted again if the content of a message has changed', async () => {
    await save();
    const [first, ...others] = messages();
    const { texts } = await countedAgain(meterOf(), [{ ...first!, content: 'find both bugs' }, ...others]);
    expect(texts).toEqual(['find both bugs']);
  });

  it.each([
    ['there are none', undefined],
    ['they are of another encoding', (text: string) => text.replace('o200k_base', 'cl100k_base')],
    ['they are of another version', (text: string) => text.replace('counts-3', 'counts-9')],
    ['they are no text', () => '\0\u{1F9A6}'],
  ])('are counted again if %s', async (_what, change) => {
    await save();
    if (change === undefined) await rm(path);
    else await writeFile(path, change(await readFile(path, 'utf8')));
    expect((await countedAgain()).texts).toHaveLength(5);
  });

  it('are counted again only for a damaged line', async () => {
    const usages = await save();
    const [first = '', second = '', ...others] = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, [first, second.replace(/:\d/u, ':9'), ...others].join('\n'));
    const { usages: again, texts } = await countedAgain();
    expect([again, texts]).toEqual([usages, ['find the bug']]);
  });

  it('are rewritten as a whole, and only if there are new counts', async () => {
    const meter = meterOf();
    const all = messages();
    await meter.measureEach(all);
    const file = new CountFile(path);
    await file.save(meter, all);
    await rm(path);
    await file.save(meter, all);
    expect(await readdir(folder)).toEqual([]);
    const more = [...all, said('m5', 'done')];
    await meter.measureEach(more);
    await file.save(meter, more);
    counted = [];
    expect((await countedAgain(meterOf(), more)).texts).toEqual([]);
    expect(await readdir(folder)).toEqual(['s1.counts']);
  });

  it('are not stored if the tokenizer is unknown', async () => {
    const meter = new UsageMeter(
      { count: (texts) => Promise.resolve(texts.map(() => 1)) },
      { countsReasoning: false },
    );
    await meter.measureEach(messages());
    await new CountFile(path).save(meter, messages());
    expect(await readdir(folder)).toEqual([]);
  });

  it('include all messages, even those that compactions added', () => {
    expect(countedIn(entriesOf(messages())).map(({ id }) => id)).toEqual(['m1', 'm2', 'm3', 'm4']);
  });
});
