import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Db } from '@linnet/db/database';
import type { Media } from '@linnet/media/media';
import { importFile, planImport, undoImport } from '@linnet/social/import/import-account';
import { ImportRefused, importLimits } from '@linnet/social/import/import-archive';
import type { LeftOutReason } from '@linnet/social/import/import-plan';
import { auditImport, findImports } from '@linnet/social/import/import-store';
import type { ImportRow } from '@linnet/social/import/import-store';
import type { VNode } from 'preact';

import type { FileForm } from '../../pages/form/file-form.ts';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { ErrorSummary, FileField, PostForm, TextField } from '../../pages/views/field.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { checkPassword } from '../../sign-in/password/password-form.ts';
import type { PasswordCheckOptions } from '../../sign-in/password/password-form.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { AccountLayout } from './account-layout.tsx';

interface ImportRouteOptions extends PasswordCheckOptions {
  readonly db: Db;
  readonly media: Pick<Media, 'imports' | 'storage'>;
  readonly baseUrl: string;
}

const perDay = 5;
const dayMs = 24 * 3_600_000;
/** How long a request waits for a small file, so that its page shows the result. */
const patienceMs = 3000;

/** The imports that this process works on. */
interface Runner {
  readonly isRunning: (accountId: number) => boolean;
  /** What is stored stays stored if the server stops; the same file continues. */
  readonly run: (accountId: number, work: () => Promise<void>) => Promise<void>;
}

function createRunner(): Runner {
  const running = new Set<number>();
  async function runApart(accountId: number, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      process.emitWarning(`an import stopped: ${String(error)}`);
    } finally {
      running.delete(accountId);
    }
  }
  return {
    isRunning: (accountId) => running.has(accountId),
    run: async (accountId, work) => {
      running.add(accountId);
      await Promise.race([runApart(accountId, work), delay(patienceMs, undefined, { ref: false })]);
    },
  };
}

/** `/account/import`: posts from elsewhere. Needs the password. */
export function importRoute(options: ImportRouteOptions): AreaPage {
  const { db, media } = options;
  const runner = createRunner();
  return {
    path: pagePaths.import,
    show: async (visit) => await show(db, visit, { done: findDone(visit.ctx, ['started', 'undone']) }),
    forms: { undo: { stepUp: 'none', act: async (visit, form) => await undo({ db, runner }, visit, form.text('id')) } },
    upload: {
      field: { name: 'archive', maxBytes: importLimits.fileBytes, directory: media.storage.draftDirectory },
      submit: async (visit, form) => {
        const error =
          (await findPasswordError(options, visit, form)) ?? (await receive({ ...options, runner }, visit, form));
        if (error === undefined) redirectTo(visit.ctx, pagePaths.import, 'started');
        else await show(db, visit, error);
      },
      rejectTooLong: async (visit) => await show(db, visit, { ...refuse(visit, 'too-large'), status: 413 }),
    },
  };
}

async function show(db: Db, { ctx, frame, session }: Visit, { status = 200, ...state }: Shown): Promise<void> {
  const imports = await findImports(db, session.accountId);
  renderPage(ctx, <ImportPage frame={frame} imports={imports} {...state} />, { status });
}

interface Shown extends PageState {
  readonly status?: number;
}

function refuse({ frame }: Visit, problem: ImportPageProblem, entry = ''): Shown {
  const { [problem]: text } = frame.messages.imports.problems;
  return {
    status: problem === 'too-many' ? 429 : 422,
    errors: { archive: entry === '' ? text : `${text} (${entry})` },
  };
}

async function findPasswordError(
  check: PasswordCheckOptions,
  visit: Visit,
  form: FileForm,
): Promise<Shown | undefined> {
  const { passwordCheck } = visit.frame.messages.account;
  const outcome = await checkPassword(check, visit, form.text('password'));
  if (outcome === 'right') return undefined;
  if (outcome === 'throttled') return { status: 429, problem: passwordCheck.throttled };
  return { status: 422, errors: { password: passwordCheck[outcome] } };
}

type Importing = Pick<ImportRouteOptions, 'db' | 'media' | 'baseUrl'> & { readonly runner: Runner };

/** `undefined`: the import has begun. */
async function receive({ runner, ...options }: Importing, visit: Visit, form: FileForm): Promise<Shown | undefined> {
  const { db, media, baseUrl } = options;
  const { accountId } = visit.session;
  if (form.file === undefined) return refuse(visit, 'missing');
  if (runner.isRunning(accountId)) return refuse(visit, 'one-at-a-time');
  const ages = (await findImports(db, accountId)).map(({ createdAt }) => Date.now() - createdAt.getTime());
  if (ages.filter((age) => age < dayMs).length >= perDay) return refuse(visit, 'too-many');
  const path = join(media.storage.draftDirectory, `import-${randomUUID()}`);
  await rename(form.file.path, path);
  try {
    await planImport(path, baseUrl);
  } catch (error) {
    await rm(path, { force: true });
    if (error instanceof ImportRefused) return refuse(visit, error.problem, error.entry);
    throw error;
  }
  await auditImport(db, 'account.imported', accountId);
  await runner.run(accountId, async () => {
    try {
      await importFile({ db, media, accountId, baseUrl }, path);
    } finally {
      await rm(path, { force: true });
    }
  });
  return undefined;
}

async function undo({ db, runner }: Pick<Importing, 'db' | 'runner'>, visit: Visit, given: string): Promise<void> {
  const { accountId } = visit.session;
  const id = Number(given);
  await runner.run(accountId, async () => {
    const deleted = Number.isSafeInteger(id) ? await undoImport(db, accountId, id) : undefined;
    if (deleted !== undefined) await auditImport(db, 'account.import_undone', accountId);
  });
  redirectTo(visit.ctx, pagePaths.import, 'undone');
}

type ImportPageProblem = keyof Frame['messages']['imports']['problems'];

interface PageState {
  readonly errors?: FieldErrors<'archive' | 'password'>;
  /** An error that belongs to no field. */
  readonly problem?: string;
  readonly done?: 'started' | 'undone' | undefined;
}

interface ImportPageProps extends PageState {
  readonly frame: Frame;
  readonly imports: readonly ImportRow[];
}

export function ImportPage({ frame, imports, errors = {}, problem, done }: ImportPageProps): VNode {
  const { imports: texts, account, formatNumber } = frame.messages;
  return (
    <AccountLayout frame={frame} page="import" title={texts.title}>
      <p class="lead">{texts.intro}</p>
      <p class="quiet small">{texts.bluesky}</p>
      {done === undefined ? null : <Notice kind="done">{texts[done]}</Notice>}
      <ErrorSummary frame={frame} errors={errors} problem={problem} />
      <PostForm frame={frame} username={frame.viewer?.username} hasFile class="panel">
        <FileField
          name="archive"
          label={texts.file}
          hint={texts.fileHint(importLimits.fileBytes / 1024 ** 2, formatNumber(importLimits.items))}
          error={errors.archive}
          accept=".zip,.car,.gz,application/zip,application/vnd.ipld.car,application/gzip,application/octet-stream"
        />
        <TextField
          name="password"
          type="password"
          label={account.passwordCheck.field}
          hint={texts.passwordHint}
          error={errors.password}
          autocomplete="current-password"
        />
        <button class="button" data-testid="import-posts">
          {texts.submit}
        </button>
      </PostForm>
      <section>
        <h2>{texts.listTitle}</h2>
        {imports.length === 0 ? (
          <p class="empty">{texts.none}</p>
        ) : (
          <PostForm frame={frame} hidden={{ action: 'undo' }}>
            <ul class="rows" data-testid="imports">
              {imports.map((one) => (
                <ImportListRow key={one.id} frame={frame} row={one} />
              ))}
            </ul>
          </PostForm>
        )}
      </section>
    </AccountLayout>
  );
}

function ImportListRow({ frame, row }: { readonly frame: Frame; readonly row: ImportRow }): VNode {
  const { imports: texts, formatMinute } = frame.messages;
  const { id, state, posts, comments, pictures, leftOut, createdAt, undoable } = row;
  const headingId = `import-${String(id)}`;
  const left = Object.entries(leftOut) as [LeftOutReason, number][]; // the members of LeftOut
  return (
    <li class="row with-action">
      <div>
        <h3 id={headingId}>
          <time datetime={createdAt.toISOString()}>{formatMinute(createdAt)}</time>
        </h3>
        <p>
          {texts.states[state]} {texts.stored(posts, comments, pictures)}
        </p>
        {left.length === 0 ? null : (
          <p class="quiet small">
            {texts.leftOut} {left.map(([reason, count]) => `${texts.reasons[reason]} (${String(count)})`).join(', ')}
          </p>
        )}
        {undoable ? <p class="quiet small">{texts.undoHint}</p> : null}
      </div>
      {undoable ? (
        <button class="button quiet-button" name="id" value={id} data-testid="undo-import" aria-describedby={headingId}>
          {texts.undo}
        </button>
      ) : null}
    </li>
  );
}
