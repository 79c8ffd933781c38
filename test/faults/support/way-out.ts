/**
 * A way out of the sandbox: a command line that prints `%WON%` on success, shows `%SECRET%`, or has an effect
 * outside that the test sees. `OutsideWorld` provides the values of names between two `%`.
 */
export interface WayOut {
  readonly name: string;
  readonly command: string;
  /** Runs outside before each attempt, to restore what the attempt uses up. */
  readonly prepare?: string;
  /** True if trying it outside, to prove its effect, would harm the machine. */
  readonly isHarmful?: boolean;
}

/**
 * A program in Perl, which every Debian has, and which can call the kernel directly; `t` makes a string for a
 * call.
 */
export function perl(code: string): string {
  return `perl -MSocket=:DEFAULT,inet_pton -MErrno -e 'sub t { my $t = shift } ${code}'`;
}

/** Numbers of system calls, on x86-64 and arm64. */
const numbers = {
  x64: { keyctl: 250, request_key: 249, ptrace: 101, process_vm_readv: 310, bpf: 321, perf_event_open: 298 },
  arm64: {
    keyctl: 219,
    request_key: 218,
    ptrace: 117,
    process_vm_readv: 270,
    bpf: 280,
    perf_event_open: 241,
  },
};
const more = {
  x64: { userfaultfd: 323, kexec_load: 246, init_module: 175, unshare: 272, mount: 165, pivot_root: 155 },
  arm64: { userfaultfd: 282, kexec_load: 104, init_module: 105, unshare: 97, mount: 40, pivot_root: 41 },
};
const most = {
  x64: { mq_open: 240, mq_timedsend: 242, mq_timedreceive: 243, open_by_handle_at: 304, syslog: 103 },
  arm64: { mq_open: 180, mq_timedsend: 182, mq_timedreceive: 183, open_by_handle_at: 265, syslog: 116 },
};
const processor = process.arch === 'arm64' ? 'arm64' : 'x64';
export const callNumbers = {
  ...numbers[processor],
  ...more[processor],
  ...most[processor],
  add_key: processor === 'arm64' ? 217 : 248,
  io_uring_setup: 425,
  open_tree: 428,
  fsopen: 430,
  pidfd_open: 434,
  clone3: 435,
  mount_setattr: 442,
};

/** Succeeds if the kernel accepted a call, or refused it for another reason than the filter. */
export function reaches(name: keyof typeof callNumbers, values: string): string {
  const given = values.replaceAll(/"[^"]*"(?: x \d+)?/g, (text) => `t(${text})`);
  const errors = ['EINVAL', 'EFAULT', 'ENOEXEC', 'ENOENT', 'EBADF', 'ENOKEY'].map((each) => `$!{${each}}`);
  return perl(
    `$r = syscall(${[String(callNumbers[name]), given].join(', ')}); print "%WON%" if $r >= 0 or ${errors.join(' or ')}`,
  );
}
