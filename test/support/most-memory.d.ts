/**
 * The most memory that this process has held, in bytes. Where Linux tells it, from `/proc`: there
 * `process.resourceUsage()` also counts the memory of the process that started this one.
 */
export declare function mostMemory(): number;
