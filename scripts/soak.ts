/** Runs the fault tests in their long form: more kills, more mutations, more fuzzing. Takes hours. */
import process from 'node:process';

process.env['CONTEXT_BUDGET_SOAK'] = '1';
process.argv.push('faults');
await import('./test.ts');
