import * as fc from 'fast-check';
import { soak } from './soak.ts';

/**
 * Draws the same cases in each run of `npm test`, so that a failure comes from a change and can be repeated.
 * `npm run soak` draws new cases. Runs before each test file.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), ...soak({ seed: 20_261_124 }, {}) });
