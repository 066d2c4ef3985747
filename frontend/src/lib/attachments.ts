// Files that are given to a message before it is sent: texts, and images for models that see.

import type { MessageFile } from './api.gen';

export interface Attachment {
  name: string;
  bytes: number;
  /** Of a text that a message can carry; undefined for an image and for a document. */
  text?: string;
  /** What a message carries; '' of a document. */
  base64: string;
  /** What the archive reads; undefined for an image. */
  file?: File;
  /** A text is for this message only, or goes into the archive as a document. */
  into: 'message' | 'archive';
}

export type Refusal = 'empty' | 'large' | 'binary' | 'blind';

const IMAGES = ['image/png', 'image/jpeg', 'image/webp'];
const IMAGE_BYTES = 8 << 20;
/** A request has at most 12 MB, of which base64 takes a third. */
const TEXT_BYTES = 4 << 20;
/** Files that only the archive can read. */
const DOCUMENT = /\.(pdf|docx|eml)$/i;
/** What the dialog offers; anything that is a text is taken. */
export const offered =
  '.pdf,.docx,.eml,.txt,.md,.csv,.tsv,.json,.yaml,.yml,.xml,.html,.css,.js,.ts,.py,.go,.rs,.java,.c,.h,.cpp,.sql,.sh,.log,text/*';
export const offeredImages = IMAGES.join(',');

/** Reads a file, or says why it can't be used. `sees`: the model can look at images. */
export async function read(file: File, sees: boolean): Promise<Attachment | Refusal> {
  if (file.size === 0) return 'empty';
  const image = IMAGES.includes(file.type);
  if (image && !sees) return 'blind';
  const { name, size: bytes } = file;
  const document: Attachment = { name, bytes, base64: '', file, into: 'archive' };
  if (!image && (DOCUMENT.test(name) || bytes > TEXT_BYTES)) return document;
  if (bytes > IMAGE_BYTES) return 'large';
  if (image) return { name, bytes, base64: await base64Of(file), into: 'message' };
  const content = await file.arrayBuffer();
  if (new Uint8Array(content).includes(0)) return 'binary';
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    return { name, bytes, text, base64: await base64Of(file), file, into: 'message' };
  } catch {
    return document; // in another encoding, which the archive knows
  }
}

/** Reads a file that a message carries, so that another one may carry it. */
export async function fetched(message: string, index: number, { name, type }: MessageFile): Promise<Attachment> {
  const response = await fetch(`/api/messages/${message}/files/${index}`);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const got = await read(new File([await response.blob()], name, { type }), true);
  if (typeof got === 'string') throw new Error(`${name}: ${got}`);
  return got;
}

function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file cannot be read')));
    reader.readAsDataURL(file);
  });
}

/** What a message says that has files only. */
export const namesOf = (files: readonly { name: string }[]): string => files.map((file) => file.name).join(', ');

/** What the texts of files add to a draft, for counting. */
export const textOf = (files: Attachment[]): string =>
  files
    .map(({ name, text, into }) => (text && into === 'message' ? `\n\n<file name="${name}">\n${text}\n</file>` : ''))
    .join('');
