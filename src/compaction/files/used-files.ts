import { normalisedPath } from '../text/file-path.ts';
import { callEnds } from '../ledger/call-ends.ts';
import { calledFunction } from '../ledger/called-function.ts';
import { factsOfCall } from '../ledger/call-facts.ts';
import { isRecord } from '../../language/is-record.ts';
import { isTyped, type Message, type ToolCall } from '../messages/message.ts';
import { parseShallow } from '../text/parse-json.ts';

interface FileEvent {
  /** `show`: lines of the file came into context. `write`: the whole file was written. `change`: a part was changed. */
  readonly what: 'show' | 'write' | 'change';
  readonly messages: readonly Message[];
  readonly isWhole: boolean;
  /** Time of the newest message, in milliseconds since 1970; `NaN` if unknown. */
  readonly at: number;
  readonly index: number;
}

export interface UsedFile {
  readonly path: string;
  readonly events: readonly [FileEvent, ...FileEvent[]];
}

/** Finds files that successful calls read or changed or that the user attached, newest first. Ignores commands. */
export function usedFiles(history: readonly Message[]): readonly UsedFile[] {
  const files = new Map<string, { path: string; events: FileEvent[] }>();
  const note = (path: string, event: FileEvent) => {
    const key = normalisedPath(path);
    const known = files.get(key)?.events ?? [];
    files.delete(key);
    files.set(key, { path, events: [...known, event] });
  };
  const ends = callEnds(history);
  for (const [index, message] of history.entries()) {
    for (const { path, lines, isShortened } of message.attached?.items ?? []) {
      if (path === undefined) continue;
      const isWhole = lines === undefined && isShortened !== true;
      note(path, { what: 'show', messages: [message], isWhole, at: timeOf(message), index });
    }
    for (const call of message.tool_calls ?? []) {
      const { end, result } = ends.get(call)!;
      if (result === undefined || end !== 'ran') continue;
      const messages = [message, result];
      for (const { path, ...touch } of touchesOf(call)) {
        const isWhole = touch.isWhole && result.truncation === undefined;
        note(path, { ...touch, isWhole, messages, at: timeOf(result), index });
      }
    }
  }
  return [...files.values()].reverse().flatMap(({ path, events }) => {
    const [first, ...others] = events;
    return first === undefined ? [] : [{ path, events: [first, ...others] }];
  });
}

/** True if a file is likely to be needed again: changed, shown repeatedly, or used for the newest request. */
export function isNeededAgain({ events }: UsedFile, history: readonly Message[]): boolean {
  const request = history.findLastIndex(isTyped);
  const shown = events.filter(({ what }) => what === 'show');
  return shown.length < events.length || shown.length > 1 || events.some(({ index }) => index >= request);
}

/** True if a view has the newest state of a file: the whole file in one message, and every later change. */
export function isFileInView({ events }: UsedFile, isInView: (message: Message) => boolean): boolean {
  const isThere = ({ messages }: FileEvent) => messages.every(isInView);
  const shown = events.findLastIndex((event) => event.isWhole && isThere(event));
  return shown >= 0 && events.slice(shown + 1).every((event) => event.what === 'show' || isThere(event));
}

type Touch = Pick<FileEvent, 'what' | 'isWhole'> & { readonly path: string };

const reading = /read|view|open|cat\b/i;
const writing = /write|create|save/i;
const partKey = /line|offset|limit|range|start|end|head|tail/i;

function touchesOf(call: ToolCall): readonly Touch[] {
  const { name, arguments: input } = calledFunction(call.function);
  const { filesModified, filesRead, commands } = factsOfCall(call);
  if (commands.length > 0) return [];
  const given = parseShallow(input)?.value;
  const keys = isRecord(given) ? Object.keys(given) : [];
  const what = isRecord(given) && given['command'] === 'create' ? 'write' : changeBy(name);
  const read = reading.test(name) || (isRecord(given) && given['command'] === 'view') ? filesRead : [];
  return [
    ...filesModified.map((path): Touch => ({ path, what, isWhole: what === 'write' })),
    ...read.map((path): Touch => ({ path, what: 'show', isWhole: !keys.some((key) => partKey.test(key)) })),
  ];
}

function changeBy(tool: string): 'write' | 'change' {
  return writing.test(tool) ? 'write' : 'change';
}

function timeOf({ createdAt }: Message): number {
  return Date.parse(createdAt);
}
