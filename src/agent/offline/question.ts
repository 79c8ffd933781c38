import { questionTermsOf, type Term } from './offline-terms.ts';
import { withoutEnd } from '../../compaction/text/clip.ts';

/** The kind of the user's request, classified by patterns. */
export type Question =
  | { readonly kind: 'recall'; readonly id: string }
  | { readonly kind: 'list'; readonly path: string | undefined; readonly glob: string | undefined }
  | { readonly kind: 'overview' }
  | {
      readonly kind: 'read';
      readonly file: string;
      readonly start: number | undefined;
      readonly end: number | undefined;
    }
  | { readonly kind: 'search'; readonly files: readonly string[]; readonly terms: readonly Term[] }
  | { readonly kind: 'talk' };

/** Maximum characters examined of a message. The middle of a longer one, often pasted text, is left out. */
const longestRead = 4_000;

const place = '(?:project|repo|repository|workspace|folder|directory|code ?base)';
const chinesePlace = '(?:项目|工程|仓库|代码库|工作区|文件夹)';
const overviews = [
  new RegExp(
    `\\bwhat(?:'s|s| is| do we have| is there)?\\s+(?:in|inside)\\s+(?:this|the|my|our)\\s+${place}`,
    'i',
  ),
  new RegExp(
    `\\bwhat\\s+(?:is|does)\\s+(?:this|the|my|our)\\s+${place}(?:\\s+(?:about|do|for))?\\s*[?.!]*$`,
    'i',
  ),
  new RegExp(
    `\\b(?:overview|summary|structure|layout|architecture)\\s+of\\s+(?:this|the|my|our)\\s+${place}`,
    'i',
  ),
  new RegExp(
    `\\b(?:describe|explain|summari[sz]e|introduce)\\s+(?:to me\\s+)?(?:this|the|my|our)\\s+${place}\\s*[?.!]*$`,
    'i',
  ),
  /\bproject\s+(?:structure|layout|overview)\b/i,
  new RegExp(
    `${chinesePlace}(?:里|里面|中|内)?(?:都)?(?:有什么|有些什么|有哪些(?!文件)|是什么|是做什么|是干什么|的?结构|的?概述|的?介绍|讲什么)`,
  ),
  new RegExp(`(?:介绍|概述|说明|解释|总结)(?:一下)?(?:这个|该|本|当前)?${chinesePlace}\\s*[?？。.!！]*$`),
];
const listing =
  /\b(?:list|show|display|give|which|what)\b[^?!\n]*\b(?:files|folders?|director(?:y|ies)|contents?|entries)\b(?![-./])|^\s*(?:ls|dir|tree)\b|列出|有哪些文件|有什么文件|文件列表|目录(?:结构|下|里|中|列表)/i;
const within =
  /\b(?:in|under|of|inside|below|ls|dir|tree)\s+(?:the\s+)?[`"']?([\w@.-]+(?![\w@.-])(?:\/[\w@.-]+(?![\w@.-]))*\/?)[`"']?(?:\s+(?:folder|directory|dir))?\s*[?.!]*$|(?<![\w@./-])([\w@./-]+)(?![\w@./-])\s*(?:目录|文件夹)/iu;
const nowhere =
  /^(?:this|the|it|here|there|my|our|project|repo|repository|workspace|folder|directory|codebase|files?|root|top|all|\.+)$/i;
const recalling =
  /\b(?:recall|restore|retrieve)\b[\s("'`#]*(?:(?:the\s+)?(?:original\s+of|message|result)\s+["'`#]*)?([a-z]{0,3}\d[\w.-]*)|(?:召回|找回|恢复|取回)\s*["'`#]*([a-z]{0,3}\d[\w.-]*)/i;

/** Classifies a message. @param knownIds ids in the placeholders of the conversation */
export function readQuestion(text: string, knownIds: ReadonlySet<string>): Question {
  const read =
    text.length <= longestRead ? text : `${text.slice(0, longestRead / 2)}\n${text.slice(-longestRead / 2)}`;
  const id = recalledId(read, knownIds);
  if (id !== undefined) return { kind: 'recall', id };

  const { files, terms } = questionTermsOf(read);
  const isTelling = terms.some(({ weight }) => weight >= 1);
  const globs = files.filter((file) => file.includes('*'));
  const paths = files.filter((file) => !file.includes('*'));

  if (paths.length === 0 && overviews.some((pattern) => pattern.test(read))) return { kind: 'overview' };
  const [glob] = globs;
  const isOneFile = paths.length === 1 && /[^/]\.\w+$/.test(paths[0] ?? '');
  if ((listing.test(read) && !isOneFile) || (glob !== undefined && !isTelling)) {
    const named = within.exec(read);
    const folder =
      paths[0] ?? [named?.[1], named?.[2]].find((name) => name !== undefined && !nowhere.test(name));
    const others = terms.filter(
      ({ text: term, weight }) => weight >= 1 && folder?.toLowerCase().includes(term.toLowerCase()) !== true,
    );
    if (others.length === 0) return { kind: 'list', path: folder, glob };
  }
  const [file] = paths;
  if (file !== undefined && paths.length === 1 && !isTelling)
    return { kind: 'read', file, ...rangeIn(read, file) };
  if (files.length === 0 && terms.length === 0) return { kind: 'talk' };
  return { kind: 'search', files, terms };
}

function recalledId(text: string, knownIds: ReadonlySet<string>): string | undefined {
  const asked = recalling.exec(text);
  const id = asked?.[1] ?? asked?.[2];
  if (id !== undefined) return withoutEnd(id, '.-');
  if (knownIds.size === 0) return undefined;
  return text
    .match(/[\w.-]+/g)
    ?.map((word) => word.replace(/\.$/, ''))
    .find((word) => knownIds.has(word));
}

/** Finds the lines that a message names with a file: `a.ts:10-20`, `lines 10 to 20 of a.ts`, `第10到20行`. */
function rangeIn(
  text: string,
  file: string,
): { readonly start: number | undefined; readonly end: number | undefined } {
  const behind = text.slice(text.indexOf(file) + file.length);
  const range =
    /^[`"']?:(\d+)(?:\s*[-–—]\s*(\d+))?/.exec(behind) ??
    /\blines?\s+(\d+)(?:\s*(?:-|–|—|to|until|through|and)\s*(?:line\s+)?(\d+))?/i.exec(text) ??
    /(?<!\d)(\d+)\s*(?:(?:-|–|—|~|到|至)\s*(\d+)\s*)?行/.exec(text);
  const start = range?.[1] === undefined ? undefined : Math.max(1, Number(range[1]));
  const end = range?.[2] === undefined ? undefined : Number(range[2]);
  if (start === undefined) return { start, end };
  // A single line is shown with the lines around it.
  if (end === undefined) return { start: Math.max(1, start - 5), end: start + 6 };
  return { start: Math.min(start, end), end: Math.max(start, end) };
}
