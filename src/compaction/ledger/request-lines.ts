import type { EarlierRequest } from '../messages/ledger.ts';
import type { TagSuffix } from '../quoting/session-tags.ts';
import { cleanText, inQuotes } from '../quoting/quoted.ts';
import { ellipsised } from '../text/clip.ts';
import { longestFact } from './call-facts.ts';
import type { AnsweredRequest } from './earlier-requests.ts';
import { answering } from './state-lines.ts';

/** Number of characters at the start of a request that identify it. */
export const longestBeginning = 60;

const endWords: Readonly<Record<EarlierRequest['end'], string>> = {
  undone: 'undone',
  open: 'no reply of its own',
  answered: 'answered',
  interrupted: 'interrupted by the user',
  refused: 'the user refused a call',
  closed: 'answered',
};

/** Consecutive requests with the same outcome, and the line that lists them. */
interface RequestLine {
  readonly requests: readonly AnsweredRequest[];
  readonly line: string;
}

/** Maximum number of characters for the requests in one line. */
const longestLine = 600;

/**
 * Writes requests and their outcomes. Consecutive requests with the same outcome share a line. A request
 * without an outcome shares the line of the next request. The words of the user and of the model are quoted.
 *
 * @param requests the requests, oldest first
 */
export function requestLines(
  requests: readonly AnsweredRequest[],
  tagSuffix: TagSuffix,
): readonly RequestLine[] {
  const lines: { asked: string; outcome: string | undefined; requests: AnsweredRequest[] }[] = [];
  for (const request of requests) {
    const [asked, outcome] = [askedWords(request, tagSuffix), outcomeOf(request, tagSuffix)];
    const last = lines.at(-1);
    const isShared = last?.outcome === undefined || last.outcome === outcome;
    if (last !== undefined && isShared && last.asked.length + asked.length <= longestLine) {
      if (!last.asked.endsWith(asked)) last.asked += `, then ${asked}`;
      last.outcome = outcome;
      last.requests.push(request);
    } else lines.push({ asked, outcome, requests: [request] });
  }
  return lines.map(({ asked, outcome, requests }) => {
    return { requests, line: `${asked} → ${outcome ?? endWords[requests.at(-1)!.end]}` };
  });
}

function askedWords({ text, words, question, isBeside }: AnsweredRequest, tagSuffix: TagSuffix): string {
  if (isBeside === true)
    return `The request above that begins ${inQuotes(ellipsised(text, longestBeginning), tagSuffix)}`;
  const whole = words ?? (text.length >= longestFact - 1 ? `${text}…` : text);
  return `${inQuotes(whole, tagSuffix)}${question === undefined ? '' : ` ${answering(question, tagSuffix)}`}`;
}

/** Returns the outcome of a request; undefined if there was none yet. */
function outcomeOf({ end, work, reply }: AnsweredRequest, tagSuffix: TagSuffix): string | undefined {
  const done = work.map((entry) => cleanText(entry, tagSuffix));
  const said = reply === undefined ? [] : [`the assistant: ${inQuotes(reply, tagSuffix)}`];
  if ((end === 'open' || end === 'interrupted') && said.length + done.length === 0) return undefined;
  const isPlain = end === 'answered' || end === 'open' || end === 'closed';
  const isTold = said.length > 0 || /^(?:edited|deleted|committed) /u.test(done[0] ?? '');
  return [...(isPlain && isTold ? [] : [endWords[end]]), ...said, ...done].join('; ');
}
