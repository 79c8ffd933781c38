import { createHash } from 'node:crypto';
import type { McpServer } from './server-settings.ts';
import { isRecord } from '../../language/is-record.ts';

/** The user's decisions about servers. They are stored where no workspace can change them. */
export interface ConsentState {
  /** Decisions, by the hash of a server's whole configuration. */
  readonly servers: Readonly<Record<string, 'allowed' | 'refused'>>;
  readonly secrets: Readonly<Record<string, readonly string[]>>;
}

/** The store of the decisions. */
export interface ConsentStore {
  read(): ConsentState;
  write(state: ConsentState): PromiseLike<void>;
}

/** The user's decision whether a server may start; `unasked` before the decision. */
export type ServerConsent = 'allowed' | 'refused' | 'unasked';

const reference = /\$\{(env|secret):([\w.-]+)\}/g;

/**
 * Decides which servers start and which secrets they get. A server of a folder needs consent for its exact
 * configuration. A server of the user needs consent if it names a secret that another server already gets.
 */
export class McpConsents {
  private readonly store: ConsentStore;

  constructor(store: ConsentStore) {
    this.store = store;
  }

  /** @param folder folder whose settings declare the server */
  consentTo(server: McpServer, folder: string | undefined): ServerConsent {
    const { servers, secrets } = this.store.read();
    const said = Object.hasOwn(servers, hashOf(server, folder)) ? servers[hashOf(server, folder)] : undefined;
    if (said === 'refused') return said;
    const receiver = receiverOf(server, folder);
    const isOwn = server.declaredBy === 'person';
    const hasSecrets = referencesOf(server).secrets.every((name) => {
      const given = Object.hasOwn(secrets, name) ? (secrets[name] ?? []) : [];
      return given.includes(receiver) || (isOwn && given.length === 0);
    });
    return hasSecrets && (isOwn || said === 'allowed') ? 'allowed' : 'unasked';
  }

  /** Stores the user's answer. An allowed server gets the secrets that it names. */
  async answer(server: McpServer, folder: string | undefined, said: 'allowed' | 'refused'): Promise<void> {
    const { servers } = this.store.read();
    await this.store.write({
      ...this.store.read(),
      servers: { ...servers, [hashOf(server, folder)]: said },
    });
    if (said === 'allowed') await this.giveSecrets(server, folder);
  }

  /** Records that a server gets the secrets that it names. */
  async giveSecrets(server: McpServer, folder: string | undefined): Promise<void> {
    const state = this.store.read();
    const receiver = receiverOf(server, folder);
    const isNew = (name: string) =>
      !(Object.hasOwn(state.secrets, name) && state.secrets[name]?.includes(receiver) === true);
    const names = referencesOf(server).secrets.filter(isNew);
    if (names.length === 0) return;
    const given = names.map((name): readonly [string, readonly string[]] => [
      name,
      [...(Object.hasOwn(state.secrets, name) ? (state.secrets[name] ?? []) : []), receiver],
    ]);
    await this.store.write({ ...state, secrets: { ...state.secrets, ...Object.fromEntries(given) } });
  }

  /** Forgets which servers get a secret, after the secret was deleted. */
  async forgetSecret(name: string): Promise<void> {
    const { secrets, ...rest } = this.store.read();
    const kept = Object.entries(secrets).filter(([known]) => known !== name);
    await this.store.write({ ...rest, secrets: Object.fromEntries(kept) });
  }
}

/** Finds the names of secrets and environment variables that a server would get. */
export function referencesOf(server: McpServer): {
  readonly secrets: readonly string[];
  readonly variables: readonly string[];
} {
  const found = [...JSON.stringify(server).matchAll(reference)];
  const named = (source: string) => [
    ...new Set(found.flatMap(([, kind, name = '']) => (kind === source ? [name] : []))),
  ];
  return { secrets: named('secret'), variables: named('env') };
}

function hashOf(server: McpServer, folder: string | undefined): string {
  return hash([folder ?? null, server]);
}

/** Identifies the receiver of a secret: program and arguments, or origin, and the place that declares it. */
function receiverOf(server: McpServer, folder: string | undefined): string {
  const declared = server.declaredBy === 'person' ? 'person' : ['workspace', folder ?? null];
  const what =
    server.type === 'http'
      ? new URL(server.url).origin
      : [server.command, server.args, server.directory ?? null];
  return hash([declared, server.type, what]);
}

function hash(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
  return createHash('sha256').update(text).digest('hex');
}

/** Characters shown unchanged: letters, digits, visible punctuation and symbols, and the space. */
const seen = /[\p{L}\p{N}\p{P}\p{S} ]/u;
const unseen = /[\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Puts text on one line and makes every character visible. An invisible one becomes its code, such as `⟨U+200B⟩`. */
export function visibleLine(text: string): string {
  return Array.from(text, (character) =>
    seen.test(character) && !unseen.test(character)
      ? character
      : `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  ).join('');
}
