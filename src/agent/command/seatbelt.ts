import { existsSync } from 'node:fs';
import type { SandboxPlaces } from './sandbox-places.ts';
import type { SandboxProgram } from './sandbox.ts';

const file = '/usr/bin/sandbox-exec';

/** Services that every program needs. None gives access to other services. */
const base = `(version 1)
(deny default)
(allow process-exec process-fork)
(allow process-info* signal (target same-sandbox))
(allow sysctl-read mach-host* ipc-posix-sem pseudo-tty file-read-metadata)
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))
(allow file-read* file-write* file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/ptmx") (regex #"^/dev/ttys[0-9]+$"))
(allow file-read* (literal "/") (literal "/dev/random") (literal "/dev/urandom") (subpath "/dev/fd"))`;

/** Services that look up names and check certificates. */
const network = `(allow network* system-socket)
(allow mach-lookup (global-name "com.apple.SystemConfiguration.configd") (global-name "com.apple.SystemConfiguration.DNSConfiguration") (global-name "com.apple.SecurityServer") (global-name "com.apple.trustd.agent") (global-name "com.apple.networkd"))`;

const macSystemFolders = `/bin /sbin /usr /etc /private/etc /opt /nix /System /Library /Applications
    /private/var/db/timezone /private/var/select /private/var/db/xcode_select_link`.split(/\s+/);
/** Names, in use or not, under which Git, the editor, agents and package managers find programs to run. */
const closed = String.raw`/(\.[^/]+|node_modules|HEAD|[Pp][Aa][Cc][Kk][Aa][Gg][Ee]\.[Jj][Ss][Oo][Nn]|[^/]+\.code-workspace|[^/]*[Mm]akefile)(/|$)`;
/** Names of records that Git writes when it commits, and of cache folders. */
const reopened = String.raw`/(\.git/(objects|refs|logs)/[^.]*|\.git/([A-Z_]*HEAD|COMMIT_EDITMSG|index|packed-refs)(\.lock)?|\.(cache|vite|pytest_cache|mypy_cache|ruff_cache|nyc_output|turbo)(/[^.]*)?)$`;

/** Finds Seatbelt, the sandbox program of macOS; undefined if it is not installed. */
export function seatbelt(): SandboxProgram | undefined {
  if (!existsSync(file)) return undefined;
  return {
    file,
    isKeeper: false,
    filter: undefined,
    overlay: () => undefined,
    environment: (temporary) => ({ TMPDIR: temporary, TMP: temporary, TEMP: temporary }),
    arguments: (places, temporary, hasNetwork, inner) => [
      '-p',
      seatbeltProfile(places, temporary, hasNetwork),
      ...inner,
    ],
  };
}

function seatbeltProfile(places: SandboxPlaces, temporary: string, hasNetwork: boolean): string {
  const open = [...places.writable, temporary];
  return [
    base,
    rule('allow file-read*', macSystemFolders),
    rule('deny file-read-data file-write*', places.homes),
    rule('allow file-read*', places.readable),
    rule('allow file-read* file-write*', open),
    // Later rules take precedence. These begin at the root, because it may be below a folder with such a name.
    ...places.writable.flatMap((root) => [
      `(deny file-write* (regex #"^${expression(root)}(/.*)?${closed}"))`,
      `(allow file-write* (regex #"^${expression(root)}(/[^.]*)?${reopened}"))`,
    ]),
    hasNetwork ? network : '',
  ].join('\n');
}

function rule(action: string, places: readonly string[]): string {
  return places.length === 0 ? '' : `(${action} ${subpaths(places)})`;
}

function subpaths(places: readonly string[]): string {
  return places.map((place) => `(subpath "${place.replace(/[\\"]/g, '\\$&')}")`).join(' ');
}

/** Returns a path as a regular expression. A quotation mark would end the expression, so it becomes a wildcard. */
function expression(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&').replaceAll('"', '.');
}
