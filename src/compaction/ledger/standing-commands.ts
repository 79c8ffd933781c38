import type { CommandFact } from '../messages/ledger.ts';
import { checkKindOf, coversRun, folderAt, type NamedRun, sameRun } from './checks.ts';
import { stepLooks } from './looking-commands.ts';
import { isThrowAway } from './path-words.ts';
import { possibleSteps, type ShellStep } from './shell-steps.ts';

/**
 * Commands that are useful later: for checks the newest run. Excludes commands that only wrote files, which are listed
 * as such, or worked in a temporary folder.
 *
 * @param commands in the order of their last run
 */
export function standingCommands(commands: readonly CommandFact[]): readonly CommandFact[] {
  const standing: CommandFact[] = [];
  const later = new Map<string, NamedRun[]>();
  for (const fact of commands.toReversed()) {
    const { isPassing, checks } = profileOf(fact.command);
    const isCovered =
      checks.length > 0 &&
      checks.every((check) => later.get(programOf(check))?.some((run) => coversRun(run, check)) === true);
    for (const check of checks) later.set(programOf(check), [...(later.get(programOf(check)) ?? []), check]);
    if (!isPassing && !isCovered) standing.push(fact);
  }
  return standing.reverse();
}

interface Profile {
  /** True if no part of it is useful later. */
  readonly isPassing: boolean;
  /** Its checks, if all else in it only reads. */
  readonly checks: readonly NamedRun[];
}

const nothingKnown: Profile = { isPassing: false, checks: [] };
/** Most command lines with a cached profile. */
const mostKnown = 5_000;
const known = new Map<string, Profile>();

function profileOf(command: string): Profile {
  const found = known.get(command);
  if (found !== undefined) return found;
  if (known.size >= mostKnown) known.clear();
  const steps = possibleSteps(command);
  const profile = steps === undefined ? nothingKnown : profileOfSteps(steps);
  known.set(command, profile);
  return profile;
}

function profileOfSteps(steps: readonly ShellStep[]): Profile {
  const doing = steps.flatMap((step, index) =>
    stepLooks(step) ? [] : [{ step, folder: folderAt(steps, index) }],
  );
  const isPassing =
    doing.length > 0 && doing.every(({ step, folder }) => onlyWrites(step) || isTemporary(step, folder));
  const checks = doing.flatMap(({ step: { words }, folder }) =>
    checkKindOf(words) === undefined ? [] : [{ key: sameRun(words), folder }],
  );
  return { isPassing, checks: checks.length === doing.length ? checks : [] };
}

function programOf({ key }: NamedRun): string {
  return key.split(' ', 1)[0] ?? '';
}

/** Programs whose results are in the lists of files. */
const writers: ReadonlySet<string> = new Set('cp mv mkdir touch tee ln'.split(' '));

function onlyWrites(step: ShellStep): boolean {
  const [program = '', ...rest] = step.words;
  // Reads only, except for its output, as in `cat > file`.
  if (writers.has(program) || stepLooks({ ...step, redirections: [] })) return true;
  if (program === 'git') return rest[0] === 'add' || rest[0] === 'rm' || rest[0] === 'mv';
  if (program === 'sed' || program === 'perl') return rest.some((word) => /^-[a-z]*i/u.test(word));
  return /^(?:gofmt|goimports)$/u.test(program) && rest.includes('-w');
}

/** True in a temporary folder, or if all paths are in one. */
function isTemporary({ words, redirections }: ShellStep, folder: string | undefined): boolean {
  if (folder !== undefined && isThrowAway(folder)) return true;
  const paths = [
    ...words.filter((word) => word.includes('/')),
    ...redirections.map(({ path }) => path),
  ].filter((path) => path !== '/dev/null');
  return paths.length > 0 && paths.every((path) => isThrowAway(path));
}
