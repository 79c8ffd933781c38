import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mentionsIn } from '../../../src/compaction/ledger/mentions.ts';
import { textOfCut } from '../../../src/compaction/text/clip.ts';
import { cutsOfOneText } from '../../support/cuts.ts';

const parts = fc.constantFrom(
  ...[
    'npm test',
    'src/store.ts',
    'store',
    ' ',
    '  ',
    '\n',
    '\t',
    ' \n ',
    '(exit 1)',
    '→ exit 1',
    '$ ',
    '"',
    '.',
  ],
  ...['a', '-', '/', '\r\n', '\u00a0'],
);
const text = fc.array(parts, { maxLength: 30 }).map((some) => some.join(''));
const facts = ['npm test', 'src/store.ts', 'store', 'a', 'a store', 'npm test a'];

describe('mentions of facts', () => {
  it('are the same in a cut text and in its remaining parts joined together', () => {
    fc.assert(
      fc.property(cutsOfOneText(text, text), (cuts) => {
        for (const cut of cuts) {
          const [ofCut, ofText] = [mentionsIn([cut]), mentionsIn([textOfCut(cut)])];
          for (const fact of facts) {
            expect(ofCut.has(fact)).toBe(ofText.has(fact));
            expect(ofCut.hasCommand(fact)).toBe(ofText.hasCommand(fact));
          }
        }
      }),
    );
  });

  it('are found in any text that names the fact', () => {
    const mentions = mentionsIn(['nothing', 'see src/store.ts', '']);
    expect(mentions.has('src/store.ts')).toBe(true);
    expect(mentions.has('store.ts')).toBe(false);
    expect(mentions.has('nothing see')).toBe(false);
    expect(mentions.has('')).toBe(false);
  });

  it('may span several lines, but a command in a list must fill its line', () => {
    expect(mentionsIn(['run\n  all tests']).has('run all tests')).toBe(true);
    expect(mentionsIn(['- npm test\n- npm run lint']).hasCommand('npm test')).toBe(true);
    expect(mentionsIn(['- npm test -- unit']).hasCommand('npm test')).toBe(false);
  });
});
