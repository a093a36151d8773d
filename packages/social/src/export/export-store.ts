/** Reads everything stored about an account, one part at a time. Depends on all other folders of this package. */
import type { Quoters } from '@linnet/contract/commenters';
import type { ReportReason, ReportSubject } from '@linnet/contract/report';
import type { Queryable } from '@linnet/db/statement/transaction';
import { firstIdSql } from '@linnet/db/text/id-time';
import { statement } from '@linnet/db/statement/statement';

import type { NotificationKind } from '@linnet/contract/notifications';
import { accountJson, authorColumns } from '../account/account-row.ts';
import type { AccountRow, AuthorColumns } from '../account/account-row.ts';
import { pictureColumns, readerOf } from '../media/media-row.ts';
import type { PostMedia } from '../media/media-row.ts';
import type { PostColumns } from '../post/post-view.ts';
import { mentionsColumn, ownPostColumns } from '../post/post-view.ts';
import { isAuthorVisible, isNotBlocked, isNotHidden } from '../account/visibility.ts';
import { exportBatchSize } from './export-cursor.ts';
import type { ExportCursor } from './export-cursor.ts';
import { draftColumns } from '../draft/draft-store.ts';
import { notificationChoice } from '../notification/notification-setting-store.ts';
import type { NotificationChoice } from '../notification/notification-setting-store.ts';
import type { DraftJson } from '../draft/draft-view.ts';
import { isCurrentFilter, wordFilterColumns } from '../filter/word-filter-store.ts';
import type { WordFilterRow } from '../filter/word-filter-store.ts';

/** Rows that come as JSON, which has no dates: `createdAt` is text in the format of RFC 3339. */
type FromJson<Row> = Omit<Row, 'createdAt'> & { readonly createdAt: string };

export interface ExportRow extends AuthorColumns {
  readonly email: string;
  readonly language: string;
  readonly accountCreatedAt: Date;
  readonly protected: boolean;
  readonly quoters: Quoters;
  readonly posts: readonly (FromJson<PostColumns> & { readonly quoteId: number | null })[];
  /** The texts that edits replaced. */
  readonly history: readonly {
    readonly id: number;
    readonly postId: number;
    readonly text: string;
    /** When the post was created. */
    readonly postedAt: string;
  }[];
  readonly reposts: readonly { readonly id: number; readonly postId: number; readonly createdAt: string }[];
  readonly comments: readonly {
    readonly id: number;
    readonly postId: number;
    readonly parentId: number | null;
    readonly text: string;
    readonly createdAt: string;
    readonly imported: boolean;
  }[];
  readonly drafts: readonly DraftJson[];
  readonly likes: readonly { readonly id: number; readonly postId: number }[];
  readonly bookmarks: readonly { readonly id: number; readonly postId: number }[];
  readonly following: readonly { readonly id: number; readonly account: AccountRow }[];
  readonly followers: readonly { readonly id: number; readonly account: AccountRow }[];
  readonly blocks: readonly { readonly id: number; readonly account: AccountRow; readonly createdAt: string }[];
  /** Those that have not ended. */
  readonly mutes: readonly {
    readonly id: number;
    readonly account: AccountRow;
    readonly createdAt: string;
    readonly endsAt: string | null;
  }[];
  /** The kinds that the account does not want. */
  readonly preferences: NotificationChoice;
  /** Without those by deleted accounts, or with a block in between. */
  readonly notifications: readonly {
    readonly id: number;
    readonly kind: NotificationKind;
    readonly postId: number | null;
    readonly commentId: number | null;
    readonly read: boolean;
    readonly account: AccountRow;
  }[];
  /** Those that the account sent. */
  readonly reports: readonly {
    readonly id: number;
    readonly type: ReportSubject;
    readonly subjectId: number;
    readonly reason: ReportReason;
    readonly text: string;
    readonly createdAt: string;
    readonly isOpen: boolean;
  }[];
  readonly filters: readonly (Omit<WordFilterRow, 'createdAt' | 'endsAt'> & {
    readonly createdAt: string;
    readonly endsAt: string | null;
  })[];
  /** Those that the account follows. */
  readonly hashtags: readonly string[];
  /** Those with which the account invites others, oldest first. */
  readonly invitations: readonly {
    readonly note: string;
    readonly uses: number;
    readonly maxUses: number;
    readonly createdAt: string;
    readonly expiresAt: string;
  }[];
  readonly providers: readonly {
    readonly issuer: string;
    readonly name: string;
    readonly subject: string;
    readonly createdAt: string;
    readonly lastUsedAt: string | null;
  }[];
  /** Attached to a post or not. */
  readonly media: readonly (PostMedia & {
    readonly postId: number | null;
    readonly createdAt: string;
  })[];
}

type Params = readonly [
  accountId: number,
  posts: number,
  reposts: number,
  comments: number,
  likes: number,
  following: number,
  followers: number,
  media: number,
  bookmarks: number,
  blocks: number,
  mutes: number,
  notifications: number,
  reports: number,
  history: number,
  drafts: number,
];

/** SQL: one kind as a JSON array, oldest first. */
function part(name: keyof ExportCursor, columns: string, source: string): string {
  return `(SELECT COALESCE(json_agg(x ORDER BY x.id), '[]') FROM (
     SELECT ${columns} FROM ${source} LIMIT ${String(exportBatchSize)}
   ) x) AS ${name}`;
}

/** `set_aside.kind` of each table. */
const archivedKinds = { follow: 'follow', post_like: 'like', repost: 'repost', comment: 'comment' } as const;

const follows = {
  following: followPart('following', { own: 'follower_id', other: 'followed_id', after: '$6' }),
  followers: followPart('followers', { own: 'followed_id', other: 'follower_id', after: '$7' }),
};

interface FollowColumns {
  /** The column that holds the exported account. */
  readonly own: string;
  readonly other: string;
  /** The statement parameter that holds the cursor. */
  readonly after: string;
}

function followPart(name: 'following' | 'followers', { own, other, after }: FollowColumns): string {
  const shown = `JOIN account o ON o.id = f.${other} AND o.hidden_at IS NULL`;
  return part(
    name,
    `f.id, ${accountJson('o')} AS account`,
    `${withArchived('follow', { own, after, shown })} f JOIN account o ON o.id = f.${other} ORDER BY f.id`,
  );
}

interface ArchivedRows extends Pick<FollowColumns, 'own' | 'after'> {
  /** SQL of a JOIN: which of the rows `f` are shown. */
  readonly shown?: string;
}

/** SQL: the oldest rows after the cursor, also those that were archived because the exported account is suspended. */
function withArchived(table: keyof typeof archivedKinds, { own, after, shown = '' }: ArchivedRows): string {
  const oldest = `f.${own} = a.id AND f.id > ${after} ORDER BY f.id LIMIT ${String(exportBatchSize)}`;
  return `((SELECT f.* FROM ${table} f ${shown} WHERE ${oldest}) UNION ALL (
       SELECT f.* FROM set_aside s CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, s.record) f ${shown}
       WHERE s.account_id = a.id AND s.kind = '${archivedKinds[table]}' AND s.id > ${after} AND ${oldest}))`;
}

/** SQL: the blocks or mutes `b` of the exported account with the other account `o`. */
function silenced(
  table: 'block b' | 'mute b',
  [own, other, after]: readonly [own: string, other: string, after: string],
  condition = 'true',
): string {
  return `${table} JOIN account o ON o.id = b.${other} AND o.hidden_at IS NULL
     WHERE b.${own} = a.id AND b.id > ${after} AND ${condition} ORDER BY b.id`;
}

/** SQL: the notifications `n` of the exported account. The oldest of each kind come in the order of the index. */
const notified = `(
     SELECT n.*, n.id <= COALESCE((SELECT read_id FROM notification_setting WHERE account_id = a.id), 0) AS read
     FROM unnest(enum_range(NULL::notification_kind)) k(kind) CROSS JOIN LATERAL (
       SELECT n.* FROM notification n WHERE n.account_id = a.id AND n.kind = k.kind AND n.id > $12
         AND ${isNotHidden('n.actor_id')} AND ${isNotBlocked('$1::bigint', 'n.actor_id')}
         AND ${isAuthorVisible('$1::bigint', 'n.owner_id')}
       ORDER BY n.id LIMIT ${String(exportBatchSize)}
     ) n ORDER BY n.id LIMIT ${String(exportBatchSize)}
   ) n JOIN account o ON o.id = n.actor_id ORDER BY n.id`;

const exportStatement = statement<Params, ExportRow>(
  'account_export',
  `SELECT a.email, a.language, a.protected, a.quoters, a.created_at AS "accountCreatedAt", ${authorColumns('a')},
   ${part('posts', `${ownPostColumns('p', '$1::bigint')}, ${mentionsColumn('p', '$1::bigint')}, abs(p.quote_id) AS "quoteId"`, 'post p WHERE p.author_id = a.id AND p.id > $2 ORDER BY p.id')},
   ${part('history', 'v.id, v.post_id AS "postId", v.text, p.created_at AS "postedAt"', 'post_version v JOIN post p ON p.id = v.post_id WHERE v.author_id = a.id AND v.id > $14 ORDER BY v.id')},
   ${part('reposts', 'r.id, r.post_id AS "postId", r.created_at AS "createdAt"', `${withArchived('repost', { own: 'account_id', after: '$3' })} r ORDER BY r.id`)},
   ${part('comments', 'c.id, c.post_id AS "postId", c.parent_id AS "parentId", c.text, c.created_at AS "createdAt", c.imported', `${withArchived('comment', { own: 'author_id', after: '$4' })} c ORDER BY c.id`)},
   ${part('drafts', draftColumns, 'draft d WHERE d.account_id = a.id AND d.id > $15 ORDER BY d.id')},
   ${part('likes', 'l.id, l.post_id AS "postId"', `${withArchived('post_like', { own: 'account_id', after: '$5' })} l ORDER BY l.id`)},
   ${part('bookmarks', 'b.id, b.post_id AS "postId"', 'bookmark b WHERE b.account_id = a.id AND b.id > $9 ORDER BY b.id')},
   ${follows.following},
   ${follows.followers},
   ${part('media', `m.id, m.post_id AS "postId", m.name, m.bytes, ${pictureColumns('m')}, ${readerOf('a', 'a.id')} AS reader, m.created_at AS "createdAt"`, 'media m WHERE m.owner_id = a.id AND m.id > $8 ORDER BY m.id')},
   ${part('blocks', `b.id, b.created_at AS "createdAt", ${accountJson('o')} AS account`, silenced('block b', ['blocker_id', 'blocked_id', '$10']))},
   ${part('mutes', `b.id, b.created_at AS "createdAt", b.ends_at AS "endsAt", ${accountJson('o')} AS account`, silenced('mute b', ['muter_id', 'muted_id', '$11'], '(b.ends_at IS NULL OR b.ends_at > now())'))},
   ${part('notifications', `n.id, n.kind, n.post_id AS "postId", n.comment_id AS "commentId", n.read, ${accountJson('o')} AS account`, notified)},
   (SELECT COALESCE(json_agg(x ORDER BY x.id), '[]') FROM (SELECT ${wordFilterColumns} FROM word_filter f WHERE f.account_id = a.id AND ${isCurrentFilter}) x) AS filters,
   ARRAY(SELECT hashtag::text FROM hashtag_follow f WHERE f.account_id = a.id ORDER BY id) AS hashtags,
   (SELECT COALESCE(json_agg(x ORDER BY x.id), '[]') FROM (
      SELECT id, note, uses, max_uses AS "maxUses", created_at AS "createdAt", expires_at AS "expiresAt" FROM invitation WHERE account_id = a.id
    ) x) AS invitations,
   (SELECT COALESCE(json_agg(x ORDER BY x.id), '[]') FROM (
      SELECT id, issuer, name, subject, created_at AS "createdAt", last_used_at AS "lastUsedAt" FROM upstream_identity WHERE account_id = a.id
    ) x) AS providers,
   ${notificationChoice('a.id')} AS preferences,
   ${part('reports', 'r.id, c.subject_type AS type, c.subject_id AS "subjectId", r.reason, r.text, r.created_at AS "createdAt", c.resolved_at IS NULL AS "isOpen"', 'report r JOIN report_case c ON c.id = r.case_id WHERE r.reporter_id = a.id AND r.id > $13 ORDER BY r.id')}
   FROM account a WHERE a.id = $1 AND a.deleted_at IS NULL`,
);

/** Returns at most `exportBatchSize` records of each kind after `cursor`. `undefined`: the account does not exist. */
export async function findExport(
  db: Queryable,
  accountId: number,
  cursor: ExportCursor,
): Promise<ExportRow | undefined> {
  const [row] = await db.query(exportStatement, [
    accountId,
    cursor.posts,
    cursor.reposts,
    cursor.comments,
    cursor.likes,
    cursor.following,
    cursor.followers,
    cursor.media,
    cursor.bookmarks,
    cursor.blocks,
    cursor.mutes,
    cursor.notifications,
    cursor.reports,
    cursor.history,
    cursor.drafts,
  ]);
  return row;
}

const recordStatement = statement<readonly [accountId: number, clientId: string], never>(
  'account_export_record',
  // Ids ascend with time (next_id), so the index audit_event_account_idx bounds the search.
  `SELECT audit('account.exported', 'application', $1::bigint, $2::text)
    WHERE NOT EXISTS (
      SELECT FROM audit_event
       WHERE account_id = $1 AND event = 'account.exported' AND client_id = $2
         AND id > ${firstIdSql("now() - interval '1 hour'")})`,
);

/**
 * Records in the audit log that an application exported the account: once an hour, because an export comes in many parts,
 * and an application can repeat it.
 */
export async function recordExport(db: Queryable, accountId: number, clientId: string): Promise<void> {
  await db.query(recordStatement, [accountId, clientId]);
}
