import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { ellipsised, headOf, tailOf, withoutEnd } from '../../compaction/text/clip.ts';
import type { ApprovalRequest, CommandTerms } from '../approvals/approval-request.ts';
import { dangersOfCommand } from '../approvals/command-danger.ts';
import { coverageOfCommand, inDirectory } from '../approvals/command-coverage.ts';
import { CommandPlace } from '../approvals/command-place.ts';
import { commandShell } from '../approvals/command-words.ts';
import { spawnCommand, type CommandEnding, type CommandOutcome } from '../command/spawn-command.ts';
import { environmentNotes } from '../command/command-environment.ts';
import { type Sandbox, sandboxNotes, type SandboxPort } from '../command/sandbox.ts';
import { applyReviewed, type ReviewOutcome } from '../command/apply-reviewed.ts';
import { UnusablePathError, withDirectory } from '../files/real-file.ts';
import { defineActingTool } from './support/define-tool.ts';
import { type ActingTool, failed, fileProblem, reasonFrom, type ToolResult } from './support/tool.ts';
import type { Root, Workspace } from '../files/workspace.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import { toModel, type Sentence } from '../../language/sentence.ts';

/** Ports that the host provides for commands. */
export interface RunCommandPorts {
  /** Environment of the host's process. Commands get only a part of it. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  /** Names of further variables for commands, which the user has added. */
  readonly addedVariables?: () => readonly string[];
  /** The sandbox for commands. If undefined, they run outside a sandbox. */
  readonly sandbox?: SandboxPort;
}

const defaultSeconds = 120;
const mostSeconds = 1_800;
/** Maximum characters shown of the reason for using the network. */
const longestReason = 300;
/** Maximum characters of a command in the title of its approval. */
const longestTitle = 100;
/** Milliseconds during which output is collected before it is shown. */
const showEvery = 100;
/** Maximum characters shown in each interval. Of longer output, only the end is shown. */
const mostShown = 16_000;

interface Directory {
  readonly path: string;
  /** Undefined for the only open folder. */
  readonly shown: string | undefined;
}

export function createRunCommand(
  workspace: Workspace,
  { environment, addedVariables, sandbox }: RunCommandPorts,
): ActingTool {
  return defineActingTool({
    name: 'run_command',
    description:
      'Runs a command line in a shell and returns its output and its exit code. There is no terminal and no input: use options that keep programs from asking. When it ends, everything it started in the background ends too. Each call starts fresh in the workspace folder. Use the other tools to read, search and edit files.',
    properties: {
      command: { type: 'string', description: 'For bash (cmd on Windows), for example: npm test' },
      directory: {
        type: 'string',
        description: 'Where to run it, relative to the workspace. The workspace folder if left out.',
      },
      timeout_seconds: {
        type: 'integer',
        minimum: 1,
        description: `It is ended after so many seconds: ${defaultSeconds} if left out, ${mostSeconds} at most.`,
      },
      network: {
        type: 'boolean',
        description: 'Whether it needs the network, which commands may not have without: true to ask for it.',
      },
      network_reason: {
        type: 'string',
        description: 'What it needs the network for, in a few words for the user who is asked.',
      },
    },
    required: ['command'],
    describe: ({ command = '', directory }) =>
      directory === undefined ? command : agentSentences.say('labelIn', { what: command, place: directory }),
    async propose({
      command,
      directory: given,
      timeout_seconds: seconds = defaultSeconds,
      network = false,
      network_reason: reason = '',
    }) {
      if (command.trim() === '') return failed(toModel`The command is empty.`);
      if (command.includes('\0')) return failed(toModel`A command cannot contain a NUL character.`);
      const directory = await directoryOf(given, workspace);
      if ('isError' in directory) return directory;
      const timeoutMs = Math.min(seconds, mostSeconds) * 1000;
      const roots = (await workspace.roots()).map((root) => root.path);
      const found = (await sandbox?.()) ?? 'off';
      const terms = await termsOf(found, roots, environment(), network ? reason : undefined);
      return {
        approval: approvalOf(command, directory, terms, await workspace.roots()),
        async perform(context) {
          const reach = terms.withoutSandbox === undefined ? (context.reach ?? terms.reach) : 'everything';
          const added = addedVariables?.() ?? [];
          const shown = new GatheredOutput((text) => context.progress(text));
          try {
            const enclosed = { command, directory: directory.path, roots, environment: environment() };
            using enclosure =
              reach === 'everything' || typeof found === 'string'
                ? undefined
                : found.enclose({ ...enclosed, hasNetwork: reach === 'network' });
            const outcome = await withDirectory(directory.path, ({ entrance }) => {
              // In the sandbox, even a folder that became a link leads only to places in the workspace.
              const place = enclosure === undefined ? entrance : directory.path;
              const onOutput = (text: string) => shown.push(text);
              return spawnCommand(
                { ...enclosed, added, directory: place, timeoutMs, enclosure, onOutput },
                context.signal,
              );
            });
            const left = await enclosure
              ?.changes()
              .then((changes) => applyReviewed(changes, workspace, context));
            const result = resultOf(outcome, timeoutMs, {
              sandbox: sandboxNotes(outcome.output, reach, [homedir()]),
              environment: environmentNotes(outcome.output, environment(), added),
            });
            return left === undefined ? result : withChanges(result, left);
          } catch (error) {
            if (error instanceof UnusablePathError) return fileProblem(error, directory.shown ?? '.');
            return {
              ...failed(agentSentences.say('commandNotStarted', { reason: reasonFrom(error) })),
              end: 'skipped',
            };
          } finally {
            shown.end();
          }
        },
      };
    },
  });
}

/** Finds the working directory. @returns a result that explains the refusal if it is not allowed */
async function directoryOf(given: string | undefined, workspace: Workspace): Promise<Directory | ToolResult> {
  const roots = await workspace.roots();
  const [first] = roots;
  if (first === undefined) return failed(agentSentences.say('workspaceIsGone'));
  const resolution = await workspace.resolve(given ?? first.path);
  if ('refusal' in resolution) return failed(resolution.refusal);
  const { path, shown } = resolution.place;
  try {
    if (!(await stat(path)).isDirectory())
      return failed(agentSentences.say('fileNotDirectory', { file: shown }));
  } catch {
    return failed(
      agentSentences.say('fileMissing', { file: shown }),
      toModel` list_directory shows what does.`,
    );
  }
  return { path, shown: shown === '.' ? undefined : shown };
}

/** @param networkReason undefined if the command does not ask for the network */
async function termsOf(
  found: Sandbox | 'off' | 'missing',
  roots: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  networkReason: string | undefined,
): Promise<CommandTerms> {
  const withoutSandbox = typeof found === 'string' ? found : await found.refusal(roots, environment);
  if (withoutSandbox !== undefined) return { reach: 'everything', withoutSandbox };
  if (networkReason === undefined) return { reach: 'sandbox' };
  return { reach: 'network', networkReason: headOf(networkReason.trim(), longestReason) };
}

function approvalOf(
  command: string,
  { path, shown }: Directory,
  terms: CommandTerms,
  roots: readonly Root[],
): ApprovalRequest {
  const whole = shown === undefined ? command : inDirectory(shown, command);
  const line = whole.replace(/\s+/g, ' ').trim();
  const dangers = dangersOfCommand(whole);
  const shell = commandShell();
  const { patterns, rule } = coverageOfCommand(command, shell, new CommandPlace(path, roots, shell));
  return {
    kind: 'command',
    title: agentSentences.say('approvalRun', {
      command: ellipsised(line, longestTitle),
    }),
    details: whole,
    patterns,
    terms,
    ...(dangers.length === 0 ? {} : { warnings: dangers }),
    ...(rule === undefined ? {} : { rule }),
  };
}

/** @param why possible causes of a failure, one sentence for each */
function resultOf(
  outcome: CommandOutcome,
  timeoutMs: number,
  why: { readonly sandbox: readonly string[]; readonly environment: readonly string[] },
): CommandResult {
  const { ending, output, lines, isShortened, durationMs, hasLeftProcesses } = outcome;
  const isError = ending.how !== 'exited' || ending.exitCode !== 0;
  const mayTell = isError && ending.how !== 'stopped';
  const causes = mayTell ? [...why.sandbox, ...why.environment] : [];
  const outcomeInShort = agentSentences.say('commandEnded', {
    ending: summaryOf(ending, timeoutMs, durationMs),
    lines,
  });
  const notes = [
    ...(lines === 0 ? ['[No output.]'] : []),
    ...(hasLeftProcesses ? ['[The processes it left in the background were ended with it.]'] : []),
    ending.how === 'stopped'
      ? toModel`The user stopped this command after ${secondsInWords(durationMs)} s, and everything it had started. Its output up to then is above.`
      : endingInWords(ending, timeoutMs),
    ...causes.map((note) => `[${note}]`),
  ];
  const text = lines === 0 ? '' : `${withoutEnd(output, '\n')}\n\n`;
  return {
    content: `${text}${notes.join('\n')}`,
    isError,
    ...(ending.how === 'stopped' || ending.how === 'timed-out' ? { end: 'cancelled' } : {}),
    summary:
      mayTell && why.sandbox.length > 0
        ? agentSentences.say('commandSandboxMayBeWhy', { outcome: outcomeInShort })
        : outcomeInShort,
    ...(isShortened ? { isTruncated: true } : {}),
  };
}

type CommandResult = ToolResult & Required<Pick<ToolResult, 'summary'>>;

/** Maximum number of paths of changes that a call's row names. */
const mostNamed = 5;

/** Adds a note to a result about changes of the command that were not made. */
function withChanges(result: CommandResult, taken: ReviewOutcome): ToolResult {
  const { declined, impossible, feedback, problem } = taken;
  if (problem !== undefined) {
    return { ...result, content: `${result.content}\n[${problem.english}]`, isError: true, summary: problem };
  }
  const all = [...declined, ...impossible];
  if (all.length === 0) return result;
  const said = feedback.trim() === '' ? '' : ` They said: ${feedback.trim()}`;
  const notes = [
    ...(declined.length === 0
      ? []
      : [
          toModel`[These changes of the command are not in the workspace, because they could make programs run outside the sandbox and the user did not allow them: ${declined.join(', ')}.${said}]`,
        ]),
    ...(impossible.length === 0
      ? []
      : [
          toModel`[These changes of the command are not in the workspace, because the same files were changed there in the meantime, or they are neither files nor folders: ${impossible.join(', ')}.]`,
        ]),
  ];
  const files = [...all.slice(0, mostNamed), ...(all.length > mostNamed ? ['…'] : [])].join(', ');
  return {
    ...result,
    content: [result.content, ...notes].join('\n'),
    summary: agentSentences.say('commandNotKept', { outcome: result.summary, files }),
  };
}

/** Returns the end of a command as a sentence for the call's row. */
function summaryOf(ending: CommandEnding, timeoutMs: number, durationMs: number): Sentence {
  const seconds = secondsInWords(durationMs);
  switch (ending.how) {
    case 'exited':
      return agentSentences.say('commandExited', { code: String(ending.exitCode), seconds });
    case 'signalled':
      return agentSentences.say('commandEndedBySignal', { signal: ending.signal, seconds });
    case 'timed-out':
      return agentSentences.say('commandTookTooLong', { seconds: String(timeoutMs / 1000) });
    case 'stopped':
      return agentSentences.say('commandStopped', { seconds });
  }
}

/** Returns the end of a command as text for the model. */
function endingInWords(ending: Exclude<CommandEnding, { how: 'stopped' }>, timeoutMs: number): string {
  switch (ending.how) {
    case 'exited':
      return `exit code ${ending.exitCode}`;
    case 'signalled':
      return `ended by ${ending.signal}`;
    case 'timed-out':
      return `ended because it took longer than ${timeoutMs / 1000} s`;
  }
}

function secondsInWords(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}

class GatheredOutput {
  private readonly show: (text: string) => void;
  private gathered = '';
  private timer: NodeJS.Timeout | undefined;

  constructor(show: (text: string) => void) {
    this.show = show;
  }

  push(text: string): void {
    this.gathered = tailOf(this.gathered + text, mostShown);
    this.timer ??= setTimeout(() => this.end(), showEvery);
  }

  end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const text = this.gathered;
    this.gathered = '';
    if (text !== '') this.show(text);
  }
}
