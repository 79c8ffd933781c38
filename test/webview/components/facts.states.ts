import { factKindList } from '../../../webview/inspector/facts/fact-kinds.ts';
import { factRow } from '../../../webview/inspector/facts/fact-row.ts';
import { factKey } from '../../../webview/inspector/state/facts-answers.ts';
import { facts } from '../support/tab-fixtures.ts';
import { type ComponentStates, ignored, page } from './states.ts';

const drawn = (fact = facts[0]!, open: readonly string[] = []) =>
  factRow({
    ...{ fact, page, texts: new Map(), canChange: true, canMark: true, onToggle: ignored },
    open: new Set(open),
  });

export const factKindStates: ComponentStates = {
  name: 'fact kinds',
  states: {
    'some gone': () =>
      factKindList(
        { files: { total: 30, gone: 3 }, commands: { total: 2, gone: 2 }, struck: { total: 1, gone: 0 } },
        'files',
        ignored,
      ),
    'none gone': () => factKindList({ files: { total: 30, gone: 0 } }, undefined, ignored),
  },
};

export const factRowStates: ComponentStates = {
  name: 'cb-fact',
  states: {
    'a sentence': () => drawn(),
    'a file': () => drawn(facts[1]),
    'a file with its sources': () => drawn(facts[1], [factKey(facts[1]!)]),
    'a command that is gone': () => drawn(facts[2]),
    'a struck sentence': () =>
      drawn({ ...facts[0]!, section: 'struck', mark: { as: 'struck', sentence: facts[0]!.text } }),
  },
};
