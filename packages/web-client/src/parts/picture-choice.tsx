import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { useClient } from '../client.ts';
import { Avatar } from './account-row.tsx';
import { Modal } from './modal.tsx';

interface PictureChoiceProps {
  readonly picture: File | undefined;
  readonly choose: (picture: File) => void;
}

/** Chooses the picture of the person, and the part of it that others see. */
export function PictureChoice({ picture, choose }: PictureChoiceProps): VNode {
  const { texts, session, notify } = useClient();
  const [opened, setOpened] = useState<OpenedPicture>();
  const address = useMemo(() => picture && URL.createObjectURL(picture), [picture]);
  const open = async (file: File) => {
    try {
      // Turned as its EXIF orientation says.
      setOpened({ file, bitmap: await createImageBitmap(file) });
    } catch {
      notify(texts.compose.wrongType);
    }
  };
  return (
    <>
      <Avatar src={address ?? session.person.avatar} size="large" />
      <label class="button quiet">
        {texts.first.picture}
        <input
          class="unseen"
          type="file"
          accept="image/png,image/jpeg"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            currentTarget.value = '';
            if (file !== undefined) void open(file);
          }}
        />
      </label>
      {opened !== undefined && (
        <CropDialog
          picture={opened}
          close={() => setOpened(undefined)}
          use={(part) => {
            choose(part);
            setOpened(undefined);
          }}
        />
      )}
    </>
  );
}

interface OpenedPicture {
  readonly file: File;
  readonly bitmap: ImageBitmap;
}

/** The square that is used: its middle, as a part of the picture, and how much it is enlarged. */
interface Part {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

const whole: Part = { x: 0.5, y: 0.5, zoom: 1 };
const maxZoom = 4;
const shownSize = 320;
const maxSize = 1024;
/** Of the square, for each press of an arrow key. */
const step = 0.05;
const arrows: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-step, 0],
  ArrowRight: [step, 0],
  ArrowUp: [0, -step],
  ArrowDown: [0, step],
};

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

function squareOf({ width, height }: ImageBitmap, { zoom }: Part): number {
  return Math.min(width, height) / zoom;
}

/** Stays within the picture. */
function fit(bitmap: ImageBitmap, part: Part): Part {
  const zoom = clamp(part.zoom, 1, maxZoom);
  const half = squareOf(bitmap, { ...part, zoom }) / 2;
  const [dx, dy] = [half / bitmap.width, half / bitmap.height];
  return { zoom, x: clamp(part.x, dx, 1 - dx), y: clamp(part.y, dy, 1 - dy) };
}

function draw(canvas: HTMLCanvasElement, bitmap: ImageBitmap, part: Part): void {
  const side = squareOf(bitmap, part);
  const context = canvas.getContext('2d');
  context?.clearRect(0, 0, canvas.width, canvas.height);
  const [left, top] = [part.x * bitmap.width - side / 2, part.y * bitmap.height - side / 2];
  context?.drawImage(bitmap, left, top, side, side, 0, 0, canvas.width, canvas.height);
}

/** A file of the same type: PNG keeps what is transparent. */
async function cut({ file, bitmap }: OpenedPicture, part: Part): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.min(Math.ceil(squareOf(bitmap, part)), maxSize);
  canvas.height = canvas.width;
  draw(canvas, bitmap, part);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, file.type, 0.92));
  return blob === null ? file : new File([blob], file.name, { type: blob.type });
}

interface CropDialogProps {
  readonly picture: OpenedPicture;
  readonly use: (part: File) => void;
  readonly close: () => void;
}

/** Moves and enlarges a picture under a round frame. */
function CropDialog({ picture, use, close }: CropDialogProps): VNode {
  const { texts, report } = useClient();
  const { crop } = texts;
  const { bitmap } = picture;
  const [part, setPart] = useState(() => fit(bitmap, whole));
  return (
    <Modal title={crop.title} closeLabel={texts.post.cancel} kind="crop" onClose={close}>
      <Frame bitmap={bitmap} part={part} change={setPart} />
      <p>{crop.hint}</p>
      <label>
        {crop.zoom}
        <input
          type="range"
          min={1}
          max={maxZoom}
          step={0.1}
          value={part.zoom}
          onInput={({ currentTarget }) => setPart(fit(bitmap, { ...part, zoom: currentTarget.valueAsNumber }))}
        />
      </label>
      <p class="modal-actions">
        <button type="button" class="quiet" onClick={close}>
          {texts.post.cancel}
        </button>
        <button type="button" class="primary" onClick={() => void cut(picture, part).then(use).catch(report)}>
          {crop.use}
        </button>
      </p>
    </Modal>
  );
}

interface FrameProps {
  readonly bitmap: ImageBitmap;
  readonly part: Part;
  readonly change: (next: (part: Part) => Part) => void;
}

/** The part that others will see. It is moved as a button, so that keys reach it. */
function Frame({ bitmap, part, change }: FrameProps): VNode {
  const { crop } = useClient().texts;
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current !== null) draw(canvas.current, bitmap, part);
  }, [part]);
  /** By a share of the square. */
  const move = (x: number, y: number) =>
    change((now) => {
      const side = squareOf(bitmap, now);
      return fit(bitmap, { ...now, x: now.x + (x * side) / bitmap.width, y: now.y + (y * side) / bitmap.height });
    });
  const enlarge = (factor: number) => change((now) => fit(bitmap, { ...now, zoom: now.zoom * factor }));
  return (
    <button
      type="button"
      class="crop-frame"
      aria-label={`${crop.frame}. ${crop.hint}`}
      {...usePointers(move, enlarge)}
      onWheel={(event) => {
        event.preventDefault();
        enlarge(event.deltaY < 0 ? 1.1 : 1 / 1.1);
      }}
      onKeyDown={(event) => {
        const arrow = arrows[event.key];
        if (arrow === undefined) return;
        event.preventDefault();
        move(...arrow);
      }}
    >
      <canvas ref={canvas} width={shownSize} height={shownSize} />
    </button>
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** One pointer drags the picture, two pinch it. */
function usePointers(move: (x: number, y: number) => void, enlarge: (factor: number) => void) {
  const points = useRef(new Map<number, Point>());
  const distance = () => {
    const [a, b] = [...points.current.values()];
    return a === undefined || b === undefined ? undefined : Math.hypot(a.x - b.x, a.y - b.y);
  };
  const drop = (event: PointerEvent) => void points.current.delete(event.pointerId);
  return {
    onPointerDown: (event: PointerEvent) => {
      const { currentTarget: target } = event;
      if (target instanceof Element) target.setPointerCapture(event.pointerId);
      points.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    },
    onPointerMove: (event: PointerEvent) => {
      const last = points.current.get(event.pointerId);
      if (last === undefined || !(event.currentTarget instanceof Element)) return;
      const before = distance();
      points.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const after = distance();
      if (before !== undefined && after !== undefined) enlarge(after / Math.max(before, 1));
      else {
        const { clientWidth: width } = event.currentTarget;
        move((last.x - event.clientX) / width, (last.y - event.clientY) / width);
      }
    },
    onPointerUp: drop,
    onPointerCancel: drop,
  };
}
