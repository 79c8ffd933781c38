import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverageOf, factsToCopy } from '../../../src/compaction/ledger/coverage.ts';
import { mentionsIn } from '../../../src/compaction/ledger/mentions.ts';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { answered, called, result, said, typed } from '../../support/messages.ts';

describe('the coverage of facts', () => {
  const before = [
    typed('m1', 'read both'),
    called('m2', ['a', 'read_file', { path: 'src/a.ts' }], ['b', 'view_file', { path: 'src/b.ts' }]),
    result('m3', 'a', 'Error: a broke'),
    result('m4', 'b', 'fine'),
    typed('m5', 'thanks'),
  ];
  const summary = (content: string): Message => ({
    ...typed('c1.1', content),
    kind: 'summary',
    origin: 'strategy',
  });

  describe('coverageOf', () => {
    it('counts a fact as kept if its message is still in context', () => {
      expect(coverageOf(before, before).files).toEqual({ kept: 2, total: 2, missing: [] });
    });

    it('counts a fact as kept if a summary names it, and lists missing facts', () => {
      const written = summary('read src/a.ts, which failed with "Error: a broke"');
      const { files, errors, userMessages } = coverageOf(before, [written, before[4]!]);
      expect(files).toEqual({ kept: 1, total: 2, missing: ['src/b.ts'] });
      expect(errors).toEqual({ kept: 1, total: 1, missing: [] });
      expect(userMessages).toEqual({ kept: 1, total: 2, missing: ['m1'] });
    });

    it('counts a message with attachments as kept if it is still in context', () => {
      const typedLength = 'explain @src/a.ts'.length;
      const attached: Message = {
        ...typed('m1', 'explain @src/a.ts\n\n<attachment type="file">\na\n</attachment>'),
        attached: { typedLength, items: [] },
      };
      expect(coverageOf([attached], [attached]).userMessages).toEqual({ kept: 1, total: 1, missing: [] });
    });
  });
});

describe('factsToCopy', () => {
  const history = [
    ...answered(
      called('m1', ['a', 'edit_file', { path: 'store.ts' }], ['b', 'get_order', { order_id: 'id' }]),
    ),
    called('m2', ['c', 'bash', { command: 'npm ci' }]),
    result('m3', 'c', 'exit code 0'),
  ];
  const summary = (text: string): Message => ({ ...typed('s', text), origin: 'strategy', kind: 'summary' });

  describe('the facts to copy into a summary', () => {
    it('are those that no remaining message contains completely', () => {
      const staying = [summary('Read src/old-store.ts, ran npm ci -- --force, saw userId.')];
      expect(factsToCopy(extractLedger(history), staying)).toMatchObject({
        filesModified: [{ path: 'store.ts', edits: 1 }],
        identifiers: ['id'],
        commands: [{ command: 'npm ci', status: 0 }],
      });
    });

    it('include facts that only replies mention, and exclude facts in a summary', () => {
      const ledger = extractLedger(history);
      expect(factsToCopy(ledger, [said('m4', 'store.ts is done.')]).filesModified).toHaveLength(1);
      expect(factsToCopy(ledger, [summary('store.ts is done.')]).filesModified).toEqual([]);
    });

    it('exclude the facts of a call that remains with its result', () => {
      expect(factsToCopy(extractLedger(history), history.slice(1)).commands).toEqual([]);
    });
  });
});

describe('mentions', () => {
  describe('a fact', () => {
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
    ])('is found: %j in %j', (fact, text) => {
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
    ])('is not found: %j in %j', (fact, text) => {
      expect(mentionsIn([text]).has(fact)).toBe(false);
    });

    it('is found wherever it stands between spaces', () => {
      const word = fc.stringMatching(/^[a-z]{1,8}(?:[./_-][a-z]{1,8}){0,3}$/u);
      fc.assert(
        fc.property(word, word, word, (fact, before, after) => {
          expect(mentionsIn([`${before} ${fact} ${after}`]).has(fact)).toBe(true);
        }),
      );
    });

    it('is never found in a longer word', () => {
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

  describe('a command', () => {
    it.each([
      ['npm test', 'Ran `npm test`, all green'],
      ['npm test', '- npm test\n- ls'],
      ['npm test', '- npm test (exit 1)'],
      ['npm test', 'I ran npm test and it failed'],
      ['npm test', 'cd web && npm test'],
      ['make', 'ran `make` twice'],
      ['make', '$ make'],
    ])('is found: %j in %j', (command, text) => {
      expect(mentionsIn([text]).hasCommand(command)).toBe(true);
    });

    it.each([
      ['npm test', 'npm test -- --watch'],
      ['npm test', 'npm tests'],
      ['npm test', 'pnpm test'],
      ['npm run build', 'npm run build:all'],
      ['make', 'make sure that'],
      ['git log', 'git log -p src'],
    ])('is not found: %j in %j', (command, text) => {
      expect(mentionsIn([text]).hasCommand(command)).toBe(false);
    });
  });
});
