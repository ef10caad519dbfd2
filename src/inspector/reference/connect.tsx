import { Command, Copy } from '../frame/act.tsx';
import type { PageContext } from '../frame/page-context.ts';
import { Facts } from '../frame/parts.tsx';
import { escapeControlChars } from '../frame/text.ts';

/** Returns the Basic credentials of the sandbox as curl takes them. */
export const loginOf = ({ sandbox }: PageContext): string => {
  const [credential] = sandbox.credentials;
  return `${credential?.tokenId ?? sandbox.id}:${credential?.secret ?? 'anything'}`;
};

/** Returns a call that works as it stands, and has a visible effect. */
export const firstCurl = (visit: PageContext): string =>
  `curl -s -u ${loginOf(visit)} ${visit.origin}${visit.host.basePath}/customers \\\n` +
  `  -H 'content-type: application/json' \\\n` +
  `  -d '{"customerType":"INDIVIDUAL","fullName":"Alice Doe","birthDate":"1990-01-02"}'`;

/** The settings that a client needs to call this sandbox. */
export const Connect = ({ visit }: { visit: PageContext }) => {
  const [credential] = visit.sandbox.credentials;
  const base = `${visit.origin}${visit.host.basePath}`;
  return (
    <>
      <Facts
        rows={[
          ['Base URL', <Value text={base} what="the base URL" />],
          ['User', <Value text={credential?.tokenId ?? visit.sandbox.id} what="the user" />],
          ['Password', credential?.secret ? <Value text={credential.secret} what="the password" /> : 'anything'],
        ]}
      />
      <details>
        <summary>A call to paste</summary>
        <Command text={firstCurl(visit)} />
      </details>
    </>
  );
};

const Value = ({ text, what }: { text: string; what: string }) => (
  <span class="value">
    <code>{escapeControlChars(text)}</code>
    <Copy text={text} label={`Copy ${what}`} />
  </span>
);
