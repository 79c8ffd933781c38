import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { discover } from '../../../src/agent/providers/discovery.ts';
import { discovered, endpointAt, played, problemOf } from './ask-server.ts';
import { soak } from '../../support/soak.ts';
import { englishOf } from '../../../src/compaction/records/reason.ts';

const list = { 'GET /v1/models': { data: [{ id: 'a' }] } };

describe('the key', () => {
  it('is sent as a bearer token, or in Azure’s header', async () => {
    const server = await played(list);
    await discover(endpointAt(server, { apiKey: 'secret' }), 'a');
    await discover(endpointAt(server, { apiKey: 'secret', authentication: 'api-key' }), 'a');
    await discover(endpointAt(server), 'a');
    const shown = server.requests.map(({ headers }) => [headers.authorization, headers['api-key']]);
    expect(shown).toEqual([
      ['Bearer secret', undefined],
      [undefined, 'secret'],
      [undefined, undefined],
    ]);
  });

  it('does not follow a redirect to another address', async () => {
    const other = await played(list);
    const found = await problemOf(
      {
        'GET /v1/models': (response) =>
          response.writeHead(302, { location: `${other.baseUrl}/models` }).end(),
      },
      { apiKey: 'secret', authentication: 'api-key' },
    );
    expect(found.problem).toBe('refused');
    expect(other.requests).toEqual([]);
  });

  it('is not sent if it was pasted wrongly', async () => {
    const server = await played(list);
    const found = await discover(endpointAt(server, { apiKey: 'sécret' }), 'a');
    expect(found).toMatchObject({ problem: 'unauthorised' });
    expect(server.requests).toEqual([]);
  });
});

describe('the address', () => {
  it('carries the required parameters of every request', async () => {
    const server = await played(list);
    await discover(endpointAt(server, { defaultQuery: { 'api-version': 'preview' } }), 'a');
    expect(server.requests[0]?.line).toBe('GET /v1/models?api-version=preview');
  });

  it('may end with a slash', async () => {
    const server = await played({
      'GET /api/tags': { models: [{ name: 'a' }] },
    });
    const found = await discover(endpointAt({ baseUrl: `${server.baseUrl}/` }, { dialect: 'ollama' }), 'a');
    expect('problem' in found).toBe(false);
  });
});

describe('failures of discovery', () => {
  it('are distinguished', async () => {
    const status = (code: number) => ({
      'GET /v1/models': (response: ServerResponse) => response.writeHead(code).end(),
    });
    expect(await problemOf(status(401))).toMatchObject({ problem: 'unauthorised' });
    expect(englishOf((await problemOf(status(401))).message)).toMatch(/requires an API key/);
    expect(englishOf((await problemOf(status(403), { apiKey: 'k' })).message)).toMatch(/refused the API key/);
    expect(englishOf((await problemOf(status(404))).message)).toMatch(/HTTP 404.*most end in \/v1/);
    expect(await problemOf(status(500))).toMatchObject({ problem: 'refused' });
  });

  it('include a missing answer', async () => {
    const server = await played({});
    await server.close();
    const found = await discover(endpointAt(server), 'a');
    expect(found).toMatchObject({ problem: 'unreachable' });
  });

  it('include an answer that does not begin, or does not end', async () => {
    expect(await problemOf({ 'GET /v1/models': () => undefined }, {}, 50)).toMatchObject({
      problem: 'timeout',
    });
    expect(
      await problemOf({ 'GET /v1/models': (response) => void response.write('{"data":[') }, {}, 50),
    ).toMatchObject({ problem: 'timeout' });
  });

  it('include a web page, a number, or an endless answer', async () => {
    const answers = ['<html></html>', '42', '', '{"error":"Unexpected endpoint"}'];
    for (const answer of answers) {
      const found = await problemOf({ 'GET /v1/models': (response) => response.end(answer) });
      expect(found.problem).toBe('unreadable');
    }
    const megabyte = 'x'.repeat(1_000_000);
    const endless = await problemOf({
      'GET /v1/models': (response) => {
        const pour = () => {
          while (!response.destroyed && response.write(megabyte));
        };
        response.on('drain', pour);
        pour();
      },
    });
    expect(endless.problem).toBe('unreadable');
  });

  it.each(['ollama', 'lmstudio', 'llamacpp'] as const)('are the same for %s', async (dialect) => {
    expect(await problemOf({}, { dialect })).toMatchObject({ problem: 'refused' });
    const junk = () => ({ answer: 42 });
    const found = await problemOf(
      { 'GET /v1/models': junk(), 'GET /api/tags': junk(), 'GET /api/v1/models': junk() },
      { dialect },
    );
    expect(found.problem).toBe('unreadable');
  });
});

describe('untrusted model lists', () => {
  it('give only valid names and valid numbers', async () => {
    const windows = [-1, 0, 1.5, '8192', 1e300, null, {}, [], true];
    const data = [
      ...windows.map((context_length, index) => ({ id: `m${index}`, context_length })),
      { id: 7 },
      { id: '' },
      { id: 'two\nlines' },
      { id: 'x'.repeat(301) },
      null,
      'text',
    ];
    const { models } = await discovered('models', 'm0', { 'GET /v1/models': { data } });
    expect(models).toEqual(windows.map((_window, index) => ({ id: `m${index}` })));
  });

  it('are limited in length', async () => {
    const data = Array.from({ length: 5_000 }, (_value, index) => ({ id: `m${index}` }));
    const { models } = await discovered('models', 'm0', { 'GET /v1/models': { data } });
    expect(models).toHaveLength(2_000);
  });

  it('never make discovery throw', async () => {
    let said: unknown;
    const answer = (response: ServerResponse) => response.end(JSON.stringify(said));
    const paths = ['GET /v1/models', 'GET /api/tags', 'GET /api/ps', 'POST /api/show', 'GET /props'];
    const more = ['GET /api/v1/models', 'GET /api/v0/models'];
    const server = await played(Object.fromEntries([...paths, ...more].map((path) => [path, answer])));
    const field = fc.constantFrom(
      'data',
      'models',
      'id',
      'name',
      'key',
      'type',
      'meta',
      'top_provider',
      'context_length',
      'loaded_instances',
      'config',
      'model_info',
      'parameters',
      'default_generation_settings',
      'n_ctx',
    );
    const { anything } = fc.letrec((tie) => ({
      anything: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('anything'), { maxLength: 3 }),
        fc.dictionary(field, tie('anything'), { maxKeys: 4 }),
      ),
    }));
    const dialect = fc.constantFrom('models', 'ollama', 'lmstudio', 'llamacpp');
    await fc.assert(
      fc.asyncProperty(anything, dialect, async (answered, asked) => {
        said = answered;
        const found = await discover(endpointAt(server, { dialect: asked }), 'a');
        const { window } = 'problem' in found ? {} : found;
        expect(window === undefined || (Number.isSafeInteger(window) && window > 0)).toBe(true);
      }),
      { numRuns: soak(50, 500) },
    );
  });
});
