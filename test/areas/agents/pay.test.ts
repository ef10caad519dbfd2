import { describe, expect, test } from 'vitest';
import { refusal } from '../../kit/sandbox.ts';
import { agentKit, policyOf } from './material.ts';

describe('an agent pays within its policy (reference 7.1)', () => {
  test('the worked amounts of the reference run at once, wait, or are refused', async () => {
    const it = await agentKit();
    const agent = await it.agent(policyOf({ approvalThresholds: { currency: 'USD', amount: 25_000 } }));
    expect((await agent.pay(20_000)).body.status).toBe('APPROVED');
    expect((await agent.pay(25_000)).body.status).toBe('APPROVED');
    const waits = await agent.pay(25_001);
    expect([waits.status, waits.body.status]).toEqual([201, 'PENDING_APPROVAL']);
    const over = await agent.pay(50_001);
    expect([refusal(over), over.body.details.reason]).toEqual([
      { status: 403, code: 'FORBIDDEN', fields: [] },
      'PER_TRANSACTION_LIMIT_EXCEEDED',
    ]);
    console.log(JSON.stringify(waits.body), JSON.stringify(await agent.shown()));
    expect((await it.approve(waits.body)).body.status).toBe('APPROVED');
  });
});
