import { describe, expect, test } from 'vitest';
import { fundingInstructions, fundingRoutes } from '../../src/areas/accounts/index.ts';
import { Ids } from '../../src/engine/ids.ts';
import { Names } from '../../src/parity/normal.ts';

/** What a side has said, as it is compared with what another has. */
const said = (body: unknown): unknown => new Names('me').said(200, 'application/json', body).body;

describe('values that the two sides of a comparison draw', () => {
  test.each([
    ['hexadecimal of digits only', { platformCustomerId: '4071829354610728' }],
    ['hexadecimal of letters only', { platformCustomerId: 'bcadfdfcfedeafbc' }],
    ['hexadecimal that reads like a number', { platformCustomerId: '1e47182935461072' }],
    ['hexadecimal with a zero first', { platformCustomerId: '0000dfcfedeafb1c' }],
  ])('the comparison normalises a text of sixteen characters: %s', (_, body) => {
    expect(said(body)).toEqual({ platformCustomerId: '‹text›' });
  });

  test.each([
    ['card_', 'efbacedcfecaecca'],
    ['issuer_', '8371649275038164'],
  ])('the comparison normalises the reference of a card: %s%s', (lead, text) => {
    expect(said({ issuerRef: lead + text })).toEqual({ issuerRef: '‹text›' });
  });

  test.each(['$bcdfghjkmnpq@pay.example', '$012345678901@pay.example', '$1e4567890123@pay.example'])(
    'the comparison normalises a UMA address: %s',
    (umaAddress) => {
      expect(said({ umaAddress })).toEqual({ umaAddress: '$‹text›@pay.example' });
    },
  );

  test.each(['USD', 'EUR', 'BRL', 'INR', 'MXN', 'AED', 'EGP', 'COP', 'KES', 'BTC', 'USDC', 'USDT'])(
    'the comparison normalises the funding instructions of a thousand accounts in %s to one text',
    (currency) => {
      const ids = new Ids('accounts');
      const seen = new Set<string>();
      for (let i = 0; i < 1000; i += 1) {
        const id = ids.next('InternalAccount', 1_767_603_600_000);
        seen.add(JSON.stringify(said(fundingInstructions({ id, currency }, fundingRoutes(currency)))));
      }
      expect([...seen]).toHaveLength(1);
    },
  );
});

test('the comparison normalises the last four digits of a card, even where they equal a text that was sent', () => {
  const names = new Names('me');
  names.heard({ postalCode: '2048' });
  const { body } = names.said(200, 'application/json', { last4: '2048', postalCode: '2048' });
  expect(body).toEqual({ last4: '‹text›', postalCode: '2048' });
});

test('the comparison keeps enum values and ordinary words as they are, however long', () => {
  const body = { status: 'PENDING_MANUAL_REVIEW', errorCode: 'INSUFFICIENT_BALANCE', name: 'beneficiary' };
  expect(said(body)).toEqual(body);
});
