/**
 * Runs the long form of the fault tests, the contract of the strategies, the views and the editor: more kills, more
 * mutations, more generated histories, every strategy and every theme. This takes about three quarters of an
 * hour on two cores.
 *
 * Usage: node scripts/soak.ts [STAGE …]
 */
import process from 'node:process';

process.env['CONTEXT_BUDGET_SOAK'] = '1';
if (process.argv.length === 2) process.argv.push('faults', 'contract', 'webview', 'unit', 'end-to-end');
await import('./test.ts');
