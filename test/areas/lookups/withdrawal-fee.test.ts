import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';

const PATH = '/crypto/estimate-withdrawal-fee';
const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
const SOL = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';
const TRON = 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL';
const SPARK = 'spark1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu';

const made = async () => {
  const currencies = ['USD', 'USDC', 'USDT', 'BTC', 'USDB'].map((code) => ({ code }));
  const the = await kit({ scenario: { platform: { currencies } } });
  const { body } = await the.get('/platform/internal-accounts');
  const accounts = Object.fromEntries(
    body.data.map((a: { id: string; balance: { currency: { code: string } } }) => [a.balance.currency.code, a.id]),
  );
  const ask = (currency: string, cryptoNetwork: string, destinationAddress: string, amount = 10_000_000, more = {}) =>
    the.post(PATH, {
      internalAccountId: accounts[currency],
      currency,
      cryptoNetwork,
      amount,
      destinationAddress,
      ...more,
    });
  return { ...the, accounts, ask };
};

describe('POST /crypto/estimate-withdrawal-fee, 200', () => {
  test('the estimate of a withdrawal fee matches the sample of the contract: a USDC of a million units on Solana', async () => {
    const { ask } = await made();
    const { status, body } = await ask('USDC', 'SOLANA', SOL, 1_000_000);
    expect(status).toBe(200);
    expect(body).toEqual({
      networkFee: 5000,
      networkFeeAsset: 'SOL',
      applicationFee: 0,
      totalFee: 5000,
      netAmount: 995_000,
    });
  });

  test.each([
    ['USDC', 'ETHEREUM', EVM, 'ETH', 1_500_000],
    ['USDT', 'ETHEREUM', EVM, 'ETH', 1_500_000],
    ['USDC', 'BASE', EVM, 'ETH', 3000],
    ['USDC', 'POLYGON', EVM, 'POL', 2000],
    ['USDT', 'TRON', TRON, 'TRX', 1_600_000],
    ['USDT', 'PLASMA', EVM, 'XPL', 2000],
    ['BTC', 'BITCOIN', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'BTC', 1500],
    ['BTC', 'LIGHTNING', 'ada@wallet.example', 'BTC', 10],
    ['BTC', 'SPARK', SPARK, 'BTC', 2],
    ['USDB', 'SPARK', SPARK, 'BTC', 2400],
  ])('the estimate of a withdrawal fee covers %s on %s', async (currency, network, address, asset, totalFee) => {
    const { ask } = await made();
    const { status, body } = await ask(currency, network, address);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ networkFeeAsset: asset, totalFee, netAmount: 10_000_000 - totalFee });
  });

  test('a token that has VIEW alone may estimate a withdrawal fee', async () => {
    const credentials = [{ id: 'reader', secret: 's', permissions: ['VIEW'] }];
    const { get, post } = await kit({ scenario: { credentials } });
    const { body } = await get('/platform/internal-accounts', { currency: 'USDC' });
    const sent = { currency: 'USDC', cryptoNetwork: 'SOLANA', amount: 1_000_000, destinationAddress: SOL };
    expect((await post(PATH, { ...sent, internalAccountId: body.data[0].id })).status).toBe(200);
  });
});

describe('POST /crypto/estimate-withdrawal-fee, refused', () => {
  const bad = (...fields: string[]) => ({ status: 400, code: 'INVALID_INPUT', fields });

  test('the estimate of a withdrawal fee is refused with 400 INVALID_INPUT without its members, each of them named', async () => {
    const { post } = await kit();
    expect(refusal(await post(PATH, {}))).toEqual(
      bad('internalAccountId', 'currency', 'cryptoNetwork', 'amount', 'destinationAddress'),
    );
  });

  test('the estimate of a withdrawal fee is refused with 400 INVALID_INPUT for a network, an asset or an address that does not fit, and for an amount of 0', async () => {
    const { ask } = await made();
    expect(refusal(await ask('USDC', 'DOGE', EVM))).toEqual(bad('cryptoNetwork'));
    expect(refusal(await ask('USDC', 'toString', EVM))).toEqual(bad('cryptoNetwork'));
    expect(refusal(await ask('USDT', 'BASE', EVM))).toEqual(bad('cryptoNetwork'));
    expect(refusal(await ask('USDC', 'BASE', SOL))).toEqual(bad('destinationAddress'));
    expect(refusal(await ask('USDC', 'TRON', SOL))).toEqual(bad('cryptoNetwork', 'destinationAddress'));
    expect(refusal(await ask('USDC', 'SOLANA', SOL, 0))).toEqual(bad('amount'));
  });

  test("the estimate of a withdrawal fee is refused with 400 INVALID_CURRENCY for another currency than the account's, and for an unknown one", async () => {
    const { ask, accounts } = await made();
    for (const currency of ['USDT', 'XYZ'])
      expect(refusal(await ask(currency, 'ETHEREUM', EVM, 1, { internalAccountId: accounts['USDC'] }))).toMatchObject({
        status: 400,
        code: 'INVALID_CURRENCY',
      });
  });

  test('the estimate of a withdrawal fee is refused with 400 AMOUNT_OUT_OF_RANGE when the fee leaves nothing', async () => {
    const { ask } = await made();
    expect(refusal(await ask('USDC', 'SOLANA', SOL, 5000))).toMatchObject({ status: 400, code: 'AMOUNT_OUT_OF_RANGE' });
    expect((await ask('USDC', 'SOLANA', SOL, 5001)).body.netAmount).toBe(1);
  });

  test('the estimate of a withdrawal fee is refused with 401 without credentials, and with 404 for an unknown account', async () => {
    const { ask, post } = await made();
    expect((await post(PATH, {}, { as: null })).status).toBe(401);
    const answer = await ask('USDC', 'SOLANA', SOL, 1_000_000, { internalAccountId: 'InternalAccount:none' });
    expect(refusal(answer)).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
  });
});
