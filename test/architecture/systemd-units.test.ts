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

test.each([
  ['auth', 'linnet-auth'],
  ['api', 'linnet-api'],
  ['api-2', 'linnet-api'],
])('linnet@%s starts %s', (instance, program) => {
  const bin = mkdtempSync(join(folder, 'bin-'));
  writeFileSync(join(bin, program), `#!/bin/sh\necho ${program}\n`, { mode: 0o755 });
  const unit = readFileSync(join(units, 'linnet@.service'), 'utf8');
  const [, script = ''] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(unit) ?? [];
  // As systemd.service(5) reads the line.
  const specifiers: Readonly<Record<string, string>> = { '%i': instance, '%%': '%', $$: '$' };
  const expanded = script.replaceAll(/%.|\$\$/g, (found) => specifiers[found] ?? found);
  const command = expanded.replace('/opt/linnet/bin', bin);
  expect(execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' }).trim()).toBe(program);
});

const verified = ['linnet@auth.service', 'linnet@api.service', 'linnet@api-2.service', 'linnet-migrate.service'];

test.runIf(isInstalled).each(verified)(
  `systemd finds no mistake in %s, and an exposure level of at most 1.5${note}`,
  (name) => {
    const template = name.replace(/@[\w-]+/, '@');
    const file = join(folder, name);
    writeFileSync(file, readFileSync(join(folder, template)));
    const mistakes = execFileSync(analyze, ['verify', file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    expect(mistakes).toBe('');
    // The command fails above the threshold, in tenths.
    const security = ['security', '--no-pager', '--offline=true', '--threshold=15', file];
    expect(execFileSync(analyze, security, { encoding: 'utf8' })).toContain('Overall exposure level');
  },
);
