import * as z from 'zod';
import { Scenario } from './schema.ts';

/** The JSON schema of a scenario file, for editors and validators; the build writes it beside the package. */
export const scenarioJsonSchema = (): Record<string, unknown> => ({
  $id: 'https://sandbox-emulator.example/scenario.schema.json',
  ...z.toJSONSchema(Scenario(), { io: 'input', target: 'draft-2020-12', unrepresentable: 'any' }),
});

/** A built-in scenario with its defaults filled in, so that a start need not build the schema to read it. */
export const parsedScenario = (data: unknown): Scenario => Scenario().parse(data);
