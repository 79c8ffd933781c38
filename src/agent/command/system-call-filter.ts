import type { ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';

/** Numbers of the system calls of a processor, as in its `unistd.h`. */
interface CallNumbers {
  /** `AUDIT_ARCH_…` of the kernel. Calls from other tables, such as the 32-bit table, have another value. */
  readonly table: number;
  /** Calls reported as missing. Their callers also support older kernels, which lack them. */
  readonly missing: readonly number[];
  readonly refused: readonly number[];
  readonly clone: number;
  readonly unshare: number;
  readonly ioctl: number;
  readonly sockets: readonly number[];
}

/** The last reviewed call, `removexattrat` of Linux 6.13. Later calls are reported as missing. */
const lastKnown = 466;

/** Newer calls, which have the same number on all processors. */
const everywhere = {
  // io_uring_setup, io_uring_enter, io_uring_register, clone3
  missing: [425, 426, 427, 435],
  // open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr, quotactl_fd
  refused: [428, 429, 430, 431, 432, 433, 442, 443],
};

const x64: CallNumbers = {
  table: 0xc000003e,
  // userfaultfd
  missing: [...everywhere.missing, 323],
  refused: [
    ...everywhere.refused,
    // mount, umount2, pivot_root, chroot, setns
    ...[165, 166, 155, 161, 308],
    // add_key, request_key, keyctl
    ...[248, 249, 250],
    // bpf, perf_event_open, name_to_handle_at, open_by_handle_at, lookup_dcookie, syslog
    ...[321, 298, 303, 304, 212, 103],
    // init_module, delete_module, finit_module, create_module, kexec_load, kexec_file_load, reboot
    ...[175, 176, 313, 174, 246, 320, 169],
    // swapon, swapoff, acct, quotactl, nfsservctl, settimeofday, clock_settime, sethostname, setdomainname
    ...[167, 168, 163, 179, 180, 164, 227, 170, 171],
    // vhangup, iopl, ioperm, uselib, _sysctl
    ...[153, 172, 173, 134, 156],
  ],
  clone: 56,
  unshare: 272,
  ioctl: 16,
  sockets: [41, 53],
};

const arm64: CallNumbers = {
  table: 0xc00000b7,
  // userfaultfd
  missing: [...everywhere.missing, 282],
  refused: [
    ...everywhere.refused,
    // mount, umount2, pivot_root, chroot, setns
    ...[40, 39, 41, 51, 268],
    // add_key, request_key, keyctl
    ...[217, 218, 219],
    // bpf, perf_event_open, name_to_handle_at, open_by_handle_at, lookup_dcookie, syslog
    ...[280, 241, 264, 265, 18, 116],
    // init_module, delete_module, finit_module, kexec_load, kexec_file_load, reboot
    ...[105, 106, 273, 104, 294, 142],
    // swapon, swapoff, acct, quotactl, nfsservctl, settimeofday, clock_settime, sethostname, setdomainname
    ...[224, 225, 89, 60, 42, 170, 112, 161, 162],
    // vhangup
    58,
  ],
  clone: 220,
  unshare: 97,
  ioctl: 29,
  sockets: [198, 199],
};

/** `CLONE_NEWNS`, `NEWCGROUP`, `NEWUTS`, `NEWIPC`, `NEWUSER`, `NEWPID` and `NEWNET`. */
const newNamespaces = 0x7e020000;
/** `CLONE_NEWTIME`, which overlaps with the signal in the flags of `clone`. */
const newTime = 0x80;
/** `TIOCSTI` and `TIOCLINUX`, which type into a terminal. */
const typing = [0x5412, 0x541c];
/** `AF_UNIX`, `AF_INET`, `AF_INET6` and `AF_NETLINK`. Others, such as vsock, escape a network namespace. */
const families = [1, 2, 10, 16];

const errors = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 };

/** Byte offsets in `struct seccomp_data`. For an argument, the offset of its lower half. */
const offsets = { call: 0, table: 4, argument: (index: number) => 16 + 8 * index };

/**
 * Returns the filter of system calls for sandboxed commands on Linux: a program of `struct sock_filter` for seccomp.
 * It refuses calls that leave the sandbox's namespaces, or use parts of the kernel that commands do not need.
 * Commands can still trace each other, as debuggers and leak checkers do, but only within the sandbox.
 * @param processor as in `process.arch`
 * @returns undefined for processors with unknown call numbers
 */
export function systemCallFilter(processor: string = process.arch): Uint8Array | undefined {
  const calls = processor === 'x64' ? x64 : processor === 'arm64' ? arm64 : undefined;
  if (calls === undefined) return undefined;
  return assembled([
    load(offsets.table),
    ...unless(jumps.equal, calls.table, killProcess),
    load(offsets.call),
    // The numbers of the x32 table are far greater, so this refuses them, too.
    ...when(jumps.greater, lastKnown, refusal(errors.ENOSYS)),
    ...calls.missing.flatMap((call) => when(jumps.equal, call, refusal(errors.ENOSYS))),
    ...calls.refused.flatMap((call) => when(jumps.equal, call, refusal(errors.EPERM))),
    ...inCall(calls.clone, [
      load(offsets.argument(0)),
      ...when(jumps.anyBit, newNamespaces, refusal(errors.EPERM)),
    ]),
    ...inCall(calls.unshare, [
      load(offsets.argument(0)),
      ...when(jumps.anyBit, newNamespaces | newTime, refusal(errors.EPERM)),
    ]),
    ...inCall(calls.ioctl, [
      load(offsets.argument(1)),
      ...typing.flatMap((request) => when(jumps.equal, request, refusal(errors.EPERM))),
    ]),
    ...calls.sockets.flatMap((call) =>
      inCall(call, [
        load(offsets.argument(0)),
        ...families.flatMap((family) => when(jumps.equal, family, allowed)),
        refusal(errors.EAFNOSUPPORT),
      ]),
    ),
    allowed,
  ]);
}

/** Sends a filter to the sandbox program, which was started with a pipe as file descriptor 4. */
export function sendFilter(child: ChildProcess, filter: Uint8Array | undefined): void {
  // The program may end before it has read the filter.
  (child.stdio[4] as Writable | null | undefined)?.on('error', () => {}).end(filter);
}

interface Instruction {
  readonly code: number;
  readonly ifTrue?: number;
  readonly ifFalse?: number;
  readonly operand: number;
}

/** Codes of `linux/bpf_common.h`: compare with a constant, then skip one of two numbers of instructions. */
const jumps = { equal: 0x15, greater: 0x25, anyBit: 0x45 };
const returns = 0x06;

const allowed: Instruction = { code: returns, operand: 0x7fff0000 };
const killProcess: Instruction = { code: returns, operand: 0x80000000 };

function refusal(error: number): Instruction {
  return { code: returns, operand: 0x00050000 | error };
}

function load(offset: number): Instruction {
  return { code: 0x20, operand: offset };
}

function when(code: number, operand: number, then: Instruction): readonly Instruction[] {
  return [{ code, ifTrue: 0, ifFalse: 1, operand }, then];
}

function unless(code: number, operand: number, then: Instruction): readonly Instruction[] {
  return [{ code, ifTrue: 1, ifFalse: 0, operand }, then];
}

/** Returns steps for one call, which end with a decision. They overwrite the loaded number of the call. */
function inCall(call: number, steps: readonly Instruction[]): readonly Instruction[] {
  const all = [...steps, allowed];
  return [{ code: jumps.equal, ifTrue: 0, ifFalse: all.length, operand: call }, ...all];
}

function assembled(instructions: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(8 * instructions.length);
  instructions.forEach(({ code, ifTrue = 0, ifFalse = 0, operand }, index) => {
    bytes.writeUInt16LE(code, 8 * index);
    bytes.writeUInt8(ifTrue, 8 * index + 2);
    bytes.writeUInt8(ifFalse, 8 * index + 3);
    bytes.writeUInt32LE(operand, 8 * index + 4);
  });
  return bytes;
}
