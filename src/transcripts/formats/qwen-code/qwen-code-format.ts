import { importsSentences } from '../../../language/english/imports-english.ts';
import { isRecord } from '../../../language/is-record.ts';
import { eventTrees } from '../../reading/event-tree.ts';
import {
  fieldsOf,
  recordsIn,
  wordIn,
  type EventLine,
  type EventLines,
  type Fields,
} from '../../reading/fields.ts';
import { expectEvent, lineFormat, problemAt } from '../../reading/json-document.ts';
import {
  folderIn,
  type Imported,
  ofSubAgent,
  type OtherConversation,
  positive,
} from '../../reading/transcript-format.ts';
import { geminiHistory } from '../gemini-cli/gemini-cli-history.ts';
import {
  type GeminiCompaction,
  geminiParts,
  type GeminiTurn,
  isAcknowledgement,
  textOfTurn,
} from '../gemini-cli/gemini-cli-turn.ts';

const expected = importsSentences.say('expectedQwenCode');
const treeOf = eventTrees({ id: 'uuid', parentId: 'parentUuid' });

/** Subtypes and sources of lines with the user role that the user typed. The program wrote all other lines. */
const typedSubtypes: ReadonlySet<unknown> = new Set([undefined, 'mid_turn_user_message']);
const typedSources: ReadonlySet<unknown> = new Set([undefined, 'real_user']);

/**
 * Sessions of Qwen Code: JSON lines with the outer fields of Claude Code (`uuid`, `parentUuid`, `cwd`) and messages
 * in Google's form (`role`, `parts`). The conversation is the path from the last line to the first; going back
 * creates branches. A `chat_compression` line contains the history that the model receives from then on. Source:
 * `packages/core/src/services/chatRecordingService.ts`.
 */
export const qwenCodeFormat = lineFormat(
  {
    id: 'qwen-code',
    title: 'Qwen Code session (JSON lines)',
    recognises: (text) =>
      /^\s*\{/.test(text) &&
      /"parentUuid":\s*(?:null|")/.test(text) &&
      /"role":\s*"(?:user|model)",\s*"parts":/.test(text),
  },
  read,
);

function read(lines: EventLines): Imported {
  expectEvent(lines, isSaid, expected);
  const { events, problems } = lines;
  const tree = treeOf(events);
  const imported = toImported(tree.wayTo());
  const others = tree.branches().flatMap(({ id, end, own }): OtherConversation[] => {
    const said = own.map(({ fields }) => turnsOf(fields, () => {})[0]).find((turn) => turn !== undefined);
    if (said === undefined) return [];
    return [{ kind: 'branch', id, opening: textOfTurn(said), read: () => toImported(tree.wayTo(end)) }];
  });
  return {
    ...imported,
    problems: [...problems, ...imported.problems],
    others,
  };
}

function toImported(way: readonly EventLine[]): Imported {
  const problems: string[] = [];
  const turns: GeminiTurn[] = [];
  const compactions: GeminiCompaction[] = [];
  let window: number | undefined;
  for (const { line, fields } of way) {
    const { contextWindowSize, timestamp } = fields;
    window = positive(contextWindowSize) ?? window;
    turns.push(...turnsOf(fields, (objection) => problems.push(problemAt(line, objection))));
    const compaction = compactionIn(fields, turns);
    if (compaction !== undefined) compactions.push({ ...compaction, timestamp });
  }
  const history = geminiHistory(turns, compactions, 'qwen-code');
  const folder = folderIn(way.map(({ fields }) => fields['cwd']));
  const imported = { ...history, folder, tools: [], problems, window };
  const isOfSubAgent = way.some(({ fields }) => {
    return fields['subtype'] === 'parent_session' || fields['isSidechain'] === true;
  });
  return isOfSubAgent ? ofSubAgent(imported) : imported;
}

function isSaid({ message }: Fields): boolean {
  return isRecord(message) && Array.isArray(message['parts']);
}

/**
 * Returns the turns of a line, and no turns for the program's internal notes. The first text of a user's message is
 * the typed text. Texts of files, resources and hooks are separate parts after it.
 */
function turnsOf(line: Fields, skip: (objection: string) => void): readonly GeminiTurn[] {
  const { type, subtype, provenance, externalInputKind, timestamp, message, model, usageMetadata } = line;
  if (type !== 'user' && type !== 'assistant' && type !== 'tool_result') return [];
  // Speech output, and calls made by a program that the model wrote, are not part of any request.
  if (subtype === 'realtime_message' || subtype === 'code_mode_tool_result') return [];
  if (!isSaid(line) || !isRecord(message)) {
    skip('a message has an array of parts.');
    return [];
  }
  const parts = message['parts'] as readonly unknown[];
  if (type === 'assistant') {
    const fields = { timestamp, model, tokens: tokensIn(usageMetadata) };
    return [{ isReply: true, content: parts, fields, skip }];
  }
  const { status } = fieldsOf(line['toolCallResult']);
  const turn = { isReply: false, fields: { timestamp, status }, skip } as const;
  const isOfPerson = type === 'user' && typedSubtypes.has(subtype) && typedSources.has(provenance);
  if (!isOfPerson || externalInputKind !== undefined) return [{ ...turn, isHarness: true, content: parts }];
  const first = parts.findIndex(isText);
  const isTyped = (part: unknown, index: number) => index === first || !isText(part);
  const added = parts.filter((part, index) => !isTyped(part, index));
  return [
    { ...turn, content: parts.filter(isTyped) },
    ...(added.length > 0 ? [{ ...turn, isHarness: true, content: added }] : []),
  ];
}

function isText(part: unknown): boolean {
  return isRecord(part) && typeof part['text'] === 'string';
}

/** Reads the tokens of a request. Only some output counts include thoughts, but the total includes them once. */
function tokensIn(usage: unknown): Fields | undefined {
  if (!isRecord(usage)) return undefined;
  const { promptTokenCount: input, totalTokenCount: total, candidatesTokenCount: output } = usage;
  const { cachedContentTokenCount: cached } = usage;
  const isTotal = typeof total === 'number' && typeof input === 'number' && total >= input;
  return { input, output: isTotal ? total - input : output, cached };
}

/** @param turns preceding turns */
function compactionIn(line: Fields, turns: readonly GeminiTurn[]): GeminiCompaction | undefined {
  const { type, subtype, systemPayload } = line;
  if (type !== 'system' || subtype !== 'chat_compression' || !isRecord(systemPayload)) return undefined;
  const { info, compressedHistory } = systemPayload;
  if (!Array.isArray(compressedHistory)) return undefined;
  const history = recordsIn(compressedHistory).map(({ role, parts }) => ({
    isReply: role === 'model',
    content: parts,
  }));
  const [summary] = history;
  const kept = history.slice(1).map((turn) => indexOf(turn, turns));
  const keptFrom = kept.find((index) => index >= 0);
  return {
    position: turns.length,
    summary: summary === undefined ? '' : textOfTurn(summary),
    ...(keptFrom !== undefined && { keptFrom }),
    tokensBefore: positive(fieldsOf(info)['originalTokenCount']),
    timestamp: undefined,
  };
}

/** Returns the index of the last turn that equals a turn of the model's history, or -1. */
function indexOf(turn: Pick<GeminiTurn, 'isReply' | 'content'>, turns: readonly GeminiTurn[]): number {
  if (isAcknowledgement({ ...turn, fields: {}, skip: () => {} })) return -1;
  const mark = markOf(turn.content);
  if (mark === '') return -1;
  return turns.findLastIndex((other) => other.isReply === turn.isReply && markOf(other.content) === mark);
}

/** Returns the texts, calls and results of parts as a string for comparison. */
function markOf(content: unknown): string {
  const parts = geminiParts(content);
  if (parts === undefined) return '';
  const ids = [...parts.calls, ...parts.responses].map(({ id, name }) => wordIn(id ?? name));
  return [textOfTurn({ content }), ...ids].filter((text) => text !== '').join('\n');
}
