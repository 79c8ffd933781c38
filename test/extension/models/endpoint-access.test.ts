import { describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { ApiKeys } from '../../../src/extension/models/endpoint-access.ts';

vi.mock('vscode', () => import('../../support/editor/vscode-texts.ts'));

/** A secret storage in memory, with the parts that are used. */
class Secrets {
  readonly values = new Map<string, string>();
  get = (name: string) => Promise.resolve(this.values.get(name));
  store = (name: string, value: string) => Promise.resolve(void this.values.set(name, value));
  delete = (name: string) => Promise.resolve(void this.values.delete(name));
}

describe('ApiKeys', () => {
  it('never gives the key of one endpoint to another', async () => {
    const keys = new ApiKeys(new Secrets() as unknown as vscode.SecretStorage);
    await keys.set('https://api.example.com/v1', 'secret');
    expect(await keys.get('https://api.example.com/other')).toBe('secret');
    expect(await keys.get('https://api.example.com:8443/v1')).toBeUndefined();
    expect(await keys.get('http://api.example.com/v1')).toBeUndefined();
    expect(await keys.get('https://api.example.com.evil.example/v1')).toBeUndefined();
    await keys.clear('https://api.example.com/v1');
    expect(await keys.get('https://api.example.com/v1')).toBeUndefined();
  });
});
