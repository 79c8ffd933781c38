import { type Message, textOf } from '../../compaction/messages/message.ts';
import type { Transcript } from '../../compaction/transcript/transcript.ts';
import type { Skill } from './skill-files.ts';

type Said = Omit<Message, 'id' | 'createdAt'>;

const listSource = 'skills';
/** Maximum characters of the list of skills. */
const longestList = 16_000;

/** Returns the messages that make the context list the current skills; empty if it already does. */
export function skillChanges(view: readonly Message[], skills: readonly Skill[]): readonly Said[] {
  const said = view.findLast(({ kind }) => kind === 'skillMetadata');
  if (said === undefined && skills.length === 0) return [];
  const content = listOf(skills);
  if (said !== undefined && textOf(said.content) === content) return [];
  return [{ role: 'user', origin: 'harness', kind: 'skillMetadata', source: listSource, content }];
}

function skillMessage(name: string, text: string): Said {
  return { role: 'user', origin: 'harness', kind: 'skill', source: `skill:${name}`, content: text };
}

function listOf(skills: readonly Skill[]): string {
  if (skills.length === 0) return '[There are no skills in this workspace any more.]';
  const lines: string[] = [];
  let room = longestList;
  for (const { name, description, shown } of skills) {
    const line = `- ${name}: ${description} (${shown})`;
    room -= line.length + 1;
    if (room < 0) break;
    lines.push(line);
  }
  const left = skills.length - lines.length;
  const more = left === 0 ? [] : [`- and ${left} more that there is no room for`];
  return [
    '[Skills of this workspace, each a way to do one thing. It is no request. Before you do what one is for, load_skill(name) puts its text in front of you.]',
    ...lines,
    ...more,
  ].join('\n');
}

/** Keeps the texts of loaded skills until they can be appended, after the results of the batch. */
export class SkillKeeper {
  private readonly journal: { readonly transcript: Transcript };
  private readonly pending = new Map<string, string>();

  constructor(journal: { readonly transcript: Transcript }) {
    this.journal = journal;
  }

  /** @returns true if the text is already in context and need not be appended */
  load(name: string, text: string): boolean {
    const { source } = skillMessage(name, text);
    const isSaid = this.journal.transcript.view.some(
      (message) => message.kind === 'skill' && message.source === source && textOf(message.content) === text,
    );
    if (!isSaid) this.pending.set(name, text);
    return isSaid;
  }

  async say(append: (message: Omit<Message, 'id' | 'createdAt'>) => Promise<void>): Promise<void> {
    const loaded = [...this.pending];
    this.pending.clear();
    for (const [name, text] of loaded) await append(skillMessage(name, text));
  }
}
