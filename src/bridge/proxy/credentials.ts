import { KeyForms } from '../../agent/network/key-redactor.ts';

/** Maximum number of keys that are removed. A client has few, but renews them. */
const mostKeys = 32;

/** Credentials of clients, in memory only. Everything that is stored is redacted with them. */
export class Credentials {
  private keys: readonly string[] = [];
  private forms = new KeyForms(undefined);

  /** Removes these credentials from everything that is redacted from now on. */
  keepOut(keys: readonly string[]): void {
    // A header may name a scheme before the key.
    const bare = keys.map((key) => key.replace(/^\w+\s+/u, ''));
    const fresh = bare.filter((key) => !this.keys.includes(key));
    if (fresh.length === 0) return;
    this.keys = [...this.keys, ...fresh].slice(-mostKeys);
    this.forms = new KeyForms(this.keys);
  }

  /** Returns a JSON value without the credentials. */
  redact<Value>(value: Value): Value {
    return this.forms.redactJson(value);
  }
}
