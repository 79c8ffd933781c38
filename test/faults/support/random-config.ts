type Random = () => number;

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!;
}

const gaps = ['', ' ', '\n', '\r\n', '\t', ' // c {"a":1}\n', ' /* x, } ] */ ', '\n\n  '] as const;
const strings = [
  '"a"',
  '"hooks"',
  '"context-budget"',
  '"\\u0000"',
  '"__proto__"',
  '"// no"',
  '"汉字"',
] as const;
const servers = [
  '{}',
  '{"other":{"command":"x"}}',
  '{"context-budget":{"command":"mine","args":[]}}',
  '{"context-budget":{"command":"x","args":["/x/bin/context-budget.sh","mcp"]}}',
  '{"other":{"command":"x"}, // keep\n "z":1}',
  '{"__proto__":{"args":["/x/bin/context-budget.sh","mcp"]}}',
  '{"a":1,"a":2}',
  '[]',
  'null',
] as const;
const earlier =
  '{"hooks":[{"type":"command","command":"node \\"/x/bin/context-budget.mjs\\" hook PreCompact"}]}';
const mine = '{"hooks":[{"type":"command","command":"mine"}]}';
const hooks = [
  '{}',
  '{"PreCompact":[]}',
  `{"PreCompact":[${mine}]}`,
  `{"PreCompact":[${earlier}]}`,
  `{"PreCompact":[${mine}, // keep\n ${earlier}]}`,
  '{"PreCompact":{}}',
  'null',
] as const;
const tables = [
  '',
  'model = "x"\n',
  '# c\n[mcp_servers.other]\ncommand = "x"\n',
  '[mcp_servers.context-budget]\ncommand = "mine"\n\n[a]\nb=1',
  '[mcp_servers.context-budget]\ncommand = "mine"\nargs = [\n  "a",\n  "b"\n]\n[mcp_servers.context-budget.env]\nA = "1"\n',
  'x = """\n[mcp_servers.context-budget]\nprecious\n[q]\n"""\n',
  '[mcp_servers.context-budget.tools.x]\napproval = "a"\n',
  'a = 1\r\n[b]\r\nc = 2\r\n',
  'mcp_servers = { other = { command = "x" } } # c\n',
  'mcp_servers.other.command = "x"\n',
  'mcp_servers."context-budget".command = "mine"\n',
  '[[mcp_servers]]\na = 1\n',
  '[[projects]]\nname = "a"\n\n[[projects]]\nname = "b"',
  '[mcp_servers."context-budget"] # quoted\ncommand = "mine"\n',
  '[mcp_servers.context-budget] # said\ncommand = "mine"\n',
  'at = 1979-05-27T07:32:00Z\nbig = 9223372036854775807\n"__proto__" = 1\n',
] as const;

/** A configuration of an unusual form: comments and gaps of every kind, and misplaced values. */
export function randomConfig(path: string, random: Random): string {
  if (path.endsWith('.toml')) return pick(random, ['', '\uFEFF']) + pick(random, tables);
  const gap = () => pick(random, gaps);
  const value = (depth: number): string => {
    const kind = random();
    const values = () =>
      Array.from({ length: Math.floor(random() * 4) }, () => gap() + value(depth - 1) + gap());
    if (depth <= 0 || kind < 0.4) return pick(random, ['1', 'true', 'null', '-1e9', '[]', '{}', ...strings]);
    if (kind < 0.7)
      return `{${values()
        .map((one) => `${gap()}${pick(random, strings)}:${one}`)
        .join(',')}}`;
    return `[${values().join(',')}]`;
  };
  const names = ['theme', 'mcpServers', 'hooks', 'permissions', 'version', '__proto__'].filter(
    () => random() < 0.5,
  );
  const fields = names.map((name) => {
    const own =
      name === 'mcpServers' ? pick(random, servers) : name === 'hooks' ? pick(random, hooks) : value(3);
    return `${gap()}"${name}"${gap()}:${gap()}${own}${gap()}`;
  });
  const end = fields.length > 0 ? pick(random, ['', ',']) : '';
  return `${pick(random, ['', '\uFEFF'])}${gap()}{${fields.join(',')}${end}${gap()}}${gap()}`;
}
