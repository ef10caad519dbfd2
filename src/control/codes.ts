import * as z from 'zod';
import { CODES } from '../areas/codes/index.ts';
import { lazy } from '../contract/lazy.ts';
import { pageQuery } from '../contract/shapes.ts';
import { control } from './control.ts';

const CodeQuery = lazy(() => z.object({ ...pageQuery(), subject: z.string().optional() }));

export const codeControls = [
  control(
    'GET',
    '/codes',
    'One-time codes "sent" by email and SMS, newest first; ?subject= a resource\'s id narrows them',
    ({ sandbox, query: { limit, cursor, subject } }) =>
      sandbox.world.rows(CODES).page({ where: { subject }, limit, cursor }),
    { query: CodeQuery },
  ),
];
