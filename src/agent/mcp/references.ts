import type { McpServer } from './server-settings.ts';

/** Where `${…}` references lead. */
export interface ReferenceSources {
  /** Path of the first folder; undefined where none is open. */
  readonly folder: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A text that the person keeps in the editor's secret storage. */
  readonly secret: (name: string) => PromiseLike<string | undefined>;
}

/** A reference that leads nowhere, with what to do about it. */
export class UnresolvedReferenceError extends Error {
  override readonly name = 'UnresolvedReferenceError';
}

const pattern = /\$\{(workspaceFolder|env:[A-Za-z_]\w*|secret:[\w.-]+)\}/g;

/**
 * The server with `${workspaceFolder}`, `${env:NAME}` and `${secret:NAME}` replaced.
 *
 * @throws {UnresolvedReferenceError} for a variable or a secret that is not set
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
    // Consent and secrets are for the origin that stands in the settings.
    if (!URL.canParse(url) || new URL(url).origin !== new URL(server.url).origin) {
      throw new UnresolvedReferenceError('References cannot change the host of a URL.');
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
      if (value === undefined)
        throw new UnresolvedReferenceError(`The environment variable ${name} is not set.`);
      return value;
    }
    case 'secret': {
      const value = await secret(name);
      if (value === undefined) {
        throw new UnresolvedReferenceError(
          `There is no secret ${name}: run "Context Budget: Set Secret for MCP Server".`,
        );
      }
      return value;
    }
    default:
      if (folder === undefined) throw new UnresolvedReferenceError('No folder is open.');
      return folder;
  }
}
