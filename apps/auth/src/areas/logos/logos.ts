/** Logos of applications. The decoder re-encodes every uploaded image. */
import type { NewLogo } from '@linnet/applications/application/description-store';
import type { UploadedFile } from '@linnet/contract/uploaded-file';
import { DecoderBusy, ImageRefused } from '@linnet/media/decode/decoder';
import type { Media } from '@linnet/media/media';
import { StorageFailed } from '@linnet/media/storage/media-storage';
import { TooManyUploads } from '@linnet/media/upload-limiter';
import { nameRoute } from '@linnet/service/http/request-log';
import type Koa from 'koa';
import { pagePaths } from '../../pages/views/page-paths.ts';

export type LogoProblem = ImageRefused['problem'] | 'too-large' | 'busy';

export interface Logos {
  /** Directory for uploaded files. */
  readonly directory: string;
  /** Creates a small image from an uploaded file. */
  draw(file: UploadedFile, accountId: number): Promise<NewLogo | LogoProblem>;
}

/** A constraint of the table. Only images of noise come close. */
const maxBytes = 1024 * 1024;

export function createLogos({ uploads, storage }: Pick<Media, 'uploads' | 'storage'>): Logos {
  return {
    directory: storage.draftDirectory,
    draw: async (file, accountId) => {
      try {
        const drawn = await uploads.createThumbnail(file, accountId);
        return drawn.bytes.length > maxBytes ? 'too-large' : drawn;
      } catch (error) {
        if (error instanceof ImageRefused) return error.problem;
        const isBusy = [DecoderBusy, TooManyUploads, StorageFailed].some((kind) => error instanceof kind);
        if (isBusy) return 'busy';
        throw error;
      }
    },
  };
}

const pattern = /^\/logos\/([0-9a-f]{32}\.(png|jpg))$/;
const types: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg' };

/** Serves logos: images that the decoder encoded, with a fixed content type and a CSP that blocks scripts. */
export function serveLogo(findLogo: (name: string) => Promise<Buffer | undefined>): Koa.Middleware {
  return async (ctx, next) => {
    const [, name = '', type = ''] = pattern.exec(ctx.path) ?? [];
    const isLogo = name !== '' && ctx.path === pagePaths.logo(name) && ['GET', 'HEAD'].includes(ctx.method);
    const bytes = isLogo ? await findLogo(name) : undefined;
    if (bytes === undefined) {
      await next();
      return;
    }
    nameRoute(ctx, '/logos/:file');
    ctx.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      // The name is random and never reused.
      ETag: `"${name}"`,
    });
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = types[type] ?? 'application/octet-stream';
    ctx.body = bytes;
  };
}
