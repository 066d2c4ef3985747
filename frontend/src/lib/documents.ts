// Documents: where a passage stands in one, and how files come in.
import type { DocumentPlace, Jobs } from './api.gen';
import type { Format } from './format';
import { http, upload } from './http';
import type { Dictionary } from './i18n/en';
import type { Route } from './route.svelte';

/** What the dialog offers. Anything that is a text is read. */
export const documents =
  '.pdf,.docx,.html,.htm,.md,.markdown,.txt,.csv,.tsv,.json,.jsonl,.eml,.log,.xml,.yaml,.yml,.go,.py,.js,.ts,.java,.c,.h,.cpp,.cs,.rs,.rb,.php,.swift,.kt,.sql,.sh,.css,.tex,text/*';

/** Title and page, as a source is named. */
export function placeText({ title, page, paged }: DocumentPlace, t: Dictionary, f: Format): string {
  if (page === 0) return title; // the summary
  return (paged ? t.documentPage : t.documentPart)(title, f.number(page));
}

/** Where the page of a passage is shown. */
export const placeRoute = ({ id, page }: DocumentPlace, passage: string): Route => ({
  place: 'memory',
  id: 'documents',
  item: id,
  query: page === 0 ? {} : { page: String(page), passage },
});

/** Begins to read files into the archive of an agent; `document`: the one file is another form of it. */
export function addFiles(agent: string, files: readonly File[], document = ''): Promise<Jobs> {
  const form = new FormData();
  form.set('agent_id', agent);
  if (document) form.set('document_id', document);
  for (const file of files) {
    form.append('changed_at', String(file.lastModified));
    form.append('file', file, file.name);
  }
  return upload<Jobs>('/documents', form);
}

/** The same for files that the app itself reads. */
export const addPaths = (agent: string, paths: readonly string[], document = ''): Promise<Jobs> =>
  http.post<Jobs>('/documents', { agent_id: agent, paths, ...(document ? { document_id: document } : {}) });
