import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { tableIn, withoutTable, withTable } from '../../../src/bridge/connect/toml-config.ts';
import { receiptFor, takeOut } from '../../../src/bridge/connect/receipts.ts';

const table = {
  path: ['mcp_servers', 'context-budget'],
  values: { command: 'node', args: ['/a b/context-budget.mjs', 'mcp'] },
} as const;
const pair = 'context-budget = { command = "node", args = ["/a b/context-budget.mjs","mcp"] }';

/** Servers that are written inline, with the place of ours. */
const inline: readonly (readonly [string, string])[] = [
  ['mcp_servers = { docs = { command = "npx" }| }', `, ${pair}`],
  ['mcp_servers = {docs={command="npx"}|}', `, ${pair}`],
  ['"mcp_servers" = { docs = { command = "}", args = ["]", \'{\'] }| } # {', `, ${pair}`],
  ['mcp_servers = {| }', ` ${pair}`],
  ['mcp_servers = {|}', ` ${pair} `],
  ['mcp_servers = {\n  docs = { command = "npx" },|\n}', `\n  ${pair},`],
  ['mcp_servers = {\r\n\tdocs = { command = "npx" }, # the docs|\r\n}', `\r\n\t${pair},`],
  ['mcp_servers = { docs = { command = """a"b\n""" }| }\n[x]\nmcp_servers = { }', `, ${pair}`],
  ['# mcp_servers = {}\nx = "mcp_servers = {"\nmcp_servers = { docs.command = "npx"| }', `, ${pair}`],
  [
    "at = 2026-01-01 10:00:00Z\nn = '''mcp_servers = {'''\nmcp_servers = { a = { command = \"x\" }| }",
    `, ${pair}`,
  ],
];

describe('our server in a TOML configuration', () => {
  it.each(inline)('is added to inline servers: %s', (marked, added) => {
    const text = marked.replace('|', '');
    const connected = withTable(text, table);
    expect(connected).toBe(marked.replace('|', () => added));
    expect(tableIn(connected, table)).toBeDefined();
    expect(withTable(connected, table)).toBe(connected);
  });

  it.each(inline)('is removed from inline servers: %s', (marked) => {
    const text = marked.replace('|', '');
    const connected = withTable(text, table);
    expect(parse(withoutTable(connected, table))).toEqual(parse(text));
    expect(takeOut(connected, receiptFor(text, connected, [], undefined))).toBe(text);
  });

  it('is added after a comment, with the missing comma before the comment', () => {
    const text = 'mcp_servers = {\n  a = { command = "x" } # last\n}\n';
    const connected = withTable(text, table);
    expect(connected).toBe(`mcp_servers = {\n  a = { command = "x" }, # last\n  ${pair}\n}\n`);
    expect(takeOut(connected, receiptFor(text, connected, [], undefined))).toBe(text);
  });

  it('replaces its older entry among inline servers', () => {
    const older = { ...table, values: { command: 'old', args: ['mcp'] } };
    const text = withTable('mcp_servers = { a = { command = "x" } }', older);
    expect(withTable(text, table)).toBe(`mcp_servers = { a = { command = "x" }, ${pair} }`);
  });

  it.each([
    'mcp_servers.docs.command = "npx"\n',
    '[mcp_servers]\ndocs = { command = "npx" }\n',
    '[mcp_servers.docs]\r\ncommand = "npx"\r\n',
    '[profiles]\nmcp_servers = { }\n',
  ])('is added as a table at the end of other forms: %j', (text) => {
    const connected = withTable(text, table);
    expect(connected.startsWith(text)).toBe(true);
    expect(connected).toContain('[mcp_servers.context-budget]');
    expect(withoutTable(connected, table)).toBe(text);
  });

  it('leaves other servers with any content unchanged', () => {
    const name = fc.stringMatching(/^[a-z][a-z\d_-]{0,6}$/u).filter((one) => one !== 'context-budget');
    const value = fc.oneof(
      fc.string().map((text) => JSON.stringify(text.replaceAll(/[^ -~]/gu, '?'))),
      fc.stringMatching(/^[ -&(-~]{0,9}$/u).map((text) => `'${text}'`),
      fc.integer().map(String),
      fc.constantFrom('[ "]", "}" ]', '{ a = 1 }', '[]', 'true', '1979-05-27T07:32:00Z'),
    );
    const gap = fc.constantFrom('', ' ', '  ');
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 4 }), gap, fc.boolean(), (servers, blank, isOpen) => {
        const pairs = Object.entries(servers).map(([key, one]) => `${key}${blank}=${blank}${one}`);
        const text = isOpen
          ? `a = 1\nmcp_servers = {${['', ...pairs].join(',\n ').replace(',', '')}\n}\n`
          : `a = 1\nmcp_servers = {${blank}${pairs.join(`${blank}, `)}${blank}}\n`;
        const connected = withTable(text, table);
        const { mcp_servers: after, ...rest } = parse(connected) as Record<string, object>;
        expect({ ...rest, mcp_servers: after }).toEqual({
          a: 1,
          mcp_servers: { ...(parse(text)['mcp_servers'] as object), 'context-budget': table.values },
        });
        expect(takeOut(connected, receiptFor(text, connected, [], undefined))).toBe(text);
        expect(parse(withoutTable(connected, table))).toEqual(parse(text));
      }),
    );
  });
});
