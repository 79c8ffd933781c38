import { toModel } from '../../../language/sentence.ts';
import { strategySentences } from '../../../language/english/strategies-english.ts';
import { callEnds } from '../../ledger/call-ends.ts';
import { factsOfCall } from '../../ledger/call-facts.ts';
import { type Message, textOf, type ToolCall } from '../../messages/message.ts';
import { memoised } from '../../messages/memoise.ts';
import { clipArguments } from '../../text/clip-json.ts';
import { referenceTo } from '../../text/placeholder.ts';
import type { UsageMeter } from '../../tokens/usage.ts';
import type { Rewrite } from '../contract/rewrite.ts';
import type { WorkingView } from '../contract/working-view.ts';
import { newestExchange, readingOf, resultsBefore } from './old-results.ts';
import { previewOf } from './result-preview.ts';

/** Shortens results that an edit makes redundant: earlier reads of its file, and its report. @returns tokens freed */
export async function shortenEdited(
  protectedIds: ReadonlySet<string>,
  working: WorkingView,
  meter: UsageMeter,
): Promise<number> {
  const view = working.messages;
  const ends = callEnds(view);
  const old = await resultsBefore({ view, protectedIds }, newestExchange(view), meter);
  const edited = new Set<string>();
  const rewrites = old.toReversed().flatMap(({ result, call, tool, tokens }): Rewrite | [] => {
    if (call === undefined || ends.get(call)?.end !== 'ran') return [];
    const { id } = result;
    const { filesRead, filesModified } = factsOfCall(call);
    for (const path of filesModified) edited.add(path);
    if (isEdit(call)) {
      const content = `${previewOf(result, 1)}\n${referenceTo(id, tool, tokens)}`;
      return { kind: 'offload', id, content, reason: strategySentences.say('repeatsItsCall') };
    }
    if (readingOf(call) === undefined || !filesRead.every((path) => edited.has(path))) return [];
    const content = referenceTo(id, tool, tokens, toModel`Edited later${linesShown(result)}.`);
    return { kind: 'hide', id, content, reason: strategySentences.say('editedLater') };
  });
  return working.rewrite(rewrites);
}

const isEdit = memoised((call: ToolCall): boolean => {
  const { filesModified, filesRead, commands, identifiers, searched } = factsOfCall(call);
  const others = [filesRead, commands, identifiers, searched];
  return filesModified.length > 0 && others.every(({ length }) => length === 0);
});

const numberedLine = /^[ \t]*(\d+)[→\t]/u;

function linesShown({ content }: Message): string {
  const lines = textOf(content).split('\n');
  const numberOf = (line = '') => numberedLine.exec(line)?.[1];
  const first = numberOf(lines.find(numberOf));
  return first === undefined ? '' : `, it showed lines ${first}–${numberOf(lines.findLast(numberOf))!}`;
}

/** Argument keys for the text that an edit removes from a file. */
const oldTextKey = /^old_?(?:str|string|text|content|source)$/iu;
const longestOldText = 80;

/** Clips the texts that edits removed from files. @returns tokens freed */
export async function clipOldTexts(protectedIds: ReadonlySet<string>, working: WorkingView): Promise<number> {
  const view = working.messages;
  const ends = callEnds(view);
  const rewrites = view.slice(0, newestExchange(view)).flatMap((message): Rewrite | [] => {
    const calls = message.tool_calls ?? [];
    if (protectedIds.has(message.id)) return [];
    const toolCalls = calls.map((call) => (ends.get(call)?.end === 'ran' ? withoutOldText(call) : call));
    if (toolCalls.every((call, index) => call === calls[index])) return [];
    return { kind: 'clip', id: message.id, toolCalls, reason: strategySentences.say('oldArguments') };
  });
  return working.rewrite(rewrites);
}

const withoutOldText = memoised((call: ToolCall): ToolCall => {
  const { arguments: given } = call.function;
  const json = isEdit(call)
    ? clipArguments(given, longestOldText, (key) => !oldTextKey.test(key))
    : undefined;
  return json === undefined ? call : { ...call, function: { ...call.function, arguments: json } };
});
