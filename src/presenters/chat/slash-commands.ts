import { hostSentences } from '../../language/english/host-english.ts';
import { type Sentence, SentenceError } from '../../language/sentence.ts';
import { strategyTitle } from '../../language/english/strategy-titles-english.ts';
import { isStrategyId, type StrategyId, strategyIds } from '../../compaction/strategies/index.ts';
import {
  commandCatalogue,
  type CommandName,
  commandNames,
  type SessionExportFormat,
  sessionExportFormats,
  isCommandName,
  usageOf,
} from './command-catalogue.ts';

/** The actions behind the commands. A method that fails throws an error with a sentence for the user. */
export interface CommandHost {
  compact(focus: string | undefined): Promise<void>;
  /** Selects a strategy. Without an id, the user chooses one. */
  selectStrategy(id: StrategyId | undefined): Promise<void>;
  showContext(): Promise<void>;
  undo(): Promise<void>;
  /** Pins a message. Without an id, pins the newest message of the user or the model. */
  pin(messageId: string | undefined): Promise<void>;
  /** Exports the chat. Without a format, the user chooses one. */
  exportChat(format: SessionExportFormat | undefined): Promise<void>;
  handOff(note: string | undefined): Promise<void>;
  newChat(): Promise<void>;
  selectModel(): Promise<void>;
  /** @param lines help texts, one line each */
  showHelp(lines: readonly Sentence[]): Promise<void>;
}

/** Runs a command. @throws {SentenceError} if the command does not exist or takes no argument */
export async function runSlashCommand({ name, argument }: TypedCommand, host: CommandHost): Promise<void> {
  if (!isCommandName(name)) throw new SentenceError(unknown(name));
  if (argument !== '' && commandCatalogue[name].hint === '') {
    throw new SentenceError(hostSentences.say('commandTakesNothing', { name }));
  }
  await perform(name, argument === '' ? undefined : argument, host);
}

async function perform(name: CommandName, argument: string | undefined, host: CommandHost): Promise<void> {
  switch (name) {
    case 'compact':
      return host.compact(argument);
    case 'strategy':
      if (argument !== undefined && !isStrategyId(argument)) {
        const instead = insteadOf(argument, strategyIds);
        throw new SentenceError(hostSentences.say('unknownStrategy', { name: argument, instead }));
      }
      return host.selectStrategy(argument);
    case 'context':
      return host.showContext();
    case 'undo':
      return host.undo();
    case 'pin':
      if (argument !== undefined && /\s/u.test(argument)) {
        throw new SentenceError(hostSentences.say('pinTakesId'));
      }
      return host.pin(argument === 'last' ? undefined : argument);
    case 'export':
      if (argument !== undefined && !isExportFormat(argument)) {
        const instead = insteadOf(argument, sessionExportFormats);
        throw new SentenceError(hostSentences.say('unknownFormat', { name: argument, instead }));
      }
      return host.exportChat(argument);
    case 'handoff':
      return host.handOff(argument);
    case 'new':
      return host.newChat();
    case 'model':
      return host.selectModel();
    case 'help':
      return host.showHelp(helpLines());
  }
}

/** Help on commands and references, one line each. */
export function helpLines(): readonly Sentence[] {
  return [
    ...commandNames.map((name) =>
      hostSentences.say('helpOnCommand', { usage: usageOf(name), summary: commandCatalogue[name].summary }),
    ),
    hostSentences.say('helpOnSlashes'),
    hostSentences.say('helpOnFiles'),
    hostSentences.say('helpOnEditor'),
  ];
}

function unknown(name: string): Sentence {
  const nearest = nearestName(name, commandNames);
  const known = nearest && hostSentences.say('didYouMean', { name: usageOf(nearest) });
  return hostSentences.say('unknownCommand', { name, instead: known ?? hostSentences.say('helpLists') });
}

/** The most similar name, or all names if no name is similar. */
function insteadOf(given: string, names: readonly string[]): Sentence {
  const nearest = nearestName(given, names);
  return nearest === undefined
    ? hostSentences.say('choicesAre', { names: names.join(', ') })
    : hostSentences.say('didYouMean', { name: nearest });
}

function isExportFormat(text: string): text is SessionExportFormat {
  return (sessionExportFormats as readonly string[]).includes(text);
}

/** A command as typed. It may not exist. */
interface TypedCommand {
  /** Name of the command without the slash. */
  readonly name: string;
  /** Trimmed text after the name; may be empty. */
  readonly argument: string;
}

/** A lower-case word after a slash. The first word of a path has more slashes, dots or capitals. */
const command = /^\s*\/(?<name>[a-z]+(?:-[a-z]+)*)(?:\s+(?<argument>\S[^]*)?)?$/u;
/** A slash before a command's slash, which makes the text a message. */
const escapedWord = /^(?<space>\s*)\/(?=\/+[a-z]+(?:-[a-z]+)*(?:\s|$))/u;

/** @returns undefined if the text is a message: it has no command, or a second slash escapes the command */
export function parseCommand(text: string): TypedCommand | undefined {
  const groups = command.exec(text)?.groups;
  if (groups === undefined) return undefined;
  return { name: groups['name'] ?? '', argument: (groups['argument'] ?? '').trimEnd() };
}

/** Returns the message for text that is not a command, without the escaping slash. */
export function unescapeCommand(text: string): string {
  return text.replace(escapedWord, '$<space>');
}

/** A possible completion of a typed command. */
interface CommandCompletion {
  /** The whole text after completion. */
  readonly text: string;
  /** Label shown to the user, for example `/compact [focus]`. */
  readonly label: string;
  /** Title of the strategy that is the argument. */
  readonly summary: Sentence | undefined;
}

/** The possible arguments of commands that accept only a few words. */
const choices: Readonly<Partial<Record<CommandName, readonly string[]>>> = {
  strategy: strategyIds,
  pin: ['last'],
  export: sessionExportFormats,
};

/** Completions of text that begins like a command, in the order of the catalogue; an empty list for other text. */
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
    .map((choice) => ({
      text: `/${command} ${choice}`,
      label: choice,
      summary: command === 'strategy' ? strategyTitle(choice) : undefined,
    }));
}

/** Largest share of a name's letters that may be mistyped. */
const mostWrong = 1 / 2;

/** The name that begins with the typed text, or the name with the fewest changes; undefined if no name is similar. */
function nearestName<Name extends string>(typed: string, names: readonly Name[]): Name | undefined {
  const begun = typed.length < 2 ? undefined : names.find((name) => name.startsWith(typed));
  if (begun !== undefined) return begun;
  const ranked = names
    .map((name) => ({ name, distance: changesBetween(typed, name) }))
    .sort((one, other) => one.distance - other.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= best.name.length * mostWrong ? best.name : undefined;
}

/** Number of letters to insert, remove, replace or swap with a neighbour to get from one word to the other. */
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
