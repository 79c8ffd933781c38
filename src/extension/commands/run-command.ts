import { messageOf } from '../../compaction/failure.ts';
import { isStrategyId, strategyIds, type StrategyId } from '../../compaction/strategies/index.ts';
import {
  commandCatalogue,
  commandNames,
  exportFormats,
  isCommandName,
  usageOf,
  type CommandName,
  type ExportFormat,
} from './command-catalogue.ts';
import { nearestName } from './nearest-name.ts';
import type { TypedCommand } from './parse-command.ts';

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
export async function runCommand(
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
