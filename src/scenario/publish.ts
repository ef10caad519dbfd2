import * as z from 'zod';
import { Scenario } from './schema.ts';

type Json = Record<string, unknown>;

const written = (override: (schema: Json) => void): Json =>
  z.toJSONSchema(Scenario(), {
    io: 'input',
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => override(jsonSchema as Json),
  });

/** The JSON schema of a scenario file, for editors and validators; the build writes it beside the package. */
export const scenarioJsonSchema = (): Json => ({
  $id: 'https://sandbox-emulator.example/scenario.schema.json',
  ...written((schema) => {
    for (const keyword of ['tsType', 'tsName', 'tsRest']) delete schema[keyword];
  }),
});

/** The same with what only types can say (`tsType`, `tsName`, `tsRest`); the build makes the types of programs of it. */
export const scenarioTypes = (): Json => written(() => {});

/** A built-in scenario with its defaults filled in, so that a start need not build the schema to read it. */
export const parsedScenario = (data: unknown): Scenario => Scenario().parse(data);
