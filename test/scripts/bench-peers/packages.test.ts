import { describe, expect, it } from 'vitest';
import { peers } from '../../../scripts/bench-peers/engines.ts';
import { manifestOf, peerPackages, reasonIn } from '../../../scripts/bench-peers/packages.ts';

describe('the packages of the peers', () => {
  it('are pinned', () => {
    const { private: isPrivate, dependencies } = JSON.parse(manifestOf(peerPackages)) as {
      readonly private: boolean;
      readonly dependencies: Readonly<Record<string, string>>;
    };
    expect(isPrivate).toBe(true);
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/u);
  });

  it('have every peer among them', () => {
    expect(peers.map(({ packageName }) => packageName).filter((name) => !(name in peerPackages))).toEqual([]);
  });
});

describe("the reason of npm's failure", () => {
  it('is the line that tells it, without addresses and paths', () => {
    const output = [
      'npm error code E404',
      'npm error 404 Not Found - GET https://registry.example/no-such - Not found',
      'npm error A complete log of this run can be found in: /home/someone/.npm/_logs/x.log',
    ].join('\n');
    expect(reasonIn(output)).toBe('404 Not Found - GET … - Not found');
    expect(reasonIn("npm error code EACCES\nnpm error Cannot write to /home/someone/x 'y'")).toBe(
      "Cannot write to … 'y'",
    );
  });

  it('is something even where npm said nothing', () => {
    expect(reasonIn('')).toBe('npm failed');
  });
});
