import { describe, expect, it } from 'vitest';
import { emptyLedger, type Ledger } from '../../../src/compaction/messages/ledger.ts';
import { tagSuffixFrom } from '../../../src/compaction/quoting/session-tags.ts';
import { summaryAround, summaryBody } from '../../../src/compaction/summary/summary-body.ts';
import { createMeter } from '../../support/engine.ts';
import { called, result, said, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

const tagSuffix = tagSuffixFrom('a session');

describe('the text of a summary', () => {
  const sources = [
    typed('u1', 'Fix the parser.'),
    called('a1', ['1', 'edit_file', { path: 'src/parser.ts' }]),
    result('r1', '1', 'done'),
    said('a2', 'The parser reads every token once now.'),
  ];
  const staying = [typed('u2', 'Fix the lexer.')];
  const history = [...sources, ...staying];
  const ledger: Ledger = {
    ...emptyLedger,
    marked: [{ text: 'Never touch the vendor folder.', as: 'rule' }],
    constraints: ['Keep it short.'],
    filesModified: [{ path: 'src/parser.ts', edits: 1 }],
    commands: [{ command: 'git push origin main' }],
    identifiers: ['readToken'],
  };
  const notes = '## So far\n- The lexer came first.\n## Since the last compaction\n- Tokens are cached.';
  const parts = { sources, staying, history, notes, ledger, tokens: 2_000, tagSuffix };
  const titles = (text: string) =>
    Array.from(text.matchAll(/^## ([\w ]+?)(?: \(.*)?(?:,.*)?$/gmu), ([, title]) => title);

  it('has its sections in order', async () => {
    const { text } = await summaryBody(parts, meter);
    expect(titles(text)).toEqual([
      'Where it stands',
      'Marked',
      'Earlier requests',
      'So far',
      'Since the last compaction',
      'Rules',
      'Files changed',
      'Commands',
      'Identifiers',
    ]);
  });

  it('is returned together with its facts', async () => {
    const { carried } = await summaryBody(parts, meter);
    expect(carried.ledger).toEqual({ ...ledger, requests: ['Fix the parser.'] });
    expect(carried.requests).toMatchObject([{ text: 'Fix the parser.', work: ['edited src/parser.ts'] }]);
    expect(carried.state?.request?.text).toBe('Fix the lexer.');
  });

  it('contains no state of the work if only a part was summarised', async () => {
    const { text, carried } = await summaryBody({ ...parts, staying: undefined }, meter);
    expect(titles(text)[0]).toBe('Marked');
    expect(carried.state).toBeUndefined();
  });

  it('does not repeat the outcome of a request in the notes', async () => {
    const reply = 'The parser works with both kinds of tokens.';
    const asked = [typed('u1', 'Look at the parser.'), said('a1', reply)];
    const spoken = {
      ...parts,
      sources: asked,
      history: [...asked, ...staying],
      notes: `- ${reply}\n- More.`,
    };
    const { text } = await summaryBody(spoken, meter);
    expect(text.split(reply)).toHaveLength(2);
    expect(text).toContain('- More.');
  });

  it('contains a decision only once, even if it is a whole request', async () => {
    const decision = 'Let’s use pnpm.';
    const asked = [typed('u1', decision), said('a1', 'It is in place now.')];
    const decided = {
      ...parts,
      sources: asked,
      history: [...asked, ...staying],
      ledger: { ...ledger, decisions: [decision] },
    };
    const { text, carried } = await summaryBody(decided, meter);
    expect(text.split(decision)).toHaveLength(2);
    expect(carried.ledger?.decisions).toEqual([decision]);
  });

  it('does not repeat the state of the work in the notes', async () => {
    const step = 'Write the lexer anew';
    const plan = called('a0', ['0', 'update_plan', { plan: [{ step, status: 'pending' }] }]);
    const run = called('a3', ['3', 'run_command', { command: 'git push origin main' }]);
    const pushed = result('r3', '3', 'To x\n   abc1234..def5678  main -> main');
    const planned = [sources[0]!, plan, result('r0', '0', 'ok'), run, pushed];
    const { text, carried } = await summaryBody(
      {
        ...parts,
        sources: planned,
        history: planned,
        staying: [],
        ledger: { ...ledger, nextSteps: [step, 'Ask for a review'] },
      },
      meter,
    );
    expect(text.split(step)).toHaveLength(2);
    expect(text).not.toContain('- git push');
    expect(text).toContain('- Ask for a review');
    expect(text).toContain('- The request above that begins “Fix the parser.” → ');
    expect(carried.ledger?.nextSteps).toEqual([step, 'Ask for a review']);
    expect(carried.ledger?.commands).toEqual(ledger.commands);
  });

  it('keeps the first and the newest requests if there is no room for all of them', async () => {
    const many = Array.from({ length: 60 }, (_, index) => [
      typed(`u${index}`, `Request number ${index} is about module ${index}.`),
      said(`a${index}`, `Module ${index} was changed as it was asked for.`),
    ]).flat();
    const { text } = await summaryBody(
      { ...parts, sources: many, history: [...many, ...staying], ledger: emptyLedger, tokens: 400 },
      meter,
    );
    const kept = Array.from(text.matchAll(/“Request number (\d+) /gu), ([, index]) => Number(index));
    expect(kept[0]).toBe(0);
    expect(kept.slice(1)).toEqual(
      Array.from({ length: kept.length - 1 }, (_, index) => 61 - kept.length + index),
    );
    expect(kept.length).toBeGreaterThan(5);
    expect(await meter.countText(text)).toBeLessThanOrEqual(400 + (await meter.countText(notes)) + 5);
  });

  it('lists only the facts that the notes do not name', async () => {
    const long = [...sources, said('a3', textOfTokens(4_000))];
    const own = {
      ...parts,
      sources: long,
      notes: '- src/parser.ts is mended; I ran `git push origin main`.',
    };
    const { text } = await summaryAround(own, meter);
    expect(titles(text)).not.toContain('Files changed');
    expect(titles(text)).not.toContain('Commands');
    expect(titles(text)).toContain('Identifiers');
  });

  it('contains the requests, even if there are no notes and the conversation is short', async () => {
    const talk = [1, 2, 3].flatMap((n) => [
      typed(`q${n}`, `Write verse ${n} about the sea and the hills and the wind.`),
      said(`s${n}`, 'La la la '.repeat(20)),
    ]);
    const { text } = await summaryAround({ sources: talk, staying: [], notes: '', tagSuffix }, meter);
    expect(titles(text)).toContain('Earlier requests');
  });
});
