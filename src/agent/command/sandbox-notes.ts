import type { CommandReach } from '../approvals/command-reach.ts';

/** How programs say that they did not get through to somebody. */
const withoutNetwork =
  /could not resolve|couldn't resolve|cannot resolve|name resolution|no address associated|unknown host|name or service not known|failed to connect|couldn't connect|could not connect|network is unreachable|connection refused|\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|ECONNREFUSED)\b|dial tcp|network is down|no route to host/i;
/** How programs say that they may not write or change something. */
const withoutRights =
  /read-only file system|\bEROFS\b|operation not permitted|\bEPERM\b|permission denied|\bEACCES\b|device or resource busy|\bEBUSY\b/i;
/** How programs say that something of the person is not there. */
const withoutPerson =
  /tell me who you are|unable to auto-detect email|host key verification|no such identity|could not read username|cannot open display|agent has no identities/i;

/** What of the sandbox may be why a command failed, a sentence each for the model. */
export function sandboxNotes(
  output: string,
  reach: CommandReach,
  homes: readonly string[],
): readonly string[] {
  if (reach === 'everything') return [];
  const missesHome = homes.some((home) =>
    output.split('\n').some((line) => line.includes(home) && /no such file|not found|ENOENT/i.test(line)),
  );
  return [
    ...(reach === 'sandbox' && withoutNetwork.test(output)
      ? [
          'It ran in a sandbox without network. If it needs the network, call it again with network set to true and say in network_reason what for; the person decides.',
        ]
      : []),
    ...(withoutRights.test(output)
      ? [
          'It ran in a sandbox: only the workspace and the temporary folder can be written, and not .vscode nor the settings and hooks of Git. If it has to write elsewhere, say so to the person, who can allow it outside the sandbox when it is called again.',
        ]
      : []),
    ...(missesHome || withoutPerson.test(output)
      ? [
          'It ran in a sandbox with an empty home folder: there are no settings, keys and accounts of the person. If it needs them, say so to the person, who can allow it outside the sandbox when it is called again.',
        ]
      : []),
  ];
}
