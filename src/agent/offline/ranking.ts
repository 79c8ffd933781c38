import { TermIndex } from '../../compaction/retrieval/term-index.ts';
import type { Term } from './offline-terms.ts';
import type { FoundLine } from './offline-turn.ts';

/** A group of nearby lines in one file. */
export interface FilePassage {
  readonly path: string;
  readonly first: number;
  readonly last: number;
  readonly best: FoundLine;
  readonly score: number;
}

/** Maximum number of lines between two hits in the same passage. */
const largestGap = 6;
const longestPassage = 12;
const passagesPerFile = 2;
/** Minimum score of a passage that is shown, as a share of the best score. */
const worthShowing = 0.2;
/** Score of a hit that contains only another form of a word from the question. */
const leastScore = 0.1;

const definition =
  /^\s*(?:export\s+|default\s+|public\s+|private\s+|protected\s+|static\s+|abstract\s+|async\s+|pub(?:\([^)]*\))?\s+|declare\s+|final\s+|override\s+|readonly\s+)*(?:class|interface|type|enum|function\*?|def|fn|func|struct|trait|impl|module|namespace|record|object|protocol|const|let|var|val|macro_rules!|#define)\s+([^=({;]+)/u;
const member =
  /^\s{1,8}(?:(?:public|private|protected|static|async|readonly|get|set|override)\s+)*([\w$#]+)\s*(?:<[^>]*>)?\([^)]*(?:\)[^;]*)?$/;
const heading = /^\s{0,3}#{1,6}\s/;
const comment = /^\s*(?:\/\/|\/?\*|#(?!include|define|if|endif)|--|"""|;;)/;
const importing =
  /^\s*(?:import\b|from\s+\S+\s+import\b|export\s+(?:\*|\{[^}]*\})\s+from\b|(?:const|let|var)\s.*\brequire\(|#include|use\s+[\w:].*;|using\s)/;

/** Groups hits into passages, the best first. */
export function rankPassages(
  hits: readonly FoundLine[],
  terms: readonly Term[],
  namedFiles: readonly string[],
): readonly FilePassage[] {
  const index = new TermIndex();
  for (const { path, text } of hits) index.add(`${path} ${text}`);
  const { scores } = index.matches(terms.map(({ text }) => text).join(' '), 'question');
  const asksForTests = terms.some(({ forms }) => forms.some((form) => /^(?:tests?|spec)$/.test(form)));
  const scored = hits.map((hit, position) => {
    const isNamed = namedFiles.some((file) => isSameFile(hit.path, file));
    const factor = factorOfLine(hit, terms) * factorOfPath(hit.path, asksForTests) * (isNamed ? 3 : 1);
    return { hit, score: (leastScore + scores[position]!) * factor };
  });
  const passages = groupByFile(scored).flatMap((file) => passagesOf(file));
  passages.sort(
    (one, other) => other.score - one.score || (one.path < other.path ? -1 : 1) || one.first - other.first,
  );
  return choose(passages);
}

/** True if a name refers to a file. The name may be a part of the file's path. */
export function isSameFile(path: string, name: string): boolean {
  const plain = name
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/$/, '')
    .toLowerCase();
  const lower = path.toLowerCase();
  return lower === plain || lower.endsWith(`/${plain}`) || lower.startsWith(`${plain}/`);
}

interface ScoredHit {
  readonly hit: FoundLine;
  readonly score: number;
}

function holds(text: string, term: Term): boolean {
  const lower = text.toLowerCase();
  return term.forms.some((form) => lower.includes(form));
}

function factorOfLine({ text, path }: FoundLine, terms: readonly Term[]): number {
  if (importing.test(text)) return 0.3;
  const defined = definition.exec(text)?.[1] ?? member.exec(text)?.[1];
  if (defined !== undefined && terms.some((term) => holds(defined, term))) return 2.2;
  if (isProse(path)) return heading.test(text) ? 1.8 : 1.3;
  return comment.test(text) ? 1.3 : 1;
}

function factorOfPath(path: string, asksForTests: boolean): number {
  if (
    /(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|yarn\.lock|[^\s/]+\.(?:min\.\w+|map|snap|svg|lock))$/i.test(
      path,
    )
  )
    return 0.1;
  if (/(?:^|\/)(?:dist|out|build|vendor|node_modules|third_party)\//.test(path)) return 0.2;
  if (/(?:^|\/)(?:licen[cs]e|notice|changelog)[^/]*$/i.test(path)) return 0.4;
  if (/\.(?:json|csv|tsv|jsonl|log)$/i.test(path)) return 0.5;
  const isTest = /(?:^|\/)(?:tests?|__tests__|spec|fixtures?)\/|[._-](?:test|spec)\.\w+$/i.test(path);
  return isTest && !asksForTests ? 0.5 : 1;
}

export function isProse(path: string): boolean {
  return /\.(?:mdx?|txt|rst|adoc)$/i.test(path);
}

function groupByFile(hits: readonly ScoredHit[]): readonly (readonly ScoredHit[])[] {
  const files = new Map<string, ScoredHit[]>();
  for (const scored of hits) {
    const known = files.get(scored.hit.path);
    if (known === undefined) files.set(scored.hit.path, [scored]);
    else known.push(scored);
  }
  return [...files.values()].map((file) => file.sort((one, other) => one.hit.line - other.hit.line));
}

function passagesOf(file: readonly ScoredHit[]): readonly FilePassage[] {
  const groups: ScoredHit[][] = [];
  for (const scored of file) {
    const group = groups.at(-1);
    const start = group?.[0]?.hit.line ?? 0;
    const end = group?.at(-1)?.hit.line ?? 0;
    const { line } = scored.hit;
    if (group !== undefined && line - end <= largestGap && line - start < longestPassage) group.push(scored);
    else groups.push([scored]);
  }
  return groups.flatMap((group): FilePassage[] => {
    const [best, ...others] = group.toSorted((one, other) => other.score - one.score);
    if (best === undefined) return [];
    const more = others.slice(0, 4).reduce((sum, { score }) => sum + score, 0);
    const score = best.score + 0.2 * more;
    const { path } = best.hit;
    return [
      { path, first: group[0]?.hit.line ?? 0, last: group.at(-1)?.hit.line ?? 0, best: best.hit, score },
    ];
  });
}

function choose(sorted: readonly FilePassage[]): readonly FilePassage[] {
  const least = (sorted[0]?.score ?? 0) * worthShowing;
  const perFile = new Map<string, number>();
  return sorted.filter(({ path, score }) => {
    const taken = perFile.get(path) ?? 0;
    if (score < least || taken >= passagesPerFile) return false;
    perFile.set(path, taken + 1);
    return true;
  });
}
