import { describe, expect, it } from 'vitest';
import { pageTexts, type TextTable } from '../../src/language/page-texts.ts';
import { pageTables, untranslatedPaths } from '../../scripts/house/untranslated.ts';

/** Texts of names, numbers and signs only, or words that the offline model searches for in files. */
const wordless: readonly string[] =
  `chat.added chat.applied chat.plan.now chat.removed chat.meter.nameOfKind chat.pictures.size
  chat.record.fromTo chat.welcome.offlineExamples.list chat.welcome.offlineExamples.read
  chat.welcome.offlineExamples.search compactions.views.withTime compactions.views.same
  compactions.views.change compactions.fromTo compactions.facts.keptOf compactions.compactionsTab.html
  compactions.compactionsTab.markdown compactions.whatIf.keptOf inspector.usage.barKind
  inspector.budget.sentences.floorPart inspector.timeline.kind inspector.timeline.marks.notApplied
  inspector.timeline.marks.started inspector.timeline.several inspector.timeline.wire.status
  ledger.ledger.facts.there ledger.ledger.marks.keys.r ledger.ledger.marks.keys.d
  ledger.ledger.marks.keys.x ledger.ledger.marks.keys.e ledger.ledger.marks.keys.delete
  ledger.ledger.marks.keys.u`.split(/\s+/);

const english = new Map(
  Object.entries(pageTables).flatMap(([area, table]) => [...textsOf(table.english, area)]),
);
const chinese = new Map(
  Object.entries(pageTables).flatMap(([area, table]) => [...textsOf(table.chinese, area)]),
);

describe('the texts of the pages', () => {
  it('differ from English in Chinese, except for names and numbers', () => {
    const same = [...english].filter(([key, text]) => text !== '' && chinese.get(key) === text);
    expect(same.map(([key]) => key).filter((key) => !wordless.includes(key))).toEqual([]);
  });

  it('contain Chinese in the Chinese tables', () => {
    const foreign = [...chinese].filter(
      ([, text]) => text !== '' && !/[\p{Script=Han}：。，、；（）]/u.test(text),
    );
    expect(foreign.map(([key]) => key).filter((key) => !wordless.includes(key))).toEqual([]);
  });

  it('contain the same values in both languages', () => {
    const values = (text: string | undefined) =>
      [...new Set([...(text?.matchAll(/\{(\w+)/g) ?? [])].map(([, name]) => name))].sort();
    const differing = [...chinese].filter(
      ([key, text]) => values(text).join(' ') !== values(english.get(key)).join(' '),
    );
    expect(differing.map(([key]) => key)).toEqual(['compactions.record.dropped.noList']);
  });
});

describe('pageTexts', () => {
  const table = { send: 'Send', meter: { open: 'Open', tokens: '{count} {count:token|tokens}' } } as const;

  it('fills in values in the language of the page', () => {
    const translation = { meter: { tokens: '{count} 个 token' } };
    expect(pageTexts('zh-CN', table, translation).meter.tokens({ count: 1_200 })).toBe('1,200 个 token');
    expect(pageTexts('en', table, {}).meter.tokens({ count: 1 })).toBe('1 token');
  });

  it('shows a text in English when it is not translated', () => {
    const shown = pageTexts('zh-CN', table, { meter: { open: '打开' } });
    expect([shown.send, shown.meter.open, shown.meter.tokens({ count: 3 })]).toEqual([
      'Send',
      '打开',
      '3 tokens',
    ]);
  });

  it('lists the paths of untranslated texts', () => {
    expect(untranslatedPaths(table, { send: '发送', meter: { open: '打开' } })).toEqual(['meter.tokens']);
    expect(untranslatedPaths(table, {})).toEqual(['send', 'meter.open', 'meter.tokens']);
  });
});

function textsOf(table: TextTable, path: string): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([key, entry]): [string, string][] =>
      typeof entry === 'string' ? [[`${path}.${key}`, entry]] : [...textsOf(entry, `${path}.${key}`)],
    ),
  );
}
