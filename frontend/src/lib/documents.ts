// Documents: how files come in and go.
import type { Chosen, Document, Dropped, Jobs, Revised } from './api.gen';
import { app } from './app.svelte';
import { http, upload, uploadWritten } from './http';
import w from './i18n/documents.words';
import { canChoosePath, droppedFiles, isDesktop, openFiles } from './platform';

/** What the dialog offers. Anything that is a text is read. */
export const documents =
  '.pdf,.docx,.html,.htm,.md,.markdown,.txt,.csv,.tsv,.json,.jsonl,.eml,.log,.xml,.yaml,.yml,.go,.py,.js,.ts,.java,.c,.h,.cpp,.cs,.rs,.rb,.php,.swift,.kt,.sql,.sh,.css,.tex,text/*';

/** Begins to read files into the archive of an agent; `document`: the one file is another form of it. */
export function addFiles(agent: string, files: readonly File[], document = ''): Promise<Jobs> {
  const form = new FormData();
  form.set('agent_id', agent);
  if (document) form.set('document_id', document);
  for (const file of files) {
    form.append('changed_at', String(file.lastModified));
    form.append('file', file, file.name);
  }
  return (isDesktop() ? uploadWritten : upload)<Jobs>('/documents', form);
}

/** The same for files that the app itself reads. */
export const addPaths = (agent: string, paths: readonly string[], document = ''): Promise<Jobs> =>
  http.post<Jobs>('/documents', { agent_id: agent, paths, ...(document ? { document_id: document } : {}) });

/** Files to be read: their content, or where the app itself finds them. */
export interface Given {
  files: File[];
  paths: string[];
}

/** Lets the user choose documents. In the window the app reads them by itself, however large they are. */
export async function chooseDocuments(multiple: boolean): Promise<Given> {
  if (canChoosePath()) {
    const { paths = [] } = await http.post<Chosen>('/choose', { kind: 'document' });
    return { files: [], paths: multiple ? paths : paths.slice(0, 1) };
  }
  return { files: await openFiles({ accept: documents, multiple }), paths: [] };
}

/** The documents of a drop, whose default must have been prevented. */
export async function droppedDocuments(event: DragEvent): Promise<Given> {
  if (!isDesktop() || (event.dataTransfer?.files.length ?? 0) > 0)
    return { files: await droppedFiles(event), paths: [] };
  const { files } = await http.post<Dropped>('/dropped');
  return { files: [], paths: files.map((file) => file.path) };
}

/** Deletes a document with its passages, and offers the way back. */
export async function removeDocument({ id, title }: Document): Promise<boolean> {
  const gone = await app.attempt(() => http.delete<Revised>(`/documents/${id}`));
  if (gone) app.offerUndo(w().removed(title), gone.revision);
  return gone !== undefined;
}
