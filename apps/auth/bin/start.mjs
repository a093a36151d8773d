#!/usr/bin/env node
// Plain JavaScript, so that an old Node can still say what it lacks.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`Linnet needs Node 22.18 or newer; this is ${process.version}.\n`);
  process.exitCode = 1;
} else {
  await import('../dist/main.js');
}
