import { describe, expect, test } from 'vitest';
// @ts-expect-error: a tool without types
import { differences } from '../../tools/contract/differences.mjs';
// @ts-expect-error: a tool without types
import { digestsOf } from '../../tools/contract/digests.mjs';
// @ts-expect-error: a tool without types
import { factsOf } from '../../tools/contract/facts.mjs';

/** A small service, as a description in OpenAPI. */
const service = () => ({
  openapi: '3.1.0',
  paths: {
    '/refunds/{refundId}': {
      get: {
        operationId: 'getRefund',
        description: 'Returns a refund.',
        parameters: [
          { name: 'refundId', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'expand', in: 'query', schema: { type: 'string' } },
        ],
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Refund' } } } } },
      },
    },
  },
  webhooks: {
    refunds: {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/RefundEvent' } } } },
      },
    },
  },
  components: {
    schemas: {
      Refund: {
        type: 'object',
        description: 'A refund. It is final.',
        required: ['id', 'amount'],
        properties: {
          id: { type: 'string' },
          amount: { type: 'integer', format: 'int32' },
          status: { type: 'string', enum: ['PENDING', 'DONE'] },
        },
      },
      RefundEvent: {
        type: 'object',
        required: ['type'],
        properties: {
          type: { type: 'string', enum: ['REFUND.DONE'] },
          data: { $ref: '#/components/schemas/Refund' },
        },
      },
    },
  },
});

type Service = ReturnType<typeof service>;

const read = (document: object) => ({ facts: factsOf(document), texts: digestsOf(document) });

/** What a newer description of the small service changes. */
function drift(change: (document: Service) => void): string[] {
  const newer = structuredClone(service());
  change(newer);
  return differences(read(service()), read(newer));
}

const refund = (document: Service) => document.components.schemas.Refund;

describe('a newer description of the contract', () => {
  test('that is the same has no line', () => {
    expect(drift(() => {})).toEqual([]);
  });

  test.each<[string, (document: Service) => void, string[]]>([
    [
      'an operation that is added is one line',
      ({ paths }) =>
        Object.assign(paths, {
          '/refunds': { post: { operationId: 'createRefund', responses: { 201: {}, 409: {} } } },
        }),
      ['+ operation createRefund (POST /refunds)'],
    ],
    [
      'an operation that is dropped is one line',
      (document) => {
        document.paths = {} as Service['paths'];
      },
      ['- operation getRefund'],
    ],
    [
      'a member with all that is within it is one line',
      (document) =>
        Object.assign(refund(document).properties, {
          payer: { type: 'object', properties: { name: { type: 'string' } } },
        }),
      ['+ shape Refund.payer: member'],
    ],
    [
      'a value of an enum is a line',
      (document) => {
        refund(document).properties.status.enum = ['PENDING', 'FAILED'];
      },
      ['- shape Refund.status: value DONE', '+ shape Refund.status: value FAILED'],
    ],
    [
      'a format is a line',
      (document) => {
        refund(document).properties.amount.format = 'int64';
      },
      ['~ shape Refund.amount: format: int32 -> int64'],
    ],
    [
      'a member that is now required is a line',
      (document) => void refund(document).required.push('status'),
      ['+ shape Refund.status: required (yes)'],
    ],
    [
      'a status is a line',
      ({ paths }) => Object.assign(paths['/refunds/{refundId}'].get.responses, { 410: {} }),
      ['+ operation getRefund reply 410: status'],
    ],
    [
      'a path is a line',
      ({ paths }) => {
        const { '/refunds/{refundId}': item, ...rest } = paths;
        Object.assign(paths, rest, { '/payments/refunds/{refundId}': item });
        delete (paths as Record<string, unknown>)['/refunds/{refundId}'];
      },
      ['~ operation getRefund: GET /refunds/{} -> GET /payments/refunds/{}'],
    ],
    [
      'an event is a line',
      ({ components }) => void components.schemas.RefundEvent.properties.type.enum.push('REFUND.FAILED'),
      ['+ event REFUND.FAILED', '+ shape RefundEvent.type: value REFUND.FAILED'],
    ],
  ])('%s', (_, change, lines) => {
    expect(drift(change)).toEqual(lines);
  });

  test('that changes a rule in words only is noticed, though no text of it is kept', () => {
    const [line, ...rest] = drift((document) => {
      refund(document).description = 'A refund. It can be taken back for a day.';
    });
    expect(line).toMatch(/^~ shape Refund: its text is another \([0-9a-f]{12}\)$/);
    expect(rest).toEqual([]);
  });

  test('of which only white space of a text differs has no line', () => {
    const lines = drift((document) => {
      refund(document).description = 'A refund.\n  It is final.';
    });
    expect(lines).toEqual([]);
  });
});
