import { createSign, createVerify } from 'node:crypto';
import { platformOf } from '../../areas/platform/index.ts';
import { type Delivery, deliveryOf, webhookKey } from '../../areas/webhooks/index.ts';
import { bodyOf } from '../../kernel/facts.ts';
import { Json } from '../json.tsx';
import {
  Act,
  Badge,
  Copy,
  Empty,
  Facts,
  Head,
  Hint,
  Id,
  type PageParts,
  Panel,
  Resource,
  Status,
  Time,
  times,
} from '../parts.tsx';
import { milliseconds, RequestRow } from '../rows.tsx';
import { parsed, plain } from '../text.ts';
import type { Visit } from '../visit.ts';

type Attempt = Delivery['attempts'][number];

/** One event: what was sent, how often, what the receiver said, and whether the signature is right. */
export function webhook(visit: Visit, [id = '']: readonly string[]): PageParts {
  const delivery = deliveryOf(visit.world, id);
  const body = bodyOf(visit.world.profile, delivery);
  const endpoint = platformOf(visit.world).webhookEndpoint;
  const signed = signature(visit, body);
  return {
    title: plain(delivery.type),
    menu: 'webhooks',
    body: (
      <>
        <Head
          up={{ href: visit.to('/inspector/webhooks'), label: 'Webhooks' }}
          title={<span class="path">{plain(delivery.type)}</span>}
          lead={
            <>
              about <Resource visit={visit} id={delivery.subject} /> · <Time visit={visit} at={delivery.timestamp} /> ·{' '}
              <code>{plain(id)}</code>
            </>
          }
        >
          <Copy
            text={replay(visit, body, signed.header, endpoint)}
            label="Copy as a signed curl call to the receiver"
            show="Copy as curl"
            mark="curl"
          />
          <Act visit={visit} main call={{ method: 'POST', path: `/webhooks/${id}/redeliver` }}>
            Redeliver
          </Act>
        </Head>
        <div class="columns">
          <div>
            <Panel id="attempts" title="Tries" live="delivery fact clock reset" flush>
              {delivery.attempts.length > 0 ? (
                <ol class="rows">
                  {[...delivery.attempts]
                    .reverse()
                    .slice(0, 200)
                    .map((attempt, i) => (
                      <Try visit={visit} attempt={attempt} n={delivery.attempts.length - i} />
                    ))}
                </ol>
              ) : (
                <Empty title={delivery.state === 'UNSENT' ? 'It was not sent' : 'Not tried yet'}>
                  <p>{waiting(delivery)}</p>
                </Empty>
              )}
            </Panel>
            <Panel id="payload" title="Body">
              <Json visit={visit} value={parsed(body)} label="Webhook body" />
            </Panel>
          </div>
          <div class="aside">
            <Panel id="state" title="Delivery" live="delivery fact clock reset">
              <Facts
                rows={[
                  ['State', <Badge of={delivery.state} />],
                  ['Tries', times(delivery.attempts.length, 'try', 'tries')],
                  ['Next', <Next visit={visit} id={id} />],
                  [
                    'To',
                    endpoint ? (
                      <code>{plain(endpoint)}</code>
                    ) : (
                      <a href={visit.to('/inspector/webhooks')}>no endpoint set</a>
                    ),
                  ],
                ]}
              />
            </Panel>
            <Panel id="signature" title="Signature">
              <p>
                <Badge of={signed.verifies ? 'verifies' : 'does not verify'} tone={signed.verifies ? 'good' : 'bad'} />{' '}
                against the key of this sandbox
              </p>
              <Facts
                rows={[
                  ['Header', <code>{visit.world.profile.webhookSignatureHeader}</code>],
                  ['Value', <code class="small">{plain(signed.header)}</code>],
                ]}
              />
              <details>
                <summary>Public key</summary>
                <div class="command">
                  <pre tabindex={0}>
                    <code>{signed.pem}</code>
                  </pre>
                  <Copy text={signed.pem} label="Copy the public key" />
                </div>
                <Hint visit={visit} call={{ method: 'GET', path: '/webhooks/key' }} />
              </details>
            </Panel>
            <Cause visit={visit} id={id} />
          </div>
        </div>
        <Hint visit={visit} call={{ method: 'POST', path: `/webhooks/${id}/redeliver` }} />
      </>
    ),
  };
}

const waiting = ({ state }: Delivery): string =>
  state === 'UNSENT'
    ? 'There was no endpoint when it happened. Set one and redeliver it.'
    : state === 'WAITING'
      ? 'It waits behind an earlier event of the same resource.'
      : 'It is queued.';

/** The exact bytes, signed and verified as a receiver would. */
function signature({ world }: Visit, body: string): { header: string; verifies: boolean; pem: string } {
  const { privateKey, pem } = webhookKey(world);
  const s = createSign('SHA256').update(body).sign(privateKey, 'base64');
  return {
    header: JSON.stringify({ v: '1', s }),
    verifies: createVerify('SHA256').update(body).verify(pem, s, 'base64'),
    pem: pem.trim(),
  };
}

/** A line for a terminal that sends the very same event, rightly signed, to a receiver. */
function replay({ world }: Visit, body: string, header: string, endpoint: string | undefined): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return (
    `curl -s -X POST ${quote(endpoint ?? 'http://127.0.0.1:3000/hooks')} \\\n  -H 'content-type: application/json' \\\n` +
    `  -H ${quote(`${world.profile.webhookSignatureHeader}: ${header}`)} \\\n  --data-raw ${quote(body)}`
  );
}

/** What a fault did to the signature of one try. */
const signedHow = ({ fault }: Attempt): { of: string; tone: string } | undefined =>
  fault === undefined
    ? undefined
    : /wrongSignature/.test(fault)
      ? { of: 'signed with a wrong key', tone: 'bad' }
      : /alteredBody/.test(fault)
        ? { of: 'body altered after signing', tone: 'bad' }
        : { of: 'rightly signed', tone: 'plain' };

const Try = ({ visit, attempt, n }: { visit: Visit; attempt: Attempt; n: number }) => {
  const how = signedHow(attempt);
  return (
    <li class="row try">
      <b class="try-n">{n}</b>
      {attempt.status === undefined ? <span class="status bad">no answer</span> : <Status of={attempt.status} />}
      <span class="try-how">
        {attempt.byHand ? <Badge of="by hand" /> : null}
        {attempt.duplicate ? <Badge of="duplicate" tone="warn" /> : null}
        {how ? <Badge of={how.of} tone={how.tone} /> : null}
      </span>
      <span class="ms">{milliseconds(attempt.ms)}</span>
      <Time visit={visit} at={attempt.at} />
      {attempt.error || attempt.fault || attempt.body ? (
        <div class="try-said">
          {attempt.fault ? <p class="fault-said">fault: {plain(attempt.fault)}</p> : null}
          {attempt.error ? <p>{plain(attempt.error)}</p> : null}
          {attempt.body ? <pre tabindex={0}>{plain(attempt.body)}</pre> : null}
        </div>
      ) : null}
    </li>
  );
};

/** When it is tried next. */
const Next = ({ visit, id }: { visit: Visit; id: string }) => {
  for (const job of visit.world.scheduler.jobs.newest()) {
    if (job.kind !== 'webhook.deliver' || job.payload['webhookId'] !== id) continue;
    return (
      <>
        {job.dueAt === null ? 'when somebody says so' : <Time visit={visit} at={job.dueAt} />}{' '}
        <Id visit={visit} id={job.id} />
      </>
    );
  }
  return <span class="none">never again by itself</span>;
};

/** The call that it goes back to. */
const Cause = ({ visit, id }: { visit: Visit; id: string }) => {
  for (const entry of visit.sandbox.journal.newest()) {
    if (!entry.trace?.facts.includes(id)) continue;
    return (
      <Panel id="cause" title="Caused by" flush>
        <ul class="rows compact" data-rows>
          <RequestRow visit={visit} entry={entry} />
        </ul>
      </Panel>
    );
  }
  return null;
};
