import { describe, expect, it } from 'vitest';
import { systemCallFilter } from '../../../src/agent/command/system-call-filter.ts';

interface Call {
  readonly table: number;
  readonly number: number;
  readonly arguments?: readonly number[];
}

/** The kernel's answer to a call, by the part of `bpf(4)` of BSD that call filters use. */
function answer(filter: Uint8Array, call: Call): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number, 0);
  data.writeUInt32LE(call.table, 4);
  // The upper half of an argument may contain any value.
  (call.arguments ?? []).forEach((value, index) =>
    data.writeBigUInt64LE((1n << 63n) | BigInt(value), 16 + 8 * index),
  );
  const program = Buffer.from(filter);
  let loaded = 0;
  for (let at = 0; ; at += 8) {
    const [code, ifTrue, ifFalse] = [program.readUInt16LE(at), program[at + 2]!, program[at + 3]!];
    const operand = program.readUInt32LE(at + 4);
    const jump = (isTrue: boolean) => (at += 8 * (isTrue ? ifTrue : ifFalse));
    if (code === 0x20) loaded = data.readUInt32LE(operand);
    else if (code === 0x15) jump(loaded === operand);
    else if (code === 0x25) jump(loaded > operand);
    else if (code === 0x45) jump((loaded & operand) !== 0);
    else if (code === 0x06) return names.get(operand) ?? `unknown answer ${operand}`;
    else return `unknown code ${code}`;
  }
}

const names = new Map([
  [0x7fff0000, 'allowed'],
  [0x80000000, 'killed'],
  [0x00050001, 'EPERM'],
  [0x00050026, 'ENOSYS'],
  [0x00050061, 'EAFNOSUPPORT'],
]);

const x64 = { table: 0xc000003e, read: 0, mount: 165, keyctl: 250, clone: 56, unshare: 272, ioctl: 16 };
const arm64 = { table: 0xc00000b7, read: 63, mount: 40, keyctl: 219, clone: 220, unshare: 97, ioctl: 29 };

describe.each([
  ['x64', { ...x64, socket: 41, ptrace: 101 }],
  ['arm64', { ...arm64, socket: 198, ptrace: 117 }],
] as const)('the filter for %s', (processor, calls) => {
  const filter = systemCallFilter(processor)!;
  const says = (number: number, ...values: readonly number[]) =>
    answer(filter, { table: calls.table, number, arguments: values });

  it.each([
    ['files', calls.read, [], 'allowed'],
    ['tracing, which reaches only processes of the sandbox', calls.ptrace, [], 'allowed'],
    ['mounts', calls.mount, [], 'EPERM'],
    ['mounts with newer calls', 429, [], 'EPERM'],
    ['kernel keys', calls.keyctl, [], 'EPERM'],
    ['io_uring, which would bypass the filter', 425, [], 'ENOSYS'],
    ['processes with arguments that the filter cannot see', 435, [], 'ENOSYS'],
    ['processes', calls.clone, [0x11], 'allowed'],
    ['processes in new namespaces', calls.clone, [0x10000011], 'EPERM'],
    ['a separate file table', calls.unshare, [0x400], 'allowed'],
    ['a new user namespace', calls.unshare, [0x10000000], 'EPERM'],
    ['a new time namespace', calls.unshare, [0x80], 'EPERM'],
    ['the size of a terminal', calls.ioctl, [1, 0x5413], 'allowed'],
    ['typing into a terminal', calls.ioctl, [1, 0x5412], 'EPERM'],
    ['Unix sockets', calls.socket, [1], 'allowed'],
    ['IPv6 sockets', calls.socket, [10], 'allowed'],
    ['raw packets', calls.socket, [17], 'EAFNOSUPPORT'],
    ['sockets to the host of a virtual machine', calls.socket, [40], 'EAFNOSUPPORT'],
    ['unknown calls', 467, [], 'ENOSYS'],
    ['calls of the x32 table', 0x40000000 + calls.read, [], 'ENOSYS'],
  ] as const)('gives the expected answer to calls for %s', (_what, number, values, expected) => {
    expect(says(number, ...values)).toBe(expected);
  });

  it('kills a process that uses the call numbers of another processor', () => {
    expect(answer(filter, { table: 0x40000003, number: calls.read })).toBe('killed');
  });
});

it('systemCallFilter returns no filter for an unknown processor', () => {
  expect(systemCallFilter('riscv64')).toBeUndefined();
});
