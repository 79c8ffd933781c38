import { expect, it } from 'vitest';
import { withNewValues } from '../../../scripts/bench/performance-page.ts';

it('the performance page gets the new values of the measured part, and keeps all other rows', () => {
  const page = `| part | measure | value | target | reached |
| ---- | ------- | ----: | -----: | ------- |
| host | Import | 1 ms | ≤ 2 ms | yes |
| host | Gone | 1 ms | | |
| tools | Import | 1 ms | | |
`;
  const measures = [
    { name: 'Import', value: 3, unit: 'milliseconds', target: { atMost: 2 } },
    { name: 'New', value: 3, unit: 'milliseconds' },
  ] as const;
  expect(withNewValues(page, 'host', measures)).toBe(
    page.replace('| 1 ms | ≤ 2 ms | yes |', '| 3 ms | ≤ 2 ms | **no** |'),
  );
});
