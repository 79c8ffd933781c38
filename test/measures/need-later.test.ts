import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { artifactsOf } from '../../src/measures/artifacts.ts';
import { cutAt } from '../../src/measures/compare-strategies.ts';
import { decayOf, needLater, recallOf } from '../../src/measures/need-later.ts';
import { viewTextOf } from '../../src/measures/view-text.ts';
import { histories } from '../support/histories.ts';
import { called, result, said, typed } from '../support/messages.ts';

describe('the text of a context', () => {
  it('includes files that a summary lists below a folder, as relative and absolute paths', () => {
    const text = '## Files read, in /p/app\n- src/a.ts\n- ./b.ts\n- /etc/hosts\n## Identifiers\n- readToken';
    const view = viewTextOf([{ ...typed('s1', text), kind: 'summary' }]);
    expect(['/p/app/src/a.ts', 'src/a.ts', '/p/app/b.ts', '/etc/hosts'].every((path) => view.has(path))).toBe(
      true,
    );
    expect(view.has('/p/app/readToken')).toBe(false);
    expect(viewTextOf([result('r1', '1', text)]).has('/p/app/src/a.ts')).toBe(false);
  });
});

describe('needLater', () => {
  const files = (input: Record<string, unknown>) => [
    ...artifactsOf([called('a', ['1', 'tool', input])]).files,
  ];
  const commands = (input: Record<string, unknown>) => [
    ...artifactsOf([called('a', ['1', 'tool', input])]).commands,
  ];
  const identifiers = (input: Record<string, unknown>) => [
    ...artifactsOf([called('a', ['1', 'tool', input])]).identifiers,
  ];

  describe('the items that a call uses', () => {
    it('include files in its arguments', () => {
      expect(files({ file_path: './src/store.ts' })).toEqual(['src/store.ts']);
      expect(files({ filePath: '/project/a.py' })).toEqual(['/project/a.py']);
      expect(files({ files: [{ path: 'a.ts', start_line: 1 }, { path: 'b.ts' }] })).toEqual(['a.ts', 'b.ts']);
      expect(files({ input: '*** Begin Patch\n*** Update File: cmd/main.go\n@@' })).toEqual(['cmd/main.go']);
    });

    it('include files in command lines, but no patterns that a shell would expand', () => {
      expect(files({ command: 'sed -n 1,9p src/store.ts; rg x docs/*.md | tee "out/log.txt"' })).toEqual([
        'src/store.ts',
        'out/log.txt',
      ]);
      expect(files({ command: 'git log origin/main' })).toEqual([]);
    });

    it('include command lines without the calling shell and repeated white space', () => {
      expect(commands({ command: 'npm   test\n' })).toEqual(['npm test']);
      expect(commands({ cmd: "bash -lc 'npm test'" })).toEqual(['npm test']);
      expect(commands({ command: ['bash', '-lc', 'npm test'] })).toEqual(['npm test']);
      expect(commands({ commands: ['npm ci', 'npm test'] })).toEqual(['npm ci', 'npm test']);
    });

    it('exclude the subcommands of an editor tool', () => {
      expect(commands({ command: 'view', path: 'src/store.ts' })).toEqual([]);
    });

    it('include searched names, names in commands, and ids', () => {
      expect(identifiers({ pattern: 'flush' })).toEqual(['flush']);
      expect(identifiers({ pattern: String.raw`\bopenStore\(|read_all` })).toEqual(['openStore', 'read_all']);
      expect(identifiers({ command: 'rg openStore src/my_store.ts' })).toEqual(['openStore']);
      expect(identifiers({ reservation_id: '4WQ150' })).toEqual(['4WQ150']);
    });

    it('are read from malformed arguments as text', () => {
      const call = called('a', ['1', 'tool']);
      const broken = {
        ...call,
        tool_calls: [{ ...call.tool_calls![0]!, function: { name: 't', arguments: '{"' } }],
      };
      expect(artifactsOf([broken]).files.size).toBe(0);
    });
  });

  describe('the text of a context', () => {
    it('contains arguments with decoded escapes', () => {
      const command = 'printf "a\tb"\n| sort';
      const view = viewTextOf([called('a', ['1', 'run_command', { command }])]);
      expect(view.has(command)).toBe(true);
      expect(view.has('run_command')).toBe(true);
    });

    it('is searched for whole words', () => {
      const view = viewTextOf([said('a', 'see src/data.tsx and 用openStore打开')]);
      expect(view.has('data.tsx')).toBe(true);
      expect(view.has('data.ts')).toBe(false);
      expect(view.has('a.tsx')).toBe(false);
      expect(view.has('openStore')).toBe(true);
    });

    it('is searched within each message, not across messages', () => {
      expect(viewTextOf([said('a', 'npm'), said('b', 'test')]).has('npm test')).toBe(false);
    });
  });

  describe('need-later recall', () => {
    const messages = [
      typed('u', 'mend it'),
      called('a1', ['1', 'read', { path: 'src/store.ts' }], ['2', 'bash', { command: 'npm test' }]),
      result('r1', '1', 'imports src/lock.ts'),
      result('r2', '2', 'failed'),
      called('a2', ['3', 'read', { path: 'src/once.ts' }]),
      result('r3', '3', 'nothing'),
      called('a3', ['4', 'edit', { path: 'src/store.ts' }], ['5', 'bash', { command: 'npm test' }]),
      result('r4', '4', 'done'),
      result('r5', '5', 'passed'),
      called('a4', ['6', 'read', { path: 'src/lock.ts' }], ['7', 'read', { path: 'src/new.ts' }]),
    ];
    const cut = 6;

    it('counts the items used again later that the summary still names', () => {
      const { reused } = needLater(messages, cut, [said('s', 'Worked on src/store.ts.')]);
      expect(reused.files).toEqual({ kept: 1, total: 1, missing: [] });
      expect(reused.commands).toEqual({ kept: 0, total: 1, missing: ['npm test'] });
    });

    it('also counts items that earlier messages only mentioned', () => {
      const { mentioned } = needLater(messages, cut, [said('s', 'Worked on src/store.ts.')]);
      expect(mentioned.files).toEqual({ kept: 1, total: 2, missing: ['src/lock.ts'] });
    });

    it('is undefined if later calls need nothing', () => {
      expect(recallOf(needLater(messages, messages.length, []).reused.files)).toBeUndefined();
    });

    it('is complete if nothing was compacted', () => {
      fc.assert(
        fc.property(histories, fc.double({ min: 0, max: 1, noNaN: true }), ({ messages: any }, share) => {
          const at = cutAt(any, share);
          const { reused, mentioned } = needLater(any, at, any.slice(0, at));
          for (const kept of [...Object.values(reused), ...Object.values(mentioned)]) {
            expect(kept.kept).toBe(kept.total);
          }
        }),
        { numRuns: 100 },
      );
    });
  });

  describe('a cut', () => {
    it('falls before an exchange, not inside it', () => {
      const messages = [typed('u', 'x'), called('a', ['1', 't']), result('r', '1', 'y'), said('s', 'z')];
      expect(cutAt(messages, 0.5)).toBe(1);
      expect(cutAt(messages, 1)).toBe(4);
    });
  });
});

describe('decay', () => {
  const messages = ['one', 'two', 'three'].flatMap((name) => [
    typed(`u-${name}`, `look at ${name}`),
    called(`a-${name}`, [`c-${name}`, 'read', { path: `src/${name}.ts` }]),
    result(`r-${name}`, `c-${name}`, 'fine'),
  ]);
  const cuts = [3, 6, 9];

  it('is zero if nothing is compacted', async () => {
    const steps = await decayOf(messages, cuts, (view) => Promise.resolve(view));
    expect(steps.map(({ isCompacted, artifacts }) => [isCompacted, artifacts.files.kept])).toEqual([
      [false, 1],
      [false, 1],
      [false, 1],
    ]);
  });

  it('is measured for the first segment after every compaction, by items and by facts', async () => {
    let compactions = 0;
    const steps = await decayOf(messages, cuts, () =>
      Promise.resolve([said(`s${++compactions}`, compactions < 3 ? 'Read src/one.ts.' : 'Read something.')]),
    );
    expect(steps.map(({ artifacts }) => artifacts.files)).toEqual([
      { kept: 1, total: 1, missing: [] },
      { kept: 1, total: 1, missing: [] },
      { kept: 0, total: 1, missing: ['src/one.ts'] },
    ]);
    expect(steps.map(({ facts }) => facts.files.kept)).toEqual([1, 1, 0]);
  });

  it('compacts each result together with the next segment', async () => {
    const seen: (readonly [number, number])[] = [];
    await decayOf(messages, cuts, (view, history) => {
      seen.push([view.length, history.length]);
      return Promise.resolve([said('s', 'short')]);
    });
    expect(seen).toEqual([
      [3, 3],
      [4, 6],
      [4, 9],
    ]);
  });
});
