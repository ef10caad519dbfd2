import type { Fault } from './faults.ts';

type Change = Pick<Fault, 'file' | 'sound' | 'faulty'>;

/** A line in front of which another is put. */
const before = (file: string, sound: string, added: string): Change => ({ file, sound, faulty: `${added}${sound}` });

/** The name under which the changes are planted. */
export const THROW_AWAY = 'a throw-away operation';

/**
 * All that it takes to add `POST /invitations/{invitationCode}/remind`, with a body, in the order of "Adding an operation" of
 * CONTRIBUTING.md. A test runs every other test with it: a file that is lacking here is lacking there.
 */
export const OPERATION: readonly Change[] = [
  before(
    'test/kit/catalogue.ts',
    "    'POST /invitations/{invitationCode}/cancel cancelInvitation',\n",
    "    'POST /invitations/{invitationCode}/remind remindInvitation',\n",
  ),
  before(
    'test/contract/public.json',
    '    "cancelTransaction": {',
    '    "remindInvitation": {"method":"POST","path":"/invitations/{invitationCode}/remind","query":{},"headers":{},"body":{"required":true,"type":"application/json","shape":{"type":"object","required":["note"],"properties":{"note":{"type":"string"}}}},"replies":{"200":{"$ref":"#/$defs/UmaInvitation"},"400":{"$ref":"#/$defs/Error400"},"401":{"$ref":"#/$defs/Error401"},"403":{"$ref":"#/$defs/Error403"},"404":{"$ref":"#/$defs/Error404"},"500":{"$ref":"#/$defs/Error500"}}},\n',
  ),
  before(
    'src/areas/invitations/schema.ts',
    "export const InvitationShape = named('UmaInvitation'",
    "export const InvitationRemind = named('UmaInvitationRemindRequest', () => z.object({ note: Text(200).min(1) }));\n\n",
  ),
  before(
    'src/areas/invitations/rules.ts',
    '/** Take an invitation back. */\n',
    `/** Reminds somebody of an open invitation; it stays as it is. */
export const remind = (world: World, invitation: Invitation): Invitation => {
  world.magic(\`somebody was reminded of invitation \${invitation.id}\`);
  return invitation;
};

`,
  ),
  {
    file: 'src/areas/invitations/routes.ts',
    sound: "import { InvitationClaim, InvitationCreate, InvitationShape } from './schema.ts';",
    faulty: "import { InvitationClaim, InvitationCreate, InvitationRemind, InvitationShape } from './schema.ts';",
  },
  before(
    'src/areas/invitations/routes.ts',
    "  operation({\n    id: 'cancelInvitation',",
    `  operation({
    id: 'remindInvitation',
    endpoint: 'POST /invitations/{invitationCode}/remind',
    summary: 'Remind somebody of an invitation',
    body: InvitationRemind,
    example: { params: { invitationCode: OPEN }, body: { note: oneOf('Soon', 'Please') } },
    replies: { 200: InvitationShape },
    refuses: ['INVALID_INPUT', 'INVITATION_ALREADY_CLAIMED', 'INVITATION_CANCELLED', 'INVITATION_NOT_FOUND'],
    load: ({ world, params }) => openInvitation(world, params.invitationCode),
    write: ({ world }, invitation) => reply(200, showInvitation(world, remind(world, invitation))),
  }),
`,
  ),
  {
    file: 'src/areas/invitations/routes.ts',
    sound: 'invite, openInvitation, showInvitation }',
    faulty: 'invite, openInvitation, remind, showInvitation }',
  },
  before(
    'test/areas/invitations/invitations.test.ts',
    "describe('GET /invitations/{invitationCode}', () => {",
    `test('POST /invitations/{invitationCode}/remind answers 200, and refuses what is not open with 400 or 404', async () => {
  const k = await invited({ expiresAt: '2026-01-05T10:00:00Z' });
  const another = async () => (await k.post('/invitations', { inviterUma })).body.code;
  const remind = (code: string, body: object = { note: 'Soon' }) => k.post('/invitations/' + code + '/remind', body);
  const [claimed, cancelled] = [await another(), await another()];
  await claim(k, claimed);
  await k.post('/invitations/' + cancelled + '/cancel');
  expect((await remind(k.code)).body).toMatchObject({ status: 'PENDING' });
  expect(refusal(await remind(k.code, {})).fields).toEqual(['note']);
  expect(refusal(await remind(claimed)).code).toBe('INVITATION_ALREADY_CLAIMED');
  expect(refusal(await remind(cancelled)).code).toBe('INVITATION_CANCELLED');
  expect(refusal(await remind('ffffffff'))).toMatchObject({ status: 404, code: 'INVITATION_NOT_FOUND' });
});

`,
  ),
];
