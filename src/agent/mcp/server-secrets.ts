import { Redactor, secretsOf } from '../command/redact.ts';
import { KeyForms } from '../network/key-redactor.ts';
import type { McpServer } from './server-settings.ts';
import { agentSentences } from '../../language/agent-english.ts';
import { SentenceError } from '../../language/sentence.ts';

/** Characters of a line in the log; the rest of a longer one is left out. */
const longestLine = 2_000;
/** Characters that one server may write to the log. */
const longestLog = 200_000;

/** The secrets that a server was given, which nothing that it says may hold. */
export class ServerSecrets {
  private readonly forms: KeyForms[] = [];

  /** The same sources, which remember what was taken of them. */
  watch(sources: ReferenceSources): ReferenceSources {
    const environment = new Proxy(sources.environment, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value === 'string') this.add(value);
        return value;
      },
    });
    const secret = async (name: string) => {
      const value = await sources.secret(name);
      if (value !== undefined) this.add(value);
      return value;
    };
    return { ...sources, environment, secret };
  }

  /** Adds what settings hold in plain text under a name that tells of a secret. */
  addNamed(server: McpServer): void {
    const named = server.type === 'http' ? server.headers : server.environment;
    for (const { value } of secretsOf(named)) this.add(value);
  }

  redact(text: string): string {
    return this.forms.reduce((shown, forms) => forms.redact(shown), text);
  }

  redactJson<Value>(value: Value): Value {
    return this.forms.reduce((shown, forms) => forms.redactJson(shown), value);
  }

  private add(value: string): void {
    this.forms.push(new KeyForms(value));
    for (const line of value.split(/\r?\n/)) if (line !== value) this.forms.push(new KeyForms(line.trim()));
  }
}

/**
 * Lines of a server for the log: without secrets, with every line and all of them together bounded.
 *
 * @param environment whose secrets are left out, too
 * @returns takes what the server wrote, in pieces
 */
export function serverLog(
  secrets: ServerSecrets,
  environment: ReferenceSources['environment'],
  log: (line: string) => void,
): (text: string) => void {
  const redactor = new Redactor(secretsOf(environment));
  let line = '';
  let written = 0;
  const write = (text: string) => {
    if (written > longestLog || text.trim() === '') return;
    const shown = secrets.redact(redactor.push(text) + redactor.end());
    written += shown.length;
    log(written > longestLog ? 'It writes more than the log takes; the rest is left out.' : shown);
  };
  return (text) => {
    for (const piece of text.split(/(\r?\n)/)) {
      if (/^\r?\n$/.test(piece)) {
        write(line);
        line = '';
      } else if (line.length < longestLine) line += piece.slice(0, longestLine - line.length);
    }
  };
}

/** The sources of `${…}` references. */
export interface ReferenceSources {
  /** Path of the first folder; undefined if none is open. */
  readonly folder: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A string that the person keeps in the editor's secret storage. */
  readonly secret: (name: string) => PromiseLike<string | undefined>;
}

const pattern = /\$\{(workspaceFolder|env:[A-Za-z_]\w*|secret:[\w.-]+)\}/g;

/**
 * The server with `${workspaceFolder}`, `${env:NAME}` and `${secret:NAME}` replaced.
 *
 * @throws {SentenceError} for a variable or a secret that is not set
 */
export async function resolveReferences(server: McpServer, sources: ReferenceSources): Promise<McpServer> {
  const resolve = (text: string) => resolveText(text, sources);
  const resolveAll = async (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(texts).map(async ([key, text]) => [key, await resolve(text)] as const),
      ),
    );
  if (server.type === 'http') {
    const url = await resolve(server.url);
    // Consent and secrets are for the origin that is in the settings.
    if (!URL.canParse(url) || new URL(url).origin !== new URL(server.url).origin) {
      throw new SentenceError(agentSentences.say('mcpHostFixed'));
    }
    return { ...server, url, headers: await resolveAll(server.headers) };
  }
  return {
    ...server,
    command: await resolve(server.command),
    args: await Promise.all(server.args.map(resolve)),
    environment: await resolveAll(server.environment),
    directory: server.directory === undefined ? undefined : await resolve(server.directory),
  };
}

async function resolveText(text: string, sources: ReferenceSources): Promise<string> {
  const names = [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''))];
  const values = new Map<string, string>();
  for (const name of names) values.set(name, await valueOf(name, sources));
  return text.replace(pattern, (whole, name: string) => values.get(name) ?? whole);
}

async function valueOf(
  reference: string,
  { folder, environment, secret }: ReferenceSources,
): Promise<string> {
  const [source, name = ''] = reference.split(':');
  switch (source) {
    case 'env': {
      const value = environment[name];
      if (value === undefined) throw new SentenceError(agentSentences.say('mcpNoVariable', { name }));
      return value;
    }
    case 'secret': {
      const value = await secret(name);
      if (value === undefined) {
        throw new SentenceError(agentSentences.say('mcpNoSecret', { name }));
      }
      return value;
    }
    default:
      if (folder === undefined) throw new SentenceError(agentSentences.say('mcpNoFolder'));
      return folder;
  }
}
