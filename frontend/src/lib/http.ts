import type { Code, Problem, Remedy } from './api.gen';

/** What the API answered when it could not do what was asked. `code` is UNREACHABLE when nothing answered at all. */
export class ApiError extends Error {
  readonly code: Code | 'UNREACHABLE';
  readonly status: number;
  readonly chinese?: string;
  readonly remedy?: Remedy;
  readonly others?: Remedy[];
  readonly limit?: number;
  readonly actual?: number;

  constructor(status: number, problem: Omit<Problem, 'code'> & { code: Code | 'UNREACHABLE' }) {
    super(problem.message);
    this.name = 'ApiError';
    this.status = status;
    this.code = problem.code;
    this.chinese = problem.chinese;
    this.remedy = problem.remedy;
    this.others = problem.others;
    this.limit = problem.limit;
    this.actual = problem.actual;
  }
}

/** Any thrown thing as an ApiError. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, { code: 'UNREACHABLE', message: error instanceof Error ? error.message : String(error) });
}

function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  return call<T>(path, {
    method,
    headers: body === undefined ? undefined : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

/** Sends files as a form. */
export const upload = <T>(path: string, form: FormData): Promise<T> => call<T>(path, { method: 'POST', body: form });

/** The same, written out: the window on Linux drops the files of a form. */
export async function uploadWritten<T>(path: string, form: FormData): Promise<T> {
  const boundary = `form-${Date.now()}-${Math.random().toString(36).slice(2)}`;
  const pieces: BlobPart[] = [];
  for (const [name, value] of form) {
    const file = typeof value === 'string' ? '' : `; filename="${value.name.replaceAll('"', '%22')}"`;
    pieces.push(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`, value, '\r\n');
  }
  const body = await new Blob([...pieces, `--${boundary}--\r\n`]).arrayBuffer();
  return call<T>(path, {
    method: 'POST',
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body,
  });
}

async function call<T>(path: string, init: RequestInit): Promise<T> {
  const text = await fetchText(path, init);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

function parseProblem(text: string, status: number): Problem {
  try {
    const problem = JSON.parse(text) as Partial<Problem>;
    if (problem.code) return { ...problem, code: problem.code, message: problem.message ?? '' };
  } catch {
    // Not a problem document: a proxy or the asset server answered.
  }
  return { code: 'EINTERNAL', message: `HTTP ${status}` };
}

/** What the API answers, as text: a file is. */
export async function fetchText(path: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch('/api' + path, { ...init, credentials: 'same-origin' }).catch((error: unknown) => {
    throw asApiError(error);
  });
  const text = await response.text();
  if (!response.ok) throw new ApiError(response.status, parseProblem(text, response.status));
  return text;
}

export const http = {
  get: <T>(path: string) => request<T>('GET', path),
  post: <T>(path: string, body: unknown = {}) => request<T>('POST', path, body),
  put: <T>(path: string, body: unknown = {}) => request<T>('PUT', path, body),
  patch: <T>(path: string, body: unknown) => request<T>('PATCH', path, body),
  delete: <T>(path: string) => request<T>('DELETE', path),
};
