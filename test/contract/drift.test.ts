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
  test('a description that is the same as the contract gives no line of drift', () => {
    expect(drift(() => {})).toEqual([]);
  });

  test.each<[string, (document: Service) => void, string[]]>([
    [
      'an operation that is added is one line of drift',
      ({ paths }) =>
        Object.assign(paths, {
          '/refunds': { post: { operationId: 'createRefund', responses: { 201: {}, 409: {} } } },
        }),
      ['+ operation createRefund (POST /refunds)'],
    ],
    [
      'an operation that is dropped is one line of drift',
      (document) => {
        document.paths = {} as Service['paths'];
      },
      ['- operation getRefund'],
    ],
    [
      'a member that is added with members of its own is one line of drift',
      (document) =>
        Object.assign(refund(document).properties, {
          payer: { type: 'object', properties: { name: { type: 'string' } } },
        }),
      ['+ shape Refund.payer: member'],
    ],
    [
      'a value of an enum that is added or dropped is a line of drift',
      (document) => {
        refund(document).properties.status.enum = ['PENDING', 'FAILED'];
      },
      ['- shape Refund.status: value DONE', '+ shape Refund.status: value FAILED'],
    ],
    [
      'a format that changes is a line of drift',
      (document) => {
        refund(document).properties.amount.format = 'int64';
      },
      ['~ shape Refund.amount: format: int32 -> int64'],
    ],
    [
      'a member that becomes required is a line of drift',
      (document) => void refund(document).required.push('status'),
      ['+ shape Refund.status: required (yes)'],
    ],
    [
      'a status that is added is a line of drift',
      ({ paths }) => Object.assign(paths['/refunds/{refundId}'].get.responses, { 410: {} }),
      ['+ operation getRefund reply 410: status'],
    ],
    [
      'a path that changes is a line of drift',
      ({ paths }) => {
        const { '/refunds/{refundId}': item, ...rest } = paths;
        Object.assign(paths, rest, { '/payments/refunds/{refundId}': item });
        delete (paths as Record<string, unknown>)['/refunds/{refundId}'];
      },
      ['~ operation getRefund: GET /refunds/{} -> GET /payments/refunds/{}'],
    ],
    [
      'an event that is added is a line of drift',
      ({ components }) => void components.schemas.RefundEvent.properties.type.enum.push('REFUND.FAILED'),
      ['+ event REFUND.FAILED', '+ shape RefundEvent.type: value REFUND.FAILED'],
    ],
  ])('%s', (_, change, lines) => {
    expect(drift(change)).toEqual(lines);
  });

  test('a description that changes only the words of a rule gives a line of drift, though no text of the contract is kept', () => {
    const [line, ...rest] = drift((document) => {
      refund(document).description = 'A refund. It can be taken back for a day.';
    });
    expect(line).toMatch(/^~ shape Refund: its text is another \([0-9a-f]{12}\)$/);
    expect(rest).toEqual([]);
  });

  test('a description in which only white space differs gives no line of drift', () => {
    const lines = drift((document) => {
      refund(document).description = 'A refund.\n  It is final.';
    });
    expect(lines).toEqual([]);
  });
});
