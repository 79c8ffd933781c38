import type { CommandFact } from '../messages/ledger.ts';
import { checkKindOf, coversRun, folderAt, type NamedRun, sameRun } from './checks.ts';
import { stepLooks } from './looking-commands.ts';
import { hasFileName, isThrowAway } from './path-words.ts';
import { possibleSteps, type ShellStep } from './shell-steps.ts';

/**
 * Commands that are useful later: the newest run of each check and script. Excludes commands that only wrote
 * files, which are listed as such, or worked in a temporary folder.
 *
 * @param commands in the order of their last run
 */
export function standingCommands(commands: readonly CommandFact[]): readonly CommandFact[] {
  const later = new Map<string, NamedRun[]>();
  const stands = ({ command }: CommandFact): boolean => {
    const runs = runsOf(command)?.map((run) => ({ run, others: laterRuns(later, run) }));
    const isCovered = runs?.every(({ run, others }) => others.some((other) => coversRun(other, run)));
    for (const { run, others } of runs ?? []) others.push(run);
    return isCovered !== true;
  };
  return commands.toReversed().filter(stands).reverse();
}

/** The later runs of the same program. */
function laterRuns(later: Map<string, NamedRun[]>, { key }: NamedRun): NamedRun[] {
  const [program = ''] = key.split(' ', 1);
  return later.get(program) ?? later.set(program, []).get(program)!;
}

/** Maximum number of command lines whose runs are kept. */
const mostKnown = 5_000;
const known = new Map<string, readonly NamedRun[] | undefined>();

/**
 * The runs of a command line that matter until they are repeated; undefined if a part of it matters beyond
 * that.
 */
function runsOf(command: string): readonly NamedRun[] | undefined {
  if (known.has(command)) return known.get(command);
  if (known.size >= mostKnown) known.clear();
  const steps = possibleSteps(command);
  const runs = steps?.flatMap((step, index): NamedRun | undefined | readonly [] => {
    const folder = folderAt(steps, index);
    if (stepLooks(step) || onlyWrites(step) || isTemporary(step, folder)) return [];
    if (checkKindOf(step.words) !== undefined) return { key: sameRun(step.words), folder };
    const [program = ''] = step.words;
    return hasFileName(program) ? { key: program, folder: undefined } : undefined;
  });
  const found = runs?.every((run) => run !== undefined) === true ? runs : undefined;
  known.set(command, found);
  return found;
}

/** Programs whose results appear in the lists of files. */
const writers: ReadonlySet<string> = new Set('cp mv mkdir touch tee ln'.split(' '));

function onlyWrites(step: ShellStep): boolean {
  const [program = '', ...rest] = step.words;
  // Only its output changes anything, as in `cat > file`.
  if (writers.has(program) || stepLooks({ ...step, redirections: [] })) return true;
  if (program === 'git') return rest[0] === 'add' || rest[0] === 'rm' || rest[0] === 'mv';
  return (program === 'sed' || program === 'perl') && rest.some((word) => /^-[a-z]*i/u.test(word));
}

/** True for a program in a temporary folder, or with paths only there. */
function isTemporary({ words, redirections }: ShellStep, folder = ''): boolean {
  if (isThrowAway(folder) || isThrowAway(words[0] ?? '')) return true;
  const paths = [
    ...words.filter((word) => word.includes('/')),
    ...redirections.map(({ path }) => path),
  ].filter((path) => path !== '/dev/null');
  return paths.length > 0 && paths.every((path) => isThrowAway(path));
}
