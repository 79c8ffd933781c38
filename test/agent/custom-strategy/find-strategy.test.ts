import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findStrategy } from '../../../src/agent/custom-strategy/find-strategy.ts';
import { RegisteredStrategies } from '../../../src/agent/custom-strategy/registered-strategies.ts';
import type { CompactionRecord } from '../../../src/compaction/records/record.ts';
import { custom } from '../../../src/compaction/strategies/custom.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { viewAfter } from '../../contract/contract.ts';
import { createMeter, runCompaction, SummaryModelDouble, type Run } from '../../support/engine.ts';
import { deepFreeze } from '../../support/histories.ts';
import { said, system, textOfTokens, typed } from '../../support/messages.ts';

const workerScript = new URL('../../../src/agent/custom-strategy/strategy-worker.ts', import.meta.url);

const view = deepFreeze([
  system('s', 'rules'),
  typed('u1', 'find the bug'),
  said('a1', `it is in lock.ts ${textOfTokens(500)}`),
  typed('u2', 'fix it'),
]);

const dropping = `({ kind: 'plan', plan: { actions: [{ kind: 'drop', ids: ['a1'], reason: 'old' }] } })`;

/** Strategies in real files, in real processes. */
describe('a custom strategy in a module', () => {
  let meter: UsageMeter;
  let folder: string;
  beforeAll(async () => {
    meter = await createMeter();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'custom-'));
    await mkdir(join(folder, 'workspace'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Compacts with the strategy in the setting, and returns its own record. */
  async function compactWith(
    named: string,
    {
      deadline = 120_000,
      folders = [join(folder, 'workspace')],
      ...run
    }: Partial<Run> & {
      readonly deadline?: number;
      readonly folders?: readonly string[];
    } = {},
  ): Promise<CompactionRecord> {
    const sources = { folders, registered: new RegisteredStrategies(), workerScript, deadline };
    const strategy = {
      ...custom,
      plan: (...[input, ports, signal]: Parameters<typeof custom.plan>) =>
        custom.plan(input, { ...ports, customStrategy: () => findStrategy(named, sources) }, signal),
    };
    return (await runCompaction({ view, strategy, target: 10_000, ...run }, meter))[0]!;
  }

  /** Writes a module that exports \`Mine\` and compacts with it. */
  async function compactWithModule(source: string, run: Parameters<typeof compactWith>[1] = {}) {
    await writeFile(join(folder, 'workspace', 'mine.mjs'), source);
    return compactWith('./mine.mjs#Mine', run);
  }
  const planning = (body: string, inject = '[]') =>
    `export class Mine {
      static inject = ${inject};
      constructor(...ports) { this.ports = ports; }
      async plan(input, ports) { ${body} }
    }`;

  describe('is run', () => {
    it('if it is a class', async () => {
      const record = await compactWithModule(planning(`return ${dropping};`));
      expect(record).toMatchObject({ status: 'applied', actualStrategy: 'custom' });
      expect(viewAfter(view, record).map(({ id }) => id)).toEqual(['s', 'u1', 'u2']);
    });

    it('if it is a factory', async () => {
      const record = await compactWithModule(
        `export const Mine = async () => ({ plan: () => ${dropping} });`,
      );
      expect(record.status).toBe('applied');
    });

    it('again each time, from the current file', async () => {
      const first = await compactWithModule(planning(`return { kind: 'unchanged', reason: 'first' };`));
      const second = await compactWithModule(planning(`return { kind: 'unchanged', reason: 'second' };`));
      expect([first, second].map(({ reason }) => reason?.message)).toEqual(['first', 'second']);
    });
  });

  describe('receives the services it injects', () => {
    const telling = (body: string, inject: string) =>
      planning(`${body} return { kind: 'unchanged', reason: JSON.stringify(told) };`, inject);

    it.each([
      ['the counter', 'meter', `this.ports[0].count(['one', 'one two'])`, '[1,2]'],
      ['no model if none is available', 'model', 'typeof this.ports[0]', '"undefined"'],
      ['originals by id', 'archive', `this.ports[0].recall('u1')`, '"find the bug"'],
      ['originals by search', 'archive', `(await this.ports[0].search('lock.ts'))[0].id`, '"a1"'],
      ['a clock', 'clock', '(await this.ports[0].now()) > 0', 'true'],
    ])('%s', async (_title, port, asked, answer) => {
      const source = telling(`const told = await (${asked});`, `['${port}']`);
      expect((await compactWithModule(source)).reason?.message).toBe(answer);
    });

    it('the model', async () => {
      const source = telling(`const told = await this.ports[0].summarise(['a1']);`, `['model']`);
      const model = new SummaryModelDouble('<summary>look into the lock</summary>');
      expect((await compactWithModule(source, { model })).reason?.message).toContain('look into the lock');
    });

    it('the model, for its own prompt', async () => {
      const source = telling(
        `const told = await this.ports[0].prompt({ instructions: 'Be brief.', messages: input.view, text: 'And?' });`,
        `['model']`,
      );
      const model = new SummaryModelDouble('The lock is held.');
      expect((await compactWithModule(source, { model })).reason?.message).toBe('"The lock is held."');
      expect(model.requests[0]).toMatchObject({
        instructions: 'Be brief.',
        prompt: expect.stringContaining('it is in lock.ts') as string,
      });
    });

    it('but no service that does not exist', async () => {
      const record = await compactWithModule(planning(`return ${dropping};`, `['network']`));
      expect(record.reason).toMatchObject({
        code: 'custom-invalid',
        message: './mine.mjs#Mine: "inject" names "network". The choices are meter, model, archive, clock.',
      });
    });
  });

  it('can change neither its input nor our copy of the input', async () => {
    const record = await compactWithModule(planning(`input.view[0].content = 'obey';`));
    expect(record).toMatchObject({ status: 'failed', reason: { code: 'custom-failed' } });
    expect(view[0]!.content).toBe('rules');
  });

  describe('fails with a specific reason', () => {
    it.each([
      ['throws while it loads', `throw new Error('not today');`, 'custom-failed', 'not today'],
      ['is not JavaScript', `export class {`, 'custom-failed', 'Unexpected token'],
      ['exports something else', `export class Other {}`, 'custom-missing', 'It exports: Other'],
      ['exports a value', `export const Mine = 7;`, 'custom-invalid', 'neither a class nor a function'],
      ['has no method plan', `export class Mine {}`, 'custom-invalid', 'has no method plan'],
      [
        'throws in its constructor',
        `export class Mine { constructor() { throw new Error('no'); } }`,
        'custom-failed',
        'no',
      ],
      ['throws when it plans', planning(`throw new Error('lost');`), 'custom-failed', 'lost'],
      [
        'throws later',
        planning(`setTimeout(() => { throw new Error('late'); }); return new Promise(() => {});`),
        'custom-failed',
        'late',
      ],
      ['ends the process', planning(`process.exit(3);`), 'custom-failed', 'exit code 3'],
      ['answers nothing', planning(``), 'custom-invalid', 'the answer must be an object'],
      ['answers a function', planning(`return () => {};`), 'custom-invalid', 'the answer must be an object'],
      [
        'answers with an object that contains itself',
        planning(`const answer = {}; answer.plan = answer; return answer;`),
        'custom-invalid',
        'not plain data',
      ],
      [
        'answers nonsense',
        planning(`return { kind: 'plan', plan: [] };`),
        'custom-invalid',
        'plan must be an object',
      ],
      [
        'passes a number to the counter',
        planning(`await ports.meter.count([7]);`),
        'custom-failed',
        'takes a list of strings',
      ],
    ])('if it %s', async (_name, source, code, message) => {
      const record = await compactWithModule(source);
      expect(record).toMatchObject({ status: 'failed', reason: { code } });
      expect(record.reason?.message).toMatch(/^\.\/mine\.mjs#Mine: /);
      expect(record.reason?.message).toContain(message);
    });

    it.each([
      ['never answers', planning(`return new Promise(() => {});`)],
      ['loops without end', planning(`while (true);`)],
      ['never loads', `await new Promise(() => {});`],
      ['floods the console', planning(`for (;;) { console.log('x'); await null; }`)],
    ])('at the deadline if it %s', async (_name, source) => {
      const record = await compactWithModule(source, { deadline: 300 });
      expect(record.reason).toMatchObject({
        code: 'custom-timeout',
        message: './mine.mjs#Mine: The strategy took longer than 0.3 s.',
      });
    });

    it.each([
      [
        'an import that our code refuses',
        `import 'node:net';`,
        { key: 'custom.cannotImport', values: { module: 'node:net' } },
      ],
      [
        'an argument that a port refuses',
        planning(`return ports.meter.count('one');`),
        { key: 'custom.takesStrings', values: { port: 'meter.count' } },
      ],
      [
        'a strategy that the module does not export',
        `export class Other {}`,
        { key: 'custom.noExport', values: { exports: 'Other' } },
      ],
    ])('with a sentence for the user: %s', async (_name, source, problem) => {
      const { reason } = await compactWithModule(source);
      expect(reason?.sentence).toMatchObject({ key: 'custom.named', values: { problem } });
    });

    it('if it uses its ports without end', async () => {
      const record = await compactWithModule(planning(`for (;;) await ports.clock.now();`));
      expect(record.reason).toMatchObject({ code: 'custom-invalid', message: /more than 10,000 times/ });
    });
  });

  it('stops when the signal is aborted', async () => {
    const stopper = new AbortController();
    const model = new SummaryModelDouble(() => {
      stopper.abort();
      return { content: '', finishReason: 'other' };
    });
    const source = planning(`await ports.model.summarise(['a1']); for (;;);`);
    const record = await compactWithModule(source, { signal: stopper.signal, model });
    expect(record.status).toBe('cancelled');
  });

  describe('is not loaded', () => {
    it('if the file does not exist', async () => {
      const record = await compactWith('./none.mjs#Mine');
      expect(record.reason).toMatchObject({
        code: 'custom-missing',
        message: './none.mjs#Mine: There is no such file.',
      });
    });

    it.each(['../outside.mjs#Mine', './link.mjs#Mine'])('from outside the workspace: %s', async (named) => {
      await writeFile(join(folder, 'outside.mjs'), planning(`return ${dropping};`));
      await symlink(join(folder, 'outside.mjs'), join(folder, 'workspace', 'link.mjs'));
      const record = await compactWith(named);
      expect(record.reason).toMatchObject({
        code: 'custom-missing',
        message: /outside the workspace/,
      });
    });

    it('if no folder is trusted', async () => {
      const record = await compactWith('./mine.mjs#Mine', { folders: [] });
      expect(record.reason).toMatchObject({ code: 'custom-missing', message: /open, trusted/ });
    });

    it.each(['', './mine.mjs', './mine.mjs#', 'mine', '#Mine', './mine.mjs#a-b'])(
      'if the setting is %j',
      async (named) => {
        const record = await compactWith(named);
        expect(record.reason).toMatchObject({
          code: 'custom-missing',
          message: /contextBudget\.strategies\.custom/,
        });
      },
    );
  });

  describe('as in the example of the documentation', () => {
    const documentation = new URL('../../../docs/custom-strategies.md', import.meta.url);
    beforeEach(async () => {
      const [, example = ''] = /```js\n([\s\S]*?)```/.exec(await readFile(documentation, 'utf8')) ?? [];
      await writeFile(join(folder, 'workspace', 'keep-decisions.mjs'), example);
    });
    const long = [
      system('s', 'rules'),
      typed('u1', 'find the bug'),
      said('a1', textOfTokens(500)),
      said('a2', 'We decided to keep the lock file.'),
      said('a3', textOfTokens(500)),
      typed('u2', 'fix it'),
    ];

    it('keeps decisions and summarises the rest', async () => {
      const model = new SummaryModelDouble('<summary>two attempts failed</summary>');
      const run = { view: long, model };
      const record = await compactWith('./keep-decisions.mjs#KeepDecisions', run);
      expect(record.status).toBe('applied');
      const kept = viewAfter(long, record).map(({ id, kind }) => kind ?? id);
      expect(kept).toEqual(['s', 'a2', 'summary', 'u2']);
    });

    it('drops old messages if there is no model', async () => {
      const record = await compactWith('./keep-decisions.mjs#KeepDecisions', {
        view: long,
      });
      expect(record).toMatchObject({ status: 'applied' });
    });
  });
});
