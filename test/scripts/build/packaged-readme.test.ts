import { expect, it } from 'vitest';
import { packagedReadme } from '../../../scripts/build/packaged-readme.ts';

const readme = `# Title

![At the top](media/live.png)

- **Budget**: tokens.
  ![The budget](media/budget.png)

- **Ledger**: facts.

![An edit](media/edit.png)

See ![this](media/budget.png) inside a sentence.
`;

it('the packaged README keeps pictures that are in the package, and omits the lines of all others', () => {
  expect(packagedReadme(readme, new Set(['media/live.png']))).toBe(`# Title

![At the top](media/live.png)

- **Budget**: tokens.

- **Ledger**: facts.

See ![this](media/budget.png) inside a sentence.
`);
});

it('the packaged README is unchanged if every picture is in the package', () => {
  const all = new Set(['media/live.png', 'media/budget.png', 'media/edit.png']);
  expect(packagedReadme(readme, all)).toBe(readme);
});
