import { measureEngine } from './engine-run.ts';

/** Measures one engine in a process of its own and sends the result to the parent process. */
const [engine = '', folder = ''] = process.argv.slice(2);
const answer = await measureEngine(engine, folder).then(
  (measures) => ({ measures }),
  (error: unknown) => ({ failure: error instanceof Error ? error.message : String(error) }),
);
// Some peers leave timers and connections open that would keep the process alive.
process.send?.(answer, () => process.exit());
