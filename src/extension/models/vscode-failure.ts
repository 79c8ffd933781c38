import { ModelError, type ModelErrorCode } from '../../agent/model/chat-model.ts';
import { overflowOf } from '../../agent/model/overflow.ts';
import { headOf } from '../../compaction/text/clip.ts';

/** Most characters of somebody else's words in a message. */
const longestQuote = 500;
/** Errors wrap others; deeper than this nothing more is said. */
const deepestCause = 5;

/**
 * Turns what VS Code's language models throw into an error that tells a person what to do. `LanguageModelError` has
 * a name for the reason in `code`; where that is none of its own, what happened is in the words, or in those of the
 * cause.
 *
 * @param model as people call it
 */
export function vscodeFailure(error: unknown, model: string): ModelError {
  if (error instanceof ModelError) return error;
  const said = wordsOf(error);
  const words = said.join(' ');
  const overflow = overflowOf({ message: words });
  const code = overflow === undefined ? codeOf(error, words) : 'overflow';
  const quote = quoted(said.at(-1) ?? '');
  return new ModelError(code, `${explain(code, model, words)}${quote}`, { ...overflow, cause: error });
}

/** There is no such model, or not yet: the extension that brings it may still be starting. */
export function missingVscodeModel(model: string): ModelError {
  return new ModelError(
    'not-found',
    `VS Code has no language model "${model}". Sign in to the extension that brings it, or run "Context Budget: Select Model".`,
  );
}

function codeOf(error: unknown, words: string): ModelErrorCode {
  const named: unknown = error instanceof Error ? (Reflect.get(error, 'code') ?? error.name) : undefined;
  switch (named) {
    case 'NoPermissions':
      return 'unauthorised';
    case 'NotFound':
      return 'not-found';
    case 'Blocked':
      return 'rate-limited';
    case 'Canceled':
      return 'cancelled';
  }
  if (isOffTopic(words)) return 'rejected';
  if (/rate.?limit|quota|too many requests|\b429\b/i.test(words)) return 'rate-limited';
  if (/\btimed?[ -]?out/i.test(words)) return 'timeout';
  if (/ENOTFOUND|ECONN|EAI_AGAIN|fetch failed|net::ERR|offline/i.test(words)) return 'network';
  return 'server';
}

function explain(code: ModelErrorCode, model: string, words: string): string {
  switch (code) {
    case 'overflow':
      return `The conversation is too long for ${model}. Compact it, or choose a model with a larger window.`;
    case 'unauthorised':
      return `Context Budget may not use ${model} yet. Send the message again and allow it, or allow it in the Accounts menu under "Manage Language Model Access…".`;
    case 'not-found':
      return missingVscodeModel(model).message;
    case 'rate-limited':
      return `${model} takes no more requests for now: its limit or quota is reached. Wait a while, or choose another model.`;
    case 'cancelled':
      return 'Stopped.';
    case 'rejected':
      return isOffTopic(words)
        ? `${model} takes this for a question that it is not there for. Say it in other words, or choose another model.`
        : `${model} did not accept the request.`;
    case 'timeout':
      return `${model} ran out of time. Try again.`;
    case 'network':
      return `${model} could not be reached. Check the network.`;
    default:
      return `${model} failed. Try again in a while.`;
  }
}

function isOffTopic(words: string): boolean {
  return /off[_-]?topic/i.test(words);
}

/** What an error and its causes say, outermost first, nothing twice. */
function wordsOf(error: unknown): readonly string[] {
  const said: string[] = [];
  let cause = error;
  for (let depth = 0; depth < deepestCause && cause instanceof Error; depth++) {
    if (cause.message !== '' && !said.includes(cause.message)) said.push(cause.message);
    cause = cause.cause;
  }
  return said;
}

function quoted(words: string): string {
  const line = words.replace(/\s+/g, ' ').trim();
  if (line === '') return '';
  return ` VS Code said: ${line.length <= longestQuote ? line : `${headOf(line, longestQuote - 1)}…`}`;
}
