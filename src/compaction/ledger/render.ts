import { emptyLedger, type CommandFact, type Fact, type Ledger, type ReplacedFact } from './ledger.ts';

const opening = '<ledger>';
const closing = '</ledger>';

/**
 * Sections in the order they are written, with the share of the room each may take before the others have had
 * theirs. What was changed and what was run is looked for most often later.
 */
const sections: readonly (readonly [section: keyof Ledger, title: string, share: number])[] = [
  ['requests', 'Asked', 0.16],
  ['nextSteps', 'Next steps', 0.06],
  ['filesModified', 'Files modified', 0.16],
  ['commands', 'Commands', 0.22],
  ['filesRead', 'Files read', 0.12],
  ['constraints', 'Constraints', 0.06],
  ['decisions', 'Decisions', 0.04],
  ['values', 'Values', 0.04],
  ['replaced', 'Replaced: no longer valid', 0.03],
  ['errors', 'Errors', 0.06],
  ['identifiers', 'Identifiers', 0.05],
];

/** Sizes of texts, in tokens, in the order given. */
export type CountTexts = (texts: readonly string[]) => Promise<readonly number[]>;

interface Line {
  readonly section: keyof Ledger;
  readonly text: string;
  readonly tokens: number;
}

/**
 * Writes a ledger, a fact a line, in at most so many tokens: every section first gets its share, the newest facts of
 * it, and then what is left goes to the sections in turn.
 *
 * @returns an empty text where not even one fact has room
 */
export async function renderLedger(ledger: Ledger, tokens: number, count: CountTexts): Promise<string> {
  const texts = sections.flatMap(([section]) => linesOf(ledger, section).map((text) => ({ section, text })));
  const frame = [opening, closing, ...sections.map(([, title]) => `## ${title}\n`)];
  const sizes = await count([...frame, ...texts.map(({ text }) => `${text}\n`)]);
  const frameTokens = sizes.slice(0, frame.length).reduce((total, size) => total + size, 2);
  const lines = texts.map((line, index): Line => ({ ...line, tokens: sizes[frame.length + index] ?? 0 }));

  const taken = new Set<Line>();
  let room = tokens - frameTokens;
  const available = room;
  const take = (section: keyof Ledger, most: number): void => {
    let left = Math.min(most, room);
    for (const line of lines) {
      if (line.section !== section || taken.has(line)) continue;
      if (line.tokens > left) continue;
      taken.add(line);
      left -= line.tokens;
      room -= line.tokens;
    }
  };
  for (const [section, , share] of sections) take(section, available * share);
  for (const [section] of sections) take(section, room);
  if (taken.size === 0) return '';
  const body = sections.flatMap(([section, title]) => {
    const chosen = lines.filter((line) => line.section === section && taken.has(line));
    return chosen.length === 0 ? [] : [`## ${title}`, ...chosen.map(({ text }) => text)];
  });
  return [opening, ...body, closing].join('\n');
}

/** Reads back what `renderLedger` wrote, wherever in a text it stands. Undefined where there is none. */
export function parseLedger(text: string): Ledger | undefined {
  const start = text.lastIndexOf(`${opening}\n`);
  const end = text.indexOf(`\n${closing}`, start);
  if (start < 0 || end < 0) return undefined;
  const found = new Map<string, string[]>();
  let current: string[] | undefined;
  for (const line of text.slice(start, end).split('\n')) {
    if (line.startsWith('## ')) {
      current = [];
      found.set(line.slice(3), current);
    } else if (line.startsWith('- ')) current?.push(line.slice(2));
  }
  const ledger: Record<keyof Ledger, readonly unknown[]> = { ...emptyLedger };
  for (const [section, title] of sections) {
    // Written newest first, kept oldest first.
    const facts = [...(found.get(title) ?? [])].reverse();
    if (section === 'commands') ledger[section] = facts.map(parseCommand);
    else if (section === 'replaced') ledger[section] = facts.flatMap((line) => parseReplaced(line) ?? []);
    else ledger[section] = facts;
  }
  return ledger as unknown as Ledger;
}

/** The text without the ledger in it. */
export function withoutLedger(text: string): string {
  const start = text.lastIndexOf(`${opening}\n`);
  const end = text.indexOf(`\n${closing}`, start);
  if (start < 0 || end < 0) return text;
  return `${text.slice(0, start)}${text.slice(end + closing.length + 1)}`.trim();
}

/** Newest first, each as a line of its own that cannot be taken for a tag of ours. */
function linesOf(ledger: Ledger, section: keyof Ledger): readonly string[] {
  const facts: readonly Fact[] = ledger[section];
  return facts.toReversed().map((fact) => `- ${harmless(lineOf(fact))}`);
}

/** Stands between what was replaced and what holds instead. */
const arrow = ' → now: ';

/** A fact as one line. A command carries its exit status, a replaced sentence what replaced it. */
export function lineOf(fact: Fact): string {
  if (typeof fact === 'string') return fact;
  if ('by' in fact) return `${fact.text}${arrow}${fact.by}`;
  return fact.status === undefined ? fact.command : `${fact.command} (exit ${fact.status})`;
}

function parseReplaced(line: string): ReplacedFact | undefined {
  const at = line.indexOf(arrow);
  return at < 0 ? undefined : { text: line.slice(0, at), by: line.slice(at + arrow.length) };
}

function parseCommand(line: string): CommandFact {
  const match = /^(.*) \(exit (-?\d{1,3})\)$/u.exec(line);
  return match === null ? { command: line } : { command: match[1] ?? '', status: Number(match[2]) };
}

/** Only our own tags are defused: a command that a person or a test looks for has to be found as it was run. */
function harmless(text: string): string {
  return text.replace(/<(?=\/?(?:ledger|conversation_summary|summary|state_snapshot)\b)/giu, '&lt;');
}
