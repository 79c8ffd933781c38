import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mentionsIn } from '../../../src/compaction/ledger/mentions.ts';

describe('a fact is named', () => {
  it.each([
    ['store.ts', 'Changed store.ts.'],
    ['store.ts', 'Changed `store.ts`:12 and others'],
    ['store.ts', 'see ./store.ts'],
    ['store.ts', '- store.ts\n- b.ts'],
    ['store.ts', '修改了store.ts文件'],
    ['id', 'the id, and a name'],
    ['src/a.ts', '/repo/x then src/a.ts'],
    ['Error: a broke', 'failed with "Error: a broke"'],
    ['two words', 'two\n  words'],
  ])('%j by %j', (fact, text) => {
    expect(mentionsIn([text]).has(fact)).toBe(true);
  });

  it.each([
    ['store.ts', 'Changed old-store.ts.'],
    ['store.ts', 'Changed legacy/store.ts.'],
    ['store.ts', 'Changed store.tsx.'],
    ['store.ts', 'Changed store.ts.bak'],
    ['store', 'Changed store.ts'],
    ['id', 'a hidden userId, id_2 and valid'],
    ['src/a.ts', 'the file pkg/src/a.ts'],
    ['src', 'src/a.ts'],
    ['', 'anything'],
  ])('%j not by %j', (fact, text) => {
    expect(mentionsIn([text]).has(fact)).toBe(false);
  });

  it('wherever it stands between spaces', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}(?:[./_-][a-z]{1,8}){0,3}$/u);
    fc.assert(
      fc.property(word, word, word, (fact, before, after) => {
        expect(mentionsIn([`${before} ${fact} ${after}`]).has(fact)).toBe(true);
      }),
    );
  });

  it('never as a part of a longer word', () => {
    const word = fc.stringMatching(/^[a-z]{2,8}$/u);
    fc.assert(
      fc.property(word, word, fc.constantFrom('', '-', '_', '.', '/'), (fact, other, joint) => {
        fc.pre(!`${other}${joint}${other}`.includes(fact) && !other.includes(fact));
        const text = `${other}${joint}${fact}${joint}${other}`;
        fc.pre(text.split(fact).length === 2);
        expect(mentionsIn([text]).has(fact)).toBe(false);
      }),
    );
  });
});

describe('a command is named', () => {
  it.each([
    ['npm test', 'Ran `npm test`, all green'],
    ['npm test', '- npm test\n- ls'],
    ['npm test', '- npm test (exit 1)'],
    ['npm test', 'I ran npm test and it failed'],
    ['npm test', 'cd web && npm test'],
    ['make', 'ran `make` twice'],
    ['make', '$ make'],
  ])('%j by %j', (command, text) => {
    expect(mentionsIn([text]).hasCommand(command)).toBe(true);
  });

  it.each([
    ['npm test', 'npm test -- --watch'],
    ['npm test', 'npm tests'],
    ['npm test', 'pnpm test'],
    ['npm run build', 'npm run build:all'],
    ['make', 'make sure that'],
    ['git log', 'git log -p src'],
  ])('%j not by %j', (command, text) => {
    expect(mentionsIn([text]).hasCommand(command)).toBe(false);
  });

  it('with its exit status only where the text tells it', () => {
    const run = { command: 'npm test', status: 1 };
    expect(mentionsIn(['`npm test` failed']).hasWithStatus(run)).toBe(false);
    expect(mentionsIn(['`npm test` (exit 2)']).hasWithStatus(run)).toBe(false);
    expect(mentionsIn(['`npm test` (exit 1)']).hasWithStatus(run)).toBe(true);
    expect(mentionsIn(['npm test exited with code 1']).hasWithStatus(run)).toBe(true);
    expect(mentionsIn(['`npm test`']).hasWithStatus({ command: 'npm test' })).toBe(true);
  });
});
