import { OPERATIONS } from '../../areas.ts';
import { type Documented, documented, documentOf, type Json } from '../../calls/document.ts';
import { fail } from '../../contract/errors.ts';
import type { Operation } from '../../declare/operation.ts';
import { type AnswerOf, commands } from '../../sandbox/commands/index.ts';
import { Hint } from '../frame/act.tsx';
import type { PageContext } from '../frame/page-context.ts';
import { type PageParts, Panel, Status } from '../frame/parts.tsx';
import { escapeControlChars } from '../frame/text.ts';
import { loginOf } from './connect.tsx';
import { Shape } from './schema.tsx';
import { TryAnswer, TryForm, tried } from './try.tsx';

/** Shows one operation: its input and its replies, from the OpenAPI document. */
export async function operation(visit: PageContext, [id = '']: readonly string[]): Promise<PageParts> {
  const listed = OPERATIONS.find((one) => one.id === id) ?? fail('REFERENCE_NOT_FOUND', `there is no operation ${id}`);
  const answered = await tried(visit, id);
  const example = await visit.ask(commands.operations.describe, { id });
  const document = await documentOf({ host: visit.host, baseUrl: visit.origin });
  const described = documented(document, listed);
  return {
    title: id,
    up: { href: visit.to('/inspector/api'), label: 'API reference' },
    lead: (
      <>
        <span class="method">{listed.method}</span> <code>{listed.path}</code> · {listed.tag}
        {described.summary ? ` · ${described.summary}` : null}
      </>
    ),
    tools: (
      <a class="button" href={visit.to('/inspector/requests', { operation: id })}>
        Its requests
      </a>
    ),
    body: (
      <>
        {answered ? <TryAnswer visit={visit} of={answered} /> : null}
        <Details visit={visit} described={described} document={document} listed={listed} example={example} />
      </>
    ),
  };
}

interface Shown {
  visit: PageContext;
  described: Documented;
  document: Json;
  listed: Operation;
  example: AnswerOf<typeof commands.operations.describe>;
}

const Details = (p: Shown) => (
  <div class="columns wide-aside">
    <div>
      <Taken {...p} />
    </div>
    <div class="aside">
      <Panel id="answers" title="Replies">
        <ul class="replies">
          {Object.entries(p.described.responses ?? {}).map(([status, reply], i) => (
            <Reply status={Number(status)} reply={reply} open={i === 0} document={p.document} />
          ))}
        </ul>
      </Panel>
      <Hint call={p.visit.call(commands.emulator.openApi)} />
    </div>
  </div>
);

/** The parameters and the body of an operation, and a call of it. */
const Taken = ({ visit, described, document, listed, example }: Shown) => {
  const [type, sent] = Object.entries(described.requestBody?.content ?? {})[0] ?? [];
  return (
    <>
      <TryForm
        visit={visit}
        operation={listed}
        described={example}
        curl={curl(visit, listed, described, type, example)}
      />
      {described.description ? (
        <Panel id="said" title="About">
          <p>{escapeControlChars(described.description)}</p>
        </Panel>
      ) : null}
      {described.parameters ? (
        <Panel id="parameters" title="Parameters">
          <ul class="members">
            {described.parameters.map((one) => (
              <Parameter one={one} />
            ))}
          </ul>
        </Panel>
      ) : null}
      {sent ? (
        <Panel id="takes" title="Request body" tools={<code>{type}</code>}>
          <Shape schema={sent.schema} document={document} />
        </Panel>
      ) : null}
    </>
  );
};

const Parameter = ({ one }: { one: NonNullable<Documented['parameters']>[number] }) => (
  <li>
    <p class="member">
      <code class="member-name">{one.name}</code>
      <span class="member-type">
        in {one.in}
        {typeof one.schema?.['type'] === 'string' ? `, ${one.schema['type']}` : ''}
        {Array.isArray(one.schema?.['enum']) ? `, ${one.schema['enum'].join(' | ')}` : ''}
      </span>
      {one.required ? <span class="member-needed">required</span> : null}
    </p>
    {one.description ? <p class="member-said">{escapeControlChars(one.description)}</p> : null}
  </li>
);

type Answer = NonNullable<Documented['responses']>[string];

const Reply = (p: { status: number; reply: Answer; open: boolean; document: Json }) => {
  const schema = Object.values(p.reply.content ?? {})[0]?.schema;
  const done = p.status < 400;
  return (
    <li>
      <Status of={p.status} />{' '}
      <span>{done ? escapeControlChars(p.reply.description ?? '') : <Codes text={p.reply.description ?? ''} />}</span>
      {done && schema ? (
        <details open={p.open}>
          <summary>Shape</summary>
          <Shape schema={schema} document={p.document} />
        </details>
      ) : null}
    </li>
  );
};

const Codes = ({ text }: { text: string }) => (
  <span class="codes">
    {text.split(', ').map((code) => (
      <code class="code-name">{escapeControlChars(code)}</code>
    ))}
  </span>
);

function curl(
  visit: PageContext,
  { method, path }: Operation,
  { security }: Documented,
  type: string | undefined,
  { example }: Shown['example'],
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => example.params[name] ?? whole);
  const url = `${visit.origin}${visit.host.basePath}${filled}`;
  const verb = method === 'GET' ? '' : `-X ${method} `;
  const body =
    type === undefined
      ? ''
      : type.includes('json')
        ? ` \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify(example.body ?? {}).replaceAll("'", "'\\''")}'`
        : ` \\\n  -F 'file=@file.csv'`;
  const [scheme] = security ?? [];
  const bearer = scheme ? '-H "Authorization: Bearer $ACCESS_TOKEN" ' : '';
  return `curl -s ${security ? bearer : `-u ${loginOf(visit)} `}${verb}'${url}'${body}`;
}
