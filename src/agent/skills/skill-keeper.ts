import { textOf, type Message } from '../../compaction/message.ts';
import type { Transcript } from '../../compaction/transcript.ts';
import { skillMessage } from './skill-messages.ts';

/** Holds texts of skills that were loaded until they can be said: behind the results of the batch. */
export class SkillKeeper {
  private readonly journal: { readonly transcript: Transcript };
  private readonly pending = new Map<string, string>();

  /** @param journal where the conversation stands */
  constructor(journal: { readonly transcript: Transcript }) {
    this.journal = journal;
  }

  /** @returns whether the text stands in view already, so that it need not be said */
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
