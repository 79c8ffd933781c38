import { hostSentences } from '../../language/english/host-english.ts';
import type { Sentence } from '../../language/sentence.ts';

/** Names of the chat's commands, in the order in which help lists them. */
export const commandNames = [
  'compact',
  'strategy',
  'context',
  'undo',
  'pin',
  'export',
  'handoff',
  'new',
  'model',
  'help',
] as const;
export type CommandName = (typeof commandNames)[number];

export const sessionExportFormats = ['markdown', 'html', 'json'] as const;
export type SessionExportFormat = (typeof sessionExportFormats)[number];

interface CommandDescription {
  /** Arguments that may follow the name, in brackets; empty if the command takes no argument. */
  readonly hint: string;
  readonly summary: Sentence;
}

/** All commands. Completion and `/help` are made from this table. */
export const commandCatalogue: Readonly<Record<CommandName, CommandDescription>> = {
  compact: { hint: '[focus]', summary: hostSentences.say('commandCompact') },
  strategy: { hint: '[id]', summary: hostSentences.say('commandStrategy') },
  context: { hint: '', summary: hostSentences.say('commandContext') },
  undo: { hint: '', summary: hostSentences.say('commandUndo') },
  pin: { hint: '[id|last]', summary: hostSentences.say('commandPin') },
  export: { hint: `[${sessionExportFormats.join('|')}]`, summary: hostSentences.say('commandExport') },
  handoff: { hint: '[note]', summary: hostSentences.say('commandHandoff') },
  new: { hint: '', summary: hostSentences.say('commandNew') },
  model: { hint: '', summary: hostSentences.say('commandModel') },
  help: { hint: '', summary: hostSentences.say('commandHelp') },
};

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commandCatalogue, name);
}

/** Usage of a command, for example `/compact [focus]`. */
export function usageOf(name: CommandName): string {
  const { hint } = commandCatalogue[name];
  return hint === '' ? `/${name}` : `/${name} ${hint}`;
}
