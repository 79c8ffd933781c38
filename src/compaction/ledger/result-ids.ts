import { isRecord } from '../../language/is-record.ts';
import type { Message, ToolCall } from '../messages/message.ts';
import { typedText } from '../messages/message.ts';
import { memoised } from '../messages/memoise.ts';
import { parseShallow } from '../text/parse-json.ts';
import { factsOfCall } from './call-facts.ts';
import { calledFunction } from './called-function.ts';

/**
 * Ids that a result assigns to something new and that its call did not name: a booking, a certificate, a
 * commit, a pull request. They are recognised by structure: by names of JSON fields, and by the forms in
 * which git, GitHub's program and Aider report new objects.
 */

/** First words in the names of tools that make or change records. */
const changing =
  /^(?:create|add|book|reserve|order|buy|send|issue|open|submit|insert|register|update|modify|change|cancel|return|exchange|assign|transfer|post|put|publish|merge|commit|start|schedule|upload|make|new)(?=[_A-Z-]|$)/u;
const idField = /(?:^|_)(?:id|number|code|hash|sha)$|(?:Id|Number|Code|Hash|Sha)$/u;
/** Fields that hold no ids, although their names end with `code`, `number` or `id`. */
const otherField =
  /(?:exit|status|error|line|postal|zip|country|area|phone|flight|version)_?(?:code|number|id)$/iu;
const deepest = 4;
const mostIds = 12;
const idValue = /^[\w./#:@+-]{4,80}$/u;

/** Finds the ids in the result of a successful call that the call does not contain, in order. */
export function idsInResult(call: ToolCall, result: Message): readonly string[] {
  const { name, arguments: input } = calledFunction(call.function);
  return idsOf(result, name, input, factsOfCall(call).commands);
}

const known = memoised((_result: Message) => new Map<string, readonly string[]>());

function idsOf(result: Message, tool: string, input: string, commands: readonly string[]): readonly string[] {
  const seen = known(result).get(tool);
  if (seen !== undefined) return seen;
  const text = typedText(result);
  const own = tool.slice(tool.lastIndexOf('__') + 1);
  const found = commands.length > 0 ? idsPrinted(commands, text) : changing.test(own) ? idsInJson(text) : [];
  const ids = [...new Set(found)].filter((id) => !input.includes(id)).slice(0, mostIds);
  known(result).set(tool, ids);
  return ids;
}

function idsInJson(text: string): readonly string[] {
  const ids: string[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (depth > deepest) return;
    // The items of a list probably existed before.
    if (!isRecord(value)) return;
    for (const [key, entry] of Object.entries(value)) {
      if (typeof entry === 'string' || typeof entry === 'number') {
        const id = String(entry);
        if (idField.test(key) && !otherField.test(key) && idValue.test(id) && /\d|[A-Z]{4}/u.test(id))
          ids.push(id);
      } else visit(entry, depth + 1);
    }
  };
  if (/^\s*\{/u.test(text)) visit(parseShallow(text)?.value, 0);
  return ids;
}

/** Reports of new objects: git's `[main 1a2b3c4] Mend the lock`, and `https://github.com/o/r/pull/7`. */
const committed = /^\[[\w./ ()-]{1,200} ([0-9a-f]{7,40})\] /muy;
const opened = /^https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+\/(?:pull|issues|-\/merge_requests)\/(\d+)\s*$/muy;

function idsPrinted(commands: readonly string[], text: string): readonly string[] {
  const printed: string[] = [];
  if (
    commands.some((command) =>
      /\bgit\b[^\n]*\b(?:commit|merge|cherry-pick|revert|am|rebase)\b/u.test(command),
    )
  ) {
    printed.push(...matchesAt(text, '[', committed).map(([, hash = '']) => hash));
  }
  if (commands.some((command) => /\b(?:gh|glab) (?:pr|issue|mr) create\b/u.test(command))) {
    printed.push(...matchesAt(text, 'https://', opened).map(([url]) => url.trim()));
  }
  return printed;
}

/** Matches a sticky pattern only where its opening is found, which is faster than at every character. */
function matchesAt(text: string, opening: string, pattern: RegExp): readonly RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at + 1)) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) matches.push(match);
  }
  return matches;
}

/** Returns the address of the pull request that a command line opened, if any. */
export function pullRequestIn(command: string, text: string): string | undefined {
  return idsPrinted([command], text).findLast((id) => /\/(?:pull|merge_requests)\/\d+$/u.test(id));
}
