import * as fc from 'fast-check';
import { soak } from './soak.ts';

/**
 * Draws the same cases in each run of `npm test`, so that a failure is that of a change and anybody can repeat it;
 * `npm run soak` draws new ones. Runs before each test file.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), ...soak({ seed: 20_261_124 }, {}) });
