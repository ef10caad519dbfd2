import { CODES } from '../../areas/codes/index.ts';
import { Copy, Empty, Head, Hint, type PageParts, Pager, Panel, Resource, Time, times } from '../parts.tsx';
import { plain } from '../text.ts';
import type { Visit } from '../visit.ts';

/** One-time codes that would have been sent by email and SMS. */
export function codes(visit: Visit): PageParts {
  const cursor = visit.query('cursor');
  const page = visit.world.rows(CODES).page({ limit: 50, cursor });
  return {
    title: 'Sent codes',
    menu: 'codes',
    body: (
      <>
        <Head
          title="Sent codes"
          lead='One-time codes that were "sent" by email and SMS. Nothing leaves this machine: here they are.'
        />
        <Panel id="codes" live={cursor === undefined ? 'request reset' : ''} flush>
          {page.data.length > 0 ? (
            <>
              <div class="scroll">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">Code</th>
                      <th scope="col">To</th>
                      <th scope="col">For</th>
                      <th scope="col">About</th>
                      <th scope="col">Sent</th>
                    </tr>
                  </thead>
                  <tbody data-rows>
                    {page.data.map((code) => (
                      <tr data-row={code.id}>
                        <td>
                          <span class="value left">
                            <code class="otp">{plain(code.code)}</code>
                            <Copy text={code.code} label={`Copy the code for ${plain(code.to)}`} />
                          </span>
                        </td>
                        <td>{plain(code.to)}</td>
                        <td>{plain(code.purpose)}</td>
                        <td>
                          <Resource visit={visit} id={code.subject} mark={`${code.id} about`} />
                        </td>
                        <td>
                          <Time visit={visit} at={code.sentAt} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              <Pager
                shown={times(page.totalCount, 'code')}
                newer={cursor === undefined ? undefined : visit.to('/inspector/codes')}
                older={page.nextCursor ? visit.to('/inspector/codes', { cursor: page.nextCursor }) : undefined}
              />
            </>
          ) : (
            <Empty title="No codes were sent yet">
              <p>
                Verify a customer's email or phone (<code>POST /customers/{'{id}'}/verify-email</code>), or challenge a
                wallet's email or SMS credential, and the code appears here. Most sandboxes also accept{' '}
                <code>000000</code>.
              </p>
            </Empty>
          )}
        </Panel>
        <Hint visit={visit} call={{ method: 'GET', path: '/codes' }} />
      </>
    ),
  };
}
