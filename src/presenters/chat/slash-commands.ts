import { messageOf } from '../../compaction/records/reason.ts';
import { isStrategyId, type StrategyId, strategyIds } from '../../compaction/strategies/index.ts';
import {
  commandCatalogue,
  type CommandName,
  commandNames,
  type ExportFormat,
  exportFormats,
  isCommandName,
  usageOf,
} from './command-catalogue.ts';

/** What commands do. A method that cannot do it throws an error whose message is a sentence for people. */
export interface CommandHost {
  compact(focus: string | undefined): Promise<void>;
  /** Without an id, people choose. */
  selectStrategy(id: StrategyId | undefined): Promise<void>;
  showContext(): Promise<void>;
  undo(): Promise<void>;
  /** Without an id, it is the newest message that a person or the model said. */
  pin(messageId: string | undefined): Promise<void>;
  /** Without a format, people choose. */
  exportChat(format: ExportFormat | undefined): Promise<void>;
  newChat(): Promise<void>;
  selectModel(): Promise<void>;
  /** @param text Markdown */
  showHelp(text: string): Promise<void>;
}

/** A command that was not carried out. */
export interface CommandProblem {
  /** One or two sentences for the person who typed it. */
  readonly problem: string;
}

/** Does what a command says, or says why not. */
export async function runSlashCommand(
  { name, argument }: TypedCommand,
  host: CommandHost,
): Promise<CommandProblem | undefined> {
  if (!isCommandName(name)) return { problem: unknown(name) };
  if (argument !== '' && commandCatalogue[name].hint === '') {
    return { problem: `/${name} takes nothing behind its name.` };
  }
  try {
    return await perform(name, argument === '' ? undefined : argument, host);
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

async function perform(
  name: CommandName,
  argument: string | undefined,
  host: CommandHost,
): Promise<CommandProblem | undefined> {
  switch (name) {
    case 'compact':
      await host.compact(argument);
      return undefined;
    case 'strategy':
      if (argument !== undefined && !isStrategyId(argument)) {
        return { problem: notOneOf('strategy', argument, strategyIds) };
      }
      await host.selectStrategy(argument);
      return undefined;
    case 'context':
      await host.showContext();
      return undefined;
    case 'undo':
      await host.undo();
      return undefined;
    case 'pin':
      if (argument !== undefined && /\s/u.test(argument)) {
        return { problem: '/pin takes the id of one message, for example m12, or "last".' };
      }
      await host.pin(argument === 'last' ? undefined : argument);
      return undefined;
    case 'export':
      if (argument !== undefined && !isExportFormat(argument)) {
        return { problem: notOneOf('format', argument, exportFormats) };
      }
      await host.exportChat(argument);
      return undefined;
    case 'new':
      await host.newChat();
      return undefined;
    case 'model':
      await host.selectModel();
      return undefined;
    case 'help':
      await host.showHelp(helpText());
      return undefined;
  }
}

/** What can be typed, as a Markdown list. */
export function helpText(): string {
  const commands = commandNames.map((name) => `- \`${usageOf(name)}\`: ${commandCatalogue[name].summary}`);
  return [
    ...commands,
    '- `//`: Says a message that begins with a slash as it is.',
    '- `@path`, `@path:10-20`: Attaches a file or some of its lines; `@"a path"` where it has spaces.',
    '- `#selection`, `#file`, `#problems`, `#changes`: Attaches what is selected, the open file, what the editor finds wrong, or what has changed since the last commit.',
  ].join('\n');
}

function unknown(name: string): string {
  const nearest = nearestName(name, commandNames);
  const instead =
    nearest === undefined ? '/help lists those there are.' : `Did you mean ${usageOf(nearest)}?`;
  return `There is no command /${name}. ${instead} To say it as it is, begin with //.`;
}

function notOneOf(what: string, given: string, names: readonly string[]): string {
  const nearest = nearestName(given, names);
  const instead = nearest === undefined ? `There are: ${names.join(', ')}.` : `Did you mean ${nearest}?`;
  return `There is no ${what} "${given}". ${instead}`;
}

function isExportFormat(text: string): text is ExportFormat {
  return (exportFormats as readonly string[]).includes(text);
}

/** A command as it was typed. Nobody has looked yet whether there is one of this name. */
export interface TypedCommand {
  /** Without the slash. */
  readonly name: string;
  /** Everything behind the name, without the space around it; empty where there is nothing. */
  readonly argument: string;
}

/** A word of small letters behind one slash. Paths have more slashes, dots or capitals in their first word. */
const command = /^\s*\/(?<name>[a-z]+(?:-[a-z]+)*)(?:\s+(?<argument>\S[^]*)?)?$/u;
/** What would be a command if it had fewer slashes, up to the last one of them. */
const slashesOfWord = /^\s*\/+(?=[a-z]+(?:-[a-z]+)*(?:\s|$))/u;
const escapedWord = /^(?<space>\s*)\/(?=\/+[a-z]+(?:-[a-z]+)*(?:\s|$))/u;

/** @returns undefined for a text that is to be said as it is: no command, or one that is escaped with a second slash */
export function parseCommand(text: string): TypedCommand | undefined {
  const groups = command.exec(text)?.groups;
  if (groups === undefined) return undefined;
  return { name: groups['name'] ?? '', argument: (groups['argument'] ?? '').trimEnd() };
}

/** A text that is said as it is when it is typed, for example an earlier message that is written anew. */
export function escapeCommand(text: string): string {
  return slashesOfWord.test(text) ? text.replace('/', '//') : text;
}

/** What is said when a text is typed that is no command: without the slash that escaped it. */
export function unescapeCommand(text: string): string {
  return text.replace(escapedWord, '$<space>');
}

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

/** Largest share of a name that may be wrong. */
const mostWrong = 1 / 2;

/**
 * The name that somebody most likely meant: one that begins with what was typed, or else the one with the fewest
 * letters to change. Undefined where none is near.
 */
export function nearestName<Name extends string>(typed: string, names: readonly Name[]): Name | undefined {
  const begun = typed.length < 2 ? undefined : names.find((name) => name.startsWith(typed));
  if (begun !== undefined) return begun;
  const ranked = names
    .map((name) => ({ name, distance: changesBetween(typed, name) }))
    .sort((one, other) => one.distance - other.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= best.name.length * mostWrong ? best.name : undefined;
}

/** Letters to insert, remove, replace or swap with their neighbour. */
function changesBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > other.length) return Number.POSITIVE_INFINITY;
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}
