import { Redactor, secretsOf } from '../command/redact.ts';
import { KeyForms } from '../network/key-redactor.ts';
import type { ReferenceSources } from './references.ts';
import type { McpServer } from './server-settings.ts';

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
