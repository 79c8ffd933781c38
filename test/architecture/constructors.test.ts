import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Above this number, a call is hard to read: further values come as one object of named ports. */
const mostParameters = 4;

interface Constructor {
  readonly owner: string;
  readonly parameters: number;
}

function constructorsIn(name: string, source: string): readonly Constructor[] {
  const found: Constructor[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isConstructorDeclaration(node)) {
      found.push({
        owner: `${name}: ${node.parent.name?.text ?? 'class'}`,
        parameters: node.parameters.length,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true));
  return found;
}

it('no constructor takes more than four positional arguments', () => {
  const all = globSync('{src,webview}/**/*.ts', { cwd: root }).flatMap((file) =>
    constructorsIn(file, readFileSync(join(root, file), 'utf8')),
  );
  expect(all.length).toBeGreaterThan(50);
  expect(all.filter(({ parameters }) => parameters > mostParameters)).toEqual([]);
  const long = 'class Long { constructor(a: 1, b: 2, c: 3, d: 4, e: 5) {} }';
  expect(constructorsIn('long.ts', long)).toEqual([{ owner: 'long.ts: Long', parameters: 5 }]);
});
