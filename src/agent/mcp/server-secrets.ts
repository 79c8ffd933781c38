import { secretsOf } from '../command/redact.ts';
import { KeyForms } from '../network/key-redactor.ts';
import { plainKeysOf } from './plain-keys.ts';
import type { McpServer } from './server-settings.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import { SentenceError } from '../../language/sentence.ts';

/** Maximum characters of a line in the log. The rest of a longer line is cut. */
const longestLine = 2_000;
/** Maximum characters that one server may write to the log. */
const longestLog = 200_000;

/** The secrets to remove from a server's messages and from the requests to it. */
export class ServerSecrets {
  /** Keys given to the server, keys of other servers, and keys in the environment. */
  private readonly keys = new Secrets();
  /** The same keys, and the values of variables given to the server, which may not be keys. */
  private readonly all = new Secrets();

  constructor(environment: ReferenceSources['environment'] = {}) {
    for (const { name, value } of secretsOf(environment))
      if (environment[name]?.includes(value) === true) this.addKey(value);
  }

  /** Wraps sources so that the values read from them are recorded. */
  watch(sources: ReferenceSources): ReferenceSources {
    const environment = new Proxy(sources.environment, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value === 'string') this.all.add(value);
        return value;
      },
    });
    const secret = async (name: string) => {
      const value = await sources.secret(name);
      if (value !== undefined) this.addKey(value);
      return value;
    };
    return { ...sources, environment, secret };
  }

  addPlain(server: McpServer): void {
    for (const value of plainKeysOf(server)) this.addKey(value);
  }

  /** Adds everything in the editor's secret storage, because a server must not see keys of other servers. */
  async addKept({ secrets }: ReferenceSources): Promise<void> {
    for (const value of (await secrets?.()) ?? []) this.addKey(value);
  }

  redact(text: string): string {
    return this.all.forms.redact(text);
  }

  redactJson<Value>(value: Value): Value {
    return this.all.forms.redactJson(value);
  }

  /** Removes keys from a JSON value for the server. It gets its own keys only as the settings specify. */
  withoutKeys<Value>(value: Value): Value {
    return this.keys.forms.redactJson(value);
  }

  private addKey(value: string): void {
    this.keys.add(value);
    this.all.add(value);
  }
}

/** Secrets. Their encoded forms are derived on demand. */
class Secrets {
  private readonly values = new Set<string>();
  private known: KeyForms | undefined;

  add(value: string): void {
    const size = this.values.size;
    for (const text of [value, ...value.split(/\r?\n/).map((line) => line.trim())]) this.values.add(text);
    if (this.values.size > size) this.known = undefined;
  }

  get forms(): KeyForms {
    return (this.known ??= new KeyForms([...this.values]));
  }
}

/** Writes a server's lines to the log, without secrets and up to a limit. @returns a function that takes the output */
export function serverLog(secrets: ServerSecrets, log: (line: string) => void): (text: string) => void {
  let line = '';
  let written = 0;
  const write = (text: string) => {
    if (written > longestLog || text.trim() === '') return;
    const shown = secrets.redact(text);
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

/** The sources of the values for `${…}` references. */
export interface ReferenceSources {
  /** Path of the first folder; undefined if none is open. */
  readonly folder: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly secret: (name: string) => PromiseLike<string | undefined>;
  /** Reads all strings in the editor's secret storage, including the keys of models. */
  readonly secrets?: () => PromiseLike<readonly string[]>;
}

const pattern = /\$\{(workspaceFolder|env:[A-Za-z_]\w*|secret:[\w.-]+)\}/g;

/** Replaces the `${…}` references of a server. @throws {SentenceError} for a missing variable or secret */
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
    // Consent and secrets apply only to the origin in the settings.
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
