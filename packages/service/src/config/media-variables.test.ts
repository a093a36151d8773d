import { expect, test } from 'vitest';
import { z } from 'zod';

import { ConfigurationError } from './configuration-error.ts';
import { readEnvironment } from './environment.ts';
import { mediaVariables, toMediaSettings } from './variables.ts';

const bucket = {
  S3_ENDPOINT: 'https://objects.example.org/',
  S3_BUCKET: 'linnet-media',
  S3_ACCESS_KEY_ID: 'an access key',
  S3_SECRET_ACCESS_KEY: 'a secret',
};

const read = (env: Record<string, string>) => toMediaSettings(readEnvironment(z.object(mediaVariables(env)), env));

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

test('by default files are stored in DATA_DIR and public at BASE_URL', () => {
  expect(read({})).toEqual({ store: 'file', bucket: undefined, url: undefined });
});

test('a bucket needs its address and keys, and has defaults for the rest', () => {
  const { store, bucket: settings } = read({ ...bucket, MEDIA_STORE: 's3' });
  expect([store, settings?.secretAccessKey.reveal()]).toEqual(['s3', 'a secret']);
  expect(settings).toMatchObject({
    ...{ endpoint: 'https://objects.example.org', bucket: 'linnet-media', region: 'us-east-1' },
    ...{ isPathStyle: true, prefix: '', reads: 'proxied' },
  });
  const missing = Object.keys(bucket).map((name) => `${name}: is required`);
  expect(problemsOf({ MEDIA_STORE: 's3' })).toEqual(missing);
});

test('a bucket that is not used for new files any more must be described completely too', () => {
  expect(read(bucket)).toMatchObject({ store: 'file', bucket: { bucket: 'linnet-media' } });
  expect(problemsOf({ S3_BUCKET: 'linnet-media' })).toHaveLength(3);
});

test.each([
  ['MEDIA_STORE', 'disk'],
  ['S3_ENDPOINT', 'objects.example.org'],
  ['S3_ENDPOINT', 'https://objects.example.org/bucket'],
  ['S3_ENDPOINT', 'https://user:password@objects.example.org'],
  ['S3_ENDPOINT', 'ftp://objects.example.org'],
  ['S3_BUCKET', 'Uppercase'],
  ['S3_BUCKET', '../other'],
  ['S3_REGION', 'Frankfurt!'],
  ['S3_PATH_STYLE', 'yes'],
  ['S3_PREFIX', '/media'],
  ['S3_PREFIX', 'a//b'],
  ['S3_PREFIX', 'a/../b'],
  ['S3_READS', 'public'],
  ['MEDIA_URL', 'http://cdn.example.org'],
  ['MEDIA_URL', 'https://cdn.example.org/path'],
])('%s=%s is rejected', (name, value) => {
  expect(problemsOf({ ...bucket, [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name}: must`))]);
});

test.each([
  ['linnet', 'linnet/'],
  ['linnet/media/', 'linnet/media/'],
])('S3_PREFIX=%s becomes %s', (text, prefix) => {
  expect(read({ ...bucket, S3_PREFIX: text }).bucket?.prefix).toBe(prefix);
});

test('the keys can be in files, and are not shown', () => {
  expect(() => read({ ...bucket, S3_SECRET_ACCESS_KEY_FILE: '/run/secrets/key' })).toThrow('set either');
  expect(JSON.stringify(read(bucket))).not.toContain('a secret');
});
