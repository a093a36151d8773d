import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

import { exportSchema } from '@linnet/contract/export-files';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { pack } from 'tar-stream';
import { expect } from 'vitest';

export interface ReadArchive {
  /** The names of all files. */
  readonly names: readonly string[];
  /** The contents of the JSON files by their names without `.json`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- compared with a schema here, and with values in tests
  readonly json: any;
  readonly bytes: (name: string) => Uint8Array;
}

/** Reads an export, and compares every file with the schema in it. */
export function readArchive(archive: Uint8Array): ReadArchive {
  const files = unzipSync(archive);
  const bytes = (name: string) => files[name] ?? new Uint8Array();
  const names = Object.keys(files);
  const documents = names.filter((name) => name.endsWith('.json'));
  const json: ReadArchive['json'] = Object.fromEntries(
    documents.map((name) => [name.slice(0, -5), JSON.parse(strFromU8(bytes(name)))]),
  );
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const check = ajv.compile(json.schema);
  check(Object.fromEntries(documents.map((name) => [name, json[name.slice(0, -5)]])));
  expect(check.errors).toBeNull();
  expect(json.schema).toEqual(exportSchema());
  for (const name of documents) expect(strFromU8(bytes('README.txt'))).toContain(`\n${name}\n`);
  return { names, json, bytes };
}

/** A compressed TAR file, as servers of Mastodon wrote it before version 4.2. */
export async function toTarball(files: Readonly<Record<string, unknown>>): Promise<Buffer> {
  const tar = pack();
  for (const [name, bytes] of Object.entries(unzipSync(toArchive(files)))) {
    tar.entry({ name, mode: 0o444 }, Buffer.from(bytes));
  }
  tar.finalize();
  return gzipSync(await buffer(tar));
}

/** A ZIP file: of bytes, of text, or of JSON. */
export function toArchive(files: Readonly<Record<string, unknown>>): Uint8Array {
  const toBytes = (value: unknown) => strToU8(typeof value === 'string' ? value : JSON.stringify(value));
  const entries = Object.entries(files).map(
    ([name, value]) => [name, value instanceof Uint8Array ? new Uint8Array(value) : toBytes(value)] as const,
  );
  return zipSync(Object.fromEntries(entries));
}
