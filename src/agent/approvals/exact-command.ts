import { isSecretPath } from '../edits/secret-path.ts';
import type { CommandPlace } from './command-place.ts';
import type { CommandShell } from './command-shell.ts';
import { assignment } from './command-words.ts';
import { programName, runsOthers } from './known-programs.ts';

/** Variables that change how a program talks, and nothing that it does. */
const plainVariable =
  /^(?:CI|COLUMNS|FORCE_COLOR|LANG|LC_ALL|NO_COLOR|NODE_ENV|PYTHONUNBUFFERED|RUST_BACKTRACE|TZ)=[\w.,+-]*$/;
/** A program of the PATH, or one below the directory. */
const program = /^(?:[A-Za-z0-9_][\w@+.-]*|(?:\.[\\/])?[\w@+.-]+(?:[\\/][\w@+.-]+)+|\.[\\/][\w@+.-]+)$/;
/** Programs that run a text they are given. */
const interpreter = /^(?:bun|deno|lua|node|perl|php|python[\d.]*|py|R|Rscript|ruby)$/;
const codeOption =
  /^(?:-[A-Za-z]*[ceEpr]|--(?:eval|import|loader|experimental-loader|print|require|run))(?:$|=)/;

/** True if the very words of a command may be allowed for longer than once. */
export function isRepeatable(
  words: readonly string[],
  shell: CommandShell,
  place: CommandPlace | undefined,
): boolean {
  const programAt = words.findIndex((word) => !assignment.test(word));
  const name = words[programAt];
  if (name === undefined || name === 'cd' || !program.test(name)) return false;
  const variables = words.slice(0, programAt);
  if (shell === 'windows' ? variables.length > 0 : !variables.every((word) => plainVariable.test(word))) {
    return false;
  }
  const rest = words.slice(programAt + 1);
  const isInstalled =
    name === 'npx' && shell === 'posix' && place?.hasPackageProgram(rest[0] ?? '') !== false;
  if ((runsOthers.has(programName(name)) && !isInstalled) || place?.shadows(name) === true) return false;
  const isCode = interpreter.test(programName(name)) && rest.some((word) => codeOption.test(word));
  return !isCode && staysInside(name, place) && rest.every((word) => isLocal(word, place));
}

/** True if an argument, read in every way that programs read arguments, names nothing outside and no secret. */
function isLocal(word: string, place: CommandPlace | undefined): boolean {
  if (/:\/\/|^[\w.-]+@[\w.-]+:|^\\\\|^\/\/|::/.test(word.replace(/^.*=/s, ''))) return false;
  if (word.includes('://')) return false;
  const parts = [word, ...word.split(/[=:,;\s]+/)];
  return parts.every((part) => {
    const behindOption = /^-[A-Za-z]/.test(part) ? [part.slice(2)] : [];
    return [part, ...behindOption].every((each) => !isSecretPath(each) && staysInside(each, place));
  });
}

function staysInside(part: string, place: CommandPlace | undefined): boolean {
  const isElsewhere = /^~|^[\\/]|^[A-Za-z]:[\\/]|(?:^|[\\/])\.\.(?:[\\/]|$)/.test(part);
  if (place === undefined) return !isElsewhere || /^[\\/](?![\\/])/.test(part);
  return !part.startsWith('~') && place.holds(part);
}
