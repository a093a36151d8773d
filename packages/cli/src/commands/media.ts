import { actWithReason } from '@linnet/accounts/operators/operator-act';
import { moveMedia } from '@linnet/media/move/media-move';
import type { MoveCounts } from '@linnet/media/move/media-move';
import { openStorages } from '@linnet/media/storage/open-storage';
import type { OpenedStorages } from '@linnet/media/storage/open-storage';
import { remove } from '@linnet/social/deletion/removal-store';
import type { Removable } from '@linnet/social/deletion/removal-store';
import { Option } from 'commander';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toList } from '../output.ts';
import { addCommand } from './add-command.ts';
import { invoke, parseCount, reasonOption } from './command.ts';

type Place = 's3' | 'disk';

interface MoveCommandOptions {
  readonly to: Place;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `linnet media …` */
export function addMedia(program: Command): void {
  const media = program.command('media').description('manage images and their files');
  addRemoval(media, 'media');
  addCommand(media, {
    usage: 'move',
    summary: 'move the files of images to where MEDIA_STORE says; the service can run, and a second run continues',
  })
    .addOption(new Option('--to <place>', 'where to').choices(['s3', 'disk']).makeOptionMandatory())
    .option('--dry-run', 'only count what would be moved')
    .action(move);
}

async function move(options: MoveCommandOptions): Promise<void> {
  const { config, output } = invoke(options.json);
  await using storages = openStorages(config);
  const isDryRun = options.dryRun === true;
  const places = choosePlaces(config, storages, options);
  const counts = await withDatabase(
    config,
    async (db) => await moveMedia({ db, ...places, isDryRun, onProgress: createProgress() }),
  );
  const document = { to: options.to, dryRun: isDryRun, ...counts };
  output.result(document, toText(counts));
  if (counts.damaged > 0) process.exitCode = 1;
}

/** @throws CommandError if the service would not find the files after the move */
function choosePlaces({ media }: Config, { disk, bucket }: OpenedStorages, { to, dryRun }: MoveCommandOptions) {
  if (bucket === undefined) {
    throw new CommandError('configuration', 'Set S3_ENDPOINT, S3_BUCKET and the keys of the bucket.');
  }
  const store = to === 's3' ? 's3' : 'file';
  if (media.store !== store && dryRun !== true) {
    throw new CommandError(
      'configuration',
      `MEDIA_STORE is ${media.store}. Set MEDIA_STORE=${store}, keep the S3_ variables, and restart every server first.`,
    );
  }
  return to === 's3' ? { source: disk, target: bucket.storage } : { source: bucket.storage, target: disk };
}

const progressEveryMs = 5000;

/** Reports progress on stderr, every five seconds. */
function createProgress(): (counts: Readonly<MoveCounts>, share: number) => void {
  let reportedAt = performance.now();
  return ({ moved, bytes }, share) => {
    if (performance.now() - reportedAt < progressEveryMs) return;
    reportedAt = performance.now();
    process.stderr.write(`${String(Math.floor(share * 100))} %: ${String(moved)} images, ${String(bytes)} bytes\n`);
  };
}

function toText({ found, moved, bytes, unrecorded, damaged }: Readonly<MoveCounts>): string {
  return toList([
    ['images found', String(found)],
    ['moved', String(moved)],
    ['bytes', String(bytes)],
    ['without a record, not moved', String(unrecorded)],
    ['incomplete, not moved', String(damaged)],
  ]);
}

/** `linnet post|comment|media delete` */

export function addPost(program: Command): void {
  addRemoval(program.command('post').description('delete posts of people'), 'post');
}

export function addComment(program: Command): void {
  addRemoval(program.command('comment').description('delete comments of people'), 'comment');
}

const summaries: Readonly<Record<Removable, string>> = {
  post: 'delete a post with its comments, likes and reposts',
  comment: 'delete a comment',
  media: 'delete a picture; the post that shows it stays',
};

export function addRemoval(parent: Command, kind: Removable): void {
  addCommand(parent, { usage: 'delete', summary: summaries[kind] })
    .argument('<id>', 'the id that the API shows', parseCount(Number.MAX_SAFE_INTEGER))
    .addOption(reasonOption())
    .action(async (id: number, { reason, json }: { readonly reason: string; readonly json?: boolean }) => {
      const { config, output } = invoke(json);
      const isRemoved = await withDatabase(config, (db) =>
        actWithReason(db, reason, (within) => remove({ within, outside: db }, kind, id)),
      );
      if (!isRemoved) throw new CommandError(`${kind}-not-found`, `There is no ${kind} with the id ${String(id)}.`);
      output.result({ ok: true }, `The ${kind} ${String(id)} is deleted.`);
    });
}
