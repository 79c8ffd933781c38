import { emptyLedger, type FileFact } from '../messages/ledger.ts';
import { isPrompt, isTyped, kindOf, type Message, textOf } from '../messages/message.ts';
import { memoisedByList } from '../messages/memoise.ts';
import { withoutEnd } from '../text/clip.ts';
import { withFiles } from './file-history.ts';
import { isRequest } from './request-state.ts';
import { answeringSentence } from './telling-sentences.ts';
import { undoneWork } from './undone-work.ts';
import { filesNotUndone } from './work-facts.ts';

/** A request and everything up to the next request. Mere assent continues a request. */
export interface RequestTurn {
  /** The typed message or the task of a sub-agent; undefined for messages before the first request. */
  readonly asked: Message | undefined;
  readonly rest: readonly Message[];
  /** The assistant's last reply before the request. */
  readonly before: Message | undefined;
  /** The last reply to the request. */
  readonly answer: Message | undefined;
  /**
   * The sentence of the last reply that answers the request. Undefined if the work was undone, its files were
   * edited later, or the next reply concedes an error.
   */
  readonly sentence: string | undefined;
  /** Changed files whose changes are still valid, and which no later request deleted. */
  readonly changed: readonly FileFact[];
  /** True if the user or later work undid all work for this request. */
  readonly isUndone: boolean;
  /** True if later requests deleted all files that this request changed. */
  readonly isDeleted: boolean;
}

/** Divides a conversation into turns, oldest first. */
export const requestTurns: (history: readonly Message[]) => readonly RequestTurn[] = memoisedByList(
  (history) => {
    const turns: (Omit<RequestTurn, 'sentence' | 'isDeleted'> & { readonly read: readonly string[] })[] = [];
    let open: { asked: Message | undefined; rest: Message[]; before: Message | undefined } | undefined;
    let reply: Message | undefined;
    const undone = undoneWork(history);
    const close = () => {
      if (open === undefined) return;
      const files = withFiles(emptyLedger, filesNotUndone(open.rest, undone));
      turns.push({
        ...open,
        answer: open.rest.findLast((message) => kindOf(message) === 'assistant' && !message.tool_calls),
        changed: files.filesModified,
        read: files.filesRead,
        isUndone: open.asked !== undefined && undone.requests.has(open.asked),
      });
    };
    for (const message of history) {
      const isOpening = isTyped(message)
        ? isRequest(message)
        : isPrompt(message) && (open?.asked === undefined || !isTyped(open.asked));
      if (isOpening) {
        close();
        open = { asked: message, rest: [], before: reply };
      } else {
        open ??= { asked: undefined, rest: [], before: undefined };
        open.rest.push(message);
      }
      if (message.role === 'assistant') reply = message;
      else if (isTyped(message)) reply = undefined;
    }
    close();
    const editedLater = new Set<string>();
    const deletedLater = new Set<string>();
    let isConceded = false;
    const told = turns.toReversed().map(({ read, ...turn }): RequestTurn => {
      const { answer, rest } = turn;
      const changed = turn.changed.filter(({ path }) => !deletedLater.has(path));
      const used = [...turn.changed.map(({ path }) => path), ...read].map(nameOf);
      const isOver =
        answer === undefined ||
        isConceded ||
        undone.replies.has(answer) ||
        used.some((name) => editedLater.has(name));
      const sentence = isOver ? undefined : answeringSentence(textOf(answer.content));
      const named = sentence?.split(/[^\w.-]+/u).map((word) => withoutEnd(word, '.')) ?? [];
      const isOutdated = named.some((name) => editedLater.has(name));
      isConceded = rest.some(({ role, content }) => role === 'assistant' && conceding.test(textOf(content)));
      for (const { path, deleted } of turn.changed) {
        editedLater.add(nameOf(path));
        if (deleted === true) deletedLater.add(path);
      }
      return {
        ...turn,
        sentence: isOutdated ? undefined : sentence,
        changed,
        isDeleted: changed.length === 0 && turn.changed.length > 0,
      };
    });
    return told.reverse();
  },
);

/** Openings of a reply that takes back the previous reply. */
const conceding =
  /^\W*(?:you(?:['’]re| are) (?:absolutely |completely |totally )?right\b|(?:i['’]m )?sorry\b|i was wrong\b|my (?:mistake|bad|apologies)\b|i apologi[sz]e\b|good catch\b)/iu;

function nameOf(path: string): string {
  return path.split('/').at(-1)!;
}
