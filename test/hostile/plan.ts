/** One request, before it is sent. */
export interface Plan {
  /** Operation id, `PUT /state` of the control API, or `page`. */
  readonly target: string;
  readonly kind: 'api' | 'control' | 'page';
  method: string;
  /** From the root, version segment included, without the query. */
  path: string;
  /** Empty, or from the question mark on. */
  query: string;
  headers: Record<string, string>;
  /** A form is text parts and one file. */
  body?: string | Uint8Array | FormPlan | undefined;
  /** What was done to a valid request; empty for a valid one. */
  mutations: string[];
}

/** A multipart form as data, so that it can be printed and made again. */
export interface FormPlan {
  readonly fields: Readonly<Record<string, string>>;
  readonly file?: { readonly name: string; readonly type: string; readonly content: string } | undefined;
}

/** A reply, read. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON of `text`, when it says that it is some. */
  readonly json: unknown;
}

/** Whether a reply only asks for a signature: nothing was done yet. */
export const isChallenge = ({ status, json }: Pick<Reply, 'status' | 'json'>): boolean =>
  status === 202 && (json as { payloadToSign?: unknown } | undefined)?.payloadToSign !== undefined;

export type Send = (plan: Plan) => Promise<Reply>;

export const isForm = (body: Plan['body']): body is FormPlan =>
  typeof body === 'object' && !(body instanceof Uint8Array);

export function formOf({ fields, file }: FormPlan): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file) form.append('file', new Blob([file.content], { type: file.type }), file.name);
  return form;
}

/** What `fetch` takes as the body of a plan. */
export function bodyInit(body: Plan['body']): string | Uint8Array<ArrayBuffer> | FormData | undefined {
  if (body === undefined || typeof body === 'string') return body;
  return isForm(body) ? formOf(body) : (body as Uint8Array<ArrayBuffer>);
}

/** Read a reply to its end. */
export async function replyOf(response: Response): Promise<Reply> {
  const text = await response.text();
  let json: unknown;
  if (text !== '' && response.headers.get('content-type')?.includes('json')) {
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
  }
  return { status: response.status, headers: response.headers, text, json };
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The request as a line for a shell; bytes that are not text are given in base64. */
export function asCurl(plan: Plan, url: string): string {
  const parts = ['curl', '-sS', '-i', '-X', plan.method];
  for (const [name, value] of Object.entries(plan.headers)) parts.push('-H', quoted(`${name}: ${value}`));
  const { body } = plan;
  if (typeof body === 'string') parts.push('--data-binary', quoted(body));
  else if (body instanceof Uint8Array)
    return `printf %s ${Buffer.from(body).toString('base64')} | base64 -d | ${parts.join(' ')} --data-binary @- ${quoted(url + plan.path + plan.query)}`;
  else if (body) {
    for (const [name, value] of Object.entries(body.fields)) parts.push('-F', quoted(`${name}=${value}`));
    if (body.file)
      parts.push('-F', quoted(`file=${body.file.content};filename=${body.file.name};type=${body.file.type}`));
  }
  return [...parts, quoted(url + plan.path + plan.query)].join(' ');
}
