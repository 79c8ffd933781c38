import { describe, expect, it } from 'vitest';
import { type Message, textOf } from '../../../../src/compaction/messages/message.ts';
import { WorkingView } from '../../../../src/compaction/strategies/contract/working-view.ts';
import { clipOldTexts, shortenEdited } from '../../../../src/compaction/strategies/steps/edited-files.ts';
import { createMeter } from '../../../support/engine.ts';
import { called, result, textOfTokens, typed } from '../../../support/messages.ts';

const meter = await createMeter();

const listing = Array.from({ length: 40 }, (_, index) => `  ${index + 11}→${textOfTokens(10)}`).join('\n');
const oldText = textOfTokens(100);
const newText = `new ${textOfTokens(100)}`;

/** Reads a file, edits another one, and continues. */
function history(edited: string, report: Partial<Message> = {}): readonly Message[] {
  return [
    typed('m', 'go'),
    called('c0', ['a', 'Read', { file_path: 'src/a.ts', offset: 11 }]),
    result('r0', 'a', listing),
    called('c1', ['b', 'Edit', { file_path: edited, old_string: oldText, new_string: newText }]),
    { ...result('r1', 'b', `The file ${edited} was updated.\n${listing}`), ...report },
    called('c2', ['c', 'Bash', { command: 'npm test' }]),
    result('r2', 'c', 'ok'),
  ];
}

describe('outdated content of an edited file', () => {
  const workingOn = async (view: readonly Message[]) => {
    const { total: tokens } = await meter.measure(view);
    return new WorkingView({ view, tokens }, meter);
  };
  const shortened = async (view: readonly Message[]) => {
    const working = await workingOn(view);
    await shortenEdited(new Set(), working, meter);
    return new Map(working.messages.map(({ id, content }) => [id, textOf(content)]));
  };

  it('includes an earlier read of the file, and states which lines were read', async () => {
    const texts = await shortened(history('src/a.ts'));
    expect(texts.get('r0')).toMatch(/^\[Edited later, it showed lines 11–50\. Result of Read: \d+ tokens\./u);
  });

  it('includes the report of the edit', async () => {
    const texts = await shortened(history('src/a.ts'));
    expect(texts.get('r1')).toMatch(/^The file src\/a\.ts was updated\.\n\[Result of Edit: \d+ tokens\./u);
  });

  it('excludes a read of another file', async () => {
    expect((await shortened(history('src/b.ts'))).get('r0')).toBe(listing);
  });

  it('includes nothing if the edit failed', async () => {
    const view = history('src/a.ts', { isError: true });
    expect((await shortened(view)).get('r0')).toBe(listing);
  });

  it('includes nothing while the edit is the newest exchange', async () => {
    const texts = await shortened(history('src/a.ts').slice(0, 5));
    expect(texts.get('r0')).toBe(listing);
  });

  it('includes the removed text, but not the inserted text', async () => {
    const working = await workingOn(history('src/a.ts'));
    await clipOldTexts(new Set(), working);
    const call = working.messages.find(({ id }) => id === 'c1')!.tool_calls![0]!;
    const input = JSON.parse(call.function.arguments) as Record<string, string>;
    expect(input['old_string']!.length).toBeLessThanOrEqual(80);
    expect(input['new_string']).toBe(newText);
  });
});
