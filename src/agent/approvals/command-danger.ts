import {
  assignment,
  commandShell,
  type CommandShell,
  isVisible,
  reserved,
  simpleCommandsOf,
} from './command-words.ts';
import { plainGitOptions } from './read-only-programs.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import type { Sentence } from '../../language/sentence.ts';

/** A program that a command line may run, with its first argument. */
type Candidate = readonly [program: string, firstArgument: string | undefined];

/** Returns each danger of a command line once. */
export function dangersOfCommand(command: string, shell: CommandShell = commandShell()): readonly Sentence[] {
  if (!isVisible(command.replace(/[\r\n]/g, ' '))) return [agentSentences.say('dangerInvisible')];
  const candidates = candidatesIn(command, shell);
  const found = new Set(candidates.flatMap(([program, first]) => dangerKey(program, first) ?? []));
  const names = candidates.map(([program]) => programName(program));
  const runsDownload = names.some((name) => downloads.has(name)) && names.some(interprets);
  return [...found, ...(runsDownload ? (['dangerRunsDownload'] as const) : [])].map((danger) =>
    agentSentences.say(danger),
  );
}

function candidatesIn(command: string, shell: CommandShell): readonly Candidate[] {
  const commands = simpleCommandsOf(command, shell);
  if (commands === undefined) return candidatesInText(command);
  return commands.flatMap(({ words }) => {
    const own = words.slice(words.findIndex((word) => !assignment.test(word)));
    const [program = '', ...rest] = own;
    if (runsOthers.has(programName(program))) return candidatesInText(own.join(' '));
    const first = program === 'git' ? rest.find((word) => !plainGitOptions.has(word)) : rest[0];
    return [[program, first]];
  });
}

/** Finds the programs that an unparsable command line may run: perhaps too many, but never too few. */
function candidatesInText(command: string): readonly Candidate[] {
  const tokens = (command.match(/[|&;(){}`\n]|[^\s|&;(){}`]+/g) ?? []).map((token) =>
    token.replace(/["'$\\]/g, ''),
  );
  const candidates: Candidate[] = [];
  let isProgramNext = true;
  let runsWhatFollows = false;
  for (const [index, token] of tokens.entries()) {
    if (/^[|&;(){}`\n]?$/.test(token)) {
      isProgramNext = true;
      if (token !== '') runsWhatFollows = false;
    } else if (isProgramNext || runsWhatFollows) {
      candidates.push([token, tokens[index + 1]]);
      isProgramNext = assignment.test(token) || reserved.has(token);
      runsWhatFollows ||= runsOthers.has(programName(token));
    }
  }
  return candidates;
}

/** Programs that run their arguments, or change the effect of later commands. Their arguments are searched as text. */
const runsOthers = new Set(
  `. alias ash awk bash batch bind builtin bundle busybox call cmd command csh dash declare doas docker ed elvish emacs
  enable env eval ex exec expect export find fish flock gawk gdb hash ionice ksh let local ltrace mapfile mawk nawk
  nice nohup npx nu osascript parallel podman popd powershell printf pushd pwsh read readarray readonly script sed set
  setsid sg sh shopt source ssh start stdbuf strace su sudo systemd-run taskset tclsh tee time timeout trap typeset
  ulimit umask unalias unset unshare vi vim watch xargs zsh`.split(/\s+/),
);

const dangers = {
  dangerDeletes:
    'dd|del|erase|format|git clean|git reset|git checkout|git restore|mkfs|rd|rm|rmdir|shred|srm|truncate|unlink|wipefs',
  dangerNetwork:
    'aria2c|bitsadmin|certutil|curl|ftp|http|https|lynx|nc|ncat|netcat|rsync|scp|sftp|socat|ssh|telnet|wget|xh',
  dangerPermissions:
    'chattr|chgrp|chmod|chown|doas|icacls|passwd|reg|runas|setfacl|su|sudo|takeown|useradd|usermod|visudo',
  dangerSystem:
    'at|crontab|fdisk|halt|kill|killall|launchctl|mount|parted|pkill|poweroff|reboot|schtasks|service|shutdown|sysctl|systemctl|taskkill|umount',
  dangerPublishes:
    'aws|az|cargo login|cargo owner|cargo publish|cargo yank|docker login|docker push|fly|gcloud|gem push|gh|git push|git remote|git send-email|glab|heroku|helm|kubectl|netlify|npm access|npm adduser|npm deprecate|npm dist-tag|npm login|npm owner|npm publish|npm token|npm unpublish|pnpm publish|pulumi|terraform|twine|vercel|yarn npm|yarn publish',
  dangerGit:
    'git bisect|git config|git filter-branch|git rebase|git replace|git submodule|git update-ref|git worktree',
} as const;

type Danger = keyof typeof dangers | 'dangerGitOnce';

const downloads: ReadonlySet<string> = new Set(
  'aria2c|curl|fetch|http|https|invoke-restmethod|invoke-webrequest|irm|iwr|wget|xh'.split('|'),
);

function interprets(name: string): boolean {
  return interpreters.has(name) || /^python[\d.]*$/.test(name);
}

const interpreters: ReadonlySet<string> = new Set(
  '.|ash|bash|bun|csh|dash|deno|eval|fish|iex|invoke-expression|ksh|node|perl|php|powershell|pwsh|ruby|sh|source|tcsh|zsh'.split(
    '|',
  ),
);

const dangerOf = new Map<string, Danger>(
  Object.entries(dangers).flatMap(([danger, names]) =>
    names.split('|').map((name): [string, Danger] => [name, danger as Danger]),
  ),
);

function dangerKey(program: string, firstArgument = ''): Danger | undefined {
  const name = programName(program);
  const beforeVerb = firstArgument.startsWith('-') && name === 'git';
  return (
    dangerOf.get(name) ??
    dangerOf.get(`${name} ${firstArgument.toLowerCase()}`) ??
    (name.startsWith('mkfs.') ? dangerOf.get('mkfs') : undefined) ??
    (beforeVerb ? 'dangerGitOnce' : undefined)
  );
}

/** Returns `rm` for `/bin/rm` and `RM.EXE`. */
export function programName(program: string): string {
  const base = program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1);
  return base.toLowerCase().replace(/\.(?:bat|cmd|com|exe)$/, '');
}
