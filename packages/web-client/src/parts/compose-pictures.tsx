import type { VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

import { useCell } from '../data/cell.ts';
import { draft, maxPictures } from '../data/draft.ts';
import type { DraftPicture } from '../data/draft.ts';
import { useClient } from '../client.ts';
import { Icon } from './icons.tsx';

const maxPictureBytes = 10_000_000;
const maxAltLength = 1500;
const pictureTypes = ['image/png', 'image/jpeg'];

/** Returns what adds files to the draft, unless the service would refuse them. */
export function usePictures(): (files: readonly File[]) => void {
  const { texts, notify } = useClient();
  return (files) => {
    const { wrongType, tooLarge, tooMany } = texts.compose;
    const { pictures } = draft.get();
    if (files.some(({ type }) => !pictureTypes.includes(type))) notify(wrongType);
    else if (files.some(({ size }) => size > maxPictureBytes)) notify(tooLarge);
    else if (pictures.length + files.length > maxPictures) notify(tooMany);
    else draft.change({ pictures: [...pictures, ...files.map((file) => ({ file, alt: '' }))] });
  };
}

export function PicturePicker(): VNode {
  const { texts } = useClient();
  const { pictures } = useCell(draft);
  const add = usePictures();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class="quiet with-icon"
        disabled={pictures.length >= maxPictures}
        onClick={() => input.current?.click()}
      >
        <Icon name="picture" />
        {texts.compose.addPicture}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={pictureTypes.join(',')}
        aria-label={texts.compose.addPicture}
        onChange={({ currentTarget }) => {
          add([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </>
  );
}

/** The pictures of the draft, each with what it shows in words. */
export function ComposedPictures(): VNode | null {
  const { pictures } = useCell(draft);
  if (pictures.length === 0) return null;
  return (
    <ul class="composed-pictures">
      {pictures.map((picture, index) => (
        <ComposedPicture key={index} picture={picture} number={index + 1} />
      ))}
    </ul>
  );
}

function ComposedPicture({ picture, number }: { readonly picture: DraftPicture; readonly number: number }): VNode {
  const { texts } = useClient();
  const source = useFileUrl(picture.file);
  const id = useId();
  const { pictures } = draft.get();
  const others = pictures.filter((other) => other !== picture);
  const describe = (alt: string) =>
    draft.change({ pictures: pictures.map((one) => (one === picture ? { ...one, alt } : one)) });
  return (
    <li class="composed-picture">
      {source !== '' && <img src={source} alt={texts.compose.preview(number)} />}
      <div>
        <label for={id}>{texts.compose.alt(number)}</label>
        <textarea
          id={id}
          rows={2}
          maxLength={maxAltLength}
          placeholder={texts.compose.altHint}
          value={picture.alt}
          onInput={({ currentTarget }) => describe(currentTarget.value)}
        />
      </div>
      <button
        type="button"
        class="round"
        aria-label={texts.compose.removePicture(number)}
        onClick={() => draft.change({ pictures: others })}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

/** A URL of the file while it is shown. */
function useFileUrl(file: File): string {
  const [source, setSource] = useState('');
  useEffect(() => {
    const url = URL.createObjectURL(file);
    setSource(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return source;
}
