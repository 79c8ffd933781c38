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

/** Does what commands ask for. A method that cannot do it throws an error for people. */
export interface CommandHost {
  compact(focus: string | undefined): Promise<void>;
  /** Without an id, people choose. */
  selectStrategy(id: StrategyId | undefined): Promise<void>;
  showContext(): Promise<void>;
  undo(): Promise<void>;
  /** Without an id, it is the newest message that a person or the model said. */
  pin(messageId: string | undefined): Promise<void>;
  /** Without a format, people choose. */
  exportChat(format: SessionExportFormat | undefined): Promise<void>;
  handOff(note: string | undefined): Promise<void>;
  newChat(): Promise<void>;
  selectModel(): Promise<void>;
  /** @param lines what can be typed, a line each */
  showHelp(lines: readonly Sentence[]): Promise<void>;
}

/**
 * Runs a command.
 *
 * @throws {SentenceError} if there is no such command, or it does not take the argument
 * @throws what the host throws if it cannot do it
 */
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

/** Help on what can be typed in the chat, one line each. */
export function helpLines(): readonly Sentence[] {
  const commands = commandNames.map((name) =>
    hostSentences.say('helpOnCommand', { usage: usageOf(name), summary: commandCatalogue[name].summary }),
  );
  return [
    ...commands,
    hostSentences.say('helpOnSlashes'),
    hostSentences.say('helpOnFiles'),
    hostSentences.say('helpOnEditor'),
  ];
}

function unknown(name: string): Sentence {
  const nearest = nearestName(name, commandNames);
  const instead =
    nearest === undefined
      ? hostSentences.say('helpLists')
      : hostSentences.say('didYouMean', { name: usageOf(nearest) });
  return hostSentences.say('unknownCommand', { name, instead });
}

/** The name that was probably meant, or else all names. */
function insteadOf(given: string, names: readonly string[]): Sentence {
  const nearest = nearestName(given, names);
  return nearest === undefined
    ? hostSentences.say('choicesAre', { names: names.join(', ') })
    : hostSentences.say('didYouMean', { name: nearest });
}

function isExportFormat(text: string): text is SessionExportFormat {
  return (sessionExportFormats as readonly string[]).includes(text);
}

/** A command as it was typed. It is not known yet if there is one of this name. */
interface TypedCommand {
  /** Without the slash. */
  readonly name: string;
  /** Everything after the name, without the space around it; empty if there is nothing. */
  readonly argument: string;
}

/** A word of small letters after one slash. Paths have more slashes, dots or capitals in their first word. */
const command = /^\s*\/(?<name>[a-z]+(?:-[a-z]+)*)(?:\s+(?<argument>\S[^]*)?)?$/u;
/** Leading slashes of text that would be a command if it had fewer, up to the last of them. */
const slashesOfWord = /^\s*\/+(?=[a-z]+(?:-[a-z]+)*(?:\s|$))/u;
const escapedWord = /^(?<space>\s*)\/(?=\/+[a-z]+(?:-[a-z]+)*(?:\s|$))/u;

/** @returns undefined for text that is to be sent as it is: no command, or one escaped with a second slash */
export function parseCommand(text: string): TypedCommand | undefined {
  const groups = command.exec(text)?.groups;
  if (groups === undefined) return undefined;
  return { name: groups['name'] ?? '', argument: (groups['argument'] ?? '').trimEnd() };
}

/** Text that is sent as it is when it is typed, for example an earlier message that is written again. */
export function escapeCommand(text: string): string {
  return slashesOfWord.test(text) ? text.replace('/', '//') : text;
}

/** The message to send for typed text that is not a command: without the slash that escaped it. */
export function unescapeCommand(text: string): string {
  return text.replace(escapedWord, '$<space>');
}

/** One way to go on with a command that is being typed. */
interface CommandCompletion {
  /** The whole text after the completion. */
  readonly text: string;
  /** Label for people, for example `/compact [focus]`. */
  readonly label: string;
  /** Of an argument: the title of a strategy. */
  readonly summary: Sentence | undefined;
}

/** Arguments that are one of a few words. */
const choices: Readonly<Partial<Record<CommandName, readonly string[]>>> = {
  strategy: strategyIds,
  pin: ['last'],
  export: sessionExportFormats,
};

/** Completions of text that begins like a command, in the order of the catalogue; none for any other text. */
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

/** Largest share of a name that may be wrong. */
const mostWrong = 1 / 2;

/**
 * The name that was most likely meant: one that begins with what was typed, or else the one with the fewest
 * letters to change. Undefined if none is near.
 */
function nearestName<Name extends string>(typed: string, names: readonly Name[]): Name | undefined {
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
