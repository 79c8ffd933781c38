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

it('a grid of the performance page gets the new values of its part, in bold where a target is missed', () => {
  const page = `| part | measure | value | target | reached |
| ---- | ------- | ----: | -----: | ------- |
| counting | Russian: fast | 1 × | | |

| counting | fast | slow |
| -------- | ---: | ---: |
| Russian | 1 × | 1 × |
| Thai | 1 × | 1 × |

| host | fast | slow |
| ---- | ---: | ---: |
| Thai | 1 × | 1 × |
`;
  const measures = [
    { name: 'Russian: fast', value: 2, unit: 'times', target: { atLeast: 2 } },
    { name: 'Russian: slow', value: 1.5, unit: 'times', target: { atLeast: 2 } },
    { name: 'Thai: slow', value: 3, unit: 'times' },
  ] as const;
  expect(withNewValues(page, 'counting', measures)).toBe(
    page
      .replace('fast | 1 × | | |', 'fast | 2 × | ≥ 2 × | yes |')
      .replace('| Russian | 1 × | 1 × |', '| Russian | 2 × | **1.5 ×** |')
      .replace('| Thai | 1 × | 1 × |', '| Thai | 1 × | 3 × |'),
  );
});
