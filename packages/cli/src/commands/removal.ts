/** `linnet post|comment|media delete` */
import { actWithReason } from '@linnet/accounts/operators/operator-act';
import { remove } from '@linnet/social/deletion/removal-store';
import type { Removable } from '@linnet/social/deletion/removal-store';
import type { Command } from 'commander';

import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { addCommand } from './add-command.ts';
import { invoke, parseCount, reasonOption } from './command.ts';

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
