import { rename } from 'node:fs/promises';
import { join } from 'node:path';

import type { Db } from '@linnet/db/database';
import { ImportBusy, beginImport, beginUndo } from '@linnet/social/import/import-account';
import { ImportRefused, importLimits } from '@linnet/social/import/import-archive';
import type { LeftOutReason } from '@linnet/social/import/import-plan';
import { auditImport, findImports, releaseImport } from '@linnet/social/import/import-store';
import type { ImportRow } from '@linnet/social/import/import-store';
import type { VNode } from 'preact';

import type { FileForm } from '../../pages/form/file-form.ts';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { ErrorSummary, FileField, PostForm, TextField } from '../../pages/views/field.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import { checkPassword } from '../../sign-in/password/password-form.ts';
import type { PasswordCheckOptions } from '../../sign-in/password/password-form.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { AccountLayout } from './account-layout.tsx';
import { findImportFiles, maxImportFiles } from './import-job.ts';

interface ImportRouteOptions extends PasswordCheckOptions {
  readonly db: Db;
  readonly throttle: PasswordCheckOptions['throttle'] & Pick<Throttle, 'countImport'>;
  readonly baseUrl: string;
  /** Where `createImportJobs` finds the files. */
  readonly directory: string;
}

/** `/account/import`: posts from elsewhere. Needs the password. */
export function importRoute(options: ImportRouteOptions): AreaPage {
  const { db, directory } = options;
  return {
    path: pagePaths.import,
    show: async (visit) => await show(db, visit, { done: findDone(visit.ctx, ['started', 'undone']) }),
    forms: { undo: { stepUp: 'none', act: async (visit, form) => await undo(db, visit, Number(form.text('id'))) } },
    upload: {
      field: { name: 'archive', maxBytes: importLimits.fileBytes, directory },
      submit: async (visit, form) => {
        const error = (await findPasswordError(options, visit, form)) ?? (await receive(options, visit, form));
        if (error === undefined) redirectTo(visit.ctx, pagePaths.import, 'started');
        else await show(db, visit, error);
      },
      rejectTooLong: async (visit) => await show(db, visit, { ...refuse(visit, 'too-large'), status: 413 }),
    },
  };
}

async function show(db: Db, { ctx, frame, session }: Visit, { status = 200, ...state }: Shown): Promise<void> {
  const imports = await findImports(db, session.accountId);
  const policy = imports.some(isInProgress) ? { script: progressScript(frame), fetches: pagePaths.import } : {};
  renderPage(ctx, <ImportPage frame={frame} imports={imports} {...state} />, { ...policy, status });
}

function isInProgress({ state }: ImportRow): boolean {
  return state === 'running' || state === 'undoing';
}

function progressScript({ assets }: Frame): string | undefined {
  return assets.scripts['progress.js'];
}

interface Shown extends PageState {
  readonly status?: number;
}

function refuse({ frame }: Visit, problem: ImportPageProblem, entry = ''): Shown {
  const { [problem]: text } = frame.messages.imports.problems;
  return {
    status: problem === 'too-many' || problem === 'busy' ? 429 : 422,
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

/** `undefined`: the import has begun. */
async function receive(options: ImportRouteOptions, visit: Visit, { file }: FileForm): Promise<Shown | undefined> {
  const { db, throttle, baseUrl, directory } = options;
  const { accountId } = visit.session;
  if (file === undefined) return refuse(visit, 'missing');
  const waitSeconds = await throttle.countImport(accountId);
  if (waitSeconds !== undefined) {
    visit.ctx.set('Retry-After', String(waitSeconds));
    return refuse(visit, 'too-many');
  }
  if ((await findImportFiles(directory)).length >= maxImportFiles) return refuse(visit, 'busy');
  try {
    const begun = await beginImport({ db, accountId, baseUrl }, file.path);
    if (begun.state === 'finished') return undefined;
    await rename(file.path, join(directory, String(begun.id)));
    await auditImport(db, 'account.imported', accountId);
    await releaseImport(db, { id: begun.id, state: 'running' });
    return undefined;
  } catch (error) {
    if (error instanceof ImportRefused) return refuse(visit, error.problem, error.entry);
    if (error instanceof ImportBusy) return refuse(visit, 'one-at-a-time');
    throw error;
  }
}

async function undo(db: Db, visit: Visit, id: number): Promise<void> {
  const { accountId } = visit.session;
  if (Number.isSafeInteger(id) && (await beginUndo(db, accountId, id))) {
    await auditImport(db, 'account.import_undone', accountId);
    await releaseImport(db, { id, state: 'undoing' });
    return redirectTo(visit.ctx, pagePaths.import, 'undone');
  }
  const { 'one-at-a-time': problem } = visit.frame.messages.imports.problems;
  const isBusy = (await findImports(db, accountId)).some(isInProgress);
  if (isBusy) return await show(db, visit, { status: 409, problem });
  return redirectTo(visit.ctx, pagePaths.import);
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
  const inProgress = imports.some(isInProgress);
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
      <ImportList {...{ frame, imports, inProgress }} />
      {inProgress ? <script type="module" src={progressScript(frame)} /> : null}
    </AccountLayout>
  );
}

interface ImportListProps extends Pick<ImportPageProps, 'frame' | 'imports'> {
  readonly inProgress: boolean;
}

function ImportList({ frame, imports, inProgress }: ImportListProps): VNode {
  const { imports: texts } = frame.messages;
  return (
    <section data-progress={inProgress}>
      <h2>{texts.listTitle}</h2>
      {inProgress ? (
        <noscript>
          <p class="quiet small">{texts.reload}</p>
        </noscript>
      ) : null}
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
  );
}

function ImportListRow({ frame, row }: { readonly frame: Frame; readonly row: ImportRow }): VNode {
  const { imports: texts, formatMinute } = frame.messages;
  const { id, state, problem, posts, comments, pictures, leftOut, createdAt, undoable } = row;
  const headingId = `import-${String(id)}`;
  const left = Object.entries(leftOut) as [LeftOutReason, number][]; // the members of LeftOut
  return (
    <li class="row with-action">
      <div>
        <h3 id={headingId}>
          <time datetime={createdAt.toISOString()}>{formatMinute(createdAt)}</time>
        </h3>
        <p>
          {texts.states[state]} {problem === null ? '' : `${texts.failures[problem]} `}
          {texts.stored(posts, comments, pictures)}
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
