import { beforeEach, describe, expect, it, vi } from 'vitest';
import { pickStrategy } from '../../../src/extension/settings/strategy-picker.ts';

interface Row {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly kind?: number;
}

/** The list that was shown last. The user presses Enter at once. */
let shown: { items: readonly Row[]; activeItems: readonly Row[] };

vi.mock('vscode', async () => ({
  ...(await import('../../support/editor/vscode-texts.ts')),
  QuickPickItemKind: { Separator: -1 },
  window: {
    createQuickPick: () => {
      let accept = () => {};
      shown = { items: [], activeItems: [] };
      return Object.assign(shown, {
        onDidAccept: (listener: () => void) => (accept = listener),
        onDidHide: () => {},
        show: () => accept(),
        hide: () => {},
        dispose: () => {},
      });
    },
  },
}));

const texts = { title: 'Compact', placeholder: '' };
const others = [{ id: 'hide', label: 'Hide' }];

beforeEach(() => {
  shown = { items: [], activeItems: [] };
});

describe('the picker of strategies', () => {
  it('preselects the current strategy and not what comes before, so that Enter compacts', async () => {
    expect(await pickStrategy(texts, 'llm-summary', { others })).toBe('llm-summary');
    expect(shown.items[0]?.id).toBe('hide');
    expect(shown.activeItems[0]?.description).toBe('current');
  });

  it('preselects the recommended strategy if the current one is not offered', async () => {
    const accepts = (id: string) => id !== 'none';
    expect(await pickStrategy(texts, 'none', { accepts, others })).toBe('ladder');
  });

  it('begins with the recommended strategies, and ends with none', async () => {
    await pickStrategy(texts, 'ladder');
    const ids = shown.items.filter(({ kind }) => kind === undefined).map(({ id }) => id);
    expect([ids[0], ids.at(-1)]).toEqual(['ladder', 'none']);
  });
});
