import { strategyIds } from '../../compaction/strategies/index.ts';
import {
  commandCatalogue,
  commandNames,
  exportFormats,
  usageOf,
  type CommandName,
} from './command-catalogue.ts';

/** One way to go on with a command that is being typed. */
export interface CommandCompletion {
  /** What the whole text becomes. */
  readonly text: string;
  /** How people read it, for example `/compact [focus]`. */
  readonly label: string;
  /** One sentence, or empty. */
  readonly summary: string;
}

/** Arguments that are one of a few words. */
const choices: Readonly<Partial<Record<CommandName, readonly string[]>>> = {
  strategy: strategyIds,
  pin: ['last'],
  export: exportFormats,
};

/** Ways to go on with a text that begins like a command, in the order of the catalogue; none for any other text. */
export function completeCommand(text: string): readonly CommandCompletion[] {
  const typed = /^\/(?<name>[a-z-]*)(?<rest>\s+(?<argument>\S*))?$/u.exec(text)?.groups;
  if (typed === undefined) return [];
  const { name = '', rest, argument = '' } = typed;
  if (rest === undefined) {
    return commandNames
      .filter((known) => known.startsWith(name))
      .map((known) => ({
        text: commandCatalogue[known].hint === '' ? `/${known}` : `/${known} `,
        label: usageOf(known),
        summary: commandCatalogue[known].summary,
      }));
  }
  const command = commandNames.find((known) => known === name);
  if (command === undefined) return [];
  return (choices[command] ?? [])
    .filter((choice) => choice.startsWith(argument))
    .map((choice) => ({ text: `/${command} ${choice}`, label: choice, summary: '' }));
}
