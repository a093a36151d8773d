import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { repositoryRoot } from './run-tool.ts';

/** The units in docs/operations/systemd, with systemd's own checks; the programs they start need not be installed. */

const analyze = '/usr/bin/systemd-analyze';
const isInstalled = existsSync(analyze);
const note = isInstalled ? '' : ' (systemd-analyze not installed)';
const units = join(repositoryRoot, 'docs/operations/systemd');
const folder = mkdtempSync(join(tmpdir(), 'linnet-units-'));

for (const name of readdirSync(units).filter((file) => file.endsWith('.service'))) {
  const unit = readFileSync(join(units, name), 'utf8').replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true');
  writeFileSync(join(folder, name), unit);
}

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test.runIf(isInstalled).each(['linnet@auth.service', 'linnet@api.service', 'linnet-migrate.service'])(
  `systemd finds no mistake in %s, and an exposure level of at most 1.5${note}`,
  (name) => {
    const template = name.replace(/@\w+/, '@');
    const file = join(folder, name);
    writeFileSync(file, readFileSync(join(folder, template)));
    const verified = execFileSync(analyze, ['verify', file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    expect(verified).toBe('');
    // The command fails above the threshold, in tenths.
    const security = ['security', '--no-pager', '--offline=true', '--threshold=15', file];
    expect(execFileSync(analyze, security, { encoding: 'utf8' })).toContain('Overall exposure level');
  },
);
